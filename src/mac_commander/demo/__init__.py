"""``mac-commander demo``: see the server work on a desktop of its own, where it cannot touch yours."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path


def main(argv: Sequence[str]) -> int:
    """Returns the exit status: 0 everything went as it should, 1 something did not or is missing."""
    parser = argparse.ArgumentParser("mac-commander demo", description=__doc__)
    parser.add_argument(
        "--desktop",
        choices=["simulated", "x11"],
        default="simulated",
        help="a Mac in memory, which needs nothing; or a private X desktop with real programs",
    )
    parser.add_argument(
        "--screenshot", type=Path, default=Path("mac-commander-demo.png"), metavar="FILE", help="where the picture goes"
    )
    options = parser.parse_args(argv)
    return _on_x11(options.screenshot) if options.desktop == "x11" else _on_the_simulated_mac(options.screenshot)


def _on_the_simulated_mac(screenshot: Path) -> int:
    from mac_commander.demo.simulated_tour import SimulatedTour

    with tempfile.TemporaryDirectory(prefix="mac-commander-demo-") as folder:
        return asyncio.run(SimulatedTour(Path(folder), screenshot).run())


def _on_x11(screenshot: Path) -> int:
    from mac_commander.demo.private_desktop import PrivateDesktop, missing_programs
    from mac_commander.demo.x11_tour import PROGRAMS, X11Tour
    from mac_commander.errors import DesktopError

    lacking = missing_programs() + [package for name, package in PROGRAMS.items() if shutil.which(name) is None]
    if lacking:
        sys.stderr.write(f"This tour runs on a private X desktop and needs: {', '.join(lacking)}.\n")
        sys.stderr.write("On Debian or Ubuntu `make packages`, run as root, installs them. Without --desktop x11\n")
        sys.stderr.write("the demo needs none of it.\n")
        return 1
    try:
        with PrivateDesktop() as desktop:
            return asyncio.run(X11Tour(desktop, screenshot).run())
    except DesktopError as error:
        sys.stderr.write(f"The demo could not start: {error}\n")
        return 1

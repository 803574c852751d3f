"""``mac-commander demo``: see the server work on a desktop of its own, where it cannot touch yours."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

PROGRAMS = {"mousepad": "mousepad", "zenity": "zenity", "xclip": "xclip"}
"""What the demo drives, by the Debian package that has it."""


def main(argv: Sequence[str]) -> int:
    """Returns the exit status: 0 everything went as it should, 1 something did not or is missing."""
    parser = argparse.ArgumentParser("mac-commander demo", description=__doc__)
    parser.add_argument(
        "--screenshot", type=Path, default=Path("mac-commander-demo.png"), metavar="FILE", help="where the picture goes"
    )
    options = parser.parse_args(argv)
    from mac_commander.demo.private_desktop import PrivateDesktop, missing_programs
    from mac_commander.errors import DesktopError

    lacking = missing_programs() + [package for name, package in PROGRAMS.items() if shutil.which(name) is None]
    if lacking:
        sys.stderr.write(f"The demo runs on a private X desktop and needs: {', '.join(lacking)}.\n")
        sys.stderr.write("On Debian or Ubuntu `make demo`, run as root, installs them.\n")
        return 1
    from mac_commander.demo.tour import Tour

    try:
        with PrivateDesktop() as desktop:
            return asyncio.run(Tour(desktop, options.screenshot).run())
    except DesktopError as error:
        sys.stderr.write(f"The demo could not start: {error}\n")
        return 1

"""The helper process: ``python -m mac_commander.overlay x11|macos|simulated``, words on stdin."""

from __future__ import annotations

import os
import sys

from mac_commander.overlay.protocol import KINDS, Ending

STDIN = 0


def main(arguments: list[str]) -> int:
    """Run the half for that desktop until stdin ends; returns an `Ending`, or 2 for wrong arguments."""
    match arguments:
        case ["x11"]:
            return _x11()
        case ["macos"]:
            from mac_commander.overlay import macos

            return macos.run(STDIN)
        case ["simulated"]:
            from mac_commander.overlay import headless

            return headless.run(STDIN)
    sys.stderr.write(f"usage: python -m mac_commander.overlay {'|'.join(KINDS)}\n")
    return 2


def _x11() -> Ending:
    try:
        from mac_commander.overlay.x11 import loop, parent
    except OSError:  # how cairocffi says that there is no libcairo
        return Ending.NO_CAIRO
    parent.end_with_parent()
    return loop.run(STDIN, os.environ)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

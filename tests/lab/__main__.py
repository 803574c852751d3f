"""``python -m tests.lab``: bring the desktop up, print its environment, keep it until Ctrl-C."""

from __future__ import annotations

import argparse
import shlex
import signal
from pathlib import Path

from mac_commander.demo.private_desktop import WINDOW_MANAGERS
from tests.lab import Lab

ENDS_IT = (signal.SIGINT, signal.SIGTERM)


def _size(text: str) -> tuple[int, int]:
    width, height = text.split("x")
    return int(width), int(height)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab", description=__doc__)
    parser.add_argument("--wm", default="metacity", choices=sorted(WINDOW_MANAGERS))
    parser.add_argument("--screen", action="append", type=_size, metavar="WxH", help="give twice for two monitors")
    parser.add_argument("--folder", type=Path, help="keep home, run and logs here")
    parser.add_argument("--no-accessibility", action="store_true")
    options = parser.parse_args()
    screens = options.screen or [(1280, 800)]
    accessible = not options.no_accessibility
    with Lab(options.folder, window_manager=options.wm, screens=screens, accessibility=accessible) as lab:
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDS_IT)  # now, so that no program above has them blocked
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell starts what runs in the background with it ignored
        for name, value in sorted(lab.env.items()):
            print(f"export {name}={shlex.quote(value)}")
        print(f"# logs in {lab.folder}/logs; end with Ctrl-C", flush=True)
        signal.sigwait(ENDS_IT)


if __name__ == "__main__":
    main()

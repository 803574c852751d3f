"""The real server, ended at one chosen boundary of a batch: ``python -m tests.kill.ended_server …server's arguments``.

Three boundaries for each event group: before `deliver`, inside it between proof and sending (on X11 the server is
held then), and after it. ``END_AT`` is the number of the boundary, ``END_BY`` the name of a signal, or ``client``
when the client is to do it. ``END_MARK`` is a file that gets the time at which it happened.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from mac_commander.__main__ import main
from mac_commander.core.stop import Stop
from mac_commander.desktops.base import Judge
from mac_commander.desktops.x11.desktop import X11Desktop
from mac_commander.errors import Cause
from mac_commander.events import Evidence, Group
from mac_commander.model import App

WAIT_SECONDS = 2.0
"""How long a boundary waits for the client's end to arrive: it is to be met exactly there."""


class Boundary:
    """Counts the boundaries and ends the server at its own."""

    def __init__(self) -> None:
        self.number, self.how = int(os.environ["END_AT"]), os.environ["END_BY"]
        self.passed = 0
        self.stopped = False

    def reached(self, *, may_wait: bool = True) -> None:
        self.passed += 1
        if self.passed != self.number:
            return
        mark = Path(os.environ["END_MARK"])
        mark.with_suffix(".part").write_text(repr(time.monotonic()))
        mark.with_suffix(".part").replace(mark)
        if self.how != "client":
            os.kill(os.getpid(), signal.Signals[self.how])
        end = time.monotonic() + (WAIT_SECONDS if may_wait else 0)
        while not self.stopped and time.monotonic() < end:
            time.sleep(0.001)


def watched(boundary: Boundary) -> None:
    """Put the boundary into the two functions that it has to hear of."""
    deliver, request = X11Desktop.deliver, Stop.request

    def delivered(desktop: X11Desktop, group: Group, target: App, judge: Judge) -> None:
        def judged(seen: Evidence) -> None:
            judge(seen)
            boundary.reached(may_wait=False)

        boundary.reached()
        deliver(desktop, group, target, judged)
        boundary.reached()

    def requested(stop: Stop, reason: str, cause: Cause = Cause.CANCELLED) -> None:
        request(stop, reason, cause)
        boundary.stopped = True

    X11Desktop.deliver = delivered  # type: ignore[method-assign]
    Stop.request = requested  # type: ignore[method-assign]


if __name__ == "__main__":
    watched(Boundary())
    sys.exit(main(sys.argv[1:]))

"""Asks a client whether it has taken in everything sent before (EWMH ``_NET_WM_PING``).

The ping goes through the same queue as the keys, so its answer says that they were handled: 0.35 ms when idle.
GTK, Qt and Chromium answer, xterm does not. Qt answers to StructureNotify listeners only, so both masks are
chosen on the root window.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from Xlib import X
from Xlib.protocol import rq

from mac_commander.desktops.x11 import processes
from mac_commander.desktops.x11.display import Connection
from mac_commander.desktops.x11.raw_input import event_type

ROOT_EVENTS = X.SubstructureNotifyMask | X.StructureNotifyMask | X.PropertyChangeMask

FIRST_SERIAL = 0x7A000000
"""Our pings are told from the window manager's, which carry server times, by starting here."""

CALM_SAMPLES = 4
CALM_SECONDS = 0.01
"""A client that answers no ping counts as done when it slept through four looks 10 ms apart, with a round trip to
the X server in each. It would have woken for anything in its queue, and for the server's answer if it waited for
one; a look at its state alone was not enough (xterm loading a font, 5 of 300 characters wrong)."""


class Pings:
    """Sends pings and waits for their answers."""

    def __init__(self, x: Connection, pump: Callable[[], object]) -> None:
        self._x = x
        self._pump = pump
        self._serial = FIRST_SERIAL
        self._answered = 0

    def feed(self, event: rq.Event) -> bool:
        told: Any = event
        if event_type(event) != X.ClientMessage or told.client_type != self._x.atom("WM_PROTOCOLS"):
            return False
        kind, values = told.data
        if kind == 32 and values[0] == self._x.atom("_NET_WM_PING") and values[1] >= FIRST_SERIAL:
            self._answered = max(self._answered, int(values[1]))
        return True

    def answers(self, window: int) -> bool:
        """Whether this client promises to answer."""
        return self._x.atom("_NET_WM_PING") in self._x.numbers(window, "WM_PROTOCOLS")

    def wait(self, window: int, seconds: float) -> bool:
        """Whether the client answered within this time."""
        self._serial += 1
        ping = [self._x.atom("_NET_WM_PING"), self._serial, window]
        self._x.message(window, "WM_PROTOCOLS", ping, to=window)
        deadline = time.monotonic() + seconds
        self._pump()
        while self._answered < self._serial:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            self._x.wait_event(left)
            self._pump()
        return True


def wait_calm(x: Connection, pid: int, seconds: float) -> bool:
    """Whether the process slept through `CALM_SAMPLES` looks in a row within this time."""
    deadline, calm, before = time.monotonic() + seconds, 0, processes.activity(pid)
    while calm < CALM_SAMPLES:
        if time.monotonic() >= deadline:
            return False
        time.sleep(CALM_SECONDS)
        x.sync()
        now = processes.activity(pid)
        calm = calm + 1 if now == before and now.asleep else 0
        before = now
    return True

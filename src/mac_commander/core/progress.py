"""Telling the client how far a long call has come, at a rate that helps."""

from __future__ import annotations

import time
from collections.abc import Callable

FIRST_SECONDS = 1.0
"""Short calls say nothing: their answer comes first."""

EVERY_SECONDS = 0.25
"""Each progress line resets the client's watchdog; more often is only noise."""

Progress = Callable[[float, float | None, str], None]
"""``(done, total, message)``: fixed words and numbers, never screen text."""


def silent(_done: float, _total: float | None, _message: str) -> None:
    """Progress of a call that nobody watches."""


class Pace:
    """Passes progress on, from the second second of a call, at most four times a second."""

    def __init__(self, send: Progress, clock: Callable[[], float] = time.monotonic) -> None:
        self._send = send
        self._clock = clock
        self._next = clock() + FIRST_SECONDS

    def report(self, done: float, total: float | None, message: str) -> None:
        now = self._clock()
        if now >= self._next:
            self._next = now + EVERY_SECONDS
            self._send(done, total, message)

"""One flag that stops whatever the server is doing: cancellation, end of input, a signal, a spent budget."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from mac_commander.errors import Cause, Stopped

SLICE_SECONDS = 0.02
"""How long a wait may sleep before it looks again: cancel was seen within 56 ms end to end (measured)."""

CALL_BUDGET_SECONDS = 50.0
"""A call ends itself here: Claude Desktop cuts calls at 60 s (claude-code #63379)."""


class Stop:
    """Set from the protocol thread, looked at by the main thread."""

    def __init__(self) -> None:
        self._reason = ""
        self._cause = Cause.CANCELLED
        self._set = threading.Event()
        self._deadline = float("inf")

    def begin(self, budget: float = CALL_BUDGET_SECONDS) -> None:
        """Start a call's budget. A stop that was asked for before stays set."""
        self._deadline = time.monotonic() + budget

    def request(self, reason: str, cause: Cause = Cause.CANCELLED) -> None:
        """Ask the running call to stop; the first reason is kept."""
        if not self._set.is_set():
            self._reason, self._cause = reason, cause
            self._set.set()

    def clear(self) -> None:
        """Forget a request: the call it was meant for has ended."""
        self._set.clear()
        self._deadline = float("inf")

    @property
    def requested(self) -> bool:
        return self._set.is_set()

    def left(self) -> float:
        """Seconds of the budget that are left, at least 0."""
        return max(0.0, self._deadline - time.monotonic())

    def check(self) -> None:
        """Raise `Stopped` when the call must end now."""
        if self._set.is_set():
            raise Stopped(self._reason, self._cause)
        if time.monotonic() >= self._deadline:
            raise Stopped(
                f"the call's {CALL_BUDGET_SECONDS:.0f} s are used up; call again with the steps that are left",
                Cause.TIME,
            )

    def rest(self, seconds: float, idle: Callable[[float], None]) -> None:
        """Let time pass in slices; ends early when ``idle`` came back early, because the desktop told of something.
        Raises `Stopped`."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.check()
            part, begun = min(SLICE_SECONDS, left), time.monotonic()
            idle(part)
            if time.monotonic() - begun < part / 2:
                return

    def wait(self, seconds: float, idle: Callable[[float], None], done: Callable[[], bool] | None = None) -> bool:
        """Let time pass in slices of `SLICE_SECONDS` while ``idle`` turns the platform's events; ends early
        when ``done()`` holds. Returns whether it did. Raises `Stopped`."""
        end = time.monotonic() + seconds
        while True:
            self.check()
            if done is not None and done():
                return True
            left = end - time.monotonic()
            if left <= 0:
                return False
            idle(min(SLICE_SECONDS, left))

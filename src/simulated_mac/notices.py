"""Accessibility notifications on their way to observers, who see them when their run loop turns."""

from __future__ import annotations

from collections import deque
from typing import Any

BACKLOG = 10_000
"""Notices kept for an observer that never looks; beyond it the oldest are lost, as a full Mach port would."""

Waiting = deque[tuple[str, Any]]


class Notices:
    def __init__(self) -> None:
        self._subscribers: list[tuple[int, Waiting]] = []

    def subscribe(self, pid: int) -> Waiting:
        """Where notices about this process wait from now on."""
        waiting: Waiting = deque(maxlen=BACKLOG)
        self._subscribers.append((pid, waiting))
        return waiting

    def post(self, name: str, pid: int, subject: Any) -> None:
        """``subject`` is the element, window or app that it is about."""
        for subscribed, waiting in self._subscribers:
            if subscribed == pid:
                waiting.append((name, subject))

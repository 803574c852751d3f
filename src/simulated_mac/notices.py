"""Accessibility notifications on their way to observers, who see them when their run loop turns."""

from __future__ import annotations

from collections import deque
from typing import Any
from weakref import ref

BACKLOG = 10_000
"""Notices kept for an observer that never looks; beyond it the oldest are lost, as a full Mach port would."""


Waiting = deque[tuple[str, Any]]
"""Name and subject of each notice that an observer has not looked at yet."""


class Notices:
    def __init__(self) -> None:
        self._subscribers: list[tuple[int, ref[Waiting]]] = []
        """By process. An observer that nobody holds any more hears nothing: the last release ends it."""

    def subscribe(self, pid: int) -> Waiting:
        """Where notices about this process wait from now on, for as long as somebody holds it."""
        waiting: Waiting = deque(maxlen=BACKLOG)
        self._subscribers = [(of, held) for of, held in self._subscribers if held() is not None]
        self._subscribers.append((pid, ref(waiting)))
        return waiting

    def post(self, name: str, pid: int, subject: Any) -> None:
        """``subject`` is the element, window or app that it is about."""
        for subscribed, held in self._subscribers:
            waiting = held() if subscribed == pid else None
            if waiting is not None:
                waiting.append((name, subject))

    def __len__(self) -> int:
        """Observers that are held."""
        return sum(held() is not None for _, held in self._subscribers)

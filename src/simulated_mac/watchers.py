"""Event taps: who else sees every input event, a person's and a program's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Watcher = Callable[[Any], None]


class Watchers:
    def __init__(self) -> None:
        self._watching: list[Watcher] = []

    def add(self, watcher: Watcher) -> None:
        """Told of each key and pointer event, just before it is delivered."""
        self._watching.append(watcher)

    def remove(self, watcher: Watcher) -> None:
        self._watching = [other for other in self._watching if other is not watcher]

    def tell(self, event: Any) -> None:
        for watcher in self._watching:
            watcher(event)

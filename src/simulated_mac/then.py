"""What happens later in a scene: after so many journal lines, or so many milliseconds."""

from __future__ import annotations

from typing import Any


class Schedule:
    def __init__(self, entries: list[dict[str, Any]]) -> None:
        self._by_line = [entry for entry in entries if "after_events" in entry]
        self._by_time = sorted((e for e in entries if "after_ms" in e), key=lambda entry: entry["after_ms"])

    def due_after(self, line: int) -> list[dict[str, Any]]:
        """Entries that this journal line sets off, each given once, in the order of the world file."""
        due = [entry for entry in self._by_line if entry["after_events"] <= line]
        self._by_line = [entry for entry in self._by_line if entry["after_events"] > line]
        return due

    @property
    def awaits_time(self) -> bool:
        """Whether any entry is left that time sets off."""
        return bool(self._by_time)

    def due_at(self, milliseconds: float) -> list[dict[str, Any]]:
        due = [entry for entry in self._by_time if entry["after_ms"] <= milliseconds]
        self._by_time = self._by_time[len(due) :]
        return due

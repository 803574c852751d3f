"""The general pasteboard: what was copied last, by kind, and how often it changed."""

from __future__ import annotations

PLAIN_TEXT = "public.utf8-plain-text"


class Pasteboard:
    def __init__(self, text: str = "") -> None:
        self.items: dict[str, object] = {PLAIN_TEXT: text} if text else {}
        self.changes = 1

    @property
    def text(self) -> str:
        found = self.items.get(PLAIN_TEXT, "")
        return found if isinstance(found, str) else ""

    def copy(self, text: str) -> None:
        self.clear()
        self.items[PLAIN_TEXT] = text

    def clear(self) -> int:
        self.items = {}
        self.changes += 1
        return self.changes

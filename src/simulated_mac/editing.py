"""A text with a caret and a selection, edited as Cocoa's text system edits. Positions are code points."""

from __future__ import annotations

from dataclasses import dataclass, field

UNDO_DEPTH = 100
"""Enough for any scene; bounds what an endless typist can make it hold."""


def is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


@dataclass
class Editor:
    text: str = ""
    anchor: int = 0
    """Where the selection began."""
    caret: int = 0
    undone: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    multiline: bool = True

    @property
    def selection(self) -> tuple[int, int]:
        """Start and end."""
        return min(self.anchor, self.caret), max(self.anchor, self.caret)

    @property
    def selected(self) -> str:
        start, end = self.selection
        return self.text[start:end]

    def select(self, start: int, end: int) -> None:
        self.anchor = max(0, min(start, len(self.text)))
        self.caret = max(0, min(end, len(self.text)))

    def select_all(self) -> None:
        self.select(0, len(self.text))

    def replace_all(self, text: str) -> None:
        """The whole text is set from outside; the caret goes to its end."""
        self._change(text, len(text))

    def insert(self, text: str) -> None:
        start, end = self.selection
        self._change(self.text[:start] + text + self.text[end:], start + len(text))

    def delete_backward(self) -> None:
        if self.anchor == self.caret:
            self.select(max(0, self.caret - 1), self.caret)
        self.insert("")

    def delete_forward(self) -> None:
        if self.anchor == self.caret:
            self.select(self.caret, self.caret + 1)
        self.insert("")

    def move(self, to: int, extend: bool) -> None:
        self.caret = max(0, min(to, len(self.text)))
        if not extend:
            self.anchor = self.caret

    def step(self, by: int, extend: bool) -> None:
        """Left or right by one; without ``extend`` a selection collapses to that side of it."""
        start, end = self.selection
        if start != end and not extend:
            self.move(start if by < 0 else end, extend=False)
        else:
            self.move(self.caret + by, extend)

    def word(self, by: int, extend: bool) -> None:
        at = self.caret
        ahead = self.text[at:] if by > 0 else self.text[:at][::-1]
        skipped = len(ahead) - len(ahead.lstrip(" \n\t.,;:!?"))
        while skipped < len(ahead) and is_word(ahead[skipped]):
            skipped += 1
        self.move(at + by * max(skipped, 1), extend)

    def line_edge(self, by: int, extend: bool) -> None:
        if by < 0:
            self.move(self.text.rfind("\n", 0, self.caret) + 1, extend)
        else:
            end = self.text.find("\n", self.caret)
            self.move(len(self.text) if end < 0 else end, extend)

    def line(self, by: int, extend: bool) -> None:
        """One line up or down in the same column; beyond the first or last line to the text's edge."""
        start = self.text.rfind("\n", 0, self.caret) + 1
        column = self.caret - start
        if by < 0:
            if start == 0:
                return self.move(0, extend)
            above = self.text.rfind("\n", 0, start - 1) + 1
            return self.move(min(above + column, start - 1), extend)
        end = self.text.find("\n", self.caret)
        if end < 0:
            return self.move(len(self.text), extend)
        after = self.text.find("\n", end + 1)
        return self.move(min(end + 1 + column, len(self.text) if after < 0 else after), extend)

    def select_word(self, at: int) -> None:
        start = end = max(0, min(at, len(self.text)))
        while start > 0 and is_word(self.text[start - 1]):
            start -= 1
        while end < len(self.text) and is_word(self.text[end]):
            end += 1
        self.select(start, end)

    def select_line(self, at: int) -> None:
        end = self.text.find("\n", at)
        self.select(self.text.rfind("\n", 0, at) + 1, len(self.text) if end < 0 else end + 1)

    def undo(self) -> None:
        self._swap(self.done, self.undone)

    def redo(self) -> None:
        self._swap(self.undone, self.done)

    def _swap(self, source: list[str], target: list[str]) -> None:
        if source:
            target.append(self.text)
            self.text = source.pop()
            self.select(len(self.text), len(self.text))

    def _change(self, text: str, caret: int) -> None:
        if text != self.text:
            self.done.append(self.text)
            del self.done[:-UNDO_DEPTH]
            self.undone.clear()
        self.text = text
        self.select(caret, caret)

"""One line of AppleScript, read from left to right into a tree: each node a tuple that begins with its kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from simulated_mac.applescript.errors import Unknown
from simulated_mac.applescript.words import Line, Word

Node = tuple[Any, ...]
T = TypeVar("T")

_COMPARISONS = {
    "=": "is",
    "≠": "is not",
    "/=": "is not",
    "<": "<",
    ">": ">",
    "<=": "<=",
    ">=": ">=",
    "≤": "<=",
    "≥": ">=",
}
_CONSTANTS = {"linefeed": "\n", "tab": "\t", "quote": '"', "space": " ", "true": True, "false": False}


class Expressions:
    """Reads one line from left to right."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self._words = line.words
        self._at = 0

    def unknown(self) -> Unknown:
        return Unknown(self.line.number, self.line.text)

    @property
    def ended(self) -> bool:
        return self._at == len(self._words)

    def _peek(self, ahead: int = 0) -> Word:
        at = self._at + ahead
        return self._words[at] if at < len(self._words) else Word("end", "")

    def skip(self, phrase: str) -> bool:
        """Go past these words when they come next."""
        wanted = phrase.split()
        coming = [self._peek(index) for index in range(len(wanted))]
        if any(w.kind == "text" or w.value != p for w, p in zip(coming, wanted, strict=True)):
            return False
        self._at += len(wanted)
        return True

    def need(self, phrase: str) -> None:
        if not self.skip(phrase):
            raise self.unknown()

    def name(self) -> str:
        word = self._peek()
        if word.kind != "name":
            raise self.unknown()
        self._at += 1
        return word.value

    # --- expressions, from the loosest binding to the tightest --------------------------------------------------

    def expression(self) -> Node:
        left = self._comparison()
        while True:
            if self.skip("and"):
                left = ("and", left, self._comparison())
            elif self.skip("or"):
                left = ("or", left, self._comparison())
            else:
                return left

    def _comparison(self) -> Node:
        if self.skip("not"):
            return ("not", self._comparison())
        left = self._joined()
        for phrase in ("is not", "is equal to", "is in", "is", "contains", "starts with", "equals"):
            if self.skip(phrase):
                kind = {"is equal to": "is", "equals": "is"}.get(phrase, phrase)
                return ("compare", kind, left, self._joined())
        if self._peek().kind == "sign" and self._peek().value in _COMPARISONS:
            kind = _COMPARISONS[self._peek().value]
            self._at += 1
            return ("compare", kind, left, self._joined())
        return left

    def _joined(self) -> Node:
        left = self._sum()
        while self.skip("&"):
            left = ("join", left, self._sum())
        return left

    def _sum(self) -> Node:
        return self._chain("+-", lambda: self._chain("*/", self._converted))

    def _chain(self, signs: str, part: Callable[[], Node]) -> Node:
        left = part()
        while self._peek().kind == "sign" and self._peek().value in signs:
            sign = self._peek().value
            self._at += 1
            left = ("arithmetic", sign, left, part())
        return left

    def _converted(self) -> Node:
        value = self._primary()
        while self.skip("as"):
            value = ("as", self._kind(), value)
        return value

    def _kind(self) -> str:
        self.skip("Unicode")
        kind = self.name()
        if kind not in ("text", "string", "integer", "list", "boolean"):
            raise self.unknown()
        return kind

    def _primary(self) -> Node:
        word = self._peek()
        if word.kind == "text":
            self._at += 1
            return ("value", word.value)
        if word.kind == "number":
            self._at += 1
            return ("value", float(word.value) if "." in word.value else int(word.value))
        if self.skip("-"):
            return ("arithmetic", "-", ("value", 0), self._primary())
        if self.skip("("):
            inside = self.expression()
            self.need(")")
            return inside
        if self.skip("{"):
            return self._list()
        return self._phrase()

    def _list(self) -> Node:
        members: list[Node] = []
        while not self.skip("}"):
            members.append(self.expression())
            if not self.skip(","):
                self.need("}")
                break
        return ("list", *members)

    def _phrase(self) -> Node:
        self.skip("the")
        if self.skip("clipboard"):
            return ("clipboard",)
        if self.skip("count of") or self.skip("count") or self.skip("length of"):
            return ("count", self._converted())
        if self.skip("item"):
            index = self._sum()
            self.need("of")
            return ("item", index, self._converted())
        for ordinal, place in (("first item of", 1), ("last item of", -1)):
            if self.skip(ordinal):
                return ("item", ("value", place), self._converted())
        if self.skip("rest of"):
            return ("rest", self._converted())
        if self.skip("quoted form of"):
            return ("quoted", self._converted())
        return self._of_the_desktop()

    def parameters(self) -> tuple[str, ...]:
        """The names that a handler takes, in brackets."""
        return self._in_brackets(self.name)

    def _in_brackets(self, read: Callable[[], T]) -> tuple[T, ...]:
        self.need("(")
        items: list[T] = []
        while not self.skip(")"):
            items.append(read())
            if not self.skip(","):
                self.need(")")
                break
        return tuple(items)

    def _of_the_desktop(self) -> Node:
        for process in ("first application process", "first process"):
            if self.skip(f"{process} whose frontmost is true"):
                return ("front process",)
        if self.skip("name of") or self.skip("title of"):
            return ("name", self._converted())
        if self.skip("windows of") or self.skip("every window of"):
            return ("windows", self._converted())
        if self.skip("front window of") or self.skip("window 1 of"):
            return ("front window", self._converted())
        if self.skip("AppleScript's text item delimiters") or self.skip("text item delimiters"):
            return ("delimiters",)
        self.skip("my")
        name = self.name()
        if self._peek().value == "(" and self._peek().kind == "sign":
            return ("call", name, self._in_brackets(self.expression))
        if name in _CONSTANTS:
            return ("value", _CONSTANTS[name])
        return ("value", "\r") if name == "return" else ("variable", name)

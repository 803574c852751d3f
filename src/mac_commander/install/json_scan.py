"""Where everything is in a JSON text, with VS Code's comments and trailing commas or without."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from mac_commander.install.edits import LeftAlone

SPACE = re.compile(r"[ \t\r\n]*")
SPACE_AND_COMMENTS = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
SCALAR = re.compile(r"true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")

DEPTH_MOST = 200
"""Far below what Python's own stack takes; no client's configuration is a tenth as deep."""


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands: ``text[start:end]``."""

    start: int
    end: int
    value: Any
    members: tuple[Member, ...] = ()
    """Of an object, in their order; a name may come twice, and then `value` has the last one's."""

    def named(self, name: str) -> Member | None:
        """Raises `LeftAlone` when the name is there twice: clients differ in which one they take."""
        found = [member for member in self.members if member.name == name]
        if len(found) > 1:
            raise LeftAlone(f'"{name}" is there {len(found)} times; leave one of them, then try again')
        return found[0] if found else None


@dataclass(frozen=True, slots=True)
class Member:
    name: str
    start: int
    """Of its name."""
    node: Node
    comma: int | None
    """Where the comma after it is."""


def scan(text: str, *, comments: bool) -> Node:
    """The root, which must be an object. Raises `LeftAlone` with line and column."""
    scanner = _Scanner(text, SPACE_AND_COMMENTS if comments else SPACE, comments)
    start = scanner.skip(1 if text.startswith("\ufeff") else 0)
    root = scanner.value(start, 0)
    if scanner.skip(root.end) != len(text):
        raise scanner.wrong(scanner.skip(root.end), "the end of the file")
    if not isinstance(root.value, dict):
        raise scanner.wrong(start, "an object at the top")
    return root


class _Scanner:
    def __init__(self, text: str, trivia: re.Pattern[str], trailing_commas: bool) -> None:
        self._text = text
        self._trivia = trivia
        self._trailing_commas = trailing_commas

    def skip(self, at: int) -> int:
        match = self._trivia.match(self._text, at)
        assert match is not None  # it matches nothing as well
        return match.end()

    def wrong(self, at: int, wanted: str) -> LeftAlone:
        before = self._text[:at]
        line, column = before.count("\n") + 1, at - before.rfind("\n")
        seen = f"'{self._text[at]}'" if at < len(self._text) else "the end of the file"
        return LeftAlone(f"not valid JSON at line {line}, column {column}: wanted {wanted}, found {seen}")

    def value(self, at: int, depth: int) -> Node:
        if depth > DEPTH_MOST:
            raise self.wrong(at, f"at most {DEPTH_MOST} levels")
        if self._text.startswith("{", at):
            return self._object(at, depth)
        if self._text.startswith("[", at):
            return self._array(at, depth)
        match = STRING.match(self._text, at) or SCALAR.match(self._text, at)
        if match is None:
            raise self.wrong(at, "a value")
        try:
            return Node(at, match.end(), json.loads(match[0]))
        except ValueError:  # a number with more digits than Python reads
            raise self.wrong(at, "a number of a common size") from None

    def _object(self, at: int, depth: int) -> Node:
        members: list[Member] = []
        place = self.skip(at + 1)
        while not self._closes(place, "}", first=not members, after=members[-1].comma if members else None):
            member = self._member(place, depth)
            members.append(member)
            place = self.skip(member.node.end if member.comma is None else member.comma + 1)
        return Node(at, place + 1, {m.name: m.node.value for m in members}, tuple(members))

    def _member(self, at: int, depth: int) -> Member:
        match = STRING.match(self._text, at)
        if match is None:
            raise self.wrong(at, 'a name in double quotes or "}"')
        colon = self.skip(match.end())
        if not self._text.startswith(":", colon):
            raise self.wrong(colon, "':'")
        node = self.value(self.skip(colon + 1), depth + 1)
        return Member(json.loads(match[0]), at, node, self._comma(node.end))

    def _array(self, at: int, depth: int) -> Node:
        values: list[Any] = []
        comma: int | None = None
        place = self.skip(at + 1)
        while not self._closes(place, "]", first=not values, after=comma):
            item = self.value(place, depth + 1)
            values.append(item.value)
            comma = self._comma(item.end)
            place = self.skip(item.end if comma is None else comma + 1)
        return Node(at, place + 1, values)

    def _comma(self, at: int) -> int | None:
        place = self.skip(at)
        return place if self._text.startswith(",", place) else None

    def _closes(self, at: int, bracket: str, *, first: bool, after: int | None) -> bool:
        """Whether the bracket is here, as it may be; ``after`` is the comma of the last item."""
        closes = self._text.startswith(bracket, at)
        if closes and after is not None and not self._trailing_commas:
            raise self.wrong(at, "another item after the comma")
        if not closes and not first and after is None:
            raise self.wrong(at, f"',' or '{bracket}'")
        return closes

"""A line of AppleScript cut into words: texts, numbers, names and signs."""

from __future__ import annotations

import re
from typing import NamedTuple

from simulated_mac.applescript.errors import Unknown

_WORD = re.compile(
    r"""\s*(?:
        (?P<text>"(?:\\.|[^"\\])*")
      | (?P<number>\d+(?:\.\d+)?)
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*(?:'s)?)
      | (?P<sign>≠|≤|≥|<=|>=|/=|[&=<>+\-*/(){},])
    )""",
    re.VERBOSE,
)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


class Word(NamedTuple):
    kind: str
    value: str


class Line(NamedTuple):
    number: int
    """From 1."""
    text: str
    words: tuple[Word, ...]


def lines(program: str) -> list[Line]:
    """All lines that say something; comments are gone, continued lines are joined."""
    found: list[Line] = []
    text = re.sub(r"\(\*.*?\*\)", lambda match: "\n" * match[0].count("\n"), program, flags=re.DOTALL)
    text = text.replace("¬\n", "  ")
    for number, line in enumerate(text.splitlines(), start=1):
        words = tuple(_words(number, line))
        if words:
            found.append(Line(number, line.strip(), words))
    return found


def _words(number: int, line: str) -> list[Word]:
    found: list[Word] = []
    at, end = 0, len(line.rstrip())
    while at < end:
        if line[at:].lstrip().startswith(("--", "#")):
            break
        match = _WORD.match(line, at)
        if match is None or match.lastgroup is None:
            raise Unknown(number, line.strip())
        value = match[match.lastgroup]
        found.append(Word(match.lastgroup, _text(value) if match.lastgroup == "text" else value))
        at = match.end()
    return found


def _text(quoted: str) -> str:
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), quoted[1:-1], flags=re.DOTALL)

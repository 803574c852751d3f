"""How the values of a call spread over a script's names, as far as its text tells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

STATEMENT_MOST = 2_000
"""Characters: no person writes longer ones, and the patterns take the square of it."""

LINES_MOST = 5_000


class Statement(NamedTuple):
    line: int
    """Where it begins, counted from 1."""
    text: str


class Flow(NamedTuple):
    """These names get their values from this expression."""

    names: Iterable[str]
    expression: str


QUOTING = re.compile(r"\b\w*(?:quot|escap)\w*\s*\((?:[^()]|\([^()]*\))*\)", re.IGNORECASE)
"""A call of the script's own quoting function: what comes out of it is taken for safe."""


def spread(
    statements: list[Statement],
    given: Iterable[str],
    flows: Callable[[Statement], Iterator[Flow]],
    uses: Callable[[str, frozenset[str]], bool],
) -> frozenset[str]:
    """All names whose values may come from the given ones."""
    known = frozenset(given)
    while True:
        reached = {n for s in statements for flow in flows(s) if uses(flow.expression, known) for n in flow.names}
        if reached <= known:
            return known
        known |= reached


def has_word(expression: str, names: frozenset[str]) -> bool:
    return any(word in names for word in re.findall(r"\w+", expression))


def numbered(text: str, continuation: str) -> list[Statement]:
    """The lines, those that go on joined with what they go on with."""
    statements: list[Statement] = []
    open_line = False
    for number, line in enumerate(text.splitlines()[:LINES_MOST], 1):
        goes_on = line.rstrip().endswith(continuation) if continuation else False
        part = line.rstrip().removesuffix(continuation) if goes_on else line
        if open_line:
            statements[-1] = Statement(statements[-1].line, f"{statements[-1].text} {part}")
        else:
            statements.append(Statement(number, part))
        open_line = goes_on
    return [Statement(line, whole[:STATEMENT_MOST]) for line, whole in statements]

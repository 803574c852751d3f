"""Shell scripts: ``eval``, ``sh -c``, ``ssh`` and their like with a positional parameter in what they run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mac_commander.core.injection.taint import Flow, Statement, numbered, spread

_TOKEN = re.compile(r"""\\.|'[^']*'|(?P<double>"(?:\\.|[^"\\])*")|(?P<comment>(?:^|(?<=\s))\#.*)""")
_SAFE = re.compile(r"\$\{\w+@Q\}|\$\(\s*printf\s+(?:''|\"%q\"|%q)[^)]*\)")
_POSITIONAL = frozenset("123456789@*")
_VARIABLE = re.compile(r"\$\{?(\w+|[@*])")
_SET = re.compile(r"""(?<![\w$])(?P<names>\w+)\+?=(?P<value>"(?:\\.|[^"\\])*"|\S*)""")
_EACH = re.compile(r"\bfor\s+(?P<names>\w+)\s+in\s+(?P<value>[^;]*)")
_WORD = r"""(?:"(?:\\.|[^"\\])*"|[^\s;&|])*"""
_PROGRAMS = "sh|bash|dash|zsh|ksh|su|python3?|perl|ruby|node|osascript"
_RUNS = re.compile(
    rf"\beval\b(?P<all>[^;&|]*)|\bssh\b(?P<remote>[^;&|]*)"
    rf"|\b(?:{_PROGRAMS})\b[^;&|]*?\s-\w*[ce]\s+(?P<program>{_WORD})"
)


def risky_lines(text: str) -> list[int]:
    statements = [Statement(line, _bare(part)) for line, part in numbered(text, "\\")]
    known = spread(statements, _POSITIONAL, _flows, _uses)
    return [s.line for s in statements if any(_uses(m[0], known) for m in _runs(s.text))]


def _runs(statement: str) -> Iterator[tuple[str]]:
    for match in _RUNS.finditer(statement):
        yield (match["all"] or match["remote"] or match["program"] or "",)


def _bare(statement: str) -> str:
    """Without comments and the inside of single quotes, where nothing is filled in."""

    def kept(match: re.Match[str]) -> str:
        if match["double"] is not None:
            return match[0]
        return "" if match["comment"] is not None else "''"

    return _SAFE.sub("''", _TOKEN.sub(kept, statement))


def _uses(expression: str, names: frozenset[str]) -> bool:
    return any(name in names for name in _VARIABLE.findall(expression))


def _flows(statement: Statement) -> Iterator[Flow]:
    for pattern in (_SET, _EACH):
        for match in pattern.finditer(statement.text):
            yield Flow([match["names"]], match["value"])

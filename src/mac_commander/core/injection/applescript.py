"""AppleScript: ``do shell script``, ``do script`` and ``run script`` with a value of ``on run`` in what they run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mac_commander.core.injection.taint import QUOTING, Flow, Statement, has_word, numbered, spread

_BLOCK_COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)
_TEXT_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|(?:--|#).*')
_PART_OF = r"(?:(?:text |first |last |second )?(?:item|word|paragraph|text)s?\s+(?:-?\w+\s+)?of\s+)*"
_OPERAND = _PART_OF + r"(?:\((?:[^()]|\([^()]*\))*\)|\w+)"
_SAFE = re.compile(
    rf"quoted form of (?:the )?{_OPERAND}|{_OPERAND}'s quoted form"
    rf"|{_OPERAND}\s+as\s+(?:integer|number|real|boolean)|(?:count|length|number) of {_OPERAND}"
)
_RUN = re.compile(r"^\s*on run\s+(?:\{(?P<several>[^}]*)\}|(?P<one>\w+))", re.MULTILINE)
_HANDLER = re.compile(r"^\s*(?:on|to)\s+(?P<name>\w+)\s*\((?P<names>[^)]*)\)", re.MULTILINE)
_SET = re.compile(r"^\s*set\s+(?:(?:end|beginning|item\s+\S+)\s+of\s+)?(?P<names>\{[^}]*\}|\w+)\s+to\s+(?P<value>.*)")
_COPY = re.compile(r"^\s*copy\s+(?P<value>.*)\s+to\s+(?:(?:end|beginning)\s+of\s+)?(?P<names>\{[^}]*\}|\w+)\s*$")
_REPEAT = re.compile(r"^\s*repeat with\s+(?P<names>\w+)\s+in\s+(?P<value>.*)")
_RUNS = re.compile(r"\b(?:do shell script|do script|run script)\b(?P<program>.*)")


def risky_lines(text: str) -> list[int]:
    plain = _BLOCK_COMMENT.sub(lambda m: "\n" * m[0].count("\n"), text.casefold())
    statements = [Statement(line, _bare(part)) for line, part in numbered(plain, "¬")]
    whole = "\n".join(s.text for s in statements)
    given = {n for m in _RUN.finditer(whole) for n in _names(m["several"] or m["one"])}
    handlers = {m["name"]: _names(m["names"]) for m in _HANDLER.finditer(whole)}
    known = spread(statements, given, lambda s: _flows(s, handlers), has_word)
    return [s.line for s in statements if (m := _RUNS.search(s.text)) and has_word(m["program"], known)]


def _bare(statement: str) -> str:
    """Without comments, the inside of texts, and what is quoted or a number."""
    without = _TEXT_OR_COMMENT.sub(lambda m: '""' if m[0].startswith('"') else "", statement)
    return QUOTING.sub('""', _SAFE.sub('""', without))


def _names(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def _flows(statement: Statement, handlers: dict[str, list[str]]) -> Iterator[Flow]:
    for pattern in (_SET, _COPY, _REPEAT):
        if match := pattern.match(statement.text):
            yield Flow(_names(match["names"]), match["value"])
    if not _HANDLER.match(statement.text):
        for name, names in handlers.items():
            for call in re.finditer(rf"\b{name}\s*\(((?:[^()]|\([^()]*\))*)\)", statement.text):
                yield Flow(names, call[1])

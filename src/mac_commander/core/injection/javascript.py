"""JavaScript for Automation: ``doShellScript``, ``eval`` and their like with a value of ``run`` in what they run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mac_commander.core.injection.taint import QUOTING, Flow, Statement, has_word, numbered, spread

_BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_TEXT_OR_COMMENT = re.compile(r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|//.*""")
_FILLED_IN = re.compile(r"\$\{([^}]*)\}")
_SAFE = re.compile(r"\b(?:Number|parseInt|parseFloat)\s*\([^()]*\)|\b\w+\.length\b")
_RUN = re.compile(r"\bfunction\s+run\s*\((?P<one>[^)]*)\)|\brun\s*=\s*(?:function\s*)?\(?(?P<other>\w+)\)?")
_SET = re.compile(r"(?:\b(?:const|let|var)\s+)?(?P<names>[\[{][^\]}=]*[\]}]|\b\w+)\s*\+?=(?!=)\s*(?P<value>[^;]*)")
_EACH = re.compile(r"\bfor\s*\(\s*(?:const|let|var)\s+(?P<names>\[[^\]]*\]|\w+)\s+(?:of|in)\s+(?P<value>.*)\)")
_RUNS = re.compile(r"\b(?:doShellScript|doScript|runScript|eval|Function)\s*\((?P<program>.*)")


def risky_lines(text: str) -> list[int]:
    plain = _BLOCK_COMMENT.sub(lambda m: "\n" * m[0].count("\n"), text)
    statements = [Statement(line, _bare(part)) for line, part in numbered(plain, "")]
    whole = "\n".join(s.text for s in statements)
    given = {n for m in _RUN.finditer(whole) for n in re.findall(r"\w+", m["one"] or m["other"] or "")}
    known = spread(statements, given, _flows, has_word)
    return [s.line for s in statements if (m := _RUNS.search(s.text)) and has_word(m["program"], known)]


def _bare(statement: str) -> str:
    """Without comments, the inside of texts but for what is filled in, and what is quoted or a number."""
    without = _TEXT_OR_COMMENT.sub(lambda m: _inside(m[0]), statement)
    return QUOTING.sub('""', _SAFE.sub("0", without))


def _inside(token: str) -> str:
    if token.startswith("//"):
        return ""
    return " + ".join(['""', *(f"({part})" for part in _FILLED_IN.findall(token))]) if token.startswith("`") else '""'


def _flows(statement: Statement) -> Iterator[Flow]:
    for pattern in (_SET, _EACH):
        for match in pattern.finditer(statement.text):
            yield Flow(re.findall(r"\w+", match["names"]), match["value"])

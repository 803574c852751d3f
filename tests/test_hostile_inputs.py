"""docs/hostile-inputs.md: each row names tests, and each of them is there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent
DOCUMENT = (TESTS.parent / "docs/hostile-inputs.md").read_text(encoding="utf-8")
INPUTS = 140
INVARIANTS = 13
NAMED = re.compile(r"`([\w/]+\.py)::(test_\w+)`")


def rows(title: str) -> list[str]:
    """Of the tables below that heading, without their heads."""
    part = DOCUMENT.split(f"\n## {title}\n")[1].split("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("|") and not line.startswith("|---")]
    return [line for line in lines if not re.match(r"\| (#|when|report) \|", line)]


@cache
def functions(file: str) -> frozenset[str]:
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def test_every_test_that_is_named_is_there() -> None:
    named = NAMED.findall(DOCUMENT)
    assert len(named) > 300
    assert [f"{file}::{test}" for file, test in named if test not in functions(file)] == []


def test_every_row_names_one() -> None:
    for title in ("What always holds", "Decisions", "Inputs", "From public bug reports"):
        assert [row for row in rows(title) if not NAMED.search(row)] == [], title


def test_no_row_is_missing() -> None:
    numbers = [row.split("|")[1].strip() for row in rows("Inputs")]
    assert [n for n in numbers if n.isdigit()] == [str(n) for n in range(1, INPUTS + 1)]
    assert [row.split("|")[1].strip() for row in rows("What always holds")] == [
        f"R{n}" for n in range(1, INVARIANTS + 1)
    ]

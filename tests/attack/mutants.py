"""Sources with one check taken out or turned round: pure, from a file's text to its mutants."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    file: str
    function: str
    """As a code object calls it: ``Batch._run``. The outer one, when it is a function inside a function."""
    line: int
    change: str
    """What was done, without the line: the same after edits elsewhere in the file."""
    source: str
    """The whole file with the change."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.function}: {self.change}"

    @property
    def place(self) -> str:
        return f"{self.file} {self.function}"

    @property
    def name(self) -> str:
        return f"{self.place}: {self.change}"


def mutants(file: str, source: str) -> Iterator[Mutant]:
    """One for each check: what decides made to be never so, or turned round, a part of it left out, and a statement
    that is a mere call left out."""
    seen: Counter[str] = Counter()
    for name, function in _functions(ast.parse(source).body):
        for node in _own_nodes(function):
            for part, new, how in _changes(node):
                change = f"{ast.unparse(part)} {how}"
                seen[f"{name}: {change}"] += 1
                again = seen[f"{name}: {change}"]
                change += f" ({again})" if again > 1 else ""
                yield Mutant(file, name, part.lineno, change, _replaced(source, part, new))


def _functions(body: list[ast.stmt], within: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{within}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            yield from ((f"{within}{node.name}", n) for n in ast.walk(node) if isinstance(n, ast.FunctionDef))


def _own_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Those of the function itself, without functions inside it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop(0)
        if not isinstance(node, ast.FunctionDef):
            yield node
            waiting += ast.iter_child_nodes(node)


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr, str, str]]:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id="assert_never"))):
            return  # the type checker's, not a check
        case ast.Expr(value=ast.Call() as call):
            yield call, "None", "not called"
    for condition in _conditions(node):
        yield condition, "False", "never"
        yield condition, f"(not ({ast.unparse(condition)}))", "turned round"
        for both in (n for n in ast.walk(condition) if isinstance(n, ast.BoolOp)):
            neutral = "True" if isinstance(both.op, ast.And) else "False"
            yield from ((part, neutral, "left out") for part in both.values)


def _conditions(node: ast.AST) -> list[ast.expr]:
    """What decides: tests, filters, and values of yes or no."""
    match node:
        case ast.If(test=test) | ast.IfExp(test=test):
            return [test]
        case ast.comprehension(ifs=ifs):
            return ifs
        case ast.Return(value=value) | ast.Assign(value=value) | ast.Lambda(body=value) if _is_yes_or_no(value):
            return [value] if value else []
    return []


def _is_yes_or_no(value: ast.expr | None) -> bool:
    match value:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Call(func=ast.Name(id="any" | "all")):
            return True
        case ast.BoolOp(values=values):
            return any(map(_is_yes_or_no, values))
    return False


def _replaced(source: str, part: ast.expr, new: str) -> str:
    lines = source.splitlines(keepends=True)
    assert part.end_lineno is not None
    assert part.end_col_offset is not None
    first, last = lines[part.lineno - 1].encode(), lines[part.end_lineno - 1].encode()
    inside = first[: part.col_offset] + new.encode() + last[part.end_col_offset :]
    return "".join([*lines[: part.lineno - 1], inside.decode(), *lines[part.end_lineno :]])

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
    """Its name alone, as a code object has it."""
    line: int
    change: str
    """What was done, without the line: the same after edits elsewhere in the file."""
    original: str
    """The whole file, and then the same with the change."""
    source: str

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
    for function in (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef)):
        for node in _own_nodes(function):
            for part, new, how in _changes(node):
                change = f"{ast.unparse(part)} {how}"
                seen[f"{function.name}: {change}"] += 1
                again = seen[f"{function.name}: {change}"]
                change += f" ({again})" if again > 1 else ""
                yield Mutant(file, function.name, part.lineno, change, source, _replaced(source, part, new))


def _own_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Those of the function itself, without functions inside it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop(0)
        if not isinstance(node, ast.FunctionDef):
            yield node
            waiting += ast.iter_child_nodes(node)


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr, str, str]]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield node.value, "None", "not called"
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

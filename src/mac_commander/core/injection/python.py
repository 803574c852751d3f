"""Python: ``os.system``, ``shell=True``, ``eval`` and their like with a value of ``sys.argv`` in what they run."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_RUNS = frozenset({"system", "popen", "getoutput", "getstatusoutput", "eval", "exec", "create_subprocess_shell"})
_SAFE = frozenset({"quote", "join", "int", "float", "len", "bool"})
"""``shlex.quote`` and ``shlex.join``, and what makes a number; ``str.join`` is told from the latter by its text."""


def risky_lines(text: str) -> list[int]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []  # it does not run either
    known = _spread(tree)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _runs(node)]
    return sorted({call.lineno for call in calls if call.args and _uses(call.args[0], known)})


def _runs(call: ast.Call) -> bool:
    shell = any(
        k.arg == "shell" and not (isinstance(k.value, ast.Constant) and not k.value.value) for k in call.keywords
    )
    return shell or _called(call) in _RUNS


def _called(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _spread(tree: ast.Module) -> frozenset[str]:
    """All names whose values may come from ``sys.argv``, parameters of functions among them."""
    known: frozenset[str] = frozenset()
    while True:
        reached = {name for names, value in _flows(tree) if _uses(value, known) for name in names}
        if reached <= known:
            return known
        known |= reached


def _flows(tree: ast.Module) -> Iterator[tuple[list[str], ast.expr]]:
    functions = {n.name: n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                yield [name for target in targets for name in _names(target)], value
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.AugAssign(target=target, value=value):
                yield _names(target), value
            case ast.NamedExpr(target=target, value=value):
                yield _names(target), value
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                yield _names(target), value
            case ast.Call() if _called(node) in functions:
                parameters = [a.arg for a in functions[_called(node)].args.args]
                yield from (([name], value) for name, value in zip(parameters, node.args, strict=False))


def _names(target: ast.expr) -> list[str]:
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


def _uses(value: ast.expr, known: frozenset[str]) -> bool:
    match value:
        case ast.Call() if _called(value) in _SAFE and not _joins_text(value):
            return False
        case ast.Attribute(value=ast.Name(id="sys"), attr="argv"):
            return True
        case ast.Name(id=name):
            return name in known or name == "argv"
    return any(_uses(inner, known) for inner in ast.iter_child_nodes(value) if isinstance(inner, ast.expr)) or any(
        _uses(inner.value, known) for inner in ast.iter_child_nodes(value) if isinstance(inner, ast.keyword)
    )


def _joins_text(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Constant)

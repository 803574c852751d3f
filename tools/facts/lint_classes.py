"""Our Objective-C subclasses held to the bridge: Apple's code calls their methods by name and with a fixed count."""

import ast
from collections.abc import Iterator

from tools.facts import usage
from tools.facts.source import Finding, Source


def check(source: Source) -> Iterator[Finding]:
    for node in source.nodes:
        if isinstance(node, ast.ClassDef) and usage.is_objc_class(node, source.modules, source.imported):
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and not _is_python_only(method):
                    yield from _method(source, method)


def _is_python_only(method: ast.FunctionDef) -> bool:
    decorated = any("python_method" in ast.unparse(d) for d in method.decorator_list)
    return decorated or method.name.startswith("_")


def _method(source: Source, method: ast.FunctionDef) -> Iterator[Finding]:
    taken = len(method.args.posonlyargs) + len(method.args.args) - 1
    colons = method.name.count("_") if method.name.endswith("_") else 0
    if taken != colons:
        yield source.found(
            method, "prototype", f"{method.name} has {colons} colons as a selector, but takes {taken} arguments"
        )
    elif colons and method.name not in source.selectors and not _is_named_here(source, method):
        yield source.found(
            method, "selector", f"nothing in facts.json calls {method.name}, nor does this file name it: misspelled?"
        )


def _is_named_here(source: Source, method: ast.FunctionDef) -> bool:
    """Used as an attribute, or as a selector in a string: timers and threads are given one."""
    spellings = {method.name, method.name.replace("_", ":")}
    attributes = {n.attr for n in source.nodes if isinstance(n, ast.Attribute)}
    return method.name in attributes or any(n.value in spellings for n in source.strings)

"""Selectors held to the facts: that they exist, that they are called, and on which macOS."""

import ast
from collections.abc import Iterator
from typing import Any

from tools.facts.macos_version import FLOOR, number
from tools.facts.source import Finding, Source
from tools.facts.usage import camel_case, looks_like_selector


def check(source: Source) -> Iterator[Finding]:
    for node in source.nodes:
        if isinstance(node, ast.Attribute) and not _is_ours(source, node) and node.attr not in source.defined:
            yield from _attribute(source, node)
    for call in source.calls():
        if known := source.function(call):
            yield from _version(source, call, known[0], [known[1]])


def _is_ours(source: Source, node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in source.other_imports


def _attribute(source: Source, node: ast.Attribute) -> Iterator[Finding]:
    name, methods = node.attr, source.selectors.get(node.attr, [])
    if isinstance(node.ctx, ast.Store):
        if (setter := _setters(source).get(name)) and camel_case(name):
            yield source.found(node, "property", f"{name} is set by calling {setter}(value)")
    elif methods:
        yield from _version(source, node, name, methods)
        if not _is_called(source, node) and camel_case(name):
            yield source.found(node, "property", f"{name} is a method, always true by itself: call it")
    elif (getter := _getters(source).get(name)) and _is_called(source, node):
        yield source.found(node, "property", f"the property {name} is read by {getter}()")
    elif looks_like_selector(name):
        yield source.found(
            node, "selector", f"no class in facts.json has {name}: run `make facts`, which finds or refutes it"
        )


def _is_called(source: Source, node: ast.Attribute) -> bool:
    parent = source.parents.get(node)
    return isinstance(parent, ast.Call) and parent.func is node


def _getters(source: Source) -> dict[str, str]:
    """Property → getter, where they differ: `active` → `isActive`."""
    return {
        m["property"]: name
        for name, methods in source.selectors.items()
        for m in methods
        if not m["arguments"] and m.get("property", name) != name
    }


def _setters(source: Source) -> dict[str, str]:
    return {
        m["property"]: n
        for n, methods in source.selectors.items()
        for m in methods
        if m["arguments"] and "property" in m
    }


def _version(source: Source, node: ast.AST, name: str, entries: list[Any]) -> Iterator[Finding]:
    """Deprecated at the floor is an error; newer than the floor has to be asked for."""
    headers = [e.get("header", {}) for e in entries]
    deprecated = [h["deprecated"] for h in headers if "deprecated" in h]
    introduced = [h["introduced"] for h in headers if "introduced" in h]
    if len(deprecated) == len(entries) and min(map(number, deprecated)) <= FLOOR:
        yield source.found(node, "deprecated", f"{name} is deprecated since macOS {deprecated[0]}")
    if len(introduced) == len(entries) and min(map(number, introduced)) > FLOOR and not _asked_for(source, entries):
        yield source.found(node, "too-new", f"{name} came with macOS {introduced[0]}: ask respondsToSelector_ first")


def _asked_for(source: Source, entries: list[Any]) -> bool:
    asked = {a.value for c in source.calls() for a in c.args if isinstance(a, ast.Constant)}
    return any(e.get("selector") in asked or str(e.get("selector")).encode() in asked for e in entries)

"""The facts about PyObjC that this desktop was written against, held to the live bridge. For `verify`, on a Mac."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any

from mac_commander.desktops.macos.layout import Layout
from mac_commander.desktops.macos.private import PrivateCalls

Facts = Mapping[str, Any]

_OUT = (b"o", b"N")
"""Type modifiers of arguments that come back."""


def prove(facts: Facts) -> Iterator[str]:
    """A sentence for everything that is otherwise here; none when all holds."""
    for kind, check in (("constants", _constant), ("functions", _function), ("structs", _struct), ("types", _present)):
        for name, fact in facts[kind].items():
            yield from check(name, fact)
    for name, fact in facts["classes"].items():
        yield from _class(name, fact)
    yield from _by_hand()


def count(facts: Facts) -> int:
    """How many entries `prove` looks at."""
    methods = sum(len(c["instance_methods"]) + len(c["class_methods"]) for c in facts["classes"].values())
    return methods + sum(len(facts[kind]) for kind in ("constants", "functions", "structs", "types", "classes"))


def _by_hand() -> Iterator[str]:
    """The calls that no package describes are made, not only looked up."""
    private = PrivateCalls()
    for name in private.absent:
        yield f"{name}: not on this macOS"
    if not Layout(private).is_readable:
        yield "UCKeyTranslate: does not tell the keys of the active layout"


def _found(name: str, fact: Facts) -> Any:
    """By the first of its modules; ``None`` when it is not there."""
    for module in fact["modules"]:
        try:
            return getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError):
            continue
    return None


def _present(name: str, fact: Facts) -> Iterator[str]:
    if _found(name, fact) is None:
        yield f"{name}: not in {', '.join(fact['modules'])}"


def _constant(name: str, fact: Facts) -> Iterator[str]:
    value = _found(name, fact)
    if value is None:
        yield f"{name}: not in {', '.join(fact['modules'])}"
    elif fact["kind"] in ("enum", "literal") and value != fact["value"]:
        yield f"{name}: {value!r} here, {fact['value']!r} in the facts"


def _struct(name: str, fact: Facts) -> Iterator[str]:
    struct = _found(name, fact)
    if struct is None:
        yield f"{name}: not in {', '.join(fact['modules'])}"
        return
    zero = struct()
    missing = [field for field in fact["fields"] if not hasattr(zero, field)]
    if missing:
        yield f"{name}: no field {', '.join(missing)} here"


def _function(name: str, fact: Facts) -> Iterator[str]:
    function = _found(name, fact)
    if function is None:
        yield f"{name}: not in {', '.join(fact['modules'])}"
        return
    metadata = getattr(function, "__metadata__", None)
    if metadata is None:
        return  # a hand-written caller: it has no metadata to compare
    arguments = metadata()["arguments"]
    wanted = fact["arguments"]
    if len(arguments) != len(wanted):
        yield f"{name}: {len(arguments)} arguments here, {len(wanted)} in the facts"
        return
    for index, (argument, told) in enumerate(zip(arguments, wanted, strict=True)):
        comes_back = bytes(argument["type"])[:1] in _OUT
        if comes_back != (told["direction"] != "in"):
            yield f"{name}: argument {index} is {'out' if comes_back else 'in'} here, {told['direction']} in the facts"


def _class(name: str, fact: Facts) -> Iterator[str]:
    found = _found(name, fact)
    if found is None:
        yield f"{name}: no such class in {', '.join(fact['modules'])}"
        return
    methods = {**fact["instance_methods"], **fact["class_methods"]}
    for python_name, method in methods.items():
        if not hasattr(found, python_name):
            yield f"{name} {method['selector']}: not on this macOS"

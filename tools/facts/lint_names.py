"""Names and values held to the facts: imports, spelled-out strings, spelled-out numbers, hand-loaded functions."""

import ast
import difflib
import re
from collections.abc import Iterator

from tools.facts.macos_version import FLOOR, number
from tools.facts.source import Finding, Source, as_number
from tools.facts.surface import MODULES

NAMES = "ax_names.py"
"""The macOS desktop's own table of accessibility strings that have no constant."""
ROLES = "ax_roles.py"
"""Its table of roles and subroles, where they are spelled; one that is nearly a constant's value is a slip."""
SLIP = 0.93
"""A letter doubled, dropped or swapped in a name of usual length; `AXPage` and `AXPageList` are further apart."""
SPELLED_TYPES = {"public.utf8-plain-text": "NSPasteboardTypeString", "public.file-url": "NSPasteboardTypeFileURL"}
"""Values of extern constants that are widely known, and still not ours to write."""
LOADERS = {"loadBundleFunctions", "loadBundleVariables"}


def check(source: Source) -> Iterator[Finding]:
    yield from _imports(source)
    yield from _strings(source)
    yield from _numbers(source)
    yield from _containers(source)
    yield from _loaded_by_hand(source)


def _imports(source: Source) -> Iterator[Finding]:
    for node in source.nodes:
        match node:
            case ast.ImportFrom(module=str(module), names=names) if module in MODULES:
                for name in names:
                    yield from _framework_name(source, node, module, name.name)
            case ast.ImportFrom(module="objc", names=names):
                for name in names:
                    yield from _bridge_name(source, node, name.name)
            case ast.Attribute(value=ast.Name(id=alias), attr=name) if source.modules.get(alias) in MODULES:
                yield from _framework_name(source, node, source.modules[alias], name)
            case ast.Attribute(value=ast.Name(id=alias), attr=name) if source.modules.get(alias) == "objc":
                yield from _bridge_name(source, node, name)


def _framework_name(source: Source, node: ast.AST, module: str, name: str) -> Iterator[Finding]:
    entry = source.framework_entry(name)
    if entry is None:
        told = f"{module}.{name} is not in facts.json: run `make facts`, which finds or refutes it"
        yield source.found(node, "name", told)
    elif module not in entry["modules"]:
        homes = " or ".join(entry["modules"])
        yield source.found(node, "module", f"{name} does not live in {module}: import it from {homes}")
    elif name in source.facts["constants"]:
        deprecated = entry.get("header", {}).get("deprecated")
        if deprecated and number(deprecated) <= FLOOR:
            yield source.found(node, "deprecated", f"{name} is deprecated since macOS {deprecated}")


def _bridge_name(source: Source, node: ast.AST, name: str) -> Iterator[Finding]:
    if name not in source.facts["bridge"]:
        yield source.found(node, "name", f"objc.{name} is not in tools/facts/bridge.py: read it in pyobjc-core, add it")


def _strings(source: Source) -> Iterator[Finding]:
    constants = source.facts["constants"]
    spelled = {str(c["value"]): n for n, c in constants.items() if c["kind"] == "literal" and n.startswith("kAX")}
    for node in source.strings:
        text = str(node.value)
        if text in constants or text in SPELLED_TYPES:
            yield source.found(node, "spelling", f"use the constant {SPELLED_TYPES.get(text, text)}, not its spelling")
        elif re.fullmatch(r"AX[A-Z]\w+", text):
            yield from _accessibility_string(source, node, text, spelled)


def _accessibility_string(source: Source, node: ast.AST, text: str, spelled: dict[str, str]) -> Iterator[Finding]:
    if source.path.name == ROLES:
        near = [] if text in spelled else difflib.get_close_matches(text, spelled, 1, SLIP)
        if near:
            yield source.found(node, "spelling", f"{text!r} is nearly {near[0]!r}, the value of {spelled[near[0]]}")
    elif text in spelled:
        yield source.found(node, "spelling", f"use the constant {spelled[text]}, not its value {text!r}")
    elif source.path.name != NAMES:
        yield source.found(node, "spelling", f"{text!r} has no constant: name it in {NAMES}, and use the name")


def _numbers(source: Source) -> Iterator[Finding]:
    """AXError spelled as a number, in files that call AX: AppleScript has errors of the same numbers."""
    if not source.uses("AX"):
        return
    errors = {
        c["value"]: n for n, c in source.facts["constants"].items() if n.startswith("kAXError") and c.get("value")
    }
    for node in source.nodes:
        number = as_number(node) if isinstance(node, ast.expr) else None
        if number in errors:
            yield source.found(node, "enum-as-number", f"use the constant {errors[number]}, not {number}")


def _containers(source: Source) -> Iterator[Finding]:
    """A bridged array is no list, a bridged dictionary no dict: where frameworks are called, such a test is false."""
    if not any(source.function(call) or source.methods(call) for call in source.calls()):
        return
    for call in source.calls():
        if isinstance(call.func, ast.Name) and call.func.id == "isinstance" and len(call.args) == 2:
            for name in ast.walk(call.args[1]):
                if isinstance(name, ast.Name) and name.id in {"list", "dict"}:
                    abstract = {"list": "Sequence", "dict": "Mapping"}[name.id]
                    yield source.found(call, "container", f"bridged values are no {name.id}: test for {abstract}")


def _loaded_by_hand(source: Source) -> Iterator[Finding]:
    for name in loaded_names(source):
        if name.value in source.facts["functions"]:
            yield source.found(name, "by-hand", f"PyObjC has {name.value!r}: import it")
        elif name.value not in source.facts["unverified"]:
            yield source.found(name, "by-hand", f"{name.value!r} is loaded by hand: tell why in tools/facts/bridge.py")


def loads_by_hand(source: Source) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr in {*LOADERS, "CDLL", "cdll"} for n in source.nodes)


def loaded_names(source: Source) -> Iterator[ast.Constant]:
    """First items of the tables that PyObjC's loaders take: `("UCKeyTranslate", b"i^v…")`."""
    if not loads_by_hand(source):
        return
    for node in source.nodes:
        match node:
            case ast.Tuple(elts=[ast.Constant(value=str()) as name, ast.Constant(value=bytes()), *_]):
                yield name

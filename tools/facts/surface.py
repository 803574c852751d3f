"""The whole surface of one PyObjC version: what its packages say, and which module each name can be imported from."""

import ast
import hashlib
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.facts import headers, metadata
from tools.facts.metadata import Metadata
from tools.facts.shapes import KINDS, Class, Constant, Function, Kind, Method, Struct

MODULES = ("CoreFoundation", "Foundation", "AppKit", "Quartz", "HIServices", "ApplicationServices")
"""The modules that our code may import from; the inner ones (Quartz.CoreGraphics …) stay PyObjC's own business."""

IN_EXTENSIONS = {
    "AXValueCreate": ("HIServices", "^{__AXValue=}I@", {}),
    "AXValueGetValue": ("HIServices", "Z^{__AXValue=}I^@", {"arguments": {2: {"type_modifier": "o"}}}),
    "CGWindowListCreate": ("Quartz.CoreGraphics", "^{__CFArray=}II", {}),
    "CGWindowListCreateDescriptionFromArray": ("Quartz.CoreGraphics", "^{__CFArray=}^{__CFArray=}", {}),
    "CGWindowListCreateImageFromArray": (
        "Quartz.CoreGraphics",
        "^{CGImage=}{CGRect={CGPoint=dd}{CGSize=dd}}^{__CFArray=}I",
        {},
    ),
}
"""Functions that up to 12.x only PyObjC's C code describes (Modules/*.m).

13.0 has metadata for them, and both versions' C code is read for their arity: the comparisons hold these lines.
"""


@dataclass
class Module:
    parents: list[str] = field(default_factory=list)
    described: Metadata = field(default_factory=lambda: Metadata({}, {}, {}, {}, []))
    by_hand: dict[str, Constant] = field(default_factory=dict)
    """Constants that the package's `__init__.py` sets itself."""
    extension: bytes = b""


@dataclass
class Surface:
    """Every name of one version. `classes` and `protocols` are empty until the headers are read."""

    packages: dict[str, str] = field(default_factory=dict)
    modules: dict[str, Module] = field(default_factory=dict)
    core: bytes = b""
    classes: dict[str, Class] = field(default_factory=dict)
    protocols: dict[str, Class] = field(default_factory=dict)
    declared: dict[str, dict[str, Any]] = field(default_factory=dict)
    """C functions, constants and enums as the headers declare them."""
    enums: set[str] = field(default_factory=set)
    callers: dict[str, int] = field(default_factory=dict)
    """Functions called by PyObjC's own C code → their arity there."""

    def lookup_order(self, module: str) -> list[str]:
        """The modules that PyObjC asks for a name, parents first."""
        order: list[str] = []
        for parent in self.modules[module].parents if module in self.modules else []:
            order += [m for m in self.lookup_order(self._full_name(parent, module)) if m not in order]
        return [*order, module] if module in self.modules else []

    def _full_name(self, name: str, within: str) -> str:
        inner = f"{within}.{name}"
        return next((m for m in (name, inner, f"{within.split('.')[0]}.{name}") if m in self.modules), "")

    def importable_from(self, owner: str) -> list[str]:
        return [m for m in MODULES if owner in self.lookup_order(m)]

    def owner(self, kind: str, name: str) -> str | None:
        """The module whose metadata has `name` among its `functions`, `constants`, `structs` or `types`."""
        return next((m for m, found in self.modules.items() if name in getattr(found.described, kind)), None)

    def function(self, name: str) -> Function | None:
        owner = self.owner("functions", name)
        if owner is not None:
            return self.modules[owner].described.functions[name] | {"modules": self.importable_from(owner)}
        owner, encoding, notes = IN_EXTENSIONS.get(name, ("", "", {}))
        if owner and f"\0{name}\0".encode() in self.modules[owner].extension:
            return metadata.function(encoding, notes) | {"modules": self.importable_from(owner)}
        return None

    def constant(self, name: str) -> Constant | None:
        for module, found in self.modules.items():
            known = found.by_hand.get(name) or found.described.constants.get(name)
            if known:
                return known | {"modules": self.importable_from(module)}
        return None

    def struct(self, name: str) -> Struct | None:
        owner = self.owner("structs", name)
        if owner is None:
            return None
        made: Any = self.modules[owner].described.structs[name]
        return made | {"modules": self.importable_from(owner)}  # type: ignore[no-any-return]

    def type(self, name: str) -> dict[str, Any] | None:
        owner = self.owner("types", name)
        return self.modules[owner].described.types[name] | {"modules": self.importable_from(owner)} if owner else None

    def class_or_protocol(self, name: str) -> Class | None:
        return self.classes.get(name) or self.protocols.get(name)

    def declarations(self, owner: str, name: str) -> Iterator[tuple[str, Kind, Method]]:
        """Where `owner` has a method from: itself, else the protocols that it follows, else its ancestors."""
        current: str | None = owner
        while current and (found := self.class_or_protocol(current)):
            for holder in (current, *found["adopts"]):
                entry = self.class_or_protocol(holder)
                declared = [(holder, kind, entry[kind][name]) for kind in KINDS if entry and name in entry[kind]]
                if declared:
                    yield from declared
                    return
            current = found["super"]


def read_wheels(folder: Path) -> Surface:
    """Read every wheel in `folder`; nothing is installed, and of the code only vetted metadata runs."""
    surface = Surface()
    for wheel in sorted(folder.glob("*.whl")):
        surface.packages[wheel.name] = hashlib.sha256(wheel.read_bytes()).hexdigest()
        with zipfile.ZipFile(wheel) as archive:
            _read_wheel(surface, archive)
    return surface


def _read_wheel(surface: Surface, archive: zipfile.ZipFile) -> None:
    names = archive.namelist()
    for name in names:
        package = name.removesuffix("/__init__.py")
        if package == name or package.split("/")[0] in {"PyObjCTest", "PyObjCTools"}:
            continue
        inside = [n for n in names if n.rpartition("/")[0] == package]
        extension = b"".join(archive.read(n) for n in inside if n.endswith(".so"))
        if package == "objc":
            surface.core = extension + b"".join(archive.read(n) for n in inside if n.endswith(".py"))
        else:
            surface.modules[package.replace("/", ".")] = _module(archive, name, extension)


def _module(archive: zipfile.ZipFile, init: str, extension: bytes) -> Module:
    source = archive.read(init).decode()
    made = Module(parents=_parents(source), by_hand=_set_by_hand(source), extension=extension)
    path = init.replace("__init__", "_metadata")
    if path in archive.namelist():
        made.described = metadata.read(archive.read(path).decode(), path)
    return made


def _parents(source: str) -> list[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.keyword) and node.arg == "parents" and isinstance(node.value, ast.Tuple):
            return [e.id for e in node.value.elts if isinstance(e, ast.Name)]
    return []


def _set_by_hand(source: str) -> dict[str, Constant]:
    tree = ast.parse(source)
    shared = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    found: dict[str, Constant] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int() | float() | str() as value)):
                if name in shared:
                    found[name] = {"modules": [], "kind": "literal", "value": value}
    return found


def read_headers(surface: Surface, folder: Path) -> None:
    """Add the classes, and functions' argument names and availability, from the unpacked sdists in `folder`."""
    for raw in sorted(folder.glob("*/metadata/raw*")):
        dump = headers.read(headers.newest_dump(raw))
        owner = next((m for m in surface.modules if m.rsplit(".", 1)[-1] == dump["framework"]), None)
        if owner is not None:
            _add_framework(surface, owner, dump["definitions"])
    apply_selector_notes(surface)
    surface.callers = hand_written_callers(folder)


def _add_framework(surface: Surface, owner: str, definitions: dict[str, Any]) -> None:
    modules = surface.importable_from(owner)
    for target, kind in (
        (surface.classes, "classes"),
        (surface.protocols, "formal_protocols"),
        (surface.protocols, "informal_protocols"),
    ):
        for name, found in headers.classes(definitions, kind).items():
            _merge(target, name, found, modules)
    surface.enums |= set(definitions.get("enum_type", {}))
    for kind in ("functions", "externs", "enum", "literals"):
        surface.declared |= {n: f for n, f in definitions.get(kind, {}).items() if isinstance(f, dict)}


def _merge(target: dict[str, Class], name: str, found: Class, modules: list[str]) -> None:
    """A class may be spread over frameworks: its declaration in one, categories in others."""
    known = target.setdefault(name, found)
    if known is found:
        known["modules"] = modules
        return
    known["super"] = known["super"] or found["super"]
    known["adopts"] += [p for p in found["adopts"] if p not in known["adopts"]]
    for kind in KINDS:
        known[kind] = found[kind] | known[kind]
    known["modules"] = [m for m in MODULES if m in {*known["modules"], *modules}]


def apply_selector_notes(surface: Surface) -> None:
    """Lay what the wheels say about selectors (out arguments, blocks) over the classes of the headers."""
    for module in surface.modules.values():
        _apply_notes(surface, module)


def _apply_notes(surface: Surface, module: Module) -> None:
    for owner, selector, notes in module.described.selectors:
        name = headers.python_name(selector)
        targets = [surface.classes.get(owner), surface.protocols.get(owner)]
        if owner == "NSObject":  # PyObjC files a protocol's selectors under the root class
            targets += surface.protocols.values()
        for found in filter(None, targets):
            for kind in KINDS:
                if name in found[kind]:
                    headers.apply_notes(found[kind][name], notes)


def hand_written_callers(folder: Path) -> dict[str, int]:
    """The functions that PyObjC calls by C code of its own, each with the arity which that code insists on."""
    found: dict[str, int] = {}
    for source in folder.glob("*/Modules/*.m"):
        code = source.read_text(encoding="utf-8", errors="replace")
        for name, body in re.findall(r"^(?:static PyObject\*[^\n(]* )?m(?:od)?_(\w+)\((.*?)^}", code, re.S | re.M):
            if counted := re.search(r"CheckArgCount\(\w+, (\d+), (\d+),", body):
                found[name] = int(counted[2])
            elif parsed := re.search(r'PyArg_ParseTuple\(\s*args,\s*"(\w+)', body):
                found[name] = len(parsed[1])
    return found

"""Which names our macOS code uses: read from its syntax trees, nothing is imported."""

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tools.facts.surface import MODULES

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "mac_commander"
WANTED = Path(__file__).with_name("wanted.txt")


@dataclass(frozen=True)
class Used:
    """One use of a name: `module` is "" for an attribute of an object, `objc` for PyObjC's own module."""

    module: str
    name: str
    place: str


@dataclass
class Usage:
    names: list[Used] = field(default_factory=list)
    """Imported from a framework, or reached through its module."""
    attributes: list[Used] = field(default_factory=list)
    """Attributes of anything else: selectors among them."""
    defined: set[str] = field(default_factory=set)
    """Functions and methods of our own."""
    overridden: set[str] = field(default_factory=set)
    """Methods of our Objective-C subclasses and delegates: Apple's code calls them by name."""


def mac_sources(root: Path = SOURCES) -> list[Path]:
    """Every module of ours that speaks to a macOS framework, and the whole macOS desktop."""
    speaks = re.compile(rf"^\s*(from|import) ({'|'.join(MODULES)}|objc|PyObjCTools)\b", re.M)
    desktop = root / "desktops" / "macos"
    return sorted(p for p in root.rglob("*.py") if desktop in p.parents or speaks.search(p.read_text(encoding="utf-8")))


def read(paths: Iterable[Path]) -> Usage:
    usage = Usage()
    for path in paths:
        _read_file(usage, path)
    return usage


def aliases(tree: ast.AST) -> dict[str, str]:
    """Local name → framework module, for `import Quartz` and `import Quartz as Q`."""
    found = [a for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
    return {a.asname or a.name: a.name for a in found if a.name in {*MODULES, "objc"}}


def imported(tree: ast.AST) -> dict[str, tuple[str, str]]:
    """Local name → (module, name), for `from AppKit import NSWorkspace`."""
    froms = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module in {*MODULES, "objc"}]
    return {a.asname or a.name: (str(n.module), a.name) for n in froms for a in n.names}


def camel_case(name: str) -> bool:
    """Such a name is no attribute of ours: this code says `bundle_id`. A single word may be anybody's."""
    return bool(re.search(r"[a-z][A-Z]", name))


def looks_like_selector(name: str) -> bool:
    """Colons made underscores: `setString_forType_`, never a name of ours (`set_string`, `_private`, `__init__`)."""
    return bool(re.fullmatch(r"[a-z]\w*_\w*", name)) and camel_case(name)


def place(path: Path, node: ast.AST) -> str:
    shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    return f"{shown}:{getattr(node, 'lineno', 1)}"


def _read_file(usage: Usage, path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    modules, names = aliases(tree), imported(tree)
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module)) if module in {*MODULES, "objc"}:
                usage.names += [Used(module, a.name, place(path, node)) for a in node.names]
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in modules:
                usage.names.append(Used(modules[name], attribute, place(path, node)))
            case ast.Attribute(attr=attribute):
                usage.attributes.append(Used("", attribute, place(path, node)))
            case ast.FunctionDef(name=name):
                usage.defined.add(name)
            case ast.ClassDef(body=body) if is_objc_class(node, modules, names):
                usage.overridden |= {n.name for n in body if isinstance(n, ast.FunctionDef)}


def is_objc_class(node: ast.ClassDef, modules: dict[str, str], names: dict[str, tuple[str, str]]) -> bool:
    """Whether one of the bases comes from a framework."""
    return any(_from_framework(base, modules, names) for base in node.bases)


def _from_framework(base: ast.expr, modules: dict[str, str], names: dict[str, tuple[str, str]]) -> bool:
    match base:
        case ast.Name(id=name):
            return name in names
        case ast.Attribute(value=ast.Name(id=name)):
            return name in modules
    return False


def wanted() -> list[str]:
    """The lines of wanted.txt: `Name`, `Class.method_`, or a pattern of constants such as `kAXError*`."""
    lines = WANTED.read_text(encoding="utf-8").splitlines()
    return [word for line in lines for word in line.partition("#")[0].split()]

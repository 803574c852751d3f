"""PyObjC's `_metadata.py`: generated Python that only builds data. Vetted node by node, then run on a stub `objc`."""

import ast
import re
import struct
import types
import typing
from dataclasses import dataclass, field
from typing import Any

from tools.facts.encoding import argument, result_of, split, text
from tools.facts.shapes import Constant, Function

NODES = (
    ast.Module,
    ast.Import,
    ast.ImportFrom,
    ast.alias,
    ast.If,
    ast.Compare,
    ast.Gt,
    ast.Eq,
    ast.BinOp,
    ast.Pow,
    ast.FunctionDef,
    ast.arguments,
    ast.arg,
    ast.Return,
    ast.Try,
    ast.Assign,
    ast.Expr,
    ast.Call,
    ast.keyword,
    ast.Dict,
    ast.List,
    ast.Tuple,
    ast.Name,
    ast.Attribute,
    ast.Constant,
    ast.expr_context,
    ast.UnaryOp,
    ast.USub,
)
"""All that a metadata file is made of: no loop, no subscript, no comprehension, no f-string, no lambda."""
IMPORTS = {"objc", "sys", "typing"}
FUNCTIONS = {"sel32or64", "selAorI", "littleEndianFourCharCode"}
CALLS = {"misc.update", "protocols.update", "NewType", "r", *FUNCTIONS}
OBJC = {
    "arch",
    "NULL",
    "createStructType",
    "createOpaquePointerType",
    "registerMetaDataForSelector",
    "registerNewKeywords",
    "registerNewKeywordsFromSelector",
    "informal_protocol",
    "selector",
    "_updatingMetadata",
}
"""The names of `objc` that may be reached, each of them harmless in the stub."""


class UnexpectedMetadata(Exception):
    """A metadata file holds something that is not data; nothing of it was run. Read it before allowing more."""


@dataclass
class StubObjC:
    """Just enough of `objc` for a metadata file to say its piece."""

    arch: str = "arm64"
    NULL: None = None
    structs: dict[str, dict[str, Any]] = field(default_factory=dict)
    selectors: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)

    def createStructType(self, name: str, encoding: bytes, fields: list[str] | None, *_: object) -> None:  # noqa: N802
        parts = split(re.sub(r"^\{\w+=(.*)\}$", r"\1", text(encoding)))
        self.structs[name.rsplit(".", 1)[-1]] = {"encoding": text(encoding), "fields": fields or [], "types": parts}

    def registerMetaDataForSelector(self, cls: bytes, selector: bytes, notes: dict[str, Any]) -> None:  # noqa: N802
        self.selectors.append((text(cls), text(selector), notes))

    def _ignored(self, *_: object, **__: object) -> None:
        """Keywords for constructors and informal protocols tell nothing about calls."""

    createOpaquePointerType = registerNewKeywords = registerNewKeywordsFromSelector = _ignored  # noqa: N815
    informal_protocol = selector = _updatingMetadata = _ignored  # noqa: N815


@dataclass(frozen=True)
class Metadata:
    """One framework, as its metadata file describes it."""

    functions: dict[str, Function]
    constants: dict[str, Constant]
    structs: dict[str, dict[str, Any]]
    types: dict[str, dict[str, Any]]
    selectors: list[tuple[str, str, dict[str, Any]]]


def read(source: str, path: str) -> Metadata:
    """Vet, run, and put into words. Raises UnexpectedMetadata before anything is run."""
    names, stub = _run(source, path)
    return Metadata(
        functions={n: function(text(f[0]), f[2] if len(f) > 2 else {}) for n, f in names.get("functions", {}).items()},
        constants=_constants(names),
        structs=stub.structs,
        types={n: {"encoding": text(e), "bridged_to": toll} for n, e, _, toll in names.get("cftypes", [])},
        selectors=stub.selectors,
    )


def vet(source: str, path: str) -> ast.Module:
    """Refuse anything that is not data: the file comes from a package registry."""
    tree = ast.parse(source, path)
    for node in ast.walk(tree):
        if not isinstance(node, NODES) or not _allowed(node):
            line = getattr(node, "lineno", "?")
            raise UnexpectedMetadata(f"{path}:{line}: {type(node).__name__} {ast.unparse(node)[:60]!r} is not data")
    return tree


def _allowed(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names):
            return {n.name for n in names} <= IMPORTS
        case ast.ImportFrom(module=module, names=names):
            return module == "typing" and [n.name for n in names] == ["NewType"]
        case ast.Attribute(value=ast.Name(id="objc"), attr=name):
            return name in OBJC
        case ast.Attribute():
            return ast.unparse(node) in {"sys.maxsize", "misc.update", "protocols.update"}
        case ast.Call(func=ast.Attribute(value=ast.Name(id="objc"))):
            return True
        case ast.Call(func=called):
            return ast.unparse(called) in CALLS
        case ast.FunctionDef(name=name, decorator_list=decorators):
            return name in FUNCTIONS and not decorators
        case ast.Try(handlers=handlers, orelse=orelse):
            return not handlers and not orelse
        case ast.Name(id=name):
            return not name.startswith("__")
    return True


def _run(source: str, path: str) -> tuple[dict[str, Any], StubObjC]:
    stub = StubObjC()
    modules = {"objc": stub, "sys": types.SimpleNamespace(maxsize=2**63 - 1), "typing": typing}
    harmless = {"__import__": lambda name, *_: modules[name], "int": int, "str": str, "float": float, "bool": bool}
    names: dict[str, Any] = {"__name__": path, "__builtins__": harmless}
    exec(compile(vet(source, path), path, "exec"), names)  # vetted above: it can only build data
    return names, stub


def function(encoding: str, notes: dict[str, Any]) -> Function:
    """A C function from its encoding and PyObjC's notes; `modules` is filled in by the surface."""
    returned, *given = split(encoding)
    about = notes.get("arguments", {})
    arguments = [argument(kind, about.get(number, {})) for number, kind in enumerate(given)]
    made: Function = {
        "modules": [],
        "encoding": encoding,
        "arguments": arguments,
        "result": result_of(text(notes.get("retval", {}).get("type", returned)), arguments),
    }
    if notes.get("variadic"):
        made["variadic_count_in"] = notes.get("c_array_length_in_arg", -1)
    return made


def _constants(names: dict[str, Any]) -> dict[str, Constant]:
    found: dict[str, Constant] = {}
    for name, value in names.get("misc", {}).items():
        if isinstance(value, (str, int, float)):
            found[name] = {"modules": [], "kind": "literal", "value": value}
    for name, kind in re.findall(r"\$(\w+)(@[^$]*)?(?=\$)", names.get("constants", "")):
        found[name] = {"modules": [], "kind": "extern", "type": kind.removeprefix("@") or "@"}
    for name, value in re.findall(r"\$(\w+)@([^$]*)(?=\$)", names.get("enums", "")):
        found[name] = {"modules": [], "kind": "enum", "value": _enum_value(value)}
    for name, written in (names.get("expressions", {}) | names.get("aliases", {})).items():
        made: Constant = {"modules": [], "kind": "expression", "value": written}
        found.setdefault(name, found.get(written, made))
    return found


def _enum_value(written: str) -> int | float:
    if written.startswith("'"):
        return int(struct.unpack(">l", written[1:-1].encode("latin-1"))[0])
    return float(written) if "." in written or "e" in written else int(written)

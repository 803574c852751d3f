"""One source file under check: its syntax tree, which local name is which framework's, and who holds which node."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tools.facts import usage
from tools.facts.shapes import KINDS, Facts, Function, Method

EXPORTED = ("functions", "constants", "structs", "types", "classes", "protocols")
"""The sections of facts.json with names that can be imported from a framework."""


@dataclass(frozen=True)
class Finding:
    place: str
    rule: str
    what: str

    def __str__(self) -> str:
        return f"{self.place}: {self.rule}: {self.what}"


@dataclass(frozen=True)
class Source:
    path: Path
    tree: ast.Module
    facts: Facts

    @classmethod
    def read(cls, path: Path, facts: Facts) -> "Source":
        return cls(path, ast.parse(path.read_text(encoding="utf-8"), str(path)), facts)

    def found(self, node: ast.AST, rule: str, what: str) -> Finding:
        return Finding(usage.place(self.path, node), rule, what)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}

    @cached_property
    def modules(self) -> dict[str, str]:
        return usage.aliases(self.tree)

    @cached_property
    def imported(self) -> dict[str, tuple[str, str]]:
        return usage.imported(self.tree)

    @cached_property
    def strings(self) -> list[ast.Constant]:
        """String literals that are values: no docstrings, no annotations."""
        return [
            n for n in self.nodes if isinstance(n, ast.Constant) and isinstance(n.value, str) and not self._is_doc(n)
        ]

    def _is_doc(self, node: ast.AST) -> bool:
        return isinstance(self.parents.get(node), ast.Expr)

    def calls(self) -> Iterator[ast.Call]:
        return (n for n in self.nodes if isinstance(n, ast.Call))

    def framework_name(self, node: ast.expr) -> str | None:
        """The name that an expression takes from a framework: `CGEventPost` for itself and for `Quartz.CGEventPost`."""
        match node:
            case ast.Name(id=name) if name in self.imported and self.imported[name][0] != "objc":
                return self.imported[name][1]
            case ast.Attribute(value=ast.Name(id=module), attr=name) if self.modules.get(module, "objc") != "objc":
                return name
        return None

    def number(self, node: ast.expr) -> int | None:
        """The integer that an expression is: written out, or by a constant of this file."""
        if isinstance(node, ast.Name):
            return self._own_numbers.get(node.id)
        return as_number(node)

    @cached_property
    def _own_numbers(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for node in self.tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    if (number := as_number(value)) is not None:
                        found[name] = number
        return found

    def framework_entry(self, name: str) -> dict[str, Any] | None:
        """What facts.json says about a name that a framework exports, of whatever kind it is."""
        facts: dict[str, Any] = dict(self.facts)
        return next((facts[s][name] for s in EXPORTED if name in facts[s]), None)

    def uses(self, prefix: str) -> bool:
        """Whether the file imports a framework name that begins so."""
        return any(name.startswith(prefix) for _, name in self.imported.values())

    def function(self, call: ast.Call) -> tuple[str, Function] | None:
        """The C function that is called, if it is one."""
        name = self.framework_name(call.func)
        return (name, self.facts["functions"][name]) if name in self.facts["functions"] else None

    @cached_property
    def selectors(self) -> dict[str, list[Method]]:
        """Every method in the facts by its Python name, whichever class has it."""
        known: dict[str, list[Method]] = {}
        for entry in (*self.facts["classes"].values(), *self.facts["protocols"].values()):
            for kind in KINDS:
                for name, method in entry[kind].items():
                    known.setdefault(name, []).append(method)
        return known

    def methods(self, call: ast.Call) -> list[Method]:
        """The methods that a call of an attribute may mean; empty for our own functions and for framework functions."""
        match call.func:
            case ast.Attribute(value=ast.Name(id=name)) if name in self.other_imports:
                return []
            case ast.Attribute(attr=name) if name not in self.defined:
                return self.selectors.get(name, [])
        return []

    @cached_property
    def other_imports(self) -> set[str]:
        """Local names of modules, and of anything that no framework gives: their attributes are no selectors."""
        bound = [n for n in self.nodes if isinstance(n, ast.Import | ast.ImportFrom)]
        return {a.asname or a.name for n in bound for a in n.names} - set(self.imported)

    @cached_property
    def defined(self) -> set[str]:
        """Functions, methods and fields that this file defines itself."""
        functions = {n.name for n in self.nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)}
        fields = {n.target.id for n in self.nodes if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)}
        return functions | fields

    @cached_property
    def local_functions(self) -> dict[str, ast.FunctionDef]:
        return {n.name: n for n in self.nodes if isinstance(n, ast.FunctionDef)}


def unpacked_into(source: Source, call: ast.Call) -> int | None:
    """Into how many names a call's result is unpacked; None when it is not, or with a star."""
    match source.parents.get(call):
        case ast.Assign(targets=[ast.Tuple(elts=targets)]) if not any(isinstance(t, ast.Starred) for t in targets):
            return len(targets)
    return None


def is_none(node: ast.expr | None, source: Source) -> bool:
    match node:
        case ast.Constant(value=None):
            return True
        case ast.Attribute(value=ast.Name(id=module), attr="NULL"):
            return source.modules.get(module) == "objc"
        case ast.Name(id=name):
            return source.imported.get(name) == ("objc", "NULL")
    return False


def as_number(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
    return None

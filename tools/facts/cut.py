"""Cut the whole surface down to the names that our code uses and `wanted.txt` asks for."""

import difflib
import fnmatch
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tools.facts import fetch, headers
from tools.facts.bridge import OBJC, UNVERIFIED
from tools.facts.shapes import KINDS, Class, Facts, Method
from tools.facts.surface import Surface
from tools.facts.usage import Usage, Used, looks_like_selector

ABOUT = (
    "Facts about macOS for checking and simulating PyObjC calls. Generated from PyObjC's packages by `make facts`: "
    "do not edit. tools/facts/shapes.py tells the shape of each entry."
)
LOOKUPS = {
    "functions": Surface.function,
    "constants": Surface.constant,
    "structs": Surface.struct,
    "types": Surface.type,
}
DIFFERS = f"differs between PyObjC {fetch.OLDEST} and {fetch.NEWEST}: use another"


class WrongNames(Exception):
    """Names that PyObjC does not have, or not in the same way in both versions; each line says what to do."""


@dataclass
class Cutter:
    """Collects facts for names from the newest version, and holds them against the oldest."""

    newest: Surface
    oldest: Surface
    kept: dict[str, dict[str, Any]] = field(default_factory=lambda: {s: {} for s in (*LOOKUPS, "classes", "protocols")})
    problems: set[str] = field(default_factory=set)

    def add(self, name: str, place: str, module: str = "") -> None:
        """Add one C function, constant, struct, type, class or protocol; `module` is where the code imports it from."""
        section = next((s for s, look in LOOKUPS.items() if look(self.newest, name) or look(self.oldest, name)), None)
        if section is not None:
            self._keep(section, name, place)
        elif not self.add_class(name):
            self.problem(place, f"{module or 'PyObjC'} has no {name}.{self._near(name)}")
        homes: list[str] = next((kept[name]["modules"] for kept in self.kept.values() if name in kept), [])
        if module and homes and module not in homes:
            self.problem(place, f"{name} does not live in {module}: import it from {' or '.join(homes)}")

    def add_class(self, name: str) -> bool:
        """Add a class and its ancestors, or a protocol, without methods; False when there is none of that name."""
        known = self.newest.class_or_protocol(name)
        if known is None:
            return False
        kept = self.kept["classes" if name in self.newest.classes else "protocols"]
        if name not in kept:
            kept[name] = {"modules": known["modules"], "super": known["super"], "adopts": known["adopts"]}
            kept[name] |= {kind: {} for kind in KINDS}
        if known["super"]:
            self.add_class(known["super"])
        return True

    def add_method(self, owner: str, name: str) -> bool:
        """Add a method to the class or protocol that declares it; False when `owner` neither has nor inherits it."""
        declared = list(self.newest.declarations(owner, name))
        for holder, kind, method in declared:
            self.add_class(holder)
            section = "classes" if holder in self.newest.classes else "protocols"
            self.kept[section][holder][kind][name] = method
            self._hold_to_oldest(holder, name, method)
            for mentioned in _classes_in(method):
                self.add_class(mentioned)
        return bool(declared)

    def problem(self, place: str, what: str) -> None:
        self.problems.add(f"{place}: {what}")

    def _keep(self, section: str, name: str, place: str) -> None:
        new, old = LOOKUPS[section](self.newest, name), LOOKUPS[section](self.oldest, name)
        if new is None or old is None:
            missing = fetch.NEWEST if new is None else fetch.OLDEST
            self.problem(place, f"{name} is not in PyObjC {missing}: use another name, or change the oldest version")
        elif _call_shape(new) != _call_shape(old):
            self.problem(place, f"{name} {DIFFERS}")
        else:
            self.kept[section][name] = new
            if section in {"functions", "constants"}:
                self._add_header(name, self.kept[section][name])

    def _add_header(self, name: str, entry: dict[str, Any]) -> None:
        declared = self.newest.declared.get(name, {})
        for given, told in zip(entry.get("arguments", []), declared.get("args", []), strict=False):
            given["name"] = told.get("name") or ""
            if told.get("null_accepted"):
                given["nullable"] = True
            if told.get("type_name") in self.newest.enums:
                given["enum"] = told["type_name"]
        if known := headers.availability(declared):
            entry["header"] = known
        if name in self.newest.callers:
            entry["hand_written"] = True
        for surface in (self.newest, self.oldest):
            arity = surface.callers.get(name, len(entry.get("arguments", [])))
            if arity != len(entry.get("arguments", [])):
                self.problem(name, f"PyObjC's own C code takes {arity} arguments, its metadata says otherwise")

    def _hold_to_oldest(self, holder: str, name: str, method: Method) -> None:
        older = [m for h, _, m in self.oldest.declarations(holder, name) if h == holder]
        if older and _call_shape(method) not in [_call_shape(m) for m in older]:
            self.problem(f"{holder}.{name}", DIFFERS)

    def _near(self, name: str) -> str:
        known = {n for m in self.newest.modules.values() for n in (*m.described.functions, *m.described.constants)}
        near = difflib.get_close_matches(name, known | set(self.newest.classes), 3)
        hint = f" Near it: {', '.join(near)}." if near else ""
        return f"{hint} A string without a constant belongs in the macOS desktop's own table of spellings."


def cut(newest: Surface, oldest: Surface, used: Usage, wanted: Iterable[str]) -> Facts:
    """The facts for all names used and wanted. Raises WrongNames with every problem found."""
    cutter = Cutter(newest, oldest)
    for each in used.names:
        _add_used(cutter, each)
    for line in wanted:
        _add_wanted(cutter, line)
    _add_selectors(cutter, used)
    _add_types(cutter)
    if cutter.problems:
        raise WrongNames("\n".join(sorted(cutter.problems)))
    return _document(cutter)


def _document(cutter: Cutter) -> Facts:
    kept = cutter.kept
    for entry in (*kept["classes"].values(), *kept["protocols"].values()):
        entry["adopts"] = [p for p in entry["adopts"] if p in kept["protocols"]]
    return {
        "about": ABOUT,
        "packages": {fetch.NEWEST: cutter.newest.packages, fetch.OLDEST: cutter.oldest.packages},
        "functions": kept["functions"],
        "constants": kept["constants"],
        "structs": kept["structs"],
        "types": kept["types"],
        "classes": kept["classes"],
        "protocols": kept["protocols"],
        "bridge": OBJC,
        "unverified": UNVERIFIED,
    }


def _add_used(cutter: Cutter, each: Used) -> None:
    if each.module != "objc":
        cutter.add(each.name, each.place, each.module)
    elif each.name not in OBJC:
        cutter.problem(each.place, f"objc.{each.name} is not in tools/facts/bridge.py: read it in pyobjc-core, add it")
    elif not all(each.name.encode() in surface.core for surface in (cutter.newest, cutter.oldest)):
        cutter.problem(each.place, f"objc.{each.name} is in bridge.py, but not in both versions of pyobjc-core")


def _add_wanted(cutter: Cutter, line: str) -> None:
    owner, _, method = line.partition(".")
    if "*" in line:
        for name in _constants_like(cutter, line):
            cutter.add(name, "wanted.txt")
    elif method and not (cutter.add_class(owner) and cutter.add_method(owner, method)):
        cutter.problem("wanted.txt", f"the headers have no {line}")
    elif not method:
        cutter.add(line, "wanted.txt")


def _constants_like(cutter: Cutter, pattern: str) -> list[str]:
    """A pattern takes what both versions have: what a new version adds is no mistake of the pattern's."""
    names = {n for m in cutter.newest.modules.values() for n in m.described.constants}
    return sorted(n for n in fnmatch.filter(names, pattern) if cutter.oldest.constant(n) is not None)


def _add_selectors(cutter: Cutter, used: Usage) -> None:
    """Every selector used, on every class that the code can hold: those it names, and those its methods answer.

    Our own classes' methods are looked for in all protocols: a delegate does not say which it follows.
    """
    for protocol, declared in cutter.newest.protocols.items():
        for name in used.overridden & declared["instance_methods"].keys():
            cutter.add_method(protocol, name)
    selectors = sorted({a.name for a in used.attributes} | used.overridden)
    seen: set[str] = set()
    while pending := sorted({*cutter.kept["classes"], *cutter.kept["protocols"]} - seen):
        seen |= set(pending)
        for owner in pending:
            for name in selectors:
                cutter.add_method(owner, name)
    _refuse_unknown_selectors(cutter, used)


def _refuse_unknown_selectors(cutter: Cutter, used: Usage) -> None:
    every = {**cutter.newest.classes, **cutter.newest.protocols}
    found = {m for kept in ("classes", "protocols") for c in cutter.kept[kept].values() for k in KINDS for m in c[k]}
    for each in used.attributes:
        if looks_like_selector(each.name) and each.name not in found | used.defined:
            owners = [name for name, declared in every.items() for kind in KINDS if each.name in declared[kind]]
            cutter.problem(each.place, _about_selector(each.name, owners, every))


def _about_selector(name: str, owners: list[str], every: dict[str, Class]) -> str:
    if owners:
        return f"{name} is a method of {owners[0]}, which no name here leads to: add {owners[0]}.{name} to wanted.txt"
    known = {m for declared in every.values() for kind in KINDS for m in declared[kind]}
    return f"no class has {name}. Near it: {', '.join(difflib.get_close_matches(name, known, 3)) or 'nothing'}"


def _add_types(cutter: Cutter) -> None:
    """The structs and CoreFoundation types that calls take and give."""
    methods = [m for entry in cutter.kept["classes"].values() for kind in KINDS for m in entry[kind].values()]
    words = {word for call in (*cutter.kept["functions"].values(), *methods) for word in _words(call)}
    for word in sorted(words):
        if cutter.newest.struct(word) or cutter.newest.type(word):
            cutter.add(word, "a call's type")


def _words(call: Any) -> Iterator[str]:
    results = call["result"] if isinstance(call["result"], list) else [call["result"]]
    for word in (*results, *(a["python"] for a in call["arguments"])):
        yield word.removeprefix("sequence of ")
    for argument in call["arguments"]:
        if "callback" in argument:
            yield from argument["callback"]["arguments"]


def _classes_in(method: Method) -> list[str]:
    mentioned = [method["returns"], *(a["python"] for a in method["arguments"])]
    return re.findall(r"\bNS\w+", " ".join(mentioned))


def _call_shape(entry: Any) -> Any:
    """What a caller can tell: names of arguments, availability and modules are no part of it."""
    arguments = [(a["type"], a["direction"], a.get("length_in"), a.get("callback")) for a in entry.get("arguments", [])]
    return arguments, [entry.get(k) for k in ("result", "kind", "value", "type", "fields", "variadic_count_in")]

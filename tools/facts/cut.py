"""Cut the whole surface down to the names that our code uses and `wanted.txt` asks for: the committed `facts.json`."""

import difflib
import fnmatch
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.facts import fetch, headers, usage
from tools.facts.bridge import OBJC, UNVERIFIED
from tools.facts.shapes import Class, Facts, Method
from tools.facts.surface import MODULES, Surface
from tools.facts.usage import Usage

FACTS = usage.ROOT / "src" / "simulated_mac" / "facts.json"
ABOUT = (
    "Facts about macOS for checking and simulating PyObjC calls. Generated from PyObjC's packages by `make facts`: "
    "do not edit. The shape of each entry is told in tools/facts/shapes.py."
)
ALWAYS = ("CGPoint", "CGSize", "CGRect", "CFRange")
WIDTH = 150
"""An entry that fits in so many columns stands on one line of the file, so that a change of one name is one line of a diff."""


class WrongNames(Exception):
    """Names are used that PyObjC does not have, or not in the same way in both versions; each problem says what to do."""


@dataclass
class Cutter:
    """Collects facts for names from the newest version, and holds them against the oldest."""

    newest: Surface
    oldest: Surface
    facts: Facts
    problems: list[str] = field(default_factory=list)

    def add(self, name: str, place: str, module: str = "") -> None:
        """Add one C function, constant, struct, type, class or protocol."""
        for section, look in SECTIONS:
            new, old = look(self.newest, name), look(self.oldest, name)
            if new is None and old is None:
                continue
            self._keep(section, name, new, old, place)
            if new is not None and module and module not in new["modules"]:
                self._problem(place, f"{name} does not live in {module}; import it from {' or '.join(new['modules'])}")
            return
        if not self.has_class(name):
            self._problem(place, f"{module or 'PyObjC'} has no {name}.{self._near(name)}")

    def has_class(self, name: str) -> bool:
        """Add class or protocol `name` without its methods; False when there is none."""
        for section, known in (("classes", self.newest.classes), ("protocols", self.newest.protocols)):
            if name in known:
                kept: dict[str, Class] = self.facts[section]  # type: ignore[literal-required]
                if name not in kept:
                    made = known[name] | {"instance_methods": {}, "class_methods": {}}
                    kept[name] = made  # type: ignore[assignment]
                if parent := known[name]["super"]:
                    self.has_class(parent)
                return True
        return False

    def add_method(self, owner: str, name: str) -> bool:
        """Add method `name` of `owner`, or of the class or protocol that it inherits it from."""
        for holder, kind, method in _declarations(self.newest, owner, name):
            self.has_class(holder)
            section = "classes" if holder in self.newest.classes else "protocols"
            kept: dict[str, Class] = self.facts[section]  # type: ignore[literal-required]
            kept[holder][kind][name] = method  # type: ignore[literal-required]
            self._same_in_oldest(holder, kind, name, method)
            for mentioned in _classes_in(method):
                self.has_class(mentioned)
            return True
        return False

    def _same_in_oldest(self, holder: str, kind: str, name: str, method: Method) -> None:
        older = (self.oldest.classes.get(holder) or self.oldest.protocols.get(holder) or {}).get(kind, {}).get(name)  # type: ignore[union-attr]
        if older is not None and _call_shape(older) != _call_shape(method):
            self._problem(f"{holder}.{name}", f"differs between PyObjC {fetch.OLDEST} and {fetch.NEWEST}: use another")

    def _keep(self, section: str, name: str, new: Any, old: Any, place: str) -> None:
        if new is None or old is None:
            missing = fetch.NEWEST if new is None else fetch.OLDEST
            self._problem(place, f"{name} is not in PyObjC {missing}: use another name, or raise the oldest version")
        elif _call_shape(new) != _call_shape(old):
            self._problem(place, f"{name} differs between PyObjC {fetch.OLDEST} and {fetch.NEWEST}: use another")
        else:
            self.facts[section][name] = self._with_header(name, new) if section in {"functions", "constants"} else new  # type: ignore[literal-required]

    def _with_header(self, name: str, entry: dict[str, Any]) -> dict[str, Any]:
        declared = self.newest.declared.get(name, {})
        if "arguments" in entry:
            for given, told in zip(entry["arguments"], declared.get("args", []), strict=False):
                given["name"] = told.get("name") or ""
            self._hold_to_caller(name, entry)
        known = headers.availability(declared)
        return entry | {"header": known} if known else entry

    def _hold_to_caller(self, name: str, entry: dict[str, Any]) -> None:
        for surface in (self.newest, self.oldest):
            if name in surface.callers and surface.callers[name] != len(entry["arguments"]):
                self._problem(
                    name, f"PyObjC's C code takes {surface.callers[name]} arguments, its metadata says otherwise"
                )
        if name in self.newest.callers:
            entry["hand_written"] = True

    def _near(self, name: str) -> str:
        known = {n for m in self.newest.modules.values() for n in (*m.described.functions, *m.described.constants)}
        near = difflib.get_close_matches(name, known | set(self.newest.classes), 3)
        hint = f" Near it: {', '.join(near)}." if near else ""
        return (
            f"{hint} An accessibility string without a constant belongs in the macOS desktop's own table of spellings."
        )

    def _problem(self, place: str, what: str) -> None:
        self.problems.append(f"{place}: {what}")


SECTIONS = (
    ("functions", Surface.function),
    ("constants", Surface.constant),
    ("structs", Surface.struct),
    ("types", Surface.type),
)


def cut(newest: Surface, oldest: Surface, used: Usage, wanted: Iterable[str]) -> Facts:
    """The facts for all names used and wanted. Raises WrongNames with every problem found."""
    cutter = Cutter(newest, oldest, _empty(newest, oldest))
    for name in ALWAYS:
        cutter.add(name, "always")
    for each in used.names:
        _add_used(cutter, each)
    for line in wanted:
        _add_wanted(cutter, line)
    _add_methods(cutter, used)
    _add_types(cutter)
    if cutter.problems:
        raise WrongNames("\n".join(sorted(set(cutter.problems))))
    return cutter.facts


def _empty(newest: Surface, oldest: Surface) -> Facts:
    return {
        "about": ABOUT,
        "packages": {fetch.NEWEST: newest.packages, fetch.OLDEST: oldest.packages},
        "functions": {},
        "constants": {},
        "structs": {},
        "types": {},
        "classes": {},
        "protocols": {},
        "bridge": {
            name: about for name, about in OBJC.items() if name.encode() in newest.core and name.encode() in oldest.core
        },
        "unverified": UNVERIFIED,
    }


def _add_used(cutter: Cutter, each: usage.Used) -> None:
    if each.module != "objc":
        cutter.add(each.name, each.place, each.module)
    elif each.name not in cutter.facts["bridge"]:
        cutter.problems.append(
            f"{each.place}: objc.{each.name} is not in tools/facts/bridge.py; read its contract in pyobjc-core, then add it"
        )


def _add_wanted(cutter: Cutter, line: str) -> None:
    if "*" in line:
        _add_pattern(cutter, line)
    elif "." in line:
        owner, _, method = line.partition(".")
        if not cutter.has_class(owner) or not cutter.add_method(owner, method):
            cutter.problems.append(f"wanted.txt: the headers have no {line}")
    else:
        cutter.add(line, "wanted.txt")


def _add_pattern(cutter: Cutter, pattern: str) -> None:
    names = {n for m in cutter.newest.modules.values() for n in m.described.constants}
    for name in sorted(fnmatch.filter(names, pattern)):
        if cutter.oldest.constant(name) is not None:
            cutter.add(name, "wanted.txt")


def _add_methods(cutter: Cutter, used: Usage) -> None:
    """Every selector used, on every class that the code can hold: those it names, and those that their methods answer."""
    selectors = sorted({a.name for a in used.attributes} | used.overridden)
    seen: set[str] = set()
    while pending := sorted({*cutter.facts["classes"], *cutter.facts["protocols"]} - seen):
        seen |= set(pending)
        for owner in pending:
            for name in selectors:
                cutter.add_method(owner, name)


def _add_types(cutter: Cutter) -> None:
    """The structs and CoreFoundation types that calls take and give."""
    methods = [
        m
        for c in cutter.facts["classes"].values()
        for k in ("instance_methods", "class_methods")
        for m in c[k].values()
    ]  # type: ignore[literal-required]
    words = {w for entry in [*cutter.facts["functions"].values(), *methods] for w in _words(entry)}
    for name in sorted(words):
        if cutter.newest.struct(name) or cutter.newest.type(name):
            cutter.add(name, "a call's type")


def _words(entry: Any) -> list[str]:
    result = entry["result"]
    told = [*(result if isinstance(result, list) else [result]), *(a["python"] for a in entry["arguments"])]
    told += [
        w for a in entry["arguments"] if "callback" in a for w in (a["callback"]["result"], *a["callback"]["arguments"])
    ]
    return [w.removeprefix("sequence of ") for w in told]


def _declarations(surface: Surface, owner: str, name: str) -> Iterable[tuple[str, str, Method]]:
    current: str | None = owner
    while current:
        for holder in (current, *surface.adopted.get(current, [])):
            found = surface.classes.get(holder) if holder == current else surface.protocols.get(holder)
            found = found or surface.protocols.get(holder)
            for kind in ("instance_methods", "class_methods"):
                if found and name in found[kind]:  # type: ignore[literal-required]
                    yield holder, kind, found[kind][name]  # type: ignore[literal-required]
        current = surface.classes[current]["super"] if current in surface.classes else None


def _classes_in(method: Method) -> list[str]:
    mentioned = [method["returns"], *(a["python"] for a in method["arguments"])]
    return re.findall(r"\bNS\w+", " ".join(mentioned))


def _call_shape(entry: Any) -> Any:
    """What a caller can tell: names of arguments, availability and modules are no part of it."""
    arguments = [(a["type"], a["direction"], a.get("length_in"), a.get("callback")) for a in entry.get("arguments", [])]
    return arguments, [entry.get(k) for k in ("result", "kind", "value", "type", "fields", "variadic_count_in")]


def write(facts: Facts) -> str:
    """The text of facts.json: sorted, one line for each entry that fits on one."""
    return _pretty(facts, 0) + "\n"


def _pretty(value: Any, depth: int) -> str:
    compact = json.dumps(value, sort_keys=True, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or not value or (depth > 1 and len(compact) + depth <= WIDTH):
        return compact
    pad, end = " " * (depth + 1), " " * depth
    if isinstance(value, list):
        return "[\n" + ",\n".join(pad + _pretty(v, depth + 1) for v in value) + f"\n{end}]"
    lines = (f"{pad}{json.dumps(k)}: {_pretty(v, depth + 1)}" for k, v in sorted(value.items()))
    return "{\n" + ",\n".join(lines) + f"\n{end}}}"


def load(path: Path = FACTS) -> Facts:
    facts: Facts = json.loads(path.read_text(encoding="utf-8"))
    return facts


def wheel_part(facts: Facts) -> dict[str, Any]:
    """What the wheels alone say: everything but classes, names of arguments, availability and C callers."""
    kept = {k: v for k, v in facts.items() if k not in {"classes", "protocols"}}
    trimmed: dict[str, Any] = json.loads(json.dumps(kept))
    for section in ("functions", "constants"):
        for entry in trimmed[section].values():
            entry.pop("header", None)
            entry.pop("hand_written", None)
            for argument in entry.get("arguments", []):
                argument.pop("name", None)
    return trimmed


__all__ = ["FACTS", "MODULES", "WrongNames", "cut", "load", "wheel_part", "write"]

"""Type stubs for the frameworks, written from facts.json alone: mypy checks the macOS code with them on any machine.

Everything that may be missing is `| None`: an object result is, unless `NEVER_NONE` has it.
"""

import keyword
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from tools.facts.shapes import KINDS, Argument, Callback, Class, Constant, Facts, Function, Method
from tools.facts.source import EXPORTED
from tools.facts.surface import MODULES

FOLDER = Path(__file__).parents[2] / "stubs"
CORE = "_pyobjc_facts"
"""The stub that defines everything once; the frameworks' stubs pass its names on."""

NEVER_NONE = frozenset(
    (
        "AXUIElementCreateApplication AXUIElementCreateSystemWide CFRunLoopGetCurrent CFRunLoopGetMain "
        "AXObserverGetRunLoopSource NSApplication.sharedApplication NSBundle.mainBundle NSColor.blackColor "
        "NSColor.clearColor NSColor.whiteColor NSColor.colorWithSRGBRed_green_blue_alpha_ "
        "NSColor.colorWithCalibratedRed_green_blue_alpha_ NSColor.systemOrangeColor NSDate.date "
        "NSDate.dateWithTimeIntervalSinceNow_ NSDate.distantFuture NSDate.distantPast NSFileManager.defaultManager "
        "NSNotificationCenter.defaultCenter NSObject.alloc NSPasteboard.generalPasteboard NSProcessInfo.processInfo "
        "NSRunLoop.currentRunLoop NSRunLoop.mainRunLoop NSRunningApplication.currentApplication "
        "NSWorkspace.notificationCenter NSWorkspace.sharedWorkspace NSWorkspaceOpenConfiguration.configuration "
        "NSURL.fileURLWithPath_ NSWindow.initWithContentRect_styleMask_backing_defer_ "
        "NSPanel.initWithContentRect_styleMask_backing_defer_ NSView.initWithFrame_ "
        "NSBezierPath.bezierPathWithRect_ NSBezierPath.bezierPathWithRoundedRect_xRadius_yRadius_ "
        "NSBezierPath.bezierPath CALayer.layer NSColor.CGColor NSFont.systemFontOfSize_ "
        "NSFont.boldSystemFontOfSize_"
    ).split()
)
"""Declared `nonnull` in Apple's headers, which the dumps do not keep; class, method as the code calls it."""

TAKEN = {
    "CFStringRef": "str",
    "CFArrayRef": "Sequence[Any]",
    "CFDictionaryRef": "Mapping[Any, Any] | None",
    "CFDataRef": "bytes | NSData",
    "CFURLRef": "NSURL",
    "NSString": "str",
    "NSArray": "Sequence[Any]",
    "NSDictionary": "Mapping[Any, Any]",
    "NSData": "bytes | NSData",
    "NSNumber": "float",
}
GIVEN = {
    "CFStringRef": "str",
    "CFArrayRef": "Sequence[Any]",
    "CFDictionaryRef": "Mapping[Any, Any]",
    "CFDataRef": "NSData",
    "CFURLRef": "NSURL",
    "NSString": "str",
    "NSDictionary": "Mapping[Any, Any]",
    "NSNumber": "float",
}
"""Bridged types, as they go into a call and as they come out of one. None of the containers is a list or a dict."""
TEXT_TYPES = re.compile(r"(String|Mode|Key|Name|Type|Domain|CFStringRef)$")
NUMBERS = {"int": "int", "float": "float", "bool": "bool", "str": "str", "bytes": "bytes", "None": "None"}
PAIRS = {
    "CGPoint": "tuple[float, float]",
    "CGSize": "tuple[float, float]",
    "CGRect": "tuple[tuple[float, float], tuple[float, float]]",
    "CFRange": "tuple[int, int]",
}
"""Structs are also taken as tuples of the right length."""
NULL_IS_DEFAULT = {"CGEventSourceRef", "CFAllocatorRef"}
"""Every function that takes one takes NULL for the default (CGEvent.h, CFBase.h); their headers do not mark it."""
HEAD = "# Written by `make facts` from src/simulated_mac/facts.json: do not edit.\n"
NARROWED = '# mypy: disable-error-code="override"\n'
"""Objective-C lets a subclass answer something narrower, or nothing, where its parent does not."""
IMPORTS = (
    "from collections.abc import Callable, Mapping, Sequence\n",
    "from typing import Any, Final, NamedTuple, Self\n",
)


def write_all(facts: Facts) -> dict[str, str]:
    """Every stub: its path below `stubs/`, and its text."""
    made = {f"{CORE}.pyi": _Writer(facts).core(), "objc.pyi": _objc(facts)}
    for module in MODULES:
        names = [n for n, modules in _homes(facts) if module in modules]
        listed = "".join(f"    {name} as {name},\n" for name in sorted(names))
        made[f"{module}/__init__.pyi"] = f"{HEAD}from {CORE} import (\n{listed})\n"
    return made


def _homes(facts: Facts) -> Iterator[tuple[str, list[str]]]:
    for section in EXPORTED:
        for name, entry in cast("dict[str, Any]", facts)[section].items():
            yield name, entry["modules"]


class _Writer:
    """Writes the core stub; `facts` tells which words are names of our own."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def core(self) -> str:
        facts = self.facts
        parts = [HEAD, NARROWED, *IMPORTS]
        parts += [_struct(name, s["fields"], s["types"]) for name, s in facts["structs"].items()]
        parts += [f"{name} = {GIVEN[name]}\n" if name in GIVEN else f"class {name}: ...\n" for name in facts["types"]]
        parts += [self._class(name, p) for name, p in sorted(facts["protocols"].items())]
        parts += [self._class(name, facts["classes"][name]) for name in _parents_first(facts["classes"])]
        parts += [_constant(name, c) for name, c in sorted(facts["constants"].items())]
        parts += [self._function(name, f) for name, f in sorted(facts["functions"].items())]
        return "".join(parts)

    def _class(self, name: str, entry: Class) -> str:
        bases = ", ".join([*([entry["super"]] if entry["super"] else []), *entry["adopts"]])
        methods = {m: self._method(name, m, entry[k][m], k) for k in reversed(KINDS) for m in entry[k]}
        return f"class {name}({bases}):\n" + ("".join(methods[m] for m in sorted(methods)) or "    ...\n")

    def _method(self, owner: str, name: str, method: Method, kind: str) -> str:
        mark, first = ("    @classmethod\n", "cls") if kind == "class_methods" else ("", "self")
        taken = ", ".join([first, *self._parameters(method["arguments"]), "/"])
        return f"{mark}    def {name}({taken}) -> {self._returned(owner, name, method)}: ...\n"

    def _function(self, name: str, function: Function) -> str:
        taken = self._parameters(function["arguments"])
        if "variadic_count_in" in function:
            taken = [*taken[:-1], "/", "*tail: Any"]
        elif taken:
            taken.append("/")
        return f"def {name}({', '.join(taken)}) -> {self._result(function['result'], name in NEVER_NONE)}: ...\n"

    def _parameters(self, arguments: list[Argument]) -> list[str]:
        return [f"{_parameter_name(a, number)}: {self._taken(a)}" for number, a in enumerate(arguments)]

    def _taken(self, argument: Argument) -> str:
        if argument["direction"] == "out":
            return "None"
        kind = self._taken_word(argument)
        return f"{kind} | None" if argument.get("nullable") and kind != "Any" and "| None" not in kind else kind

    def _taken_word(self, argument: Argument) -> str:
        word = argument["python"]
        if "callback" in argument:
            return self._callable(argument["callback"])
        if word in PAIRS:
            return f"{word} | {PAIRS[word]}"
        if word in TAKEN:
            return TAKEN[word]
        if word in NULL_IS_DEFAULT:
            return f"{word} | None"
        if argument["type"].startswith("@") and word.startswith("NS") and TEXT_TYPES.search(word):
            return "str"
        return self._known(word)

    def _callable(self, callback: Callback) -> str:
        given = ", ".join("Any" for _ in callback["arguments"])
        return f"Callable[[{given}], {NUMBERS.get(callback['result'], 'Any')}]"

    def _known(self, word: str) -> str:
        if word in NUMBERS:
            return NUMBERS[word]
        sections = (self.facts["structs"], self.facts["types"], self.facts["classes"], self.facts["protocols"])
        return word if any(word in s for s in sections) else "Any"

    def _returned(self, owner: str, name: str, method: Method) -> str:
        result, returns = method["result"], method["returns"]
        if isinstance(result, list):
            return self._result(result, certain=False)
        written = self._object(returns)
        if result != "object" or written is None:
            return self._result(result, certain=False)
        certain = returns.startswith("NSArray") or any(f"{c}.{name}" in NEVER_NONE for c in self._lineage(owner))
        return written if certain else f"{written} | None"

    def _lineage(self, owner: str) -> Iterator[str]:
        """A class and its ancestors; a protocol alone."""
        current: str | None = owner
        while current:
            yield current
            current = self.facts["classes"][current]["super"] if current in self.facts["classes"] else None

    def _object(self, returns: str) -> str | None:
        """The type of an object that a method's header names; None for one that is not known here."""
        if returns == "instancetype":
            return "Self"
        if array := re.match(r"NSArray<(?:\w+ )?(\w+)", returns):
            return f"Sequence[{self._object(array[1] + ' *') or 'Any'}]"
        named = re.match(r"\w+", returns)
        word = named[0] if named else ""
        if word == "NSArray":
            return "Sequence[Any]"
        if word in GIVEN:
            return GIVEN[word]
        if word.startswith("NS") and TEXT_TYPES.search(word):
            return "str"
        return word if word in self.facts["classes"] else None

    def _result(self, result: str | list[str], certain: bool) -> str:
        if isinstance(result, list):
            return f"tuple[{', '.join('Any' if word == 'object' else self._result(word, certain) for word in result)}]"
        if result.startswith("sequence of "):
            return f"Sequence[{self._known(result.removeprefix('sequence of '))}]"
        if result in NUMBERS or result in self.facts["structs"]:
            return NUMBERS.get(result, result)
        kind = GIVEN.get(result) or ("Sequence[Any]" if result == "CFArrayRef" else self._known(result))
        return kind if certain else f"{kind} | None"


def _parameter_name(argument: Argument, number: int) -> str:
    name = argument.get("name") or f"a{number}"
    return f"{name}_" if keyword.iskeyword(name) else name


def _struct(name: str, fields: list[str], types: list[str]) -> str:
    kinds = {"d": "float", "{CGPoint=dd}": "CGPoint", "{CGSize=dd}": "CGSize"}
    return f"class {name}(NamedTuple):\n" + "".join(
        f"    {f}: {kinds.get(t, 'int')}\n" for f, t in zip(fields, types, strict=True)
    )


def _constant(name: str, constant: Constant) -> str:
    if "value" in constant:
        worked_out = constant["kind"] == "expression"
        return f"{name}: Final[{'int' if worked_out else type(constant['value']).__name__}]\n"
    declared = constant["header"].get("type", "") if "header" in constant else ""
    if "CFBoolean" in declared:
        return f"{name}: bool\n"
    return f"{name}: {'str' if TEXT_TYPES.search(declared.rstrip(' *')) else 'Any'}\n"


def _parents_first(classes: dict[str, Class]) -> list[str]:
    ordered: list[str] = []

    def place(name: str) -> None:
        if parent := classes[name]["super"]:
            place(parent)
        if name not in ordered:
            ordered.append(name)

    for name in sorted(classes):
        place(name)
    return ordered


def _objc(facts: Facts) -> str:
    return HEAD + "from typing import Any\n" + "".join(_bridged(name, about) for name, about in facts["bridge"].items())


def _bridged(name: str, about: dict[str, Any]) -> str:
    match about["kind"]:
        case "class":
            base = "str" if name == "pyobjc_unicode" else "object"
            return f"class {name}({base}):\n    def __init__(self, *a: Any, **k: Any) -> None: ...\n"
        case "exception":
            base = "DeprecationWarning" if name.endswith("Warning") else "Exception"
            return f"class {name}({base}): ...\n"
        case "function":
            given = [f"a{n}: Any" + (" = ..." if n >= about["least"] else "") for n in range(about["most"])]
            return f"def {name}({', '.join([*given, '/'] if given else [])}) -> Any: ...\n"
    return f"{name}: Any\n"


def differing(facts: Facts, folder: Path = FOLDER) -> list[str]:
    """The committed stubs that are not what `facts` gives."""
    wanted = write_all(facts)
    present = {str(p.relative_to(folder)): p.read_text(encoding="utf-8") for p in folder.rglob("*.pyi")}
    return sorted(path for path in {*wanted, *present} if wanted.get(path) != present.get(path))


def save(facts: Facts, folder: Path = FOLDER) -> None:
    for path, text in write_all(facts).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")

"""Apple's headers as PyObjC parsed them: `metadata/raw*/arm64-*.fwinfo` in its sdists.

They alone know classes and availability.
"""

import json
import keyword
import re
from pathlib import Path
from typing import Any

from tools.facts.encoding import argument, result_of, text, word
from tools.facts.shapes import Argument, Class, Header, Method

SOME_DAY = "100000"
"""`API_TO_BE_DEPRECATED`: no version has been named yet."""
ERROR_OUT = re.compile(r"NSError \*.*\*")
ROOT_CLASS_METHODS = {
    "alloc": "instancetype",
    "new": "instancetype",
    "class": "Class",
    "instancesRespondToSelector:": "BOOL",
}
ROOT_INSTANCE_METHODS = {
    "init": "instancetype",
    "respondsToSelector:": "BOOL",
    "isKindOfClass:": "BOOL",
    "isEqual:": "BOOL",
    "hash": "NSUInteger",
    "description": "NSString *",
    "performSelectorOnMainThread:withObject:waitUntilDone:": "void",
}
"""The root class is declared in the Objective-C runtime's <objc/NSObject.h>, which the framework dumps leave out."""
ENCODINGS = {"BOOL": "Z", "NSUInteger": "Q", "void": "v"}


def read(path: Path) -> dict[str, Any]:
    """One dump: `framework`, `release`, `definitions`. A comment may stand before the JSON."""
    source = path.read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(source[source.index("{") :])
    return loaded


def newest_dump(folder: Path) -> Path:
    """A framework's dump of the newest SDK: the file name ends in its number."""
    return max(folder.glob("arm64-*.fwinfo"), key=lambda p: [int(n) for n in re.findall(r"\d+", p.stem[6:])])


def python_name(selector: str) -> str:
    """PyObjC's spelling: colons become underscores; a Python keyword gets two more."""
    name = selector.replace(":", "_")
    return f"{name}__" if keyword.iskeyword(name) else name


def availability(described: dict[str, Any]) -> Header:
    known: Header = {}
    if introduced := described.get("introduced"):
        known["introduced"] = str(introduced)
    if (deprecated := described.get("deprecated")) and not str(deprecated).startswith(SOME_DAY):
        known["deprecated"] = str(deprecated)
    if "args" not in described and (written := described.get("type_name")):
        known["type"] = _plain(written).removeprefix("const ")
    if enum := described.get("enum"):
        known["enum"] = enum
    return known


def classes(definitions: dict[str, Any], kind: str) -> dict[str, Class]:
    """Every class of one framework (or protocol: `formal_protocols`, `informal_protocols`); `modules` comes later."""
    return {name: _one_class(name, described) for name, described in definitions.get(kind, {}).items()}


def _one_class(name: str, described: dict[str, Any]) -> Class:
    made: Class = {
        "modules": [],
        "super": described.get("super"),
        "adopts": described.get("protocols") or [],
        "instance_methods": {},
        "class_methods": {},
    }
    for each in described.get("methods", []):
        _add(made, each["class_method"], _method(each))
    for each in described.get("properties", []):  # after the methods, which may list a property's getter too
        _add_property(made, each)
    if name == "NSObject":
        _add_root(made)
    return made


def _add(made: Class, of_class: bool, method: Method) -> None:
    made["class_methods" if of_class else "instance_methods"][python_name(method["selector"])] = method


def _add_root(made: Class) -> None:
    for of_class, table in ((True, ROOT_CLASS_METHODS), (False, ROOT_INSTANCE_METHODS)):
        for selector, returned in table.items():
            taken = [{"typestr": "@"} for _ in range(selector.count(":"))]
            retval = {"typestr": ENCODINGS.get(returned, "@"), "type_name": returned}
            _add(made, of_class, _method({"selector": selector, "retval": retval, "args": taken}))


def _method(described: dict[str, Any]) -> Method:
    arguments = [_argument(each) for each in described.get("args", []) if each.get("typestr") != "v"]
    retval = described.get("retval") or {}
    encoding = retval.get("typestr") or "v"
    made: Method = {
        "selector": described["selector"],
        "arguments": arguments,
        "result": result_of(encoding, arguments),
        "returns": _plain(retval.get("type_name") or "void"),
    }
    if known := availability(described | {"args": []}):
        made["header"] = known
    return made


def _argument(described: dict[str, Any]) -> Argument:
    made = argument(described.get("typestr") or "@", {k: v for k, v in described.items() if k == "type_modifier"})
    made["name"] = described.get("name") or ""
    written = _plain(described.get("type_name") or "")
    if made["type"] == "@?":
        made["python"] = "block"
        if "callable" in described:
            made["callback"] = _block(described["callable"])
    elif made["type"] == "^@" and ERROR_OUT.match(written):
        made |= {"direction": "out", "python": "object"}
    elif made["type"] == "@" and (named := re.match(r"(?:__kindof )?(\w+)", written)):
        made["python"] = named[1]
    if described.get("null_accepted"):
        made["nullable"] = True
    return made


def _block(described: dict[str, Any]) -> Any:
    given = described["arguments"]
    return {
        "arguments": [word(given[n].get("type", "@")) for n in sorted(given, key=int) if int(n) > 0],
        "result": word(described["retval"]["type"]),
        "block": True,
    }


def _plain(written: str) -> str:
    return re.sub(r"\s*_(Nullable|Nonnull|Null_unspecified)\b|\b__kindof ", "", written).strip()


def _add_property(made: Class, described: dict[str, Any]) -> None:
    name, marks = described["name"], described.get("attributes") or []
    named = dict(mark for mark in marks if isinstance(mark, list))
    shared: dict[str, Any] = {k: described[k] for k in ("introduced", "deprecated") if k in described}
    kind: dict[str, Any] = {k: described.get(k) for k in ("typestr", "type_name")}
    getter = _method({"selector": named.get("getter", name), "retval": kind, "args": [], **shared})
    _add(made, "class" in marks, getter | {"property": name})
    if "readonly" not in marks:
        selector = named.get("setter", f"set{name[0].upper()}{name[1:]}:")
        setter = _method({"selector": selector, "args": [kind | {"name": name}], **shared})
        _add(made, "class" in marks, setter | {"property": name})


def apply_notes(method: Method, notes: dict[str, Any]) -> None:
    """Lay the wheel's notes on a selector (out arguments, blocks, BOOL results) over what the header says."""
    for number, note in notes.get("arguments", {}).items():
        if 0 <= number - 2 < len(method["arguments"]):
            old = method["arguments"][number - 2]
            new = argument(old["type"], note, implicit=2)
            kept: Any = {k: v for k, v in old.items() if k not in {"type", "direction"} and k not in new}
            if new["python"] in {"object", "block"}:
                new["python"] = old["python"]
            method["arguments"][number - 2] = new | kept
    returned = notes.get("retval", {}).get("type")
    kind = method["result"][0] if isinstance(method["result"], list) else method["result"]
    outs = [a["python"] for a in method["arguments"] if a["direction"] != "in"]
    if returned is not None:
        kind = word(text(returned))
    method["result"] = [kind, *outs] if outs else kind

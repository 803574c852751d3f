"""Parameters declared once: the schema that clients see and the strict check come from the same values.

The schema keeps to ``type``, ``description``, ``properties``, ``required``, ``items`` and string ``enum``: every
other construct breaks some client. What it cannot say (ranges, lengths) the check enforces
and the description tells.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, Literal

from mac_commander.errors import InvalidArgument

Kind = Literal["string", "integer", "number", "boolean", "array", "object"]

_PYTHON_TYPES: Mapping[Kind, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter or field. ``least`` and ``most`` bound a number's value, a string's length in code points,
    an array's length. Without ``required`` it may be left out or null."""

    name: str
    kind: Kind
    description: str = ""
    required: bool = False
    default: Any = None
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    item: Param | None = None
    fields: tuple[Param, ...] = ()


def schema(params: Sequence[Param]) -> dict[str, Any]:
    """The JSON schema of an object with these fields."""
    out: dict[str, Any] = {"type": "object", "properties": {p.name: _property(p) for p in params}}
    required = [p.name for p in params if p.required]
    return out | ({"required": required} if required else {})


def _property(param: Param) -> dict[str, Any]:
    out: dict[str, Any] = schema(param.fields) if param.fields else {"type": param.kind}
    if param.description:
        out["description"] = param.description
    if param.choices:
        out["enum"] = list(param.choices)
    if param.item is not None:
        out["items"] = _property(param.item)
    return out


def check(params: Sequence[Param], given: Mapping[str, Any], where: str = "") -> dict[str, Any]:
    """The arguments with defaults filled in.

    Raises `InvalidArgument` that names the place (``steps[2].text``), the type given and what is wanted.
    """
    known = {p.name: p for p in params}
    for name in given:
        if name not in known:
            missing = [p.name for p in params if p.required and given.get(p.name) is None]
            raise InvalidArgument(_unknown(str(name), where, list(known), missing))
    return {name: _value(p, given.get(name), _join(where, name)) for name, p in known.items()}


def _unknown(name: str, where: str, known: list[str], missing: list[str]) -> str:
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"known here: {', '.join(known)}"
    if missing and not near:
        hint = f"wanted {', '.join(missing)}, which is missing"
    place = where or "arguments"
    return f"{place}: unknown key {name[:60]!r}; {hint}"


def _join(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _value(param: Param, given: Any, where: str) -> Any:
    if given is None:
        if param.required:
            raise InvalidArgument(f"{where}: missing; wanted {_wanted(param)}")
        return param.default
    if isinstance(given, str) and param.kind in ("array", "object"):
        given = _parsed(given, param, where)
    _check_type(param, given, where)
    _check_bounds(param, given, where)
    if param.fields:
        return check(param.fields, given, where)
    if param.item is not None:
        return [_value(replace(param.item, required=True), v, f"{where}[{i}]") for i, v in enumerate(given)]
    return given


def unwrapped(given: Any) -> Any:
    """Some clients send an array or object as its JSON text (claude-code #73137): what that text holds, ``None``
    when it is no JSON. Other values as they are."""
    try:
        return json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        return None


def _parsed(text: str, param: Param, where: str) -> Any:
    """Held to the same checks."""
    parsed = unwrapped(text)
    if parsed is None:
        raise InvalidArgument(f"{where}: wanted {_wanted(param)}, got text that is not the JSON of one")
    return parsed


def _check_type(param: Param, given: Any, where: str) -> None:
    allowed = _PYTHON_TYPES[param.kind]
    wrong_bool = isinstance(given, bool) and param.kind != "boolean"
    if wrong_bool or not isinstance(given, allowed):
        raise InvalidArgument(f"{where}: wanted {_wanted(param)}, got {_type_name(given)}")
    if isinstance(given, float) and not math.isfinite(given):
        raise InvalidArgument(f"{where}: wanted a finite number, got {given}")
    if param.choices and given not in param.choices:
        shown = str(given)[:60]
        near = get_close_matches(shown, param.choices, 1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise InvalidArgument(f"{where}: wanted {_wanted(param)}, got {shown!r}{hint}")


def _check_bounds(param: Param, given: Any, where: str) -> None:
    size = given if param.kind in ("integer", "number") else len(given) if hasattr(given, "__len__") else None
    if size is None:
        return
    too_small = param.least is not None and size < param.least
    too_big = param.most is not None and size > param.most
    if too_small or too_big:
        shown = size if not isinstance(size, int) or abs(size) < 10**15 else "a number with many digits"
        raise InvalidArgument(f"{where}: wanted {_wanted(param)}, got {shown}")


def _wanted(param: Param) -> str:
    """The parameter in words: ``an integer from 0 to 5000``."""
    if param.choices:
        return "one of " + ", ".join(param.choices)
    noun = {"string": "text", "integer": "an integer", "number": "a number"}.get(param.kind, param.kind)
    noun = {"boolean": "true or false", "array": "an array", "object": "an object"}.get(param.kind, noun)
    unit = {"string": " characters", "array": " items"}.get(param.kind, "")
    if unit and param.least == param.most and param.least is not None:
        return f"{noun} of {param.least:g}{unit}"
    if param.least is not None and param.most is not None:
        of = " of " if unit else " from "
        return f"{noun}{of}{param.least:g} to {param.most:.15g}{unit}"
    if param.most is not None:
        return f"{noun} of at most {param.most:.15g}{unit}"
    if param.least is not None:
        return f"{noun} of at least {param.least:g}{unit}"
    return noun


def _type_name(value: Any) -> str:
    names = {bool: "a boolean", int: "an integer", float: "a number", str: "text", list: "an array"}
    return names.get(type(value), "an object" if isinstance(value, dict) else type(value).__name__)

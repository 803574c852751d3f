"""Checks for JSON documents that name the place of what is wrong: ``apps[1].windows[0].bounds: …``.

A check is a function of the place and the value found there; it returns the value to keep or raises `WorldError`.
"""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Callable, Mapping
from typing import Any

Check = Callable[[str, Any], Any]


class WorldError(ValueError):
    """The world file is wrong; the message begins with the place."""


def _found(value: Any) -> str:
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return json.dumps(value, ensure_ascii=False)


def wrong(place: str, wanted: str, value: Any) -> WorldError:
    return WorldError(f"{place or 'the world'}: wanted {wanted}, found {_found(value)}")


def text(place: str, value: Any) -> str:
    if not isinstance(value, str):
        raise wrong(place, "a text", value)
    return value


def flag(place: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise wrong(place, "true or false", value)
    return value


def number(place: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise wrong(place, "a number", value)
    return value


def not_negative(place: str, value: Any) -> float:
    if number(place, value) < 0:
        raise wrong(place, "a number that is not negative", value)
    return float(value)


def positive(place: str, value: Any) -> float:
    if number(place, value) <= 0:
        raise wrong(place, "a number above 0", value)
    return float(value)


def whole(least: int | None = None) -> Check:
    def check(place: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or (least is not None and value < least):
            raise wrong(place, "a whole number" + ("" if least is None else f" of at least {least}"), value)
        return value

    return check


def one_of(*allowed: Any) -> Check:
    def check(place: str, value: Any) -> Any:
        for item in allowed:
            if type(item) is type(value) and item == value:
                return item
        raise wrong(place, "one of " + ", ".join(map(json.dumps, allowed)), value)

    return check


def either(wanted: str, *checks: Check) -> Check:
    def check(place: str, value: Any) -> Any:
        for attempt in checks:
            try:
                return attempt(place, value)
            except WorldError:
                continue
        raise wrong(place, wanted, value)

    return check


def anything(place: str, value: Any) -> Any:
    return value


def many(item: Check) -> Check:
    def check(place: str, value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise wrong(place, "a list", value)
        return [item(f"{place}[{index}]", entry) for index, entry in enumerate(value)]

    return check


def numbers(count: int, wanted: str) -> Check:
    def check(place: str, value: Any) -> tuple[float, ...]:
        if not isinstance(value, list) or len(value) != count:
            raise wrong(place, wanted, value)
        return tuple(number(f"{place}[{index}]", entry) for index, entry in enumerate(value))

    return check


def bounds(place: str, value: Any) -> tuple[float, ...]:
    found: tuple[float, ...] = numbers(4, "[x, y, width, height]")(place, value)
    if found[2] < 0 or found[3] < 0:
        raise wrong(place, "a width and a height that are not negative", value)
    return found


def mapping(item: Check) -> Check:
    def check(place: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise wrong(place, "an object", value)
        return {key: item(f"{place}.{key}", entry) for key, entry in value.items()}

    return check


def record(fields: Callable[[], Mapping[str, Check]], required: tuple[str, ...] = ()) -> Check:
    """An object with only these keys. ``fields`` is called late, so that a record may hold itself."""

    def check(place: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise wrong(place, "an object", value)
        known = fields()
        dot = f"{place}." if place else ""
        for key in value:
            if key not in known:
                raise WorldError(f"{dot}{key}: no such key{_nearest(key, known)}")
        for key in required:
            if key not in value:
                raise WorldError(f"{dot}{key}: missing")
        return {key: known[key](f"{dot}{key}", entry) for key, entry in value.items()}

    return check


def _nearest(key: str, known: Mapping[str, Check]) -> str:
    near = difflib.get_close_matches(key, known, n=1)
    return f", did you mean {near[0]!r}?" if near else f"; there are {', '.join(sorted(known))}"

"""Bridged values as Python's own, and the other way: what accessibility answers with and is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ApplicationServices import (
    AXUIElementGetTypeID,
    AXValueCreate,
    AXValueGetType,
    AXValueGetTypeID,
    AXValueGetValue,
    kAXErrorAttributeUnsupported,
    kAXErrorNoValue,
    kAXValueTypeAXError,
    kAXValueTypeCFRange,
    kAXValueTypeCGPoint,
    kAXValueTypeCGRect,
    kAXValueTypeCGSize,
)
from CoreFoundation import CFGetTypeID

from mac_commander.model import Point, Rect

NOTHING = frozenset((kAXErrorNoValue, kAXErrorAttributeUnsupported))
"""A read that says so has found that there is no value; every other error means that it is unknown."""


@dataclass(frozen=True, slots=True)
class Failed:
    """One attribute of several that the app could not tell."""

    error: int


_AX_VALUE, _AX_ELEMENT = AXValueGetTypeID(), AXUIElementGetTypeID()
"""Asked once: there are a dozen values for each element of a tree."""


def plain(value: Any) -> Any:
    """A bridged value as Python's own: text, number, truth, `Point`, `Rect`, a size as a pair, a list.

    An error wrapper is ``None`` when the element lacks the attribute, else `Failed`. ``None`` for types nobody
    asked for; an element stays what it is.
    """
    if value is None or isinstance(value, bool):
        return value
    for kind in (str, int, float):
        if isinstance(value, kind):
            return kind(value)
    if isinstance(value, Sequence):
        return [plain(member) for member in value]
    return _opaque(value)


def truth(value: Any) -> bool | None:
    """A flag as told: most apps answer with a boolean, some with the numbers 1 and 0. ``None`` for anything else."""
    return bool(value) if isinstance(value, int) and value in (0, 1) else None


def _opaque(value: Any) -> Any:
    kind = CFGetTypeID(value)
    if kind == _AX_VALUE:
        return _unwrapped(value)
    return value if kind == _AX_ELEMENT else None


def _unwrapped(value: Any) -> Any:
    kind = AXValueGetType(value)
    known, struct = AXValueGetValue(value, kind, None)
    if not known:
        return None
    if kind == kAXValueTypeAXError:
        return None if struct in NOTHING else Failed(int(struct))
    if kind == kAXValueTypeCGPoint:
        return Point(float(struct.x), float(struct.y))
    if kind == kAXValueTypeCGSize:
        return (float(struct.width), float(struct.height))
    if kind == kAXValueTypeCGRect:
        return Rect(*map(float, (struct.origin.x, struct.origin.y, struct.size.width, struct.size.height)))
    return (int(struct.location), int(struct.length)) if kind == kAXValueTypeCFRange else None


def point_value(x: float, y: float) -> Any:
    return AXValueCreate(kAXValueTypeCGPoint, (x, y))


def size_value(width: float, height: float) -> Any:
    return AXValueCreate(kAXValueTypeCGSize, (width, height))


def range_value(start: int, count: int) -> Any:
    return AXValueCreate(kAXValueTypeCFRange, (start, count))

"""XSETTINGS: what the desktop says about motion and scale. Pure parsing of the property, as its specification
(freedesktop.org, XSETTINGS 0.5) lays it out."""

from __future__ import annotations

import struct

ANIMATIONS = "Gtk/EnableAnimations"
WINDOW_SCALE = "Gdk/WindowScalingFactor"

INTEGER, STRING, COLOUR = 0, 1, 2

MOST_SETTINGS = 1000
"""A count beyond this is a broken property (GNOME sets about 40)."""


def integers(data: bytes) -> dict[str, int]:
    """All integer settings by name. What is cut off or broken ends the reading; what came before it counts."""
    found: dict[str, int] = {}
    try:
        order = ">" if data[0] == 1 else "<"
        (count,) = struct.unpack_from(order + "I", data, 8)
        at = 12
        for _ in range(min(count, MOST_SETTINGS)):
            kind, name, at = _header(data, at, order)
            if kind == INTEGER:
                (found[name],) = struct.unpack_from(order + "i", data, at)
            at += _value_size(data, at, kind, order)
    except (struct.error, IndexError):
        pass
    return found


def _header(data: bytes, at: int, order: str) -> tuple[int, str, int]:
    kind, length = struct.unpack_from(order + "BxH", data, at)
    name = data[at + 4 : at + 4 + length].decode("ascii", "replace")
    return kind, name, at + 4 + _padded(length) + 4  # the last four: serial of the change


def _value_size(data: bytes, at: int, kind: int, order: str) -> int:
    if kind == STRING:
        (length,) = struct.unpack_from(order + "I", data, at)
        return 4 + _padded(length)
    return 8 if kind == COLOUR else 4


def _padded(length: int) -> int:
    return (length + 3) // 4 * 4

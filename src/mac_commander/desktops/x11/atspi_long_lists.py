"""Which children of a long list are in view.

Reading 5,000 rows took 4 s in GTK 3 and 3 s in Qt (measured), and nobody reads them. What is at the top and at the
bottom of the visible part is asked by place, as a hand would find it.
"""

from __future__ import annotations

from mac_commander.desktops.x11.atspi_bus import ACCESSIBLE, COMPONENT, NOTHING, AtspiBus
from mac_commander.desktops.x11.dbus_calls import CallError

LONG = 1_000
"""Children beyond which only those in view are read."""

BESIDE = 50
"""Rows read above and below the visible ones: a screenful, so that a small scroll finds them known."""

INSETS = (4, 40, 80)
"""Points from the edge at which a row is looked for: headers and borders are in the way."""

MOST_LEVELS = 4
"""Between a list and what is found at a point of it (row, cell, box in a cell)."""


async def children_in_view(bus: AtspiBus, name: str, path: str, clip: list[str], count: int, coordinates: int) -> range:
    """Indexes of the children in view and a few around; the first ones when that cannot be found out.

    ``clip`` are the paths of the scrollers around it, whose places cut what is visible of it.
    """
    try:
        left, top, right, bottom = await _visible(bus, name, [path, *clip], coordinates)
        rows = [
            await _index_at(bus, name, path, [(x, y) for x in _xs(left, right) for y in ys], coordinates)
            for ys in (_ys(top, 1), _ys(bottom, -1))
            if right > left
        ]
    except CallError:
        rows = []
    known = [row for row in rows if row is not None]
    if not known:
        return range(min(count, 2 * BESIDE))
    return range(max(0, min(known) - BESIDE), min(count, max(known) + BESIDE + 1))


def _xs(left: int, right: int) -> list[int]:
    """Qt's headings of rows are no part of its table there (6.4, seen): further in are the cells."""
    return [left + INSETS[0], left + INSETS[2], (left + right) // 2]


def _ys(edge: int, inwards: int) -> list[int]:
    return [edge + inwards * inset for inset in INSETS]


async def _visible(bus: AtspiBus, name: str, paths: list[str], coordinates: int) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of what all of them have in common."""
    places = [await bus.call(name, path, COMPONENT, "GetExtents", "u", coordinates, gives="(iiii)") for path in paths]
    left, top = max(place[0] for place in places), max(place[1] for place in places)
    right = min(place[0] + place[2] for place in places)
    bottom = min(place[1] + place[3] for place in places)
    return left, top, right, bottom


async def _index_at(bus: AtspiBus, name: str, path: str, points: list[tuple[int, int]], coordinates: int) -> int | None:
    for x, y in points:
        found = await bus.call(name, path, COMPONENT, "GetAccessibleAtPoint", "iiu", x, y, coordinates, gives="(so)")
        index = await _index_of(bus, name, path, found[1])
        if index is not None:
            return index
    return None


async def _index_of(bus: AtspiBus, name: str, path: str, inside: str) -> int | None:
    """Index of the child that ``inside`` is, or is in."""
    for _level in range(MOST_LEVELS):
        if inside in (NOTHING, path):
            return None
        _owner, parent = await bus.get(name, inside, ACCESSIBLE, "Parent", "(so)")
        if parent == path:
            index = await bus.call(name, inside, ACCESSIBLE, "GetIndexInParent", gives="i")
            return int(index) if index >= 0 else None
        inside = parent
    return None

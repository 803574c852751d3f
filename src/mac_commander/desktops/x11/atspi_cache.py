"""`Cache.GetItems`: what an application's elements are, in one call.

GTK 3, LibreOffice and Chromium give all of their tree, but for the children of what manages descendants itself. GTK 4
gives what somebody has asked for before, also as another's child. Qt gives an empty list, of an older type (measured).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from mac_commander.desktops.x11.atspi_bus import AtspiBus

ITEMS = "a((so)(so)(so)iiassusau)"
"""Itself, its application, its parent, place among its siblings, count of children, interfaces, name, role,
description, states."""


async def ask_cache(bus: AtspiBus, name: str) -> Sequence[Any]:
    """Raises `CallError` where there is none."""
    items: Sequence[Any] = await bus.call(
        name, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache", "GetItems", gives=ITEMS
    )
    return items


class Cache:
    """Items by path, and which are in which: not asked of GTK 4, which (4.18) tells of a hidden child in the menu bar's
    place (measured)."""

    def __init__(self, items: Sequence[Any], *, tells_children: bool) -> None:
        self._items = {item[0][1]: item for item in items}
        self._children: dict[str, list[str]] = defaultdict(list)
        for item in sorted(items, key=lambda item: item[3]) if tells_children else ():
            self._children[item[2][1]].append(item[0][1])

    def item(self, path: str) -> Any:
        """``None`` for what it does not have."""
        return self._items.get(path)

    def children(self, path: str) -> list[str]:
        return self._children.get(path, [])

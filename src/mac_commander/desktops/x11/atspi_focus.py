"""Which element of an app has the keyboard."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from mac_commander.desktops.x11 import atspi_roles as roles
from mac_commander.desktops.x11 import atspi_states as states
from mac_commander.desktops.x11.atspi_bus import ACCESSIBLE, AtspiBus, ElementKey
from mac_commander.desktops.x11.atspi_node import Node
from mac_commander.desktops.x11.atspi_reading import connections, describe
from mac_commander.desktops.x11.atspi_tree import TreeReader
from mac_commander.desktops.x11.dbus_calls import CallError
from mac_commander.model import App, Element, Limits, Window

SEARCH_LIMITS = Limits(seconds=2.0)
"""A search must leave time for the element to be read within one call."""


async def find_focused(bus: AtspiBus, app: App, windows: Sequence[Window]) -> Element | None:
    """What was last told to have the focus, if it has it at this moment; else one bounded search."""
    for name in await connections(bus, app.pid):
        path = await _focused_path(bus, name)
        if path is not None:
            element = await describe(bus, ElementKey(name, path, app.pid, app.started), windows)
            if element is not None:
                return element
    return None


async def focus_is_secret(bus: AtspiBus, app: App) -> bool | None:
    """Whether what has the focus, as `find_focused` finds it, is a password field: its role alone is read. ``None``
    when nothing is known to have it."""
    known: list[int] = []
    for name in await connections(bus, app.pid):
        path = await _focused_path(bus, name)
        role = None if path is None else await _role(bus, name, path)
        known += [] if role is None else [role]
    return roles.PASSWORD in known if known else None


async def _role(bus: AtspiBus, name: str, path: str) -> int | None:
    try:
        return int(await bus.call(name, path, ACCESSIBLE, "GetRole", gives="u"))
    except CallError:
        return None  # it is gone, and took the focus along


async def _focused_path(bus: AtspiBus, name: str) -> str | None:
    path = await bus.focused(name)
    return path if path is not None and await _has_focus(bus, name, path) else await _search(bus, name)


async def _has_focus(bus: AtspiBus, name: str, path: str) -> bool:
    try:
        state = states.joined(await bus.call(name, path, ACCESSIBLE, "GetState", gives="au"))
    except CallError:
        return False
    return bool(state & states.FOCUSED)


async def _search(bus: AtspiBus, name: str) -> str | None:
    tree = TreeReader(bus, name, SEARCH_LIMITS, asyncio.get_running_loop().time() + SEARCH_LIMITS.seconds)
    try:
        tops = await tree.toplevels()
    except CallError:
        return None
    await tree.fill(sorted(tops, key=lambda top: not top.state & states.ACTIVE))
    focused = [node for node in tree.known.values() if node.state & states.FOCUSED]
    focused.sort(key=_is_item)
    return focused[0].path if focused else None


def _is_item(node: Node) -> bool:
    """Qt calls the current tab or row of every widget focused, also where the keyboard is elsewhere (6.12, seen)."""
    return node.role in roles.ITEMS

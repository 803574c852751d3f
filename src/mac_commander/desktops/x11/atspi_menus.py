"""Picking an item of an app's menu bar by its path, without opening menus where the toolkit allows it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from mac_commander.desktops.x11 import atspi_roles as roles
from mac_commander.desktops.x11 import atspi_states as states
from mac_commander.desktops.x11.atspi_actions import Actor
from mac_commander.desktops.x11.atspi_bus import AtspiBus, ElementKey
from mac_commander.desktops.x11.atspi_details import DetailReader
from mac_commander.desktops.x11.atspi_node import Node
from mac_commander.desktops.x11.atspi_reading import connections
from mac_commander.desktops.x11.atspi_tree import TreeReader
from mac_commander.desktops.x11.atspi_windows import is_flat_bar
from mac_commander.desktops.x11.dbus_calls import CallError
from mac_commander.errors import Unsupported
from mac_commander.model import App, Limits

SEARCH_LIMITS = Limits(seconds=1.5)
OPENING_SECONDS = 0.5
"""For a menu that is only made when it opens."""

PRESS_SECONDS = 1.0

MOST_LISTED = 30
"""Items named in a refusal: more than a menu has that fits on a screen."""


async def pick(bus: AtspiBus, app: App, path: Sequence[str]) -> None:
    """Press the last item of ``path``. Raises `Unsupported`, `Stale`, `Uncertain`."""
    for name in await connections(bus, app.pid):
        tree = TreeReader(bus, name, SEARCH_LIMITS, asyncio.get_running_loop().time() + SEARCH_LIMITS.seconds)
        bar = await _menu_bar(bus, name, tree)
        if bar is not None:
            await _Menus(bus, ElementKey(name, bar.path, app.pid, app.started), tree).pick(bar, path)
            return
    raise Unsupported("the app has no menu bar that accessibility can see; look for a menu button with `see`")


async def _menu_bar(bus: AtspiBus, name: str, tree: TreeReader) -> Node | None:
    try:
        tops = await tree.toplevels()
    except CallError:
        return None
    tops = [top for top in tops if top.state & states.SHOWING]
    await tree.fill(sorted(tops, key=lambda top: not top.state & states.ACTIVE))
    bars = [node for node in tree.known.values() if node.role == roles.MENU_BAR]
    details = DetailReader(bus, name, 0, tree.known, tree.toolkit)
    await details.place_all(bars, asyncio.get_running_loop().time() + SEARCH_LIMITS.seconds)
    return next((bar for bar in bars if not is_flat_bar(bar)), None)


class _Menus:
    def __init__(self, bus: AtspiBus, key: ElementKey, tree: TreeReader) -> None:
        self._bus = bus
        self._key = key
        self._tree = tree

    async def pick(self, bar: Node, path: Sequence[str]) -> None:
        node = bar
        for place, wanted in enumerate(path):
            node = self._choose(await self._items(node), wanted, path[:place])
        if below := await self._below(node):  # pressing it would pick nothing, and answer success
            raise Unsupported(f"{' > '.join(path)} is a menu: pick one of its items, {_listed(below)}")
        await self._press(node)

    async def _press(self, node: Node) -> None:
        await Actor(self._bus, self._key._replace(path=node.path), PRESS_SECONDS).press()

    async def _items(self, node: Node) -> list[Node]:
        """The items below, opening the menu only when it holds none until then."""
        items = await self._below(node)
        if items or node.role == roles.MENU_BAR:
            return items
        await self._press(node)
        end = asyncio.get_running_loop().time() + OPENING_SECONDS
        while not items and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.02)
            items = await self._below(node)
        return items

    async def _below(self, node: Node) -> list[Node]:
        found: list[Node] = []
        for child in await self._tree.children_now(node):
            if child.role in roles.MENU_ITEMS and child.name:
                found.append(child)
            else:
                found += await self._below(child)
        return found

    def _choose(self, items: list[Node], wanted: str, above: Sequence[str]) -> Node:
        named = [item for item in items if _plain(item.name) == _plain(wanted)]
        where = f"under {' > '.join(above)}" if above else "in the menu bar"
        if len(named) != 1:
            seen = "several" if named else "no"
            raise Unsupported(f"{seen} menu items of that name {where}; there is: {_listed(items)}")
        if not named[0].state & (states.SENSITIVE | states.ENABLED):
            raise Unsupported(f"the menu item {where} is disabled at the moment; nothing happened")
        return named[0]


def _listed(items: Sequence[Node]) -> str:
    names = [repr(item.name) for item in items[:MOST_LISTED]]
    return ", ".join(names) + (" …" if len(items) > MOST_LISTED else "") if names else "nothing"


def _plain(name: str) -> str:
    """As people compare menu names: "Save As..." is "Save As…", and case does not matter."""
    return name.strip().removesuffix("…").removesuffix("...").strip().casefold()

"""Picking an item of an app's menu bar by accessibility: no menu is opened on screen, no focus is moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ApplicationServices import (
    kAXChildrenAttribute,
    kAXEnabledAttribute,
    kAXIdentifierAttribute,
    kAXMenuBarAttribute,
    kAXMenuRole,
    kAXRoleAttribute,
    kAXTitleAttribute,
)

from mac_commander.desktops.macos import ax, ax_value, kept_items
from mac_commander.desktops.macos.menu_titles import plain
from mac_commander.errors import Refused, Unsupported

ITEMS_MOST = 500
"""Of one menu; a history menu has a few hundred."""

_APPLE_MENU, _APPLICATION_MENU = 0, 1
"""Places in the menu bar, the same in every language: the system's menu, then the app's own."""

_ATTRIBUTES = (kAXRoleAttribute, kAXTitleAttribute, kAXEnabledAttribute, kAXIdentifierAttribute, kAXChildrenAttribute)


@dataclass(frozen=True, slots=True)
class Item:
    element: Any
    role: str
    title: str
    enabled: bool
    identifier: str
    children: tuple[Any, ...]


def find(app_element: Any, path: Sequence[str]) -> Item:
    """The item at the end of the path. Nothing is pressed on the way.

    Raises `Unsupported` when it is not there (the message lists what is), cannot be picked now, or fits twice;
    `Refused` for menus that reach beyond the app.
    """
    bar = ax.read(app_element, kAXMenuBarAttribute)
    if bar is None:
        raise Unsupported("this app has no menu bar")
    level = _read_all(ax.read_range(bar, kAXChildrenAttribute, 0, ITEMS_MOST))
    way: list[Item] = []
    top = 0
    for depth, title in enumerate(path):
        item = _named(title, level, way)
        place = level.index(item)
        top = place if depth == 0 else top
        _refuse(item, place, depth, top)
        way.append(item)
        level = _below(item)
    last = way[-1]
    if not last.enabled:
        raise Unsupported(f"the menu item {_joined(way)} is dimmed: it cannot be picked now")
    if level:  # pressing it would pick nothing, and answer success
        raise Unsupported(f"{_joined(way)} is a menu: pick one of its items, {_titles(level)}")
    return last


def _below(item: Item) -> list[Item]:
    """The items of the menu that hangs below, empty for an item without one."""
    menus = [menu for menu in _read_all(item.children) if menu.role == kAXMenuRole]
    return _read_all(menus[0].children) if menus else []


def _read_all(elements: Sequence[Any]) -> list[Item]:
    return [_read(element) for element in list(elements)[:ITEMS_MOST] if element is not None]


def _read(element: Any) -> Item:
    role, title, enabled, identifier, children = ax.read_many(element, _ATTRIBUTES)
    return Item(
        element,
        role if isinstance(role, str) else "",
        title if isinstance(title, str) else "",
        ax_value.truth(enabled) is not False,
        identifier if isinstance(identifier, str) else "",
        tuple(children) if isinstance(children, Sequence) and not isinstance(children, str) else (),
    )


def _named(title: str, level: Sequence[Item], way: Sequence[Item]) -> Item:
    """Exactly that title; else the same but for case, dots and spaces, when only one fits."""
    exact = [item for item in level if item.title == title]
    fitting = exact or [item for item in level if plain(item.title) == plain(title)]
    if len(fitting) == 1:
        return fitting[0]
    where = _joined(way) if way else "the menu bar"
    if fitting:
        raise Unsupported(f"{where} has {len(fitting)} items named {title!r}: click the right one by its ref")
    raise Unsupported(f"{where} has no item {title!r}; it has {_titles(level) or 'none'}")


def _titles(level: Sequence[Item]) -> str:
    return ", ".join(repr(item.title) for item in level if item.title)


def _joined(way: Sequence[Item]) -> str:
    return " > ".join(repr(item.title) for item in way)


def _refuse(item: Item, place: int, depth: int, top: int) -> None:
    """Menus that hand over to other programs: by place (``top`` is that of the menu in the bar), since titles
    are translated."""
    if depth == 0 and place == _APPLE_MENU:
        raise Refused("the Apple menu is the system's, not this app's: it can end the session. Ask the user")
    if depth == 1 and top == _APPLICATION_MENU and item.children:
        raise Refused("submenus of the application menu are refused: Services run other programs on what is selected")
    kept_items.refuse_by_name(item.title, item.identifier)

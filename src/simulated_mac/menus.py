"""Menu bars: the world's menus, or those that every Mac app has."""

from __future__ import annotations

from typing import Any

from simulated_mac.elements import App, Element
from simulated_mac.geometry import Bounds

BAR_HEIGHT = 24
ITEM_HEIGHT = 22
MENU_WIDTH = 220
CHARACTER_WIDTH = 8

_EDIT = (("Undo", "cmd+z"), ("Redo", "cmd+shift+z"), ("Cut", "cmd+x"), ("Copy", "cmd+c"), ("Paste", "cmd+v"))
_MODIFIER_BITS = {"shift": 1, "alt": 2, "option": 2, "ctrl": 4, "control": 4}
"""As in kAXMenuItemCmdModifiersAttribute; 8 there means: without Command."""

_GLYPHS = {"backspace": 0x17, "delete": 0x0A, "return": 0x0B, "tab": 0x02, "escape": 0x1B, "space": 0x09}
"""Menus.h, ``kMenu…Glyph``."""


def usual_menus(app: App) -> list[dict[str, Any]]:
    edit = [{"title": title, "shortcut": keys} for title, keys in (*_EDIT, ("Select All", "cmd+a"))]
    return [
        {"title": "File", "items": [{"title": "Close", "shortcut": "cmd+w"}]},
        {"title": "Edit", "items": edit},
        {"title": "Window", "items": [{"title": "Minimize", "shortcut": "cmd+m"}]},
    ]


def build(app: App) -> Element:
    """The menu bar with the Apple menu and the app's own first, as on every Mac."""
    own = [
        {"title": f"About {app.local_name}"},
        {"title": "Services", "items": [{"title": "No Services Apply"}]},
        {"title": f"Hide {app.local_name}", "shortcut": "cmd+h"},
        {"title": f"Quit {app.local_name}", "shortcut": "cmd+q"},
    ]
    system = [{"title": "About This Mac"}, {"title": "System Settings…"}, {"title": "Lock Screen"}]
    menus = [{"title": "Apple", "items": system}, {"title": app.local_name, "items": own}]
    bar = Element({"role": "AXMenuBar", "bounds": [0, 0, 1440, BAR_HEIGHT]}, None, app)
    x = 10.0
    for menu in (*menus, *app.spec.get("menus", usual_menus(app))):
        item = _bar_item(menu, bar, x)
        x += item.bounds.width if item.bounds else 0
        bar.children.append(item)
    return bar


def _title(spec: dict[str, Any]) -> str:
    return str(spec.get("title", ""))


def _bar_item(menu: dict[str, Any], bar: Element, x: float) -> Element:
    width = CHARACTER_WIDTH * len(_title(menu)) + 16
    spec = {**menu, "role": "AXMenuBarItem", "bounds": [x, 0, width, BAR_HEIGHT], "children": []}
    item = Element(spec, bar, bar.app)
    _submenu(menu, item, x, BAR_HEIGHT)
    return item


def _submenu(spec: dict[str, Any], owner: Element, x: float, y: float) -> None:
    entries = _entries(spec)
    if entries:
        bounds = [x, y, MENU_WIDTH, ITEM_HEIGHT * len(entries)]
        menu = Element({"role": "AXMenu", "bounds": bounds}, owner, owner.app)
        owner.children.append(menu)
        menu.children = [_item(entry, menu, x, y + ITEM_HEIGHT * row) for row, entry in enumerate(entries)]


def _entries(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """Items may be given as ``items``, or as AX shows them: children, with a menu between or not."""
    found: list[dict[str, Any]] = [*spec.get("items", ()), *spec.get("children", ())]
    if len(found) == 1 and found[0].get("role") == "AXMenu":
        return _entries(found[0])
    return found


def _item(spec: dict[str, Any], menu: Element, x: float, y: float) -> Element:
    own = {**spec, "role": "AXMenuItem", "bounds": [x, y, MENU_WIDTH, ITEM_HEIGHT], "children": []}
    item = Element(own, menu, menu.app)
    _submenu(spec, item, x + MENU_WIDTH, y)
    return item


def leaves(app: App) -> list[Element]:
    """Every menu item that does something, in the order of the menu bar."""
    if app.menu_bar is None:
        return []
    return [node for node in app.menu_bar.walk() if node.role == "AXMenuItem" and not node.children]


def canonical(shortcut: str) -> tuple[frozenset[str], str]:
    """Modifiers and key of a shortcut such as ``cmd+shift+s``."""
    *modifiers, key = shortcut.lower().split("+") if shortcut != "+" else ["+"]
    return frozenset({"option": "alt", "control": "ctrl"}.get(m, m) for m in modifiers), key


def spelled(modifiers: frozenset[str], key: str) -> str:
    """The shortcut as `usual_menus` writes them."""
    return "+".join([*(m for m in ("cmd", "ctrl", "alt", "shift") if m in modifiers), key])


def item_for(app: App, modifiers: frozenset[str], key: str) -> Element | None:
    wanted = (modifiers, key)
    items = [item for item in leaves(app) if "shortcut" in item.spec]
    return next((item for item in items if canonical(item.spec["shortcut"]) == wanted), None)


def command_modifiers(shortcut: str) -> int:
    """The number that kAXMenuItemCmdModifiersAttribute has for it."""
    modifiers, _ = canonical(shortcut)
    bits = sum(_MODIFIER_BITS.get(modifier, 0) for modifier in modifiers)
    return bits if "cmd" in modifiers else bits | 8


def command_character(shortcut: str) -> str:
    """kAXMenuItemCmdCharAttribute: empty for a key that writes nothing."""
    key = canonical(shortcut)[1]
    return key.upper() if len(key) == 1 else ""


def command_glyph(shortcut: str) -> int:
    """kAXMenuItemCmdGlyphAttribute, for the keys that have no character."""
    return _GLYPHS.get(canonical(shortcut)[1], 0)


def menu_bounds(bar: Element, width: float) -> None:
    bar.bounds = Bounds(0, 0, width, BAR_HEIGHT)

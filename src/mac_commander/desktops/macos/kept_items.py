"""Menu items that no model picks, however it gets at them: by a path, by a press, by a click into an open menu."""

from __future__ import annotations

from typing import Any

from ApplicationServices import (
    kAXIdentifierAttribute,
    kAXMenuItemCmdCharAttribute,
    kAXMenuItemCmdGlyphAttribute,
    kAXMenuItemCmdModifiersAttribute,
    kAXMenuItemCmdVirtualKeyAttribute,
    kAXMenuItemRole,
    kAXParentAttribute,
    kAXRoleAttribute,
    kAXTitleAttribute,
)

from mac_commander.desktops.macos import ax, ax_value, windows
from mac_commander.desktops.macos.menu_titles import plain
from mac_commander.errors import Refused
from mac_commander.model import App, Point

FINDER = "com.apple.finder"

LEVELS_MOST = 8
"""From an item up: a menu and an item for each submenu it is in."""

_AUTOFILL = frozenset(
    {"autofill", "automatisch ausfüllen", "remplissage automatique", "autorrelleno", "inserimento automatico"}
)
"""The submenu that types passwords. It has no place of its own, so it is known by titles and by its identifier."""

_DICTATION = frozenset(
    {"start dictation", "diktat starten", "démarrer la dictée", "iniciar dictado", "avvia dettatura"}
)
"""The item that listens: what people in the room say becomes text that `see` reads. Its identifier is its action's."""

_SERVICES = frozenset(
    {"services", "dienste", "servicios", "servizi", "serviços", "voorzieningen", "tjänster", "tjenester", "palvelut",
     "サービス", "服务", "服務", "서비스", "службы", "usługi", "servisler", "služby"}
)  # fmt: skip
"""What a context menu calls the submenu that the application menu has in a fixed place (`menu_bar`)."""

_KEYS = (
    kAXMenuItemCmdModifiersAttribute,
    kAXMenuItemCmdCharAttribute,
    kAXMenuItemCmdGlyphAttribute,
    kAXMenuItemCmdVirtualKeyAttribute,
)

_WITHOUT_COMMAND = 8
"""Bit of the modifiers (AXAttributeConstants.h)."""

_DELETE = (("\b", "\x7f", "⌫", "⌦"), (0x17, 0x0A), (51, 117))
"""The two keys as a character, a glyph (Menus.h) and a virtual key (Events.h): apps tell one of them."""


def refuse(element: Any, target: App) -> None:
    """Raise `Refused` for a menu item that hands over to other programs, types passwords, listens or erases files."""
    level: Any = element
    for _ in range(LEVELS_MOST):
        role, title, identifier, parent = ax.read_many(
            level, (kAXRoleAttribute, kAXTitleAttribute, kAXIdentifierAttribute, kAXParentAttribute)
        )
        if level is element and role != kAXMenuItemRole:
            return
        if role == kAXMenuItemRole:
            refuse_by_name(title, identifier)
            _refuse_services(title)
        if parent is None or isinstance(parent, ax_value.Failed):
            break
        level = parent
    _refuse_throwing_away(element, target)


def refuse_by_name(title: object, identifier: object) -> None:
    """Raise `Refused` for an item or submenu that types passwords or listens: by identifier in any language, else by
    title."""
    known = identifier.casefold() if isinstance(identifier, str) else ""
    if _plain(title) in _AUTOFILL or "autofill" in known:
        raise Refused("AutoFill types saved passwords: only the user may use it")
    if _plain(title) in _DICTATION or "startdictation" in known:
        raise Refused("dictation listens to the room: only the user may start it")


def _refuse_services(title: object) -> None:
    if _plain(title) in _SERVICES:
        raise Refused("Services are refused: they run other programs on what is selected")


def refuse_at(at: Point, target: App) -> None:
    """Raise as `refuse` for what a click there would choose in an open menu of the target's."""
    number = windows.number_at(at)
    if any(w.number == number and w.layer == windows.POPUP_LAYER for w in windows.listed()):
        element = ax.element_at(ax.application(target.pid), at.x, at.y)
        if element is not None:
            refuse(element, target)


def _refuse_throwing_away(element: Any, target: App) -> None:
    """Finder's items with ⌘⌫ in their keys, in any language: to the trash, empty it, erase at once."""
    if target.app_id.casefold() != FINDER:
        return
    modifiers, *keys = ax.read_many(element, _KEYS)
    command = isinstance(modifiers, int) and not modifiers & _WITHOUT_COMMAND
    if command and any(key in known for key, known in zip(keys, _DELETE, strict=True)):
        raise Refused("this menu item is kept from models: its keys say that it throws files away. Ask the user")


def _plain(title: object) -> str:
    return plain(title).rstrip(". ") if isinstance(title, str) else ""

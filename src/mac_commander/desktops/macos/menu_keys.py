"""The keys that a menu item shows: what it does, told the same in every language."""

from __future__ import annotations

from typing import Any

from ApplicationServices import (
    kAXMenuItemCmdCharAttribute,
    kAXMenuItemCmdGlyphAttribute,
    kAXMenuItemCmdModifiersAttribute,
    kAXMenuItemCmdVirtualKeyAttribute,
    kAXMenuItemRole,
    kAXRoleAttribute,
)

from mac_commander.desktops.macos import ax
from mac_commander.errors import Refused
from mac_commander.model import App

FINDER = "com.apple.finder"

_ATTRIBUTES = (
    kAXRoleAttribute,
    kAXMenuItemCmdModifiersAttribute,
    kAXMenuItemCmdCharAttribute,
    kAXMenuItemCmdGlyphAttribute,
    kAXMenuItemCmdVirtualKeyAttribute,
)

_WITHOUT_COMMAND = 8
"""Bit of the modifiers (AXAttributeConstants.h)."""

_DELETE = (("\b", "\x7f", "⌫", "⌦"), (0x17, 0x0A), (51, 117))
"""The two keys as a character, a glyph (Menus.h) and a virtual key (Events.h): apps tell one of them."""


def refuse_throwing_away(element: Any, target: App) -> None:
    """Raise `Refused` for a menu item of Finder's with ⌘⌫ in its keys: to the trash, empty it, erase at once."""
    if target.app_id.casefold() != FINDER:
        return
    role, modifiers, *keys = ax.read_many(element, _ATTRIBUTES)
    command = isinstance(modifiers, int) and not modifiers & _WITHOUT_COMMAND
    if role == kAXMenuItemRole and command and any(key in known for key, known in zip(keys, _DELETE, strict=True)):
        raise Refused("this menu item is kept from models: its keys say that it throws files away. Ask the user")

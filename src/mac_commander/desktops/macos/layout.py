"""Which key gives which character in the active keyboard layout, by TIS and UCKeyTranslate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mac_commander.desktops.macos.private import PrivateCalls

NAMED_KEYS: Mapping[str, int] = {
    "return": 36, "tab": 48, "space": 49, "backspace": 51, "escape": 53, "delete": 117, "insert": 114,
    "home": 115, "end": 119, "pageup": 116, "pagedown": 121, "left": 123, "right": 124, "down": 125, "up": 126,
    "menu": 110, "printscreen": 105, "pause": 113,
    "f1": 122, "f2": 120, "f3": 99, "f4": 118, "f5": 96, "f6": 97, "f7": 98, "f8": 100, "f9": 101, "f10": 109,
    "f11": 103, "f12": 111, "f13": 105, "f14": 107, "f15": 113, "f16": 106, "f17": 64, "f18": 79, "f19": 80,
    "f20": 90,
}  # fmt: skip
"""Virtual key codes, the same in every layout (``Events.h``, ``kVK_*``). A PC keyboard's insert, print screen and
pause are help, F13 and F15 on a Mac."""

PRINTING_KEYS = (*range(51), 93, 94)
"""The codes of keys that give characters, without the keypad's, which would give digits a second time."""

_COMMAND, _SHIFT = 1, 2
"""``cmdKey`` and ``shiftKey`` as UCKeyTranslate takes them (shifted right by 8)."""


class Key(NamedTuple):
    code: int
    shift: bool


class Layout:
    """Looks are fresh: the user may switch the layout at any moment."""

    def __init__(self, private: PrivateCalls) -> None:
        self._private = private

    def key(self, name: str, command: bool = False) -> Key | None:
        """The key for a chord's key name; ``None`` when no key of the layout gives it.

        With ``command`` the layout that is in force while Command is held counts first (Dvorak – QWERTY ⌘), and
        when the active layout has no such letter (Russian, Greek) the Latin one that macOS itself falls back to.
        """
        if name in NAMED_KEYS:
            return Key(NAMED_KEYS[name], False)
        for layout in self._private.layouts():
            for modifiers in (_COMMAND, 0, _SHIFT) if command else (0, _SHIFT):
                code = self._code(layout, name, modifiers)
                if code is not None:
                    return Key(code, modifiers == _SHIFT)
        return None

    def shifted(self, code: int) -> str:
        """What the key gives with Shift in the active layout, empty when that is not known."""
        active = self._private.layouts()[:1]
        return self._private.character(active[0], code, _SHIFT) if active else ""

    @property
    def is_readable(self) -> bool:
        """Whether any key of it is known: ``a`` is on every layout that macOS can type shortcuts with."""
        return self.key("a") is not None

    def _code(self, layout: bytes, character: str, modifiers: int) -> int | None:
        given = ((code, self._private.character(layout, code, modifiers)) for code in PRINTING_KEYS)
        return next((code for code, text in given if text == character), None)

    @property
    def input_method(self) -> str:
        """The active input method's name: it would take typed characters apart. Empty when there is none."""
        return self._private.input_method()

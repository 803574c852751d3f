"""HIToolbox's text input sources, secure input, and the key translation of CoreServices: loaded by hand."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from simulated_mac import layouts
from simulated_mac.bridge import CFObject, extern

if TYPE_CHECKING:
    from simulated_mac.machine import Machine

_LAYOUT_DATA = b"simulated keyboard layout "
SHIFT, OPTION = 2, 8
"""``shiftKey`` and ``optionKey`` of Events.h, shifted right by 8 bits as UCKeyTranslate takes them."""
_INVALID = -50
_ANSI_KEYBOARD = 40

_NAMES = {"us": "U.S.", "de": "German", "fr": "French", "dvorak": "Dvorak", "ru": "Russian"}
_SOURCES = "com.apple.keylayout"


class MainThreadOnly(BaseException):
    """macOS ends a process that asks for input sources off its main thread; no ``except Exception`` helps."""


class TISInputSourceRef(CFObject):
    kind = "TISInputSourceRef"


class HIToolbox:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def IsSecureEventInputEnabled(self) -> bool:
        return self._machine.keyboard.secure_owner is not None

    def LMGetKbdType(self) -> int:
        return _ANSI_KEYBOARD

    def TISCopyCurrentKeyboardInputSource(self) -> TISInputSourceRef:
        _on_main_thread()
        return TISInputSourceRef("method" if self._machine.keyboard.input_method else self._machine.keyboard.layout)

    def TISCopyCurrentKeyboardLayoutInputSource(self) -> TISInputSourceRef:
        _on_main_thread()
        return TISInputSourceRef(self._machine.keyboard.layout)

    def TISCopyCurrentASCIICapableKeyboardLayoutInputSource(self) -> TISInputSourceRef:
        _on_main_thread()
        return TISInputSourceRef("us" if self._machine.keyboard.layout == "ru" else self._machine.keyboard.layout)

    def TISGetInputSourceProperty(self, source: TISInputSourceRef, key: str) -> Any:
        _on_main_thread()
        is_layout = source.identity != "method"
        values = {
            "kTISPropertyUnicodeKeyLayoutData": _LAYOUT_DATA + source.identity.encode() if is_layout else None,
            "kTISPropertyInputSourceType": extern(
                "kTISTypeKeyboardLayout" if is_layout else "kTISTypeKeyboardInputMode"
            ),
            "kTISPropertyLocalizedName": _NAMES[source.identity] if is_layout else "Pinyin - Simplified",
            "kTISPropertyInputSourceID": f"{_SOURCES}.{_NAMES[source.identity]}"
            if is_layout
            else "com.apple.inputmethod",
        }
        return next((value for name, value in values.items() if extern(name) == key), None)

    def UCKeyTranslate(
        self, layout: Any, keycode: int, action: int, modifiers: int, keyboard: int, options: int, dead: int, most: int
    ) -> tuple[int, int, int, str]:
        data = bytes(layout)
        if not data.startswith(_LAYOUT_DATA):
            return _INVALID, 0, 0, ""
        name = data.removeprefix(_LAYOUT_DATA).decode()
        text = layouts.character(name, keycode, bool(modifiers & SHIFT), bool(modifiers & OPTION))
        return 0, 0, len(text), text[:most]

    variables = (
        "kTISPropertyUnicodeKeyLayoutData",
        "kTISPropertyInputSourceType",
        "kTISPropertyInputSourceID",
        "kTISPropertyLocalizedName",
        "kTISTypeKeyboardLayout",
        "kTISTypeKeyboardInputMode",
    )


def _on_main_thread() -> None:
    if threading.current_thread() is not threading.main_thread():
        raise MainThreadOnly("TIS called off the main thread: macOS would end this process (SIGTRAP)")

"""The few calls that PyObjC has no metadata for: text input sources, secure input, an AX window's number, and who
answers for a process.

All of them are loaded here and nowhere else, by name and at first use, because a name may be missing on some
macOS: ``absent`` lists those. Text input source calls must come from the main thread, elsewhere the process is
ended by the system (MorseWriter #42); the desktop's methods all run there.

Sources: HIToolbox's ``TextInputSources.h``, CoreServices' ``UnicodeUtilities.h`` and ``CarbonEventsCore.h``; the
private ``_AXUIElementGetWindow`` as window managers declare it, and libSystem's private ``responsibility_*`` as
browsers and monitors of activity do.
"""

from __future__ import annotations

from typing import Any

import objc
from Foundation import NSBundle

_HITOOLBOX = "/System/Library/Frameworks/Carbon.framework/Frameworks/HIToolbox.framework"
_APPLICATION_SERVICES = "/System/Library/Frameworks/ApplicationServices.framework"
_CORE_SERVICES = "/System/Library/Frameworks/CoreServices.framework"

_INPUT_SOURCE_FUNCTIONS = [
    ("IsSecureEventInputEnabled", b"Z", ""),
    ("LMGetKbdType", b"C", ""),
    ("TISCopyCurrentKeyboardInputSource", b"@", "", {"retval": {"already_cfretained": True}}),
    ("TISCopyCurrentKeyboardLayoutInputSource", b"@", "", {"retval": {"already_cfretained": True}}),
    ("TISCopyCurrentASCIICapableKeyboardLayoutInputSource", b"@", "", {"retval": {"already_cfretained": True}}),
    ("TISGetInputSourceProperty", b"@@@", ""),
]
_INPUT_SOURCE_KEYS = [
    ("kTISPropertyUnicodeKeyLayoutData", b"@"),
    ("kTISPropertyInputSourceType", b"@"),
    ("kTISPropertyLocalizedName", b"@"),
    ("kTISTypeKeyboardLayout", b"@"),
]
_TRANSLATE_FUNCTIONS = [
    (
        "UCKeyTranslate",
        b"i^vSSIII^IQ^Q^T",
        "",
        {
            "arguments": {
                0: {"type_modifier": "n", "c_array_of_variable_length": True},
                6: {"type_modifier": "N"},
                8: {"type_modifier": "o"},
                9: {"type_modifier": "o", "c_array_length_in_arg": (7, 8)},
            }
        },
    )
]
"""Told in the way of PyObjC's own metadata: the layout's bytes as in ``CGColorConversionInfoConvertData``, the counted
answer as in ``CGEventKeyboardGetUnicodeString``."""

_PROCESS_FUNCTIONS = [("responsibility_get_pid_responsible_for_pid", b"ii", "")]
"""In libSystem, which is no bundle: found among what every process has loaded."""

_WINDOW_FUNCTIONS = [("_AXUIElementGetWindow", b"i^{__AXUIElement=}^I", "", {"arguments": {1: {"type_modifier": "o"}}})]

KEY_ACTION_DISPLAY = 3
"""``kUCKeyActionDisplay``: what is printed on the key, without dead-key state."""
NO_DEAD_KEYS = 1
"""``kUCKeyTranslateNoDeadKeysMask``."""
MAX_CHARACTERS = 4
"""No key of a layout that ships with macOS gives more."""


class PrivateCalls:
    """The calls that were found. Each method says what a missing one means."""

    def __init__(self) -> None:
        self._found: dict[str, Any] = {}
        self._load(_HITOOLBOX, _INPUT_SOURCE_FUNCTIONS, _INPUT_SOURCE_KEYS)
        self._load(_CORE_SERVICES, _TRANSLATE_FUNCTIONS, [])
        self._load(_APPLICATION_SERVICES, _WINDOW_FUNCTIONS, [])
        objc.loadBundleFunctions(None, self._found, _PROCESS_FUNCTIONS, True)

    def _load(self, framework: str, functions: list[Any], variables: list[tuple[str, bytes]]) -> None:
        bundle = NSBundle.bundleWithPath_(framework)
        if bundle is None:
            return
        objc.loadBundleFunctions(bundle, self._found, functions, True)
        if variables:
            objc.loadBundleVariables(bundle, self._found, variables, True)

    @property
    def absent(self) -> tuple[str, ...]:
        """Names that this macOS does not have; `doctor` prints them."""
        functions = (_INPUT_SOURCE_FUNCTIONS, _TRANSLATE_FUNCTIONS, _WINDOW_FUNCTIONS, _PROCESS_FUNCTIONS)
        tables = (*functions, _INPUT_SOURCE_KEYS)
        wanted = [str(entry[0]) for table in tables for entry in table]
        return tuple(name for name in wanted if name not in self._found)

    def secure_input(self) -> bool | None:
        """Whether some process holds secure event input; ``None`` when it cannot be known."""
        enabled = self._found.get("IsSecureEventInputEnabled")
        return None if enabled is None else bool(enabled())

    def window_number(self, window: Any) -> int | None:
        """The window server's number of an AX window, ``None`` when it cannot be had."""
        get_window = self._found.get("_AXUIElementGetWindow")
        if get_window is None:
            return None
        error, number = get_window(window, None)
        return int(number) if error == 0 and number else None

    def responsible_for(self, pid: int) -> int | None:
        """The process whose grants count for that one (for a helper the app that it belongs to), ``None`` when it
        cannot be known."""
        responsible = self._found.get("responsibility_get_pid_responsible_for_pid")
        found = 0 if responsible is None else int(responsible(pid))
        return found if found > 0 else None

    def input_method(self) -> str:
        """The active input method's name, empty when keys are taken as a plain layout has them."""
        source = self._call("TISCopyCurrentKeyboardInputSource")
        kind = self._property(source, "kTISPropertyInputSourceType")
        if kind is None or kind == self._found.get("kTISTypeKeyboardLayout"):
            return ""
        return str(self._property(source, "kTISPropertyLocalizedName") or "an input method")

    def layouts(self) -> list[bytes]:
        """The data of the active keyboard layout, then of the one that stands in for it when shortcuts need
        Latin letters. Empty when there is none (over SSH: pynput #21)."""
        names = ("TISCopyCurrentKeyboardLayoutInputSource", "TISCopyCurrentASCIICapableKeyboardLayoutInputSource")
        data = [self._property(self._call(name), "kTISPropertyUnicodeKeyLayoutData") for name in names]
        return [bytes(layout) for layout in data if layout is not None]

    def character(self, layout: bytes, keycode: int, modifiers: int) -> str:
        """What that key gives in that layout; ``modifiers`` as in ``EventRecord`` shifted right by 8 bits."""
        translate = self._found.get("UCKeyTranslate")
        if translate is None:
            return ""
        keyboard = self._call("LMGetKbdType") or 0
        try:
            error, _dead, length, text = translate(
                layout, keycode, KEY_ACTION_DISPLAY, modifiers, keyboard, NO_DEAD_KEYS, 0, MAX_CHARACTERS, None, None
            )
        except (TypeError, ValueError):
            return ""  # the signature above is ours: where a bridge does not take it, no key is known
        return "".join(text)[:length] if error == 0 else ""

    def _call(self, name: str) -> Any:
        function = self._found.get(name)
        return None if function is None else function()

    def _property(self, source: Any, key: str) -> Any:
        wanted, get = self._found.get(key), self._found.get("TISGetInputSourceProperty")
        if source is None or wanted is None or get is None:
            return None
        return get(source, wanted)

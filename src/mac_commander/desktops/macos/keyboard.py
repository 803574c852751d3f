"""Text and chords as CGEvents."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Set

from Quartz import (
    CGEventSourceFlagsState,
    kCGEventFlagMaskAlternate,
    kCGEventFlagMaskCommand,
    kCGEventFlagMaskControl,
    kCGEventFlagMaskSecondaryFn,
    kCGEventFlagMaskShift,
    kCGEventSourceStateHIDSystemState,
)

from mac_commander.desktops.macos import held
from mac_commander.desktops.macos.event_source import EventSource
from mac_commander.desktops.macos.held import Held
from mac_commander.desktops.macos.layout import NAMED_KEYS, Layout
from mac_commander.errors import Refused, Unsupported
from mac_commander.model import Chord, Modifier

KEY_SECONDS = 0.004
"""Between a key's down and up, and after it: apps that poll lose keys that are faster (enigo #260)."""

MODIFIERS: Mapping[Modifier, tuple[int, int]] = {
    Modifier.FN: (63, kCGEventFlagMaskSecondaryFn),
    Modifier.CTRL: (59, kCGEventFlagMaskControl),
    Modifier.ALT: (58, kCGEventFlagMaskAlternate),
    Modifier.SHIFT: (56, kCGEventFlagMaskShift),
    Modifier.CMD: (55, kCGEventFlagMaskCommand),
    Modifier.SUPER: (55, kCGEventFlagMaskCommand),
}
"""Key code (``Events.h``) and flag, in the order in which they go down."""

_KEYS_IN_TEXT = {"\n": NAMED_KEYS["return"], "\t": NAMED_KEYS["tab"]}


class Keyboard:
    def __init__(self, source: EventSource, down: Held, layout: Layout) -> None:
        self._source = source
        self._down = down
        self._layout = layout

    def type_text(self, text: str) -> None:
        """One event pair that carries the text itself; Return and Tab as the keys they are. Flags 0 on both.

        Raises `Unsupported` while an input method is active: it would swallow or change the characters.
        """
        if text in _KEYS_IN_TEXT:
            self._told_stroke(_KEYS_IN_TEXT[text])
            return
        method = self._layout.input_method
        if method:
            raise Unsupported(
                f"an input method is active ({method}) and would change what is typed: nothing was sent. Use a set "
                "step with the field's ref, or ask the user to switch to a plain keyboard layout"
            )
        self._told_stroke(self._code_for(text), text)

    def _code_for(self, text: str) -> int:
        """Some apps look at the key and not at its text (remote desktops: quicksilver #1827): where one
        character has a key of its own, that key goes with it."""
        key = self._layout.key(text) if len(text) == 1 and text.isascii() else None
        return key.code if key and not key.shift else 0

    def press(self, chord: Chord) -> None:
        """Raises `Unsupported` when no key of the active layout gives the chord's character."""
        key = self._layout.key(chord.key, command=Modifier.CMD in chord.modifiers)
        if key is None:
            why = f"no key gives {chord.key!r} in it" if self._layout.is_readable else "macOS does not tell its keys"
            raise Unsupported(f"the chord cannot be typed in the active keyboard layout: {why}. Nothing was sent")
        modifiers = chord.modifiers | ({Modifier.SHIFT} if key.shift else set())
        self._refuse_help(chord, modifiers, key.code)
        names = [held.key(MODIFIERS[m][0]) for m in _ordered(modifiers)]
        with self._down.while_down(*names, held.key(key.code)):
            flags = self.hold(modifiers)
            self._stroke(key.code, flags)
            self.let_go(modifiers)

    def _refuse_help(self, chord: Chord, modifiers: Set[Modifier], code: int) -> None:
        """Raise `Refused` for ⌘? on whatever key it lies: a French layout has it on the comma's. From the Help menu's
        search field what is typed picks any menu item."""
        if {Modifier.CMD, Modifier.SHIFT} <= modifiers and self._layout.shifted(code) == "?":
            raise Refused(f"{chord} is kept from models: in the active layout it opens the Help menu. Use a menu step")

    def hold(self, modifiers: Iterable[Modifier]) -> int:
        """Real modifier keys go down one by one; gives the flags of what happens while they are."""
        flags = 0
        for code, flag in (MODIFIERS[m] for m in _ordered(modifiers)):
            flags |= flag
            self._source.key(code, True, flags)
            time.sleep(KEY_SECONDS)
        return flags

    def let_go(self, modifiers: Iterable[Modifier]) -> None:
        """In reverse order, each event with the flags that are left: a key-up that still carries its own flag
        leaves the modifier stuck, and the next text is taken for a shortcut."""
        left = [MODIFIERS[m] for m in _ordered(modifiers)]
        while left:
            code, _flag = left.pop()
            self._source.key(code, False, sum(flag for _code, flag in left))
            time.sleep(KEY_SECONDS)

    def _told_stroke(self, code: int, text: str = "") -> None:
        """A kill between down and up would leave the key repeating."""
        with self._down.while_down(held.key(code)):
            self._stroke(code, 0, text)

    def _stroke(self, code: int, flags: int, text: str = "") -> None:
        self._source.key(code, True, flags, text)
        time.sleep(KEY_SECONDS)
        self._source.key(code, False, flags, text)
        time.sleep(KEY_SECONDS)


def _ordered(modifiers: Iterable[Modifier]) -> list[Modifier]:
    """In the order of the table; SUPER is Command here, so it is left out beside it."""
    wanted = set(modifiers)
    if Modifier.CMD in wanted:
        wanted.discard(Modifier.SUPER)
    return [m for m in MODIFIERS if m in wanted]


def physically_held() -> frozenset[Modifier]:
    """Modifiers that are down on a real keyboard right now. Caps Lock is a state and not a held key."""
    flags = CGEventSourceFlagsState(kCGEventSourceStateHIDSystemState)
    return frozenset(m for m, (_code, flag) in MODIFIERS.items() if flags & flag and m is not Modifier.SUPER)

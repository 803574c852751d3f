"""The keyboard as we use it: the current layout, the lent keys, and what to press for a text or a chord."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from Xlib import X
from Xlib.protocol import rq

from mac_commander.desktops.x11 import keysyms, xtest
from mac_commander.desktops.x11.display import Connection
from mac_commander.desktops.x11.keymap import Keymap, Stroke, read_keymap
from mac_commander.desktops.x11.raw_input import event_type
from mac_commander.desktops.x11.spare_keys import SpareKeys
from mac_commander.errors import Unsupported
from mac_commander.model import Chord, Modifier

GROUP_SHIFT = 13
"""The keyboard group is in bits 13 and 14 of the pointer state (XKB protocol, 2.2.2)."""


class Keyboard:
    """Follows the keyboard map as it changes under us."""

    def __init__(self, x: Connection, pump: Callable[[], object]) -> None:
        self._x = x
        self._pump = pump
        self._keymap: Keymap | None = None
        self.changed = False
        """The map may have changed since `current` was read: by another client, or by the switch between devices
        that a person's typing brings."""
        self.spare = SpareKeys(x)
        self.spare.take_back_leftovers()

    def feed(self, event: rq.Event) -> bool:
        told: Any = event
        if event_type(event) != X.MappingNotify:
            return False
        self.changed = self.changed or told.request in (X.MappingKeyboard, X.MappingModifier)
        return True

    @property
    def current(self) -> Keymap:
        """The map that the server has now."""
        if self._keymap is None or self.changed:
            return self._read()
        return self._keymap

    def _read(self) -> Keymap:
        self._pump()  # word of a change of ours must not make us read it twice
        self.changed = False
        found = read_keymap(self._x)
        if found != self._keymap:
            self._keymap = found
            self.spare.check(found)
        return self._keymap

    def text(self, text: str, state: int, barrier: Callable[[], None]) -> list[xtest.Event]:
        """What types this text. Lends keys to characters that the layout lacks, which may need ``barrier``."""
        lacking = [c for c in text if self._layout_stroke(c, state) is None]
        if self.spare.lend(lacking, self.current, barrier):
            self._read()
        strokes = [self._stroke(c, state) for c in text]
        events = xtest.text_events(strokes, self.current.shift_key, self.current.level3_key)
        caps = self.current.lock_masks()[0]
        if state & caps and any(c.lower() != c.upper() for c in text):
            lock = xtest.tap(self.current.key_of(keysyms.CAPS_LOCK))
            return [*lock, *events, *lock]
        return events

    def states(self, events: Sequence[xtest.Event]) -> frozenset[tuple[int, int]]:
        """Each ordinary key that these events press, with the modifier state it goes down under."""
        under, keys = 0, set()
        for kind, keycode, _, _ in events:
            mask = self.current.mask_of(keycode)
            if mask:
                under = under | mask if kind == X.KeyPress else under & ~mask
            elif kind == X.KeyPress:
                keys.add((keycode, under))
        return frozenset(keys)

    def chord(
        self, chord: Chord, state: int, barrier: Callable[[], None]
    ) -> tuple[list[xtest.Event], tuple[tuple[int, int], ...]]:
        """What presses this chord, and each key with the modifier state it goes down under.

        A key that no loaded layout has is lent: under Russian alone GTK knows no ctrl+a on the key in that place.
        """
        stroke = self.current.chord_stroke(chord.key, _group(state))
        if stroke is None or self.spare.is_lent(stroke.keycode):
            stroke = self._lent_for_chord(chord.key, barrier)
        shifts = [self.current.shift_key] * stroke.shift + [self.current.level3_key] * stroke.level3
        modifiers = list(dict.fromkeys([*self.current.modifier_keys(chord.modifiers), *shifts]))
        under, keys = 0, []
        for keycode in [*modifiers, stroke.keycode]:
            keys.append((keycode, under))
            under |= self.current.mask_of(keycode)
        return xtest.chord_events(modifiers, xtest.tap(stroke.keycode)), tuple(keys)

    def _lent_for_chord(self, key: str, barrier: Callable[[], None]) -> Stroke:
        if len(key) != 1:
            raise Unsupported(f"this keyboard has no {key} key; nothing was sent")
        if self.spare.lend([key], self.current, barrier):
            self._read()
        stroke = self.spare.stroke(key)
        if stroke is None:
            raise Unsupported(f"the keyboard layout has no key {key!r}; nothing was sent")
        return stroke

    def modifiers(self, wanted: frozenset[Modifier]) -> tuple[list[int], int]:
        """The keycodes of modifiers for the pointer, and their state mask."""
        keycodes = self.current.modifier_keys(wanted)
        return keycodes, sum(self.current.mask_of(k) for k in keycodes)

    def untypable(self, text: str) -> str:
        """Characters that no key can mean; with no spare key, also those that the layout lacks."""
        lends = bool(self.current.spare) or self.spare.any_lent
        state = 0
        bad = [c for c in text if not keysyms.typable(c) or not (lends or self._layout_stroke(c, state))]
        return "".join(dict.fromkeys(bad))

    def _layout_stroke(self, char: str, state: int) -> Stroke | None:
        """How the layout itself types it; a lent key may be re-lent under it."""
        found = self.current.stroke(char, _group(state))
        return None if found is None or self.spare.is_lent(found.keycode) else found

    def _stroke(self, char: str, state: int) -> Stroke:
        found = self._layout_stroke(char, state) or self.spare.stroke(char)
        if found is None:
            raise Unsupported(f"U+{ord(char):04X} cannot be typed on this keyboard; nothing was sent")
        return found


def layout_state(keymap: Keymap, state: int) -> int:
    """The part of a pointer state that decides what keys mean: group, CapsLock, NumLock."""
    caps, num = keymap.lock_masks()
    return state & (0b11 << GROUP_SHIFT | caps | num)


def _group(state: int) -> int:
    return state >> GROUP_SHIFT & 0b11

"""The keyboard layout as it is: which keys, with which modifiers, make a character or a chord.

Built from the core keyboard map (X11 protocol, 5): for each keycode the keysyms of group 1 level 1 and 2, group
2 level 1 and 2, then levels 3 and 4 of both. The active group comes from the pointer state, bits 13 and 14.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from Xlib.protocol import request

from mac_commander.desktops.x11 import keysyms
from mac_commander.desktops.x11.display import Connection
from mac_commander.errors import Unsupported
from mac_commander.model import Modifier

FIRST_SPARE = 9
"""Keycode 8 exists on no keyboard and some programs drop it."""

_MODIFIER_KEYSYMS = {
    Modifier.CTRL: keysyms.CONTROL_L,
    Modifier.CMD: keysyms.CONTROL_L,
    Modifier.ALT: keysyms.ALT_L,
    Modifier.SHIFT: keysyms.SHIFT_L,
    Modifier.SUPER: keysyms.SUPER_L,
}


class Stroke(NamedTuple):
    """How one character is typed."""

    keycode: int
    shift: bool = False
    level3: bool = False


@dataclass(frozen=True)
class Keymap:
    """One reading of the keyboard map; pure."""

    first: int
    """Keycode of ``rows[0]``."""
    rows: tuple[tuple[int, ...], ...]
    modifiers: tuple[tuple[int, ...], ...]
    """Keycodes of Shift, Lock, Control, Mod1 to Mod5."""

    def row(self, keycode: int) -> tuple[int, ...]:
        return self.rows[keycode - self.first]

    def stroke(self, char: str, group: int) -> Stroke | None:
        """How the active layout types this character without a dead key; ``None`` when it cannot."""
        return self._strokes.get((group, char))

    @cached_property
    def _strokes(self) -> dict[tuple[int, str], Stroke]:
        found: dict[tuple[int, str], Stroke] = {}
        for group, level in ((g, lv) for g in (0, 1) for lv in range(4)):
            if level > 1 and not self.level3_key:
                continue
            for keycode, keysym in self._column(group, level):
                char = keysyms.character(keysym)
                if char:
                    found.setdefault((group, char), Stroke(keycode, bool(level & 1), level > 1))
            for char, key in (("\n", keysyms.RETURN), ("\t", keysyms.TAB)):
                if self.key_of(key):
                    found[group, char] = Stroke(self.key_of(key))
        return found

    def _column(self, group: int, level: int) -> Iterator[tuple[int, int]]:
        held = self._modifier_keycodes
        for keycode, row in enumerate(self.rows, self.first):
            if keycode not in held and not any(map(keysyms.is_keypad, row)):
                yield keycode, _at(row, group, level)

    @cached_property
    def _modifier_keycodes(self) -> frozenset[int]:
        return frozenset(k for keys in self.modifiers for k in keys if k)

    def key_of(self, keysym: int) -> int:
        """The keycode that gives this keysym, on the lowest level there is; 0 when there is none."""
        return self._keys.get(keysym, (0, 0))[1]

    @cached_property
    def _keys(self) -> dict[int, tuple[int, int]]:
        found: dict[int, tuple[int, int]] = {}
        for keycode, row in enumerate(self.rows, self.first):
            for level, keysym in enumerate(row):
                if keysym and level < found.get(keysym, (99, 0))[0]:
                    found[keysym] = (level, keycode)
        return found

    @property
    def shift_key(self) -> int:
        return self.key_of(keysyms.SHIFT_L)

    @cached_property
    def level3_key(self) -> int:
        """A key that is nothing but the level 3 shift, whatever the group."""
        only = (k for k, row in enumerate(self.rows, self.first) if {*row} - {0} == {keysyms.LEVEL3})
        return next((k for k in only if k in self._modifier_keycodes), 0)

    @cached_property
    def spare(self) -> tuple[int, ...]:
        """Keycodes that mean nothing and modify nothing."""
        numbered = enumerate(self.rows, self.first)
        return tuple(k for k, row in numbered if k >= FIRST_SPARE and not any(row) and k not in self._modifier_keycodes)

    def lock_masks(self) -> tuple[int, int]:
        """State bits of CapsLock and NumLock, 0 where the keyboard has none."""
        caps, num = self.key_of(keysyms.CAPS_LOCK), self.key_of(keysyms.NUM_LOCK)
        return self.mask_of(caps), self.mask_of(num)

    def mask_of(self, keycode: int) -> int:
        """The state bit of the modifier that this key is, 0 for an ordinary key."""
        return next((1 << bit for bit, keys in enumerate(self.modifiers) if keycode and keycode in keys), 0)

    def held(self, state: int) -> frozenset[Modifier]:
        """The modifiers in a state mask, locks left out."""
        caps, num = self.lock_masks()
        state &= 0xFF & ~(caps | num | _LOCK)
        names = {_SHIFT: Modifier.SHIFT, _CONTROL: Modifier.CTRL}
        names[self.mask_of(self.key_of(keysyms.SUPER_L))] = Modifier.SUPER
        bits = [1 << bit for bit in range(8) if state & 1 << bit]
        return frozenset(names.get(bit, Modifier.ALT) for bit in bits)

    def modifier_keys(self, wanted: frozenset[Modifier]) -> list[int]:
        """Keycodes of the modifiers, in the order to press them. Raises `Unsupported`."""
        if Modifier.FN in wanted:
            raise Unsupported("X11 knows no fn modifier; nothing was sent. Use another combination.")
        keycodes = [self.key_of(_MODIFIER_KEYSYMS[m]) for m in Modifier if m in wanted]
        if not all(keycodes):
            raise Unsupported("this keyboard has no key for one of these modifiers; nothing was sent")
        return list(dict.fromkeys(keycodes))

    def chord_stroke(self, key: str, group: int) -> Stroke | None:
        """How the key of a chord is pressed: a named key, one that the active layout has, or the physical key that
        another loaded layout has it on (ctrl+c while Russian is active), as people press it."""
        named = keysyms.NAMED.get(key)
        if named is not None:
            return Stroke(self.key_of(named)) if self.key_of(named) else None
        return self.stroke(key, group) or self.stroke(key, 0) or self.stroke(key, 1)


_SHIFT, _LOCK, _CONTROL = 1, 2, 4


def _at(row: Sequence[int], group: int, level: int) -> int:
    """The keysym of a group and level. A key with one group has it twice in the first four columns, and
    its levels 3 and 4 only once."""
    single = tuple(row[0:2]) == tuple(row[2:4]) and not any(row[6:8])
    index = level + 2 * group if level < 2 else 2 + level + (0 if single else 2 * group)
    return row[index] if index < len(row) else 0


def read_keymap(x: Connection) -> Keymap:
    first = int(x.setup.min_keycode)
    count = int(x.setup.max_keycode) - first + 1
    keys, modifiers = x.answers(
        x.post(request.GetKeyboardMapping, first_keycode=first, count=count),
        x.post(request.GetModifierMapping),
    )
    rows = tuple(tuple(int(s) for s in row) for row in keys.keysyms)
    return Keymap(first, rows, tuple(tuple(int(k) for k in row) for row in modifiers.keycodes))

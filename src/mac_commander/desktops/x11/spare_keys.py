"""Keys that mean nothing, lent to characters that the layout does not have.

An app looks a key up in the keymap of the moment it handles it, not of the moment it was pressed. So a key that
was pressed may get a new meaning only after the app has answered a ping sent behind it: without that three
characters of four were wrong, and going on after a failed ping gave 46 wrong ones of 20,000 (measured). Each key
holds two characters, plain and shifted.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from mac_commander.desktops.x11 import keysyms, processes
from mac_commander.desktops.x11.display import Connection
from mac_commander.desktops.x11.ewmh import keep_pace
from mac_commander.desktops.x11.keymap import Keymap, Stroke, read_keymap
from mac_commander.desktops.x11.xkb_map import KeyMeanings
from mac_commander.errors import Unsupported

RECORD = "_MAC_COMMANDER_SPARE_KEYS"
"""Root window property that outlives us: our pid and start time, then keycode and two keysyms for each lent
key, so that the next start can take back what a killed one left."""


CHANGES_AT_ONCE = 10
"""At each change of the map metacity takes all its hotkeys anew, 14 ms together with the server. After so many
we wait for it, else windows opened after a long text would wait for seconds."""


@dataclass(slots=True)
class Loan:
    """One lent key."""

    characters: tuple[str, str]
    used: int = 0
    """Counts up with each use: the longest unused is re-lent first."""
    unproven: bool = False
    """Pressed since the last barrier: the app may still have to look it up."""

    @property
    def keysyms(self) -> tuple[int, int]:
        return keysyms.keysym(self.characters[0]), keysyms.keysym(self.characters[1])


class SpareKeys:
    """The lent keys of this connection."""

    def __init__(self, x: Connection) -> None:
        self._x = x
        self._meanings: KeyMeanings | None = None
        self._loans: dict[int, Loan] = {}
        self._clock = 0
        self._changes = 0

    def stroke(self, char: str) -> Stroke | None:
        for keycode, loan in self._loans.items():
            if char in loan.characters:
                return Stroke(keycode, shift=loan.characters[0] != char)
        return None

    def lend(self, chars: Iterable[str], keymap: Keymap, barrier: Callable[[], None]) -> bool:
        """Give each of these characters a key; ``True`` when the keymap was changed.

        ``barrier`` returns once the app has handled all keys so far, and raises when it does not; it is called
        before a pressed key gets another meaning. Raises `Unsupported` when there are not keys enough.
        """
        wanted = list(dict.fromkeys(chars))
        missing = [c for c in wanted if self.stroke(c) is None]
        if not missing:
            return False
        pairs = [(missing[i], missing[min(i + 1, len(missing) - 1)]) for i in range(0, len(missing), 2)]
        keys = self._choose(len(pairs), keymap, frozenset(wanted))
        if any(k in self._loans and self._loans[k].unproven for k in keys):
            barrier()
            self.proven()
        for keycode, pair in zip(keys, pairs, strict=True):
            self._loans[keycode] = Loan(pair, self._clock)
        self._record()
        self._x.flush()
        self._change({keycode: self._loans[keycode].keysyms for keycode in keys})
        self._changes += 1
        if self._changes >= CHANGES_AT_ONCE:
            self._changes = 0
            keep_pace(self._x)
        return True

    def pressed(self, keycodes: Iterable[int]) -> None:
        """These keys went to the app."""
        self._clock += 1
        for keycode in keycodes:
            if keycode in self._loans:
                self._loans[keycode].unproven = True
                self._loans[keycode].used = self._clock

    def proven(self) -> None:
        """The app has handled all keys so far."""
        for loan in self._loans.values():
            loan.unproven = False

    def check(self, keymap: Keymap) -> None:
        """Forget loans that another client's new keymap has wiped out."""
        kept = {k: loan for k, loan in self._loans.items() if keymap.row(k)[:2] == loan.keysyms}
        if len(kept) != len(self._loans):
            self._loans = kept
            self._record()

    @property
    def any_unproven(self) -> bool:
        return any(loan.unproven for loan in self._loans.values())

    def is_lent(self, keycode: int) -> bool:
        return keycode in self._loans

    @property
    def any_lent(self) -> bool:
        return bool(self._loans)

    def give_back(self) -> None:
        """Make all lent keys mean nothing again."""
        if self._loans:
            self._change(dict.fromkeys(self._loans, ()))
            self._loans = {}
            self._record()
            self._x.sync()
        if self._meanings is not None:
            self._meanings.close()
            self._meanings = None

    def take_back_leftovers(self) -> None:
        """Clear what a predecessor left that was killed; one that lives keeps its keys."""
        record = self._x.numbers(self._x.root, RECORD)
        if len(record) < 2 or processes.start_time(record[0]) == record[1]:
            return
        keymap = read_keymap(self._x)
        lent = zip(record[2::3], record[3::3], record[4::3], strict=False)
        left = [k for k, plain, shifted in lent if keymap.row(k)[:2] == (plain, shifted)]
        if left:
            self._change(dict.fromkeys(left, ()))
        self._x.delete_property(self._x.root, RECORD)
        self._x.sync()

    def _choose(self, count: int, keymap: Keymap, keep: frozenset[str]) -> list[int]:
        """Free keys first, then those that need no barrier, then the longest unused."""
        lent = [k for k, loan in self._loans.items() if not keep & {*loan.characters}]
        lent.sort(key=lambda k: (self._loans[k].unproven, self._loans[k].used))
        free = [k for k in keymap.spare if k not in self._loans]
        if count > len(free) + len(lent):
            raise Unsupported(
                f"the keyboard has {len(free) + len(lent)} keys to spare and {count} are needed for characters that "
                "the layout lacks; nothing was sent. Type shorter pieces, or set the element's value."
            )
        return (free + lent)[:count]

    def _change(self, meanings: Mapping[int, tuple[int, ...]]) -> None:
        """The server tells us of it before it answers what we ask next."""
        if self._meanings is None:
            self._meanings = KeyMeanings(self._x.session)
        self._meanings.change(meanings)
        self._x.sync()

    def _record(self) -> None:
        if not self._loans:
            self._x.delete_property(self._x.root, RECORD)
            return
        started = int(processes.start_time(os.getpid()))
        lent = [n for keycode, loan in self._loans.items() for n in (keycode, *loan.keysyms)]
        self._x.set_numbers(self._x.root, RECORD, "CARDINAL", [os.getpid(), started, *lent])

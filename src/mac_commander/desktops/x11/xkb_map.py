"""Changes what keys mean, all of them in one request (XKB protocol, 16.3: ``XkbGetMap``, ``XkbSetMap``).

At each change the server tells every client, and metacity takes all its hotkeys anew: 14 ms, whether one key was
changed or a hundred. The core protocol changes only keys that lie side by side at once, and spare ones do not.

On a connection of its own: a client that has begun with XKB gets no core ``MappingNotify`` any more, and those are
what `keyboard.py` listens to.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from Xlib.protocol import request, rq

from mac_commander.desktops.x11.display import Connection
from mac_commander.desktops.x11.environment import Session
from mac_commander.errors import DesktopError

CORE_KEYBOARD = 0x100
KEY_SYMS = 1 << 1
TWO_LEVEL = 1
"""Key type that has the plain and the shifted symbol and heeds no lock; its index is fixed (XKB protocol, 15.2.1)."""

_KEY = struct.Struct("=4BBBH")
"""Key types of four groups, group info, width, number of symbols: a key's head (``xkbSymMapWireDesc``)."""


class Symbols(NamedTuple):
    """One key as it goes over the wire."""

    head: bytes
    keysyms: bytes


class UseExtension(rq.ReplyRequest):
    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(0), rq.RequestLength(), rq.Card16("major"), rq.Card16("minor"))
    _reply = rq.Struct(
        rq.ReplyCode(),
        rq.Card8("supported"),
        rq.Card16("sequence_number"),
        rq.ReplyLength(),
        rq.Card16("major"),
        rq.Card16("minor"),
        rq.Pad(20),
    )


class GetMap(rq.ReplyRequest):
    """The symbols of ``count`` keys from ``first``."""

    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(8),
        rq.RequestLength(),
        rq.Card16("device"),
        rq.Card16("full"),
        rq.Card16("partial"),
        rq.Pad(2),  # key types: none
        rq.Card8("first"),
        rq.Card8("count"),
        rq.Pad(14),  # actions, behaviours and the rest: none
    )
    _reply = rq.Struct(
        rq.ReplyCode(),
        rq.Card8("device"),
        rq.Card16("sequence_number"),
        rq.ReplyLength(),
        rq.Pad(2),
        rq.Card8("min_keycode"),
        rq.Card8("max_keycode"),
        rq.Pad(28),
        rq.List("keys", rq.Card8Obj),
    )


class SetMap(rq.Request):
    """The symbols of ``count`` keys from ``first``: everything else of the map stays."""

    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(9),
        rq.RequestLength(),
        rq.Card16("device"),
        rq.Card16("present"),
        rq.Card16("flags"),
        rq.Card8("min_keycode"),
        rq.Card8("max_keycode"),
        rq.Pad(2),
        rq.Card8("first"),
        rq.Card8("count"),
        rq.Card16("total"),
        rq.Pad(18),
        rq.Binary("keys"),
    )


class KeyMeanings:
    """The connection by which keys change their meaning."""

    def __init__(self, session: Session) -> None:
        self._x = Connection(session)
        found = self._x.ask(request.QueryExtension, name="XKEYBOARD")
        if not found.present:
            raise DesktopError("the X server lacks XKB, so characters that the layout lacks cannot be typed")
        self._opcode = int(found.major_opcode)
        self._x.ask(UseExtension, opcode=self._opcode, major=1, minor=0)

    def change(self, meanings: Mapping[int, tuple[int, ...]]) -> None:
        """Give each of these keycodes its plain and its shifted keysym, or none; done when it returns.

        Keys that lie between them are written back as they were read just before.
        """
        first, last = min(meanings), max(meanings)
        keys = self._read(first, last) | {keycode: _symbols(keysyms) for keycode, keysyms in meanings.items()}
        self._write(first, [keys[keycode] for keycode in range(first, last + 1)])

    def _read(self, first: int, last: int) -> dict[int, Symbols]:
        count = last - first + 1
        what = {"device": CORE_KEYBOARD, "full": 0, "partial": KEY_SYMS, "first": first, "count": count}
        found = self._x.ask(GetMap, opcode=self._opcode, **what)
        return dict(enumerate(_split(bytes(found.keys), count), first))

    def _write(self, first: int, keys: Sequence[Symbols]) -> None:
        self._x.send(
            SetMap,
            opcode=self._opcode,
            device=CORE_KEYBOARD,
            present=KEY_SYMS,
            flags=0,
            min_keycode=self._x.setup.min_keycode,
            max_keycode=self._x.setup.max_keycode,
            first=first,
            count=len(keys),
            total=sum(len(key.keysyms) // 4 for key in keys),
            keys=b"".join(key.head + key.keysyms for key in keys),
        )
        self._x.sync()

    def close(self) -> None:
        self._x.close()


def _symbols(keysyms: tuple[int, ...]) -> Symbols:
    if not keysyms:
        return Symbols(_KEY.pack(0, 0, 0, 0, 0, 0, 0), b"")
    plain, shifted = keysyms
    return Symbols(_KEY.pack(TWO_LEVEL, 0, 0, 0, 1, 2, 2), struct.pack("=2I", plain, shifted))


def _split(wire: bytes, count: int) -> list[Symbols]:
    keys, at = [], 0
    for _ in range(count):
        head = wire[at : at + _KEY.size]
        size = 4 * _KEY.unpack(head)[-1]
        keys.append(Symbols(head, wire[at + _KEY.size : at + _KEY.size + size]))
        at += _KEY.size + size
    return keys

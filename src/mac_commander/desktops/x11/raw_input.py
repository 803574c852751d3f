"""What people do at the real keyboard and mouse, told apart from our own events (XInput 2 raw events).

XTEST events come from two devices that carry the property ``XTEST Device``; all other slave devices are
physical. Raw events are chosen per physical device, so that our own typing brings none.
"""

from __future__ import annotations

import struct
from typing import Any

from Xlib import X
from Xlib.error import XError
from Xlib.ext import ge, xinput
from Xlib.protocol import rq

from mac_commander.desktops.x11.display import Connection

KEY_PRESS, KEY_RELEASE, BUTTON_PRESS, BUTTON_RELEASE, MOTION = 13, 14, 15, 16, 17
"""XI_RawKeyPress and its siblings (XI2.h)."""

_RAW_MASK = 1 << KEY_PRESS | 1 << BUTTON_PRESS | 1 << MOTION
_RAW_HEAD = struct.Struct("=HIIHHI")
"""deviceid, time, detail, sourceid, valuators, flags: what follows the first ten bytes of a raw event (XI2proto.h)."""

_ALL_DEVICES = 0
_SLAVES = (xinput.SlavePointer, xinput.SlaveKeyboard, xinput.FloatingSlave)


class HumanWatch:
    """Remembers the first physical input since the last `forget`."""

    def __init__(self, x: Connection) -> None:
        self._x = x
        self.seen: str | None = None
        """``escape``, ``key``, ``mouse``; ``None`` when there was no physical input. Escape wins."""
        self.escape_keycode = 0
        self._major = x.opcode(xinput.extname)
        self._select()

    def forget(self) -> None:
        self.seen = None

    def feed(self, event: rq.Event) -> bool:
        """Take in one event of the connection; whether it was one of ours to take."""
        told: Any = event
        if event_type(event) != ge.GenericEventCode or told.extension != self._major:
            return False
        if told.evtype == xinput.HierarchyChanged:
            self._select()
        elif told.evtype in (KEY_PRESS, BUTTON_PRESS, MOTION):
            self._note(told.evtype, _RAW_HEAD.unpack_from(bytes(told.data))[2])
        return True

    def _note(self, kind: int, detail: int) -> None:
        if kind == KEY_PRESS and detail == self.escape_keycode:
            self.seen = "escape"
        elif self.seen != "escape":
            self.seen = self.seen or ("key" if kind == KEY_PRESS else "mouse")

    def _select(self) -> None:
        """Choose the events of the physical devices that are there now, and word of new ones."""
        masks = [{"deviceid": _ALL_DEVICES, "mask": [xinput.HierarchyChangedMask]}]
        masks += [{"deviceid": device, "mask": [_RAW_MASK]} for device in self._physical()]
        self._x.send(xinput.XISelectEvents, window=self._x.root, masks=masks)
        self._x.flush()

    def _physical(self) -> list[int]:
        devices = self._x.ask(xinput.XIQueryDevice, deviceid=_ALL_DEVICES).devices
        slaves = [int(d.deviceid) for d in devices if d.use in _SLAVES]
        marks = self._x.outcomes(*[self._post_mark(device) for device in slaves])
        return [
            d for d, mark in zip(slaves, marks, strict=True) if not isinstance(mark, XError) and mark.type == X.NONE
        ]

    def _post_mark(self, device: int) -> rq.ReplyRequest:
        return self._x.post(
            xinput.XIGetProperty,
            deviceid=device,
            delete=False,
            property=self._x.atom("XTEST Device"),
            type=X.AnyPropertyType,
            offset=0,
            length=1,
        )


def event_type(event: rq.Event) -> int:
    """The number of an event's type, without the bit that says it was sent by a client."""
    told: Any = event
    return int(told.type) & 0x7F

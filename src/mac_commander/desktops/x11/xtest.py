"""Input events by the XTEST extension: made as plain values first, then sent in one write."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from Xlib import X
from Xlib.ext import xtest

from mac_commander.desktops.x11.display import Connection
from mac_commander.desktops.x11.keymap import Stroke
from mac_commander.events import POINTS_PER_NOTCH
from mac_commander.model import Button, Point

BUTTONS = {Button.LEFT: 1, Button.MIDDLE: 2, Button.RIGHT: 3}
SCROLL_UP, SCROLL_DOWN, SCROLL_LEFT, SCROLL_RIGHT = 4, 5, 6, 7

UNUSED_BUTTON = 10
"""No program gives it a meaning. Pressed first it gets the implicit grab, so that a window manager's passive
grab of the real button does not fire and replay the click after our proof (openbox; measured)."""


class Event(NamedTuple):
    """One fake event: an X event type, a keycode or button, and the place of a motion."""

    kind: int
    detail: int
    x: int = 0
    y: int = 0


def key(keycode: int, *, down: bool) -> Event:
    return Event(X.KeyPress if down else X.KeyRelease, keycode)


def button(number: int, *, down: bool) -> Event:
    return Event(X.ButtonPress if down else X.ButtonRelease, number)


def motion(at: Point) -> Event:
    return Event(X.MotionNotify, 0, round(at.x), round(at.y))


def tap(keycode: int) -> list[Event]:
    return [key(keycode, down=True), key(keycode, down=False)]


def text_events(strokes: Iterable[Stroke], shift_key: int, level3_key: int) -> list[Event]:
    """Each character's key, with the two shifts pressed only where they change."""
    events: list[Event] = []
    held: dict[int, bool] = {shift_key: False, level3_key: False}
    for stroke in [*strokes, None]:
        wanted = {
            shift_key: stroke is not None and stroke.shift,
            level3_key: stroke is not None and stroke.level3,
        }
        events += [key(k, down=wanted[k]) for k in held if wanted[k] != held[k]]
        held = wanted
        events += tap(stroke.keycode) if stroke is not None else []
    return events


def chord_events(modifiers: Sequence[int], inner: Sequence[Event]) -> list[Event]:
    """Modifiers down, what happens under them, modifiers up in reverse order."""
    down = [key(k, down=True) for k in modifiers]
    return [*down, *inner, *(key(k, down=False) for k in reversed(modifiers))]


def click_events(at: Point, which: Button, clicks: int, *, shielded: bool) -> list[Event]:
    """Pointer to the point, then each click down and up. ``shielded`` presses `UNUSED_BUTTON` around them."""
    number = BUTTONS[which]
    pressed = [button(number, down=True), button(number, down=False)] * clicks
    if shielded:
        pressed = [button(UNUSED_BUTTON, down=True), *pressed, button(UNUSED_BUTTON, down=False)]
    return [motion(at), *pressed]


def scroll_events(at: Point, dx: int, dy: int, *, shielded: bool) -> list[Event]:
    """Wheel notches; positive ``dy`` is towards the top, positive ``dx`` towards the left."""
    turned = [*_notches(dy, SCROLL_UP, SCROLL_DOWN), *_notches(dx, SCROLL_LEFT, SCROLL_RIGHT)]
    if shielded:
        turned = [button(UNUSED_BUTTON, down=True), *turned, button(UNUSED_BUTTON, down=False)]
    return [motion(at), *turned]


def _notches(points: int, positive: int, negative: int) -> list[Event]:
    if not points:
        return []
    number = positive if points > 0 else negative
    return [button(number, down=True), button(number, down=False)] * max(1, round(abs(points) / POINTS_PER_NOTCH))


_FAKE_INPUT = struct.Struct("=BBHBBxxII8xhh8x")
"""opcode, 2, length in words, type, detail, time, root, x, y (XTEST protocol, XTestFakeInput)."""


def packed(x: Connection, events: Sequence[Event]) -> bytes:
    """The events as requests, ready for `queue`."""
    opcode, words = x.opcode(xtest.extname), _FAKE_INPUT.size // 4
    pack = _FAKE_INPUT.pack
    return b"".join(pack(opcode, 2, words, e.kind, e.detail, X.CurrentTime, X.NONE, e.x, e.y) for e in events)


def queue(x: Connection, events: Sequence[Event]) -> None:
    """Put the events into the connection's next write."""
    x.send_packed(packed(x, events), len(events))

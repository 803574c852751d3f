"""Letting go of keys and buttons, also from another process: for the guardian, when the server has died."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from Quartz import (
    kCGEventLeftMouseUp,
    kCGEventOtherMouseUp,
    kCGEventRightMouseUp,
    kCGMouseButtonCenter,
    kCGMouseButtonLeft,
    kCGMouseButtonRight,
)

from mac_commander.desktops.macos import event_source
from mac_commander.desktops.macos.event_source import EventSource

BUTTONS_UP: Mapping[int, tuple[int, int]] = {
    1: (kCGEventLeftMouseUp, kCGMouseButtonLeft),
    2: (kCGEventOtherMouseUp, kCGMouseButtonCenter),
    3: (kCGEventRightMouseUp, kCGMouseButtonRight),
}
"""By the number in ``button:1``: as X11 counts them, on every desktop."""


def release(held: Sequence[str]) -> None:
    """Post the key or button up of each name (``key:55``, ``button:1``), last down first.

    The flags are cleared: a key-up that still carries its modifier leaves that modifier held (seen on a Mac).
    """
    source = EventSource()
    for name in reversed(held):
        kind, _, number = name.partition(":")
        if kind == "key":
            source.key(int(number), False, 0)
        else:
            up, button = BUTTONS_UP[int(number)]
            source.mouse(up, event_source.pointer(), button, 1)

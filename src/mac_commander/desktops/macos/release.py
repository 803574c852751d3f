"""Letting go of keys and buttons from another process, for the guardian: CGEvents of its own, flags cleared."""

from __future__ import annotations

from collections.abc import Sequence

from Quartz import (
    CGEventCreate,
    CGEventCreateKeyboardEvent,
    CGEventCreateMouseEvent,
    CGEventGetLocation,
    CGEventPost,
    CGEventSetFlags,
    kCGEventLeftMouseUp,
    kCGHIDEventTap,
    kCGMouseButtonLeft,
)


def release(held: Sequence[str]) -> None:
    """Post the key or button up of each name (``key:55``, ``button:1``), last down first.

    The flags are cleared: a key-up that still carries its modifier leaves that modifier held (seen on a Mac).
    """
    for name in reversed(held):
        kind, _, number = name.partition(":")
        if kind == "key":
            event = CGEventCreateKeyboardEvent(None, int(number), False)
        else:
            here = CGEventGetLocation(CGEventCreate(None))
            event = CGEventCreateMouseEvent(None, kCGEventLeftMouseUp, here, kCGMouseButtonLeft)
        CGEventSetFlags(event, 0)
        CGEventPost(kCGHIDEventTap, event)

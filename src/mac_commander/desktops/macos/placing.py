"""Moving and resizing a window until it stays where it was put."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ApplicationServices import kAXPositionAttribute, kAXSizeAttribute

from mac_commander.desktops.macos import ax, ax_names, ax_value, runloop
from mac_commander.errors import DesktopError
from mac_commander.model import Point, Rect

TRIES = 5
"""macOS animates and clamps frames set through accessibility; repeating converges (phoenix #369)."""

PLACE_SECONDS = 1.0
"""`Desktop.place` settles in at most this."""

SETTLE_SECONDS = 0.05
CLOSE_ENOUGH = 1.0
"""Points; windows snap to whole ones, terminals to whole characters (then the tries end where they are)."""


def place(app_element: Any, window: Any, move: Point | None, size: tuple[float, float] | None) -> Rect:
    """The frame read back at the end. Raises `Stale`, `Hung`, `Unsupported`, `DesktopError`."""
    end = time.monotonic() + PLACE_SECONDS
    with _without_enhanced_interface(app_element):
        frame = _frame(window)
        for _ in range(TRIES):
            _set(window, move, size)
            runloop.turn_for(SETTLE_SECONDS)
            frame = _frame(window)
            if _is_placed(frame, move, size) or time.monotonic() >= end:
                break
    return frame


def _set(window: Any, move: Point | None, size: tuple[float, float] | None) -> None:
    """Position, size, position: a window that is too big for the place it goes to is clamped on the way."""
    if move is not None:
        ax.write(window, kAXPositionAttribute, ax_value.point_value(*move), "move the window")
    if size is not None:
        ax.write(window, kAXSizeAttribute, ax_value.size_value(*size), "resize the window")
    if move is not None and size is not None:
        ax.write(window, kAXPositionAttribute, ax_value.point_value(*move), "move the window")


def _frame(window: Any) -> Rect:
    position, size = ax.read_many(window, (kAXPositionAttribute, kAXSizeAttribute))
    if not isinstance(position, Point) or not isinstance(size, tuple):
        raise DesktopError("the window does not say where it is, so it cannot be placed")
    return Rect(*position, *size)


def _is_placed(frame: Rect, move: Point | None, size: tuple[float, float] | None) -> bool:
    wanted = (*(move or frame[:2]), *(size or frame[2:]))
    return all(abs(a - b) <= CLOSE_ENOUGH for a, b in zip(frame, wanted, strict=True))


@contextmanager
def _without_enhanced_interface(app_element: Any) -> Iterator[None]:
    """While it is on, every move is animated for seconds and ends elsewhere (Rectangle #912). What was there
    before is put back whatever happens, also "off" and "absent", by not touching it then."""
    was_on = ax_value.truth(ax.read(app_element, ax_names.ENHANCED_USER_INTERFACE))
    if was_on:
        ax.ask_to_write(app_element, ax_names.ENHANCED_USER_INTERFACE, False)
    try:
        yield
    finally:
        if was_on:
            ax.ask_to_write(app_element, ax_names.ENHANCED_USER_INTERFACE, True)

"""Asks the window manager to do things to windows (Extended Window Manager Hints 1.5, ICCCM)."""

from __future__ import annotations

import time

from Xlib import X, Xutil
from Xlib.protocol import request

from mac_commander.desktops.base import CALL_SECONDS
from mac_commander.desktops.x11.display import Connection
from mac_commander.desktops.x11.unmapped_window import unmapped_window
from mac_commander.desktops.x11.windows import window_manager
from mac_commander.errors import Unsupported
from mac_commander.model import Point, Rect

FROM_PAGER = 2
"""EWMH source indication: requests of a pager are obeyed; those of an application were refused by metacity
and xfwm4 in 20 of 30 trials (focus-stealing prevention)."""

STATIC_GRAVITY = 10
"""Coordinates mean the client area, whatever the frame's size; so ten repeats do not drift."""

SETTLE_SECONDS = 1.0
QUIET_SECONDS = 0.1
"""Window managers answer a placement within 5 ms (measured); this long without change is settled."""

NO_MANAGER = "no window manager runs on this display, and {what} needs one; start one, for example metacity."


def activate(x: Connection, window: int) -> None:
    """Ask for the window to be shown, raised and given the keyboard."""
    if window_manager(x):
        active = (*x.numbers(x.root, "_NET_ACTIVE_WINDOW"), X.NONE)[0]
        x.message(window, "_NET_ACTIVE_WINDOW", [FROM_PAGER, X.CurrentTime, active])
    else:
        x.send(request.MapWindow, window=window)
        x.send(request.ConfigureWindow, window=window, attrs={"stack_mode": X.Above})
        x.send(request.SetInputFocus, revert_to=X.RevertToParent, focus=window, time=X.CurrentTime)
    x.sync()


def iconify(x: Connection, window: int) -> None:
    """Raises `Unsupported` without a window manager: nobody could bring the window back."""
    if not window_manager(x):
        raise Unsupported(NO_MANAGER.format(what="hiding a window"))
    x.message(window, "WM_CHANGE_STATE", [Xutil.IconicState])
    x.sync()


def takes_delete(x: Connection, window: int) -> bool:
    """Whether the client closes this window itself when asked."""
    return x.atom("WM_DELETE_WINDOW") in x.numbers(window, "WM_PROTOCOLS")


def close(x: Connection, window: int) -> None:
    """Ask the client itself: `_NET_CLOSE_WINDOW` lets a window manager kill a client that cannot be asked.

    Raises `Unsupported` when the client takes no such request.
    """
    if not takes_delete(x, window):
        raise Unsupported("the window takes no close request (WM_DELETE_WINDOW), and nothing is closed by force")
    x.message(window, "WM_PROTOCOLS", [x.atom("WM_DELETE_WINDOW"), X.CurrentTime], to=window)
    x.sync()


def place(x: Connection, window: int, move: Point | None, size: tuple[float, float] | None) -> Rect:
    """Move and resize the client area; the bounds read back once they stand still."""
    wanted = bounds(x, window)
    if move is not None:
        wanted = Rect(round(move.x), round(move.y), wanted.width, wanted.height)
    if size is not None:
        wanted = Rect(wanted.x, wanted.y, max(1, round(size[0])), max(1, round(size[1])))
    _ask_for(x, window, wanted, moved=move is not None, sized=size is not None)
    return _settled(x, window, wanted)


def bounds(x: Connection, window: int) -> Rect:
    """The client area in root coordinates. Raises `Gone`."""
    size, origin = x.answers(
        x.post(request.GetGeometry, drawable=window),
        x.post(request.TranslateCoords, src_wid=window, dst_wid=x.root, src_x=0, src_y=0),
    )
    return Rect(origin.x, origin.y, size.width, size.height)


def _ask_for(x: Connection, window: int, wanted: Rect, *, moved: bool, sized: bool) -> None:
    where = [int(v) for v in wanted]
    if window_manager(x):
        # A window moved alone keeps its size and the reverse: x and y are bits 8 and 9, width and height 10 and 11.
        present = (0b0011 if moved else 0) | (0b1100 if sized else 0)
        x.message(window, "_NET_MOVERESIZE_WINDOW", [STATIC_GRAVITY | present << 8 | FROM_PAGER << 12, *where])
    else:
        names = ("x", "y", "width", "height")
        x.send(request.ConfigureWindow, window=window, attrs=dict(zip(names, where, strict=True)))
    x.sync()


def _settled(x: Connection, window: int, wanted: Rect) -> Rect:
    deadline = time.monotonic() + SETTLE_SECONDS
    seen, since = bounds(x, window), time.monotonic()
    while seen != wanted and time.monotonic() < min(deadline, since + SETTLE_SECONDS / 2):
        x.wait_event(QUIET_SECONDS / 10)
        time.sleep(QUIET_SECONDS / 20)
        now = bounds(x, window)
        if now != seen:
            seen, since = now, time.monotonic()
    return seen


def keep_pace(x: Connection) -> None:
    """Wait until the window manager has handled what came before, at most `CALL_SECONDS`: it answers a question
    about a window of ours after everything that was in its queue."""
    if x.atom("_NET_REQUEST_FRAME_EXTENTS") not in x.numbers(x.root, "_NET_SUPPORTED"):
        return
    window = unmapped_window(x)
    x.message(window, "_NET_REQUEST_FRAME_EXTENTS", [])
    deadline = time.monotonic() + CALL_SECONDS
    while not x.numbers(window, "_NET_FRAME_EXTENTS") and time.monotonic() < deadline:
        time.sleep(QUIET_SECONDS / 20)
    x.send(request.DestroyWindow, window=window)
    x.free_id(window)

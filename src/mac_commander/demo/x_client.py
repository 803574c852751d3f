"""The few X requests that the private desktop itself needs: who has windows, what is on the screen.

Deliberately not the X11 desktop's code: what shows and checks the server must not share its mistakes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from Xlib import X
from Xlib.display import Display
from Xlib.error import BadDrawable, BadWindow
from Xlib.protocol.event import ClientMessage
from Xlib.xobject.drawable import Window as XWindow


@dataclass(frozen=True, slots=True)
class Shown:
    """One visible top window."""

    id: int
    pid: int
    """What its program says of itself (_NET_WM_PID); 0 when it says nothing."""
    title: str

    def matches(self, pid: int | None, title: str | None) -> bool:
        return (pid is None or self.pid == pid) and (title is None or title in self.title)


@contextlib.contextmanager
def connection(name: str) -> Iterator[Display]:
    """A connection of its own for each question, so that no event queue grows between them."""
    display = Display(name)
    try:
        yield display
    finally:
        display.close()


def has_window_manager(name: str) -> bool:
    with connection(name) as display:
        return bool(_property(display, display.screen().root, "_NET_SUPPORTING_WM_CHECK"))


def active_window(name: str) -> int:
    """The window that the window manager calls active; 0 for none."""
    with connection(name) as display:
        found = _property(display, display.screen().root, "_NET_ACTIVE_WINDOW")
        return int(found[0]) if found else 0


def activate(name: str, window: int) -> None:
    """Bring the window to the front as a pager would: source indication 2 (EWMH, _NET_ACTIVE_WINDOW)."""
    with connection(name) as display:
        root = display.screen().root
        target = display.create_resource_object("window", window)
        kind = display.get_atom("_NET_ACTIVE_WINDOW")
        message = ClientMessage(window=target, client_type=kind, data=(32, [2, 0, 0, 0, 0]))
        root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        display.sync()


def windows(name: str) -> list[Shown]:
    """Visible windows that carry a title or a pid, whoever decorates them; the window manager's own left out."""
    with connection(name) as display:
        root = display.screen().root
        check = _property(display, root, "_NET_SUPPORTING_WM_CHECK")
        manager = _client(display, int(check[0])) if check else None
        return list(_shown(display, root, manager, depth=3))


def _client(display: Display, window: int) -> int:
    """The connection that made the window: the server numbers windows by it."""
    return window & ~int(display.display.info.resource_id_mask)


def _shown(display: Display, parent: XWindow, manager: int | None, depth: int) -> Iterator[Shown]:
    for window in reversed(parent.query_tree().children):
        try:
            if window.get_attributes().map_state != X.IsViewable:
                continue
            title, pid = _title(display, window), _pid(display, window)
            if (title or pid) and _client(display, window.id) != manager:
                yield Shown(window.id, pid, title)
            elif depth > 1:
                yield from _shown(display, window, manager, depth - 1)
        except (BadWindow, BadDrawable):
            continue  # it closed while we looked


def _pid(display: Display, window: XWindow) -> int:
    raw = _property(display, window, "_NET_WM_PID")
    return int(raw[0]) if raw else 0


def _title(display: Display, window: XWindow) -> str:
    raw = _property(display, window, "_NET_WM_NAME") or _property(display, window, "WM_NAME")
    return bytes(raw).decode(errors="replace") if isinstance(raw, bytes) else str(raw or "")


def _property(display: Display, window: XWindow, name: str) -> Sequence[int] | bytes | str:
    found = window.get_full_property(display.get_atom(name), X.AnyPropertyType)
    return found.value if found is not None else ()


def origin(name: str, window: int) -> tuple[int, int]:
    """The top left corner of the window's inside on the screen."""
    with connection(name) as display:
        inside = display.create_resource_object("window", window)
        at = display.screen().root.translate_coords(inside, 0, 0)
        return at.x, at.y


def disconnect_all_with_windows(name: str) -> None:
    """Close the connection of every program that shows a window, except the window manager's.

    Each once: a second request would get BadValue, which python-xlib 0.33 takes for RandR's error 2 and fails at.
    """
    shown = windows(name)
    with connection(name) as display:
        one_of_each = {window.id & ~display.display.info.resource_id_mask: window.id for window in shown}
        for window_id in one_of_each.values():
            display.create_resource_object("window", window_id).kill_client()
        display.sync()


def screenshot(name: str, path: Path) -> None:
    with connection(name) as display:
        root = display.screen().root
        size = root.get_geometry()
        raw = root.get_image(0, 0, size.width, size.height, X.ZPixmap, 0xFFFFFFFF)
    Image.frombytes("RGB", (size.width, size.height), raw.data, "raw", "BGRX").save(path)

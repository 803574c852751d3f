"""Windows as the window server lists them and as accessibility tells them, matched to one another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from AppKit import NSWindow
from ApplicationServices import (
    kAXFocusedWindowAttribute,
    kAXMainAttribute,
    kAXMinimizedAttribute,
    kAXModalAttribute,
    kAXPositionAttribute,
    kAXRoleAttribute,
    kAXSheetRole,
    kAXSizeAttribute,
    kAXSubroleAttribute,
    kAXTitleAttribute,
    kAXWindowsAttribute,
)
from Quartz import (
    CGDisplayBounds,
    CGMainDisplayID,
    CGRectMakeWithDictionaryRepresentation,
    CGWindowListCopyWindowInfo,
    kCGNullWindowID,
    kCGWindowAlpha,
    kCGWindowBounds,
    kCGWindowLayer,
    kCGWindowListOptionAll,
    kCGWindowListOptionOnScreenOnly,
    kCGWindowName,
    kCGWindowNumber,
    kCGWindowOwnerPID,
)

from mac_commander.desktops.macos import ax, ax_value
from mac_commander.desktops.macos.ax_element import Record
from mac_commander.desktops.macos.element_key import ElementKey
from mac_commander.desktops.macos.private import PrivateCalls
from mac_commander.errors import DesktopError
from mac_commander.model import App, Point, Rect, Window, WindowKind

NORMAL_LAYER = 0
POPUP_LAYER = 101
"""``kCGPopUpMenuWindowLevel``: menus and combo lists."""

APP_LAYERS = (NORMAL_LAYER, 3, 8, POPUP_LAYER)
"""Normal, floating panels, modal panels, menus: where an app shows what belongs to its windows. Its status item
in the menu bar lies elsewhere (25), and is none."""

SAME_BOUNDS = 2.0
"""How many points two tellings of one window's frame may differ: accessibility rounds, the window server does not."""

_ATTRIBUTES = (
    kAXRoleAttribute,
    kAXSubroleAttribute,
    kAXTitleAttribute,
    kAXPositionAttribute,
    kAXSizeAttribute,
    kAXMainAttribute,
    kAXMinimizedAttribute,
    kAXModalAttribute,
)


@dataclass(frozen=True, slots=True)
class Listed:
    """One window as the window server lists it."""

    number: int
    pid: int
    title: str
    """Empty without the Screen Recording grant."""
    bounds: Rect
    layer: int
    alpha: float


@dataclass(frozen=True, slots=True)
class Told:
    """One window as accessibility tells it, with its number in ``window.id``: negative when it has none."""

    element: Any
    window: Window


def listed(on_screen: bool = True) -> list[Listed]:
    """All windows, front to back when only those on screen are asked for.

    Raises `DesktopError` when the window server does not answer: there is no session with a screen.
    """
    option = kCGWindowListOptionOnScreenOnly if on_screen else kCGWindowListOptionAll
    infos = CGWindowListCopyWindowInfo(option, kCGNullWindowID)
    if infos is None:
        raise DesktopError("the window server lists no windows: this process is not in a session with a screen")
    return [window for window in map(_listed, infos) if window is not None]


def _listed(info: Any) -> Listed | None:
    bounds = info.get(kCGWindowBounds)
    known, rect = CGRectMakeWithDictionaryRepresentation(bounds, None) if bounds is not None else (False, None)
    if not known or rect is None:
        return None
    frame = (rect.origin.x, rect.origin.y, rect.size.width, rect.size.height)
    return Listed(
        number=int(info[kCGWindowNumber]),
        pid=int(info[kCGWindowOwnerPID]),
        title=str(info.get(kCGWindowName) or ""),
        bounds=Rect(*map(float, frame)),
        layer=int(info.get(kCGWindowLayer) or 0),
        alpha=float(info.get(kCGWindowAlpha, 1.0)),
    )


def owner_of(number: int) -> int | None:
    """The pid that has that window now; numbers are re-used."""
    return next((window.pid for window in listed(on_screen=False) if window.number == number), None)


def number_at(point: Point) -> int | None:
    """The topmost window that would take a click there, by the window server's own test, which leaves out
    windows that ignore the mouse or are transparent. ``None`` when there is none."""
    return _number_below(point, 0)


def pid_at(point: Point) -> int | None:
    """Who owns that window; ``None`` when nobody is known to."""
    number = number_at(point)
    return None if number is None else owner_of(number)


def _number_below(point: Point, above: int) -> int | None:
    """The same, among the windows that lie below another one; 0 stands for all."""
    height = CGDisplayBounds(CGMainDisplayID()).size.height
    number = NSWindow.windowNumberAtPoint_belowWindowWithWindowNumber_((point.x, height - point.y), above)
    return int(number) or None


def takes_clicks(window: Listed, stack: Sequence[Listed]) -> bool:
    """Whether a click can land in it at all, asked at its centre among the windows from it downwards."""
    if window.alpha <= 0:
        return False
    above = [other for other in stack[: stack.index(window)] if other.bounds.contains(window.bounds.centre)]
    return _number_below(window.bounds.centre, above[-1].number if above else 0) == window.number


def visible() -> list[Window]:
    """All windows of all apps that can be seen and clicked, front to back.

    Overlays are drawn above the normal layer, so only windows up there are asked whether they take clicks.
    """
    stack = listed()
    kept = [w for w in stack if w.alpha > 0 and w.layer >= NORMAL_LAYER]
    return [_plain(w) for w in kept if w.layer == NORMAL_LAYER or takes_clicks(w, stack)]


def click_through() -> list[Listed]:
    """What is drawn over the normal layer and lets clicks through."""
    stack = listed()
    raised = [w for w in stack if w.alpha > 0 and w.layer > NORMAL_LAYER]
    return [w for w in raised if not takes_clicks(w, stack)]


def _plain(window: Listed) -> Window:
    kind = WindowKind.POPUP if window.layer == POPUP_LAYER else WindowKind.WINDOW
    return Window(window.number, window.pid, window.title, window.bounds, kind)


# --- one app -----------------------------------------------------------------------------------------------


def told(app_element: Any, pid: int, private: PrivateCalls) -> list[Told]:
    """The app's windows by accessibility, the one with the keyboard first. Raises `Hung`, `DesktopError`."""
    focused = ax.read(app_element, kAXFocusedWindowAttribute)
    elements = [w for w in (focused, *(ax.read(app_element, kAXWindowsAttribute) or ())) if w is not None]
    unique = list({ElementKey(element): element for element in elements}.values())
    stack = [w for w in listed(on_screen=False) if w.pid == pid]
    found: list[Told] = []
    for index, element in enumerate(unique):
        window = _told(element, pid, private, stack, nameless=-1 - index)
        if window:
            found.append(Told(element, window))
            stack = [w for w in stack if w.number != window.id]
    if found and focused is not None and ElementKey(found[0].element) == ElementKey(focused):
        # A modal dialog has the keyboard without being AXMain.
        return [replace(entry, window=replace(entry.window, main=entry is found[0])) for entry in found]
    return found


def _told(element: Any, pid: int, private: PrivateCalls, stack: Iterable[Listed], nameless: int) -> Window | None:
    """``None`` for a window that closed meanwhile or does not say where it is."""
    values = dict(zip(_ATTRIBUTES, ax.read_many(element, _ATTRIBUTES), strict=True))
    record = Record(element, values)
    bounds = record.bounds
    if bounds is None:
        return None
    title = record.text(kAXTitleAttribute)
    number = private.window_number(element) or _matching(bounds, title, stack)
    return Window(
        id=nameless if number is None else number,
        pid=pid,
        title=title,
        bounds=bounds,
        kind=_kind(record),
        main=ax_value.truth(values.get(kAXMainAttribute)) is True,
        minimised=ax_value.truth(values.get(kAXMinimizedAttribute)) is True,
    )


def _kind(record: Record) -> WindowKind:
    if record.role == kAXSheetRole:
        return WindowKind.SHEET
    modal = ax_value.truth(record.values.get(kAXModalAttribute))
    return WindowKind.DIALOG if modal or record.word == "dialog" else WindowKind.WINDOW


def _matching(bounds: Rect, title: str, stack: Iterable[Listed]) -> int | None:
    """The window server's number by frame, then by title; ``None`` when two fit, for a guess could be another
    window."""
    near = [w for w in stack if w.layer == NORMAL_LAYER and _same(w.bounds, bounds)]
    if len(near) > 1:
        near = [w for w in near if w.title == title]
    return near[0].number if len(near) == 1 else None


def _same(one: Rect, other: Rect) -> bool:
    return all(abs(a - b) <= SAME_BOUNDS for a, b in zip(one, other, strict=True))


def all_of(app: App, entries: Sequence[Told]) -> list[Window]:
    """The app's windows front to back: what accessibility tells, and what only the window server shows (menus,
    panels, sheets, windows of apps without accessibility). Those that cannot be seen, because they or the whole
    app were put away, come last as minimised."""
    told = {entry.window.id: entry.window for entry in entries}
    own = [w for w in listed() if w.pid == app.pid and w.alpha > 0]
    on_screen = [w for w in own if w.number in told or w.layer in APP_LAYERS]
    front = [told.get(w.number) or _untold(w, entries) for w in on_screen]
    numbers = {window.id for window in front}
    rest = [replace(w, minimised=w.minimised or app.hidden) for w in told.values() if w.id not in numbers]
    return [*front, *sorted(rest, key=lambda window: window.minimised)]


def _untold(window: Listed, entries: Sequence[Told]) -> Window:
    """A window that accessibility does not list: a sheet when it lies wholly on one that it does."""
    plain = _plain(window)
    on_window = any(_within(window.bounds, entry.window.bounds) for entry in entries)
    if plain.kind is WindowKind.WINDOW and on_window:
        return Window(window.number, window.pid, window.title, window.bounds, WindowKind.SHEET)
    return plain


def _within(inner: Rect, outer: Rect) -> bool:
    corner = (inner.x + inner.width <= outer.x + outer.width, inner.y + inner.height <= outer.y + outer.height)
    return inner.x >= outer.x and inner.y >= outer.y and all(corner)

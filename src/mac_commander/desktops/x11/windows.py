"""Reads windows: which there are, what they say of themselves, how they are stacked. Changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from Xlib import X, Xutil
from Xlib.error import XError
from Xlib.ext import shape
from Xlib.protocol import request

from mac_commander.desktops.x11.display import Connection, numbers_of, xid
from mac_commander.desktops.x11.owners import NO_OWNER, owner_of, post_owner
from mac_commander.model import Rect, Window, WindowKind

DIALOG_TYPES = frozenset({"_NET_WM_WINDOW_TYPE_DIALOG"})

SHELL_TYPES = frozenset({"_NET_WM_WINDOW_TYPE_DESKTOP", "_NET_WM_WINDOW_TYPE_DOCK", "_NET_WM_WINDOW_TYPE_SPLASH"})
"""The wallpaper, panels, and the pictures shown while an app starts: on the desktop, but no window a person would name.
LibreOffice's splash even belongs to a process of its own (oosplash, seen)."""

DEEPEST_NESTING = 12
"""Client windows lie one to three levels below the root; ends a walk among windows that vanish."""


@dataclass(frozen=True, slots=True)
class Facts:
    """One window as it is now."""

    window: Window
    viewable: bool
    override_redirect: bool
    input_only: bool
    click_through: bool
    """Its input shape is empty: the pointer goes to what lies below it."""
    shell: bool
    transient_for: int
    wm_class: tuple[str, str]
    gtk_app_id: str


def read(x: Connection, ids: Sequence[int]) -> list[Facts]:
    """The windows among these that still exist, in the same order."""
    posted = [_post(x, i) for i in ids]
    flat = x.outcomes(*[p for group in posted for p in group])
    size = len(_PROPERTIES) + 5
    rows = [flat[i * size : (i + 1) * size] for i in range(len(ids))]
    return [f for i, row in zip(ids, rows, strict=True) if (f := _facts(x, i, row)) is not None]


_PROPERTIES = (
    "_NET_WM_NAME",
    "WM_NAME",
    "_NET_WM_WINDOW_TYPE",
    "WM_TRANSIENT_FOR",
    "WM_STATE",
    "_NET_WM_STATE",
    "WM_CLASS",
    "_GTK_APPLICATION_ID",
)


def _post(x: Connection, window: int) -> list[Any]:
    return [
        x.post(request.GetWindowAttributes, window=window),
        x.post(request.GetGeometry, drawable=window),
        x.post(request.TranslateCoords, src_wid=window, dst_wid=x.root, src_x=0, src_y=0),
        x.post(shape.GetRectangles, window=window, source_kind=shape.SK.Input),
        post_owner(x, window),
        *[x.post_property(window, name) for name in _PROPERTIES],
    ]


def _facts(x: Connection, window: int, row: Sequence[Any]) -> Facts | None:
    attributes, geometry, origin, input_shape, owner, *properties = row
    if any(isinstance(r, XError) for r in row):
        return None
    values = dict(zip(_PROPERTIES, properties, strict=True))
    types = {x.atom_name(a) for a in numbers_of(values["_NET_WM_WINDOW_TYPE"])}
    transient = (*numbers_of(values["WM_TRANSIENT_FOR"]), 0)[0]
    popup = bool(attributes.override_redirect)
    seen = Window(
        id=window,
        pid=owner_of(owner),
        title=x.text_of(values["_NET_WM_NAME"]) or x.text_of(values["WM_NAME"]),
        bounds=Rect(origin.x, origin.y, geometry.width, geometry.height),
        kind=_kind(popup, types, transient),
        minimised=_minimised(x, values),
    )
    return Facts(
        window=seen,
        viewable=attributes.map_state == X.IsViewable,
        override_redirect=popup,
        input_only=attributes.win_class == X.InputOnly,
        click_through=not input_shape.rectangles,
        shell=bool(types & SHELL_TYPES),
        transient_for=transient,
        wm_class=_class_pair(x.text_of(values["WM_CLASS"])),
        gtk_app_id=x.text_of(values["_GTK_APPLICATION_ID"]),
    )


def _kind(popup: bool, types: set[str], transient: int) -> WindowKind:
    if popup:
        return WindowKind.POPUP
    return WindowKind.DIALOG if types & DIALOG_TYPES or transient else WindowKind.WINDOW


def _minimised(x: Connection, values: dict[str, Any]) -> bool:
    state = numbers_of(values["WM_STATE"])
    hidden = x.atom("_NET_WM_STATE_HIDDEN") in numbers_of(values["_NET_WM_STATE"])
    return hidden or bool(state and state[0] == Xutil.IconicState)


def _class_pair(text: str) -> tuple[str, str]:
    instance, _, name = text.rstrip("\0").partition("\0")
    return instance, name


def managed(x: Connection) -> list[int]:
    """The window manager's client windows, bottom first; without one, the mapped children of the root."""
    listed = x.numbers(x.root, "_NET_CLIENT_LIST_STACKING") or x.numbers(x.root, "_NET_CLIENT_LIST")
    if listed or window_manager(x):
        return list(listed)
    return [f.window.id for f in read(x, children(x, x.root)) if _is_plain(f)]


def _is_plain(facts: Facts) -> bool:
    return facts.viewable and not (facts.override_redirect or facts.input_only or facts.click_through)


def popups(x: Connection) -> list[Facts]:
    """Menus, combo lists, tooltips and the like that are on the screen, topmost first."""
    shown = read(x, [w for w, override in reversed(viewable(x, children(x, x.root))) if override])
    return [f for f in shown if _has_pixels(f) and f.window.pid != NO_OWNER]


def viewable(x: Connection, ids: Sequence[int]) -> list[tuple[int, bool]]:
    """Those on the screen, each with whether the window manager leaves it alone; most of the root's children are
    helpers that never show, so this is asked first."""
    replies = x.outcomes(*[x.post(request.GetWindowAttributes, window=i) for i in ids])
    pairs = [(i, r) for i, r in zip(ids, replies, strict=True) if not isinstance(r, XError)]
    return [(i, bool(r.override_redirect)) for i, r in pairs if r.map_state == X.IsViewable]


def _has_pixels(facts: Facts) -> bool:
    bounds = facts.window.bounds
    return not (facts.input_only or facts.click_through) and bounds.width > 1 and bounds.height > 1


def stacked(x: Connection, clients: Sequence[int]) -> list[Facts]:
    """All windows on the screen, front to back: clients (as `managed` tells them) and pop-ups, without click-through
    ones."""
    tops = children(x, x.root)
    frames = dict(zip(top_levels(x, clients, frozenset(tops)), clients, strict=True))
    found = read(x, [frames.get(top, top) for top, _ in reversed(viewable(x, tops))])
    shown = [f for f in found if f.viewable and _has_pixels(f) and f.window.pid != NO_OWNER]
    return [f for f in shown if f.override_redirect or f.window.id in clients]


def covered_areas(x: Connection, tops: Sequence[int]) -> list[Rect]:
    """Where these children of the root have pixels on the screen, by their bounding shapes."""
    posted = [
        (
            x.post(request.GetWindowAttributes, window=w),
            x.post(request.GetGeometry, drawable=w),
            x.post(shape.GetRectangles, window=w, source_kind=shape.SK.Bounding),
        )
        for w in tops
    ]
    areas: list[Rect] = []
    flat = iter(x.outcomes(*[p for group in posted for p in group]))
    for attributes, geometry, bounding in zip(flat, flat, flat, strict=True):
        if any(isinstance(r, XError) for r in (attributes, geometry, bounding)):
            continue
        if attributes.map_state == X.IsViewable and attributes.win_class == X.InputOutput:
            left, top = geometry.x + geometry.border_width, geometry.y + geometry.border_width
            areas += [Rect(left + r.x, top + r.y, r.width, r.height) for r in bounding.rectangles]
    return areas


def top_level(x: Connection, window: int) -> int:
    """The child of the root that this window is in: its frame, or itself."""
    return top_levels(x, [window])[0]


def top_levels(x: Connection, ids: Sequence[int], known: frozenset[int] = frozenset()) -> list[int]:
    """The same for several windows, one round trip for each level. ``known`` are children of the root: no further
    round trip tells that they are."""
    tops = list(ids)
    for _ in range(DEEPEST_NESTING):
        if known.issuperset(tops):
            break
        replies = x.outcomes(*[x.post(request.QueryTree, window=w) for w in tops])
        parents = [X.NONE if isinstance(r, XError) else xid(r.parent) for r in replies]
        climbed = [w if p in (x.root, X.NONE) else p for w, p in zip(tops, parents, strict=True)]
        if climbed == tops:
            break
        tops = climbed
    return tops


def path_to_root(x: Connection, window: int) -> list[int]:
    """The window and its ancestors, the root last."""
    path = [window]
    while path[-1] not in (x.root, X.NONE) and len(path) < DEEPEST_NESTING:
        reply = x.outcomes(x.post(request.QueryTree, window=path[-1]))[0]
        if isinstance(reply, XError):
            break
        path.append(xid(reply.parent))
    return [w for w in path if w != X.NONE]


def children(x: Connection, window: int) -> list[int]:
    """Bottom first; empty when the window is gone."""
    reply = x.outcomes(x.post(request.QueryTree, window=window))[0]
    return [] if isinstance(reply, XError) else [xid(c) for c in reply.children]


def window_manager(x: Connection) -> str:
    """The running EWMH window manager's name; empty when there is none (a stale property is seen through)."""
    check = x.numbers(x.root, "_NET_SUPPORTING_WM_CHECK")
    if not check or x.numbers(check[0], "_NET_SUPPORTING_WM_CHECK") != check[:1]:
        return ""
    return x.text(check[0], "_NET_WM_NAME") or "a window manager without a name"


def at_point(x: Connection, left: int, top: int) -> list[int]:
    """The windows below a point from the root's child down to the deepest; click-through ones do not count."""
    path: list[int] = []
    outer = x.root
    while len(path) < 2 * DEEPEST_NESTING:
        where = x.post(request.TranslateCoords, src_wid=x.root, dst_wid=outer, src_x=left, src_y=top)
        reply = x.outcomes(where)[0]
        if isinstance(reply, XError) or xid(reply.child) == X.NONE:
            break
        outer = xid(reply.child)
        path.append(outer)
    return path

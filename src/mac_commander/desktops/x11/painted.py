"""Whose pixels are where on the screen: also of windows that take no clicks, and of those inside another program's.

Programs embed windows of others (XEmbed: tray icons, plugs), and the window manager frames all of them; a picture shows
what is inside as well. The ids that one client gives its windows share their upper bits (X11 protocol, resource ids).
"""

from __future__ import annotations

from collections.abc import Mapping

from Xlib.error import XError
from Xlib.protocol import request

from mac_commander.desktops.x11.display import Connection, xid
from mac_commander.desktops.x11.windows import Facts, children, managed, read, viewable
from mac_commander.model import Rect

NESTING_MOST = 64
"""Deeper than any toolkit nests its windows; ends a walk among windows that move."""


def on_screen(x: Connection) -> list[tuple[Facts, Rect]]:
    """Every window with the place of its pixels, for a managed one that of its frame, where its title is written."""
    tops = [window for window, _ in viewable(x, children(x, x.root))]
    clients = frozenset(managed(x))
    places = {window: window for window in tops}
    for top in tops:
        places |= {inner: top if inner in clients else inner for inner in _strangers(x, top)}
    return _placed(x, places)


def inside(x: Connection, window: int) -> list[tuple[Facts, Rect]]:
    """The windows of other programs inside this one."""
    return _placed(x, {inner: inner for inner in _strangers(x, window)})


def _placed(x: Connection, places: Mapping[int, int]) -> list[tuple[Facts, Rect]]:
    facts = {one.window.id: one for one in read(x, list(dict.fromkeys([*places, *places.values()])))}
    known = [(facts[w], facts[place].window.bounds) for w, place in places.items() if {w, place} <= facts.keys()]
    return [(one, bounds) for one, bounds in known if one.viewable and not one.input_only]


def _strangers(x: Connection, window: int) -> list[int]:
    """Windows at any depth that belong to another client than the one they lie in."""
    found: list[int] = []
    level = [window]
    for _depth in range(NESTING_MOST):
        replies = x.outcomes(*[x.post(request.QueryTree, window=w) for w in level])
        trees = [(w, r.children) for w, r in zip(level, replies, strict=True) if not isinstance(r, XError)]
        found += [xid(c) for w, inner in trees for c in inner if _client(x, xid(c)) != _client(x, w)]
        level = [xid(c) for _, inner in trees for c in inner]
        if not level:
            break
    return found


def _client(x: Connection, window: int) -> int:
    return window & ~int(x.setup.resource_id_mask)

"""Which X window an accessible window is, and so where its elements are on the screen.

AT-SPI's window coordinates count from the client area of the X window (12 of 12 clicks right in GTK 3, GTK 4 and
Chromium, measured). Qt gets them wrong: 5.15 takes the y from the x, 6.4 adds the window's place to every size (seen);
so Qt is asked for screen coordinates, which count from its window's own. Nothing in AT-SPI names the X window;
title and size tell, and between windows that are alike their place on the screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mac_commander.desktops.x11.atspi_node import SCREEN, WINDOW, Node
from mac_commander.desktops.x11.atspi_roles import MENU_BAR
from mac_commander.desktops.x11.atspi_states import SHOWING
from mac_commander.model import Point, Rect, Window, WindowKind

UNMAPPED = -(2**31)
"""GTK 3's coordinate for what has no place on the screen."""

Extents = tuple[int, int, int, int]
"""x, y, width, height in the toolkit's units."""

WIDEST_BORDER = 30.0
"""Shadow and padding of a pop-up, both sides together."""

SAME_PLACE = 8.0
"""Points by which a window may be off the place that its toolkit tells, when no other window of that look is so near:
they are told apart by it, not placed."""

SAME_SIZE = 2.0
"""Points by which sizes may differ: rounding at a fractional scale."""


@dataclass(frozen=True, slots=True)
class Placement:
    """How coordinates in one accessible window become screen points."""

    window: Window
    origin: Point
    """Where the toolkit's (0, 0) is."""
    scale: float = 1.0
    """Pixels for each of the toolkit's units: AT-SPI extents are logical, the pointer moves in pixels."""

    def rect(self, extents: Extents | None) -> Rect | None:
        """``None`` for what has no place."""
        if extents is None or not has_place(extents):
            return None
        (x, y, width, height), scale = extents, self.scale
        return Rect(self.origin.x + x * scale, self.origin.y + y * scale, width * scale, height * scale)


def has_place(extents: Extents) -> bool:
    x, y, width, height = extents
    return width > 0 and height > 0 and UNMAPPED not in (x, y)


def is_flat_bar(node: Node) -> bool:
    """LibreOffice keeps a second menu bar of no height, whose menus claim to show (7.4, seen). An item that is picked
    there leaves keyboard and pointer grabbed until somebody presses Escape (seen)."""
    return node.role == MENU_BAR and node.extents is not None and not has_place(node.extents)


def place_windows(nodes: Sequence[Node], windows: Sequence[Window], coordinates: int) -> dict[str, Placement]:
    """For each accessible window (by path) the X window that it must be; those that cannot be told are left out."""
    found: dict[str, Placement] = {}
    left = list(windows)
    rated = [(_likeness(node, window, coordinates), node, window) for node in nodes for window in windows]
    for likeness, node, window in sorted(rated, key=lambda entry: -entry[0]):
        if likeness > 0 and node.path not in found and window in left:
            rivals = [w for rating, other, w in rated if other is node and rating == likeness and w in left]
            if len(rivals) > 1 and [w for w in rivals if _is_at(node, w, coordinates)] != [window]:
                continue
            found[node.path] = _placement(node, window, coordinates)
            left.remove(window)
    return found


def are_alike(
    nodes: Sequence[Node], windows: Sequence[Window], coordinates: int, placements: Mapping[str, Placement]
) -> bool:
    """Whether one that shows may be any of several X windows, and so got no place: better none than a wrong one."""
    taken = {placement.window.id for placement in placements.values()}
    left = [w for w in windows if w.id not in taken and w.kind is not WindowKind.POPUP and not w.minimised]
    untold = [node for node in nodes if node.path not in placements and node.state & SHOWING]
    return any(_likeness(node, window, coordinates) for node in untold for window in left)


def place_popup(extents: Extents, windows: Sequence[Window], parent: Placement) -> Placement | None:
    """The pop-up window that this fills, ``None`` unless exactly one has its size.

    Toolkits count from different places here: GTK 3 from the pop-up itself, Qt from the main window, GTK 4 from
    somewhere near (seen). So the two are laid over each other by their centres, which is exact where the sizes are
    equal, and 3 px off in GTK 4, whose pop-ups have an uneven shadow.
    """
    x, y, width, height = (side * parent.scale for side in extents)
    fitting = [w for w in windows if w.kind is WindowKind.POPUP and _fills(width, height, w.bounds)]
    if len(fitting) != 1:
        return None
    centre = fitting[0].bounds.centre
    origin = Point(centre.x - width / 2 - x, centre.y - height / 2 - y)
    return replace(parent, window=fitting[0], origin=origin)


def union(places: Sequence[Extents]) -> Extents:
    """The smallest rectangle around them."""
    x, y = min(place[0] for place in places), min(place[1] for place in places)
    right = max(place[0] + place[2] for place in places)
    bottom = max(place[1] + place[3] for place in places)
    return (x, y, right - x, bottom - y)


def _fills(width: float, height: float, bounds: Rect) -> bool:
    wider, higher = bounds.width - width, bounds.height - height
    return -SAME_SIZE <= wider <= WIDEST_BORDER and -SAME_SIZE <= higher <= WIDEST_BORDER


def _placement(node: Node, window: Window, coordinates: int) -> Placement:
    scale, (x, y) = _scale(node, window, coordinates), window.bounds[:2]
    if coordinates == SCREEN and node.extents is not None:
        return Placement(window, Point(x - node.extents[0] * scale, y - node.extents[1] * scale), scale)
    return Placement(window, Point(x, y), scale)


def _client_size(node: Node, coordinates: int) -> tuple[float, float]:
    """GTK 3 counts the window manager's frame in: (-5, -42, 650, 532) for a client of 640 by 485."""
    if node.extents is None:
        return (0.0, 0.0)
    x, y, width, height = node.extents
    framed = coordinates == WINDOW and has_place(node.extents)
    left, top = (max(0, -x), max(0, -y)) if framed else (0, 0)
    return (width - 2 * left, height - top - left)


def _likeness(node: Node, window: Window, coordinates: int) -> int:
    """3: title and size agree, 2: title, 1: size, 0: neither."""
    same_title = bool(node.name) and node.name == window.title
    width, height = _client_size(node, coordinates)
    scale = _scale(node, window, coordinates)
    off = max(abs(width * scale - window.bounds.width), abs(height * scale - window.bounds.height))
    return 2 * same_title + (off <= SAME_SIZE)


def _is_at(node: Node, window: Window, coordinates: int) -> bool:
    corner = _corner(node, coordinates)
    if corner is None:
        return False
    scale, (x, y) = _scale(node, window, coordinates), window.bounds[:2]
    return max(abs(corner[0] * scale - x), abs(corner[1] * scale - y)) <= SAME_PLACE


def _corner(node: Node, coordinates: int) -> tuple[int, int] | None:
    """Of its client area on the screen, in the toolkit's units; ``None`` where that is not known."""
    if node.extents is None:
        return None
    x, y = node.extents[:2]
    if coordinates == SCREEN:
        return (x, y)
    return None if node.on_screen is None else (node.on_screen[0] - x, node.on_screen[1] - y)


def _scale(node: Node, window: Window, coordinates: int) -> float:
    width, height = _client_size(node, coordinates)
    if width <= 0 or height <= 0:
        return 1.0
    across, down = window.bounds.width / width, window.bounds.height / height
    agree = abs(across - down) <= 0.03 * across
    return round(across * 4) / 4 if agree and across > 1.1 else 1.0

"""Which X window an accessible window is, and so where its elements are on the screen.

AT-SPI's window coordinates count from the client area of the X window (12 of 12 clicks right in GTK 3, GTK 4, Qt 6 and
Chromium, measured). Nothing in AT-SPI names the X window; title and size tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mac_commander.desktops.x11.atspi_tree import Node
from mac_commander.model import Rect, Window, WindowKind

UNMAPPED = -(2**31)
"""GTK 3's coordinate for what has no place on the screen."""

SAME_SIZE = 2.0
"""Points by which sizes may differ: rounding at a fractional scale."""


@dataclass(frozen=True, slots=True)
class Placement:
    """How coordinates in one accessible window become screen points."""

    window: Window
    scale: float = 1.0
    """Pixels for each of the toolkit's units: AT-SPI extents are logical, the pointer moves in pixels."""

    def rect(self, extents: tuple[int, int, int, int] | None) -> Rect | None:
        """``None`` for what has no place."""
        if extents is None or not has_place(extents):
            return None
        x, y, width, height = (side * self.scale for side in extents)
        return Rect(self.window.bounds.x + x, self.window.bounds.y + y, width, height)


def has_place(extents: tuple[int, int, int, int]) -> bool:
    x, y, width, height = extents
    return width > 0 and height > 0 and UNMAPPED not in (x, y)


def place_windows(nodes: Sequence[Node], windows: Sequence[Window]) -> dict[str, Placement]:
    """For each accessible window (by path) the X window that it must be; those that cannot be told are left out."""
    found: dict[str, Placement] = {}
    left = list(windows)
    rated = [(_likeness(node, window), node, window) for node in nodes for window in windows]
    for likeness, node, window in sorted(rated, key=lambda entry: -entry[0]):
        if likeness > 0 and node.path not in found and window in left:
            if _is_contested(likeness, node, window, rated, left):
                continue
            found[node.path] = Placement(window, _scale(node, window))
            left.remove(window)
    return found


def place_popup(node: Node, windows: Sequence[Window], scale: float) -> Placement | None:
    """The pop-up window that an open menu fills, when exactly one has its size."""
    if node.extents is None:
        return None
    size = (node.extents[2] * scale, node.extents[3] * scale)
    popups = [w for w in windows if w.kind is WindowKind.POPUP and _encloses(w.bounds, size)]
    return Placement(popups[0], scale) if len(popups) == 1 else None


def _encloses(bounds: Rect, size: tuple[float, float]) -> bool:
    """A menu's window is as large as the menu, or a border wider."""
    border = 24.0
    return 0 <= bounds.width - size[0] <= border and 0 <= bounds.height - size[1] <= border


def _client_size(node: Node) -> tuple[float, float]:
    """GTK 3 counts the window manager's frame in: (-5, -42, 650, 532) for a client of 640 by 485."""
    if node.extents is None:
        return (0.0, 0.0)
    x, y, width, height = node.extents
    left, top = (max(0, -x), max(0, -y)) if has_place(node.extents) else (0, 0)
    return (width - 2 * left, height - top - left)


def _likeness(node: Node, window: Window) -> int:
    """3: title and size agree, 2: title, 1: size, 0: neither."""
    same_title = bool(node.name) and node.name == window.title
    width, height = _client_size(node)
    scale = _scale(node, window)
    off = max(abs(width * scale - window.bounds.width), abs(height * scale - window.bounds.height))
    return 2 * same_title + (off <= SAME_SIZE)


def _is_contested(
    likeness: int, node: Node, window: Window, rated: list[tuple[int, Node, Window]], left: list[Window]
) -> bool:
    """Another X window would do as well, and neither is the active one: better no place than a wrong one."""
    rivals = [w for rating, other, w in rated if other is node and rating == likeness and w in left and w != window]
    return bool(rivals)


def _scale(node: Node, window: Window) -> float:
    width, height = _client_size(node)
    if width <= 0 or height <= 0:
        return 1.0
    across, down = window.bounds.width / width, window.bounds.height / height
    agree = abs(across - down) <= 0.03 * across
    return round(across * 4) / 4 if agree and across > 1.1 else 1.0

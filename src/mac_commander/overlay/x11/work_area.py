"""EWMH: which part of the main monitor panels and docks leave free.

Three sources, since none is there and right everywhere: mutter and metacity tell the area of each monitor
(_GTK_WORKAREAS); with one monitor _NET_WORKAREA says the same; with several it is one rectangle around them all,
which xfwm4 cuts to the first monitor and openbox leaves without panels (measured), so the panels' own struts count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from Xlib import X
from Xlib.display import Display
from Xlib.error import XError
from Xlib.xobject.drawable import Window

from mac_commander.model import Rect

STRUT_NUMBERS = 12
"""_NET_WM_STRUT_PARTIAL: widths at left, right, top, bottom, then a start and an end along each of the four."""

PROPERTIES = ("_NET_WORKAREA", "_NET_CURRENT_DESKTOP", "_NET_CLIENT_LIST")
"""Of the root window: when one changes, the work area may have. GTK's comes with _NET_WORKAREA."""


def read(display: Display, monitors: Sequence[Rect]) -> Rect:
    """The free part of the first monitor."""
    main, root = monitors[0], display.screen().root
    current = (*cardinals(display, root, "_NET_CURRENT_DESKTOP"), 0)[0]
    for areas in (_rects(cardinals(display, root, f"_GTK_WORKAREAS_D{current}")), _net(display, root, current)):
        on_main = [area for area in areas if area.intersects(main)]
        if on_main and (len(areas) > 1 or len(monitors) == 1):
            return common(main, on_main[0])
    size = root.get_geometry()
    return without_struts(main, Rect(0, 0, size.width, size.height), list(_struts(display, root)))


def _net(display: Display, root: Window, current: int) -> list[Rect]:
    """The work area of this virtual desktop; some window managers tell only one for all."""
    areas = _rects(cardinals(display, root, "_NET_WORKAREA"))
    return areas[current : current + 1] or areas[:1]


def _rects(numbers: Sequence[int]) -> list[Rect]:
    return [Rect(*numbers[i : i + 4]) for i in range(0, len(numbers) - 3, 4)]


def _struts(display: Display, root: Window) -> Iterator[Sequence[int]]:
    for xid in cardinals(display, root, "_NET_CLIENT_LIST"):
        try:
            strut = cardinals(display, display.create_resource_object("window", xid), "_NET_WM_STRUT_PARTIAL")
        except XError:
            continue  # it has just closed
        if len(strut) == STRUT_NUMBERS:
            yield strut


def without_struts(monitor: Rect, desktop: Rect, struts: Sequence[Sequence[int]]) -> Rect:
    """The monitor less what the panels on it have reserved. Struts are measured from the edges of the desktop."""
    left, top, right, bottom = monitor.x, monitor.y, monitor.x + monitor.width, monitor.y + monitor.height
    width, height = desktop.width, desktop.height
    for strut in struts:
        west, east, north, south, *ends = strut
        if west and monitor.intersects(Rect(0, ends[0], west, ends[1] - ends[0] + 1)):
            left = max(left, west)
        if east and monitor.intersects(Rect(width - east, ends[2], east, ends[3] - ends[2] + 1)):
            right = min(right, width - east)
        if north and monitor.intersects(Rect(ends[4], 0, ends[5] - ends[4] + 1, north)):
            top = max(top, north)
        if south and monitor.intersects(Rect(ends[6], height - south, ends[7] - ends[6] + 1, south)):
            bottom = min(bottom, height - south)
    return Rect(left, top, right - left, bottom - top) if right > left and bottom > top else monitor


def common(a: Rect, b: Rect) -> Rect:
    """What two rectangles that touch have in common."""
    left, top = max(a.x, b.x), max(a.y, b.y)
    right, bottom = min(a.x + a.width, b.x + b.width), min(a.y + a.height, b.y + b.height)
    return Rect(left, top, right - left, bottom - top)


def cardinals(display: Display, window: Window, name: str) -> Sequence[int]:
    """The 32-bit numbers of a property, empty when it is not there or is something else."""
    found = window.get_full_property(display.get_atom(name), X.AnyPropertyType)
    return list(found.value) if found is not None and found.format == 32 else []

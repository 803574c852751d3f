"""RandR and EWMH: where the monitors are, which part of the main one is free, at which scale, with what motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from Xlib import X, Xatom
from Xlib.display import Display
from Xlib.error import XError
from Xlib.ext import randr, xfixes
from Xlib.xobject.drawable import Window

from mac_commander.model import Rect
from mac_commander.overlay.x11 import work_area, xsettings

BASE_DPI = 96.0
"""Xft.dpi of a display at scale 1."""

SCALES = (1.0, 4.0)
"""Anything outside is a wrong setting, not a display."""


COMPOSITOR, SETTINGS = "_NET_WM_CM_S", "_XSETTINGS_S"
"""Selections whose owner is there while a compositor, a settings daemon runs; the screen's number follows."""

ANY_OWNER_CHANGE = 0b111
"""XFixes: a new owner, its window destroyed, its connection closed."""


@dataclass(frozen=True, slots=True)
class Layout:
    """All that the halo's pictures depend on: while it is equal, they need not be made anew."""

    monitors: tuple[Rect, ...]
    """The main one first; mirrored ones once."""
    work_area: Rect
    """Of the main monitor."""
    scale: float
    composited: bool
    """A compositor is running: windows can be translucent."""
    still: bool
    """The user asked for less motion."""


def read_layout(display: Display, env: Mapping[str, str]) -> Layout:
    found = monitors(display)
    settings = _xsettings(display)
    return Layout(
        monitors=found,
        work_area=work_area.read(display, found),
        scale=_scale(display, env, settings),
        composited=_owner(display, COMPOSITOR) is not None,
        still=settings.get(xsettings.ANIMATIONS, 1) == 0,
    )


def monitors(display: Display) -> tuple[Rect, ...]:
    """Monitors as RandR 1.5 tells them, the primary first; the whole X screen where it cannot."""
    root = display.screen().root
    if display.has_extension("RANDR"):
        version = randr.query_version(display)
        if (version.major_version, version.minor_version) >= (1, 5):
            told = sorted(randr.get_monitors(root).monitors, key=lambda m: not m.primary)
            rects = [Rect(m.x, m.y, m.width_in_pixels, m.height_in_pixels) for m in told]
            visible = [r for r in rects if r.width > 0 and r.height > 0]
            if visible:
                return tuple(dict.fromkeys(visible))
    size = root.get_geometry()
    return (Rect(0, 0, size.width, size.height),)


def watch(display: Display, *, lit: bool) -> None:
    """Ask for events when something that `read_layout` reads may have changed, or a window was restacked; for
    none while dark, so that the helper sleeps."""
    root = display.screen().root
    window_events = X.PropertyChangeMask | X.StructureNotifyMask | X.SubstructureNotifyMask
    root.change_attributes(event_mask=window_events if lit else X.NoEventMask)
    if display.has_extension("RANDR"):
        randr.select_input(root, randr.RRScreenChangeNotifyMask | randr.RRCrtcChangeNotifyMask if lit else 0)
    if display.has_extension("XFIXES"):
        xfixes.query_version(display)  # the extension answers nothing before
        compositor = _screen_atom(display, COMPOSITOR)
        xfixes.select_selection_input(display, root, compositor, ANY_OWNER_CHANGE if lit else 0)


def layout_atoms(display: Display) -> frozenset[int]:
    """The properties of the root window that `read_layout` reads."""
    return frozenset(display.get_atom(name) for name in (*work_area.PROPERTIES, "RESOURCE_MANAGER"))


def _scale(display: Display, env: Mapping[str, str], settings: Mapping[str, int]) -> float:
    """GDK_SCALE, else the desktop's window scale, else Xft.dpi."""
    for text in (env.get("GDK_SCALE", ""), settings.get(xsettings.WINDOW_SCALE, 1)):
        try:
            factor = float(text)
        except ValueError:
            continue
        if factor > 1:
            return min(factor, SCALES[1])
    return min(max(_xft_dpi(display) / BASE_DPI, SCALES[0]), SCALES[1])


def _xft_dpi(display: Display) -> float:
    resources = display.screen().root.get_full_property(Xatom.RESOURCE_MANAGER, X.AnyPropertyType)
    text = bytes(resources.value).decode("latin-1") if resources is not None else ""
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name.strip().lower() == "xft.dpi":
            try:
                return float(value)
            except ValueError:
                break
    return BASE_DPI


def _xsettings(display: Display) -> dict[str, int]:
    owner = _owner(display, SETTINGS)
    if owner is None:
        return {}
    try:
        found = owner.get_full_property(display.get_atom("_XSETTINGS_SETTINGS"), X.AnyPropertyType)
    except XError:
        return {}  # its owner has just gone
    return xsettings.integers(bytes(found.value)) if found is not None else {}


def _owner(display: Display, selection: str) -> Window | None:
    """The window that owns this per-screen selection, ``None`` when nobody does."""
    found = display.get_selection_owner(_screen_atom(display, selection))
    return None if found == X.NONE else cast(Window, found)  # python-xlib makes it a window, its stubs do not


def _screen_atom(display: Display, prefix: str) -> int:
    return display.get_atom(f"{prefix}{display.get_default_screen()}")

"""The displays: bounds in points, and how many pixels a point is on each."""

from __future__ import annotations

from Quartz import (
    CGDisplayBounds,
    CGDisplayCopyDisplayMode,
    CGDisplayModeGetPixelWidth,
    CGDisplayModeGetWidth,
    CGGetActiveDisplayList,
    CGMainDisplayID,
    kCGErrorSuccess,
)

from mac_commander.errors import DesktopError
from mac_commander.model import Rect, Screen

DISPLAYS_MOST = 16
"""No Mac drives more."""


def screens() -> tuple[Screen, ...]:
    """All active displays, the main one first. Raises `DesktopError` when there is none."""
    error, displays, count = CGGetActiveDisplayList(DISPLAYS_MOST, None, None)
    if error != kCGErrorSuccess or not count:
        raise DesktopError(f"no display is active (CGError {error}): the Mac may be asleep or without a screen")
    main = CGMainDisplayID()
    ordered = sorted(map(int, list(displays)[:count]), key=lambda display: display != main)
    return tuple(_screen(display, display == main) for display in ordered)


def _screen(display: int, main: bool) -> Screen:
    bounds = CGDisplayBounds(display)
    frame = (bounds.origin.x, bounds.origin.y, bounds.size.width, bounds.size.height)
    return Screen(Rect(*map(float, frame)), _scale(display), main)


def _scale(display: int) -> float:
    """1 when the mode is not told: captures then have as many pixels as points."""
    mode = CGDisplayCopyDisplayMode(display)
    if mode is None:
        return 1.0
    points = CGDisplayModeGetWidth(mode)
    return CGDisplayModeGetPixelWidth(mode) / points if points else 1.0

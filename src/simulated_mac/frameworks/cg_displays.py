"""Displays, the login session, permissions and CGRect arithmetic."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from simulated_mac.bridge import CFObject
from simulated_mac.geometry import Bounds

if TYPE_CHECKING:
    from simulated_mac.machine import Machine

FIRST_DISPLAY = 1
SUCCESS, ILLEGAL_ARGUMENT = 0, 1001

SCREEN_IS_LOCKED = "CGSSessionScreenIsLocked"
SECURE_INPUT_PID = "kCGSSessionSecureInputPID"


class CGDisplayModeRef(CFObject):
    kind = "CGDisplayModeRef"


class Displays:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def _screen(self, display: int) -> dict[str, Any] | None:
        index = display - FIRST_DISPLAY
        return self._machine.screens[index] if 0 <= index < len(self._machine.screens) else None

    def _bounds(self, display: int) -> Bounds:
        screen = self._screen(display)
        return Bounds(*screen["bounds"]) if screen else Bounds(0, 0, 0, 0)

    def _all(self) -> list[int]:
        return [FIRST_DISPLAY + index for index in range(len(self._machine.screens))]

    def CGMainDisplayID(self) -> int:
        return FIRST_DISPLAY

    def CGDisplayIsAsleep(self, display: int) -> bool:
        return False

    def CGDisplayBounds(self, display: int) -> tuple[Any, Any]:
        return _rect(self._bounds(display))

    def CGGetActiveDisplayList(self, most: int) -> tuple[int, Any, int]:
        found = self._all()[:most]
        return SUCCESS, tuple(found), len(found)

    def CGGetOnlineDisplayList(self, most: int) -> tuple[int, Any, int]:
        return self.CGGetActiveDisplayList(most)

    def CGGetDisplaysWithPoint(self, point: Any, most: int) -> tuple[int, Any, int]:
        found = [display for display in self._all() if self._bounds(display).contains((point.x, point.y))][:most]
        return SUCCESS, tuple(found), len(found)

    def CGDisplayIsMain(self, display: int) -> int:
        return int(display == FIRST_DISPLAY)

    def CGDisplayIsActive(self, display: int) -> int:
        return int(display in self._all())

    def CGDisplayPixelsWide(self, display: int) -> int:
        return int(self._bounds(display).width)

    def CGDisplayPixelsHigh(self, display: int) -> int:
        return int(self._bounds(display).height)

    def CGDisplayCopyDisplayMode(self, display: int) -> CGDisplayModeRef | None:
        return CGDisplayModeRef(display) if self._screen(display) else None

    def CGDisplayModeGetWidth(self, mode: CGDisplayModeRef) -> int:
        return int(self._bounds(mode.identity).width)

    def CGDisplayModeGetHeight(self, mode: CGDisplayModeRef) -> int:
        return int(self._bounds(mode.identity).height)

    def CGDisplayModeGetPixelWidth(self, mode: CGDisplayModeRef) -> int:
        return int(self._bounds(mode.identity).width * self._scale(mode.identity))

    def CGDisplayModeGetPixelHeight(self, mode: CGDisplayModeRef) -> int:
        return int(self._bounds(mode.identity).height * self._scale(mode.identity))

    def _scale(self, display: int) -> float:
        screen = self._screen(display)
        return float(screen.get("scale", 1)) if screen else 1.0

    # --- permissions -------------------------------------------------------------------------------------------

    def CGPreflightScreenCaptureAccess(self) -> bool:
        return self._machine.grants["screen_recording"]

    def CGRequestScreenCaptureAccess(self) -> bool:
        return self._machine.grants["screen_recording"]

    def CGPreflightPostEventAccess(self) -> bool:
        return self._machine.grants["accessibility"]

    def CGRequestPostEventAccess(self) -> bool:
        return self._machine.grants["accessibility"]

    def CGPreflightListenEventAccess(self) -> bool:
        return self._machine.grants["accessibility"]

    def CGRequestListenEventAccess(self) -> bool:
        return self._machine.grants["accessibility"]

    # --- session and pointer -----------------------------------------------------------------------------------

    def CGSessionCopyCurrentDictionary(self) -> dict[str, Any]:
        """``CGSSessionScreenIsLocked`` is there only while the screen is locked."""
        session: dict[str, Any] = {
            "kCGSSessionUserIDKey": os.getuid(),
            "kCGSSessionUserNameKey": "simulated",
            "kCGSSessionOnConsoleKey": True,
            "kCGSessionLoginDoneKey": True,
        }
        owner = self._machine.keyboard.secure_owner
        locked = {SCREEN_IS_LOCKED: True} if self._machine.locked else {}
        return {**session, **locked, **({SECURE_INPUT_PID: owner.pid} if owner else {})}

    def CGWarpMouseCursorPosition(self, position: Any) -> int:
        self._machine.pointer.warp(position.x, position.y)
        return SUCCESS

    def CGAssociateMouseAndMouseCursorPosition(self, connected: int) -> int:
        return SUCCESS

    # --- geometry ----------------------------------------------------------------------------------------------

    def CGPointMake(self, x: float, y: float) -> tuple[float, float]:
        return x, y

    def CGSizeMake(self, width: float, height: float) -> tuple[float, float]:
        return width, height

    def CGRectMake(self, x: float, y: float, width: float, height: float) -> Any:
        return (x, y), (width, height)

    def CGRectMakeWithDictionaryRepresentation(self, sides: Any) -> tuple[bool, Any]:
        try:
            return True, ((sides["X"], sides["Y"]), (sides["Width"], sides["Height"]))
        except (KeyError, TypeError):  # not a rectangle's, or none at all
            return False, ((0, 0), (0, 0))

    def CGRectContainsPoint(self, rect: Any, point: Any) -> bool:
        return _bounds(rect).contains((point.x, point.y))

    def CGRectIntersectsRect(self, first: Any, second: Any) -> bool:
        return _bounds(first).overlaps(_bounds(second))

    def CGRectIsEmpty(self, rect: Any) -> bool:
        return bool(rect.size.width == 0 or rect.size.height == 0)

    def CGRectIsNull(self, rect: Any) -> bool:
        return bool(rect.origin.x == float("inf"))

    def CGRectEqualToRect(self, first: Any, second: Any) -> bool:
        return bool(first == second)

    def CGRectIntersection(self, first: Any, second: Any) -> Any:
        a, b = _bounds(first), _bounds(second)
        left, top = max(a.x, b.x), max(a.y, b.y)
        right, bottom = min(a.x + a.width, b.x + b.width), min(a.y + a.height, b.y + b.height)
        if right < left or bottom < top:
            return (float("inf"), float("inf")), (0, 0)
        return (left, top), (right - left, bottom - top)


def _rect(bounds: Bounds) -> tuple[Any, Any]:
    return (bounds.x, bounds.y), (bounds.width, bounds.height)


def _bounds(rect: Any) -> Bounds:
    return Bounds(rect.origin.x, rect.origin.y, rect.size.width, rect.size.height)

"""CGWindowList: every window on the screen, front to back, whoever owns it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulated_mac.bridge import extern
from simulated_mac.elements import Window
from simulated_mac.geometry import Bounds

if TYPE_CHECKING:
    from simulated_mac.machine import Machine

ON_SCREEN_ONLY, ABOVE, BELOW, INCLUDING, EXCLUDE_DESKTOP = 1, 2, 4, 8, 16
"""``kCGWindowListOption*`` of CGWindow.h."""

WINDOW_SERVER = "Window Server"
MENU_BAR_LAYER, DESKTOP_LAYER, SHIELD_LAYER = 24, -2147483623, 2147483628
MENU_BAR_NUMBER, DESKTOP_NUMBER, SHIELD_NUMBER = 3, 40, 2
BAR_HEIGHT = 24

_KEYS = {
    name: extern(f"kCGWindow{name}")
    for name in ("Number", "OwnerPID", "OwnerName", "Name", "Bounds", "Layer", "Alpha", "IsOnscreen", "SharingState")
}
_STORE = {extern("kCGWindowStoreType"): 1, extern("kCGWindowMemoryUsage"): 1264}


class WindowList:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def CGWindowListCopyWindowInfo(self, option: int, relative_to: int) -> list[dict[Any, Any]]:
        windows = [self._describe(window) for window in self._windows(option, relative_to)]
        if option & INCLUDING:
            return windows
        top = self._shield() + self._menu_bars()
        return top + windows + ([] if option & EXCLUDE_DESKTOP else self._desktops())

    def _windows(self, option: int, relative_to: int) -> list[Window]:
        stack = [window for window in self._machine.stack if window.alive and window.listed]
        if option & INCLUDING:
            return [window for window in stack if window.number == relative_to]
        if option & ON_SCREEN_ONLY:
            stack = [window for window in stack if window.visible]
        numbers = [window.number for window in stack]
        if relative_to in numbers and option & (ABOVE | BELOW):
            at = numbers.index(relative_to)
            return stack[:at] if option & ABOVE else stack[at + 1 :]
        return stack

    def CGWindowListCreate(self, option: int, relative_to: int) -> list[int]:
        return [window.number for window in self._windows(option, relative_to)]

    def CGWindowListCreateDescriptionFromArray(self, numbers: Any) -> list[dict[Any, Any]]:
        wanted = [int(number) for number in numbers]
        return [self._describe(window) for window in self._machine.stack if window.number in wanted and window.listed]

    def _describe(self, window: Window) -> dict[Any, Any]:
        entry = _entry(window.number, window.app.pid, window.app.local_name, window.frame, window.layer)
        entry[_KEYS["Alpha"]] = float(window.alpha)
        if window.visible:
            entry[_KEYS["IsOnscreen"]] = True
        if self._machine.grants["screen_recording"]:
            entry[_KEYS["Name"]] = window.title
        return entry

    def _menu_bars(self) -> list[dict[Any, Any]]:
        bars = [Bounds(s["bounds"][0], s["bounds"][1], s["bounds"][2], BAR_HEIGHT) for s in self._machine.screens]
        return [
            {**self._own(MENU_BAR_NUMBER + index, bar, MENU_BAR_LAYER), _KEYS["IsOnscreen"]: True}
            for index, bar in enumerate(bars)
        ]

    def _desktops(self) -> list[dict[Any, Any]]:
        return [
            {
                **self._own(DESKTOP_NUMBER + index, Bounds(*screen["bounds"]), DESKTOP_LAYER),
                _KEYS["IsOnscreen"]: True,
            }
            for index, screen in enumerate(self._machine.screens)
        ]

    def _own(self, number: int, bounds: Bounds, layer: int) -> dict[Any, Any]:
        return _entry(number, self._machine.window_server_pid, WINDOW_SERVER, bounds, layer)

    def _shield(self) -> list[dict[Any, Any]]:
        """What covers a locked screen."""
        if not self._machine.locked:
            return []
        login = self._machine.login
        entry = _entry(SHIELD_NUMBER, login.pid, login.name, self._machine.main_screen, SHIELD_LAYER)
        return [{**entry, _KEYS["IsOnscreen"]: True}]


def _entry(number: int, pid: int, owner: str, bounds: Bounds, layer: int) -> dict[Any, Any]:
    sides = dict(zip(("X", "Y", "Width", "Height"), map(float, bounds), strict=True))
    return {
        _KEYS["Number"]: number,
        _KEYS["OwnerPID"]: pid,
        _KEYS["OwnerName"]: owner,
        _KEYS["Bounds"]: sides,
        _KEYS["Layer"]: layer,
        _KEYS["Alpha"]: 1.0,
        _KEYS["SharingState"]: 1,
        **_STORE,
    }

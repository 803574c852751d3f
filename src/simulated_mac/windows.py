"""The life of windows: opened, raised, moved, closed, and in which order they lie."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from simulated_mac.elements import TITLE_BAR, App, Element, Window

if TYPE_CHECKING:
    from simulated_mac.machine import Machine

FIRST_WINDOW = 101


class WindowLife:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._numbers = itertools.count(FIRST_WINDOW)

    def add(self, app: App, spec: dict[str, Any], on_top: bool) -> Window:
        """``on_top``: above everything, as dialogs come; else behind what is there."""
        window = Window(spec, app, next(self._numbers))
        if window.role == "AXSheet":
            window.parent = self._machine.key_window(app)
        stack = self._machine.stack
        app.windows.append(window)
        stack.insert(0 if on_top else len(stack), window)
        for element in [child for child in window.children if child.role == "AXSheet"]:
            window.children.remove(element)
            self.attach(window, element.spec)
        self._sort_layers()
        app.main = window if on_top and not window.modal else app.main
        self._machine.notices.post("AXWindowCreated", app.pid, window)
        self._machine.notices.post("AXFocusedWindowChanged", app.pid, window)
        return window

    def attach(self, window: Window, element: dict[str, Any]) -> Window:
        """A sheet that the world tells as accessibility does: as an element of the window that it belongs to."""
        inside = list(window.frame.moved(0, TITLE_BAR))
        spec = {"bounds": inside, **element, "elements": element.get("children", [])}
        sheet = self.add(window.app, spec, on_top=True)
        sheet.parent = window
        return sheet

    def open_from(self, element: Element) -> None:
        """The window that the element's spec ``opens``."""
        spec = element.spec.get("opens")
        if spec:
            self.add(element.app, spec, on_top=True)

    def close(self, window: Window) -> None:
        app = window.app
        if not window.alive:
            return
        if sheet := self._machine.sheet_of(window):
            self.close(sheet)
        window.end()
        app.windows = [other for other in app.windows if other is not window]
        self._machine.stack = [other for other in self._machine.stack if other is not window]
        app.main = next(iter(app.windows), None) if app.main is window else app.main
        self._machine.notices.post("AXUIElementDestroyed", app.pid, window)

    def raise_app(self, app: App) -> None:
        """All its windows come above those of other apps, in the order that they had."""
        stack = self._machine.stack
        self._machine.stack = [w for w in stack if w.app is app] + [w for w in stack if w.app is not app]
        self._sort_layers()

    def raise_window(self, window: Window) -> None:
        """First among its app's windows; above other apps only when its app is in front."""
        app = window.app
        app.main = window
        first = next(index for index, other in enumerate(self._machine.stack) if other.app is app)
        sheet = self._machine.sheet_of(window)
        raised = [sheet, window] if sheet else [window]
        stack = [other for other in self._machine.stack if other not in raised]
        self._machine.stack = [*stack[:first], *raised, *stack[first:]]
        self._sort_layers()
        self._machine.notices.post("AXFocusedWindowChanged", app.pid, window)

    def _sort_layers(self) -> None:
        self._machine.stack.sort(key=lambda window: -window.layer)

    def focus(self, element: Element) -> None:
        window = element.window
        if window and window.focus is not element:
            window.focus = element
            self._machine.notices.post("AXFocusedUIElementChanged", element.app.pid, element)

    def minimise(self, window: Window, minimised: bool) -> None:
        window.minimised = minimised
        if not minimised:
            self.raise_window(window)

    def move(self, window: Window, x: float, y: float) -> None:
        if self._holds(window):
            window.move_to(x, y)
            self._placed(window, "AXMoved")

    def resize(self, window: Window, width: float, height: float) -> None:
        if self._holds(window):
            window.resize(width, height)
            self._placed(window, "AXResized")

    def _holds(self, window: Window) -> bool:
        """Some windows drift back until their frame was set often enough; an animated one needs one more."""
        window.place_takes -= 1
        return window.place_takes < 1 and not window.app.enhanced

    def _placed(self, window: Window, notice: str) -> None:
        self._machine.notices.post(notice, window.app.pid, window)
        self._machine.record("place", window.app, window=window.number, bounds=list(window.frame))

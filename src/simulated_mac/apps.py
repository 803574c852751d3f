"""The life of apps: launch, front, hide, quit, death."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from simulated_mac.elements import App

if TYPE_CHECKING:
    from simulated_mac.machine import Machine

FIRST_PID = 501
"""Pids of apps that the world gives none."""

EPOCH = 1_700_000_000.0
"""Launch dates count from here, so that they look like dates and are the same in every run."""

SAVE_SHEET = {
    "title": "",
    "sheet": True,
    "bounds": [0, 0, 420, 140],
    "elements": [
        {"role": "AXStaticText", "value": "Do you want to keep this document?", "bounds": [20, 20, 380, 20]},
        {"role": "AXButton", "title": "Delete", "bounds": [20, 90, 100, 24], "ends": True},
        {"role": "AXButton", "title": "Cancel", "bounds": [190, 90, 100, 24], "closes": True},
        {"role": "AXButton", "title": "Save", "bounds": [300, 90, 100, 24], "default": True, "ends": True},
    ],
}


class AppLife:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._pids = itertools.count(FIRST_PID)
        self._starts = itertools.count(1)
        self._launching: set[App] = set()

    def start(self, app: App, finished: bool) -> None:
        """The process comes up, with its windows when it has finished launching."""
        app.pid = self._free_pid(app)
        app.started = EPOCH + next(self._starts)
        app.running = True
        app.finished_launching = finished
        app.hidden = app.spec.get("hidden", False)
        app.hung = app.spec.get("hung", False)
        app.manual_accessibility_at = None
        self._machine.build_menu_bar(app)
        if finished:
            self._open_windows(app)

    def _free_pid(self, app: App) -> int:
        """The world's pid the first time; a process that comes back has another."""
        wanted = app.spec.get("pid")
        if wanted and app.pid == 0:
            return int(wanted)
        taken = {spec.get("pid") for spec in (other.spec for other in self._machine.apps)}
        return next(pid for pid in self._pids if pid not in taken)

    def _open_windows(self, app: App) -> None:
        for spec in app.spec.get("windows", ()):
            self._machine.windows.add(app, spec, on_top=False)
        app.main = next((w for w in app.windows if w.spec.get("main")), next(iter(app.windows), None))

    def launch(self, app: App, activates: bool = True) -> None:
        """Idempotent: an app that runs is brought to the front instead."""
        if app.running:
            if activates:
                self.activate(app)
            return
        self.start(app, finished=False)
        app.ready_at = self._machine.now() + app.spec.get("launch_ms", 0) / 1000
        self._launching.add(app)
        self._machine.record("launch", app, pid=app.pid)
        self.finish_launches()
        if activates:
            self.activate(app)

    def finish_launches(self) -> None:
        for app in tuple(self._launching):
            if app.running and app.ready_at is not None and self._machine.now() >= app.ready_at:
                self._launching.remove(app)
                app.ready_at = None
                app.finished_launching = True
                self._open_windows(app)
                if app is self._machine.front:
                    self._machine.windows.raise_app(app)

    def request_activation(self, app: App) -> bool:
        """A request from a program, which the app's world may swallow."""
        if not app.running or app.spec.get("activates") is False:
            return False
        self.activate(app)
        return True

    def activate(self, app: App) -> None:
        if not app.running or self._machine.front is app:
            return
        previous = self._machine.front
        app.hidden = False
        self._machine.front = app
        self._machine.windows.raise_app(app)
        if previous:
            self._machine.notices.post("AXApplicationDeactivated", previous.pid, previous)
        self._machine.notices.post("AXApplicationActivated", app.pid, app)
        self._machine.record("activate", app)

    def hide(self, app: App) -> None:
        if not app.running or app.hidden:
            return
        app.hidden = True
        self._machine.notices.post("AXApplicationHidden", app.pid, app)
        self._machine.record("hide", app)
        self._leave_front(app)

    def unhide(self, app: App) -> None:
        app.hidden = False
        self._machine.notices.post("AXApplicationShown", app.pid, app)

    def quit(self, app: App) -> None:
        """As its own Quit would: it may go, refuse, or ask with a sheet first."""
        if not app.running:
            return
        self._machine.record("quit", app)
        answer = False if app.hung else app.spec.get("quits", True)
        if answer is True:
            self.end(app)
        elif answer == "asks" and not any(window.modal for window in app.windows):
            self._ask(app)

    def _ask(self, app: App) -> None:
        over = self._machine.key_window(app)
        x, y = (over.frame.x + 60, over.frame.y + 60) if over else (400, 200)
        sheet = self._machine.windows.add(app, SAVE_SHEET, on_top=True)
        sheet.move_to(x, y)

    def end(self, app: App) -> None:
        """The process is gone and all that it showed with it."""
        if not app.running:
            return
        app.running = False
        app.finished_launching = False
        for window in list(app.windows):
            window.end()
        self._machine.stack = [window for window in self._machine.stack if window.app is not app]
        app.windows.clear()
        self._machine.keyboard.holder_gone(app)
        self._leave_front(app)

    def _leave_front(self, app: App) -> None:
        """The next app in the stack of windows takes over, else Finder, else nobody."""
        if self._machine.front is not app:
            return
        self._machine.front = None
        behind = next((window.app for window in self._machine.stack if window.visible and window.app is not app), None)
        finder = next((a for a in self._machine.running() if a.bundle_id == "com.apple.finder" and a is not app), None)
        successor = behind or finder
        if successor:
            self.activate(successor)

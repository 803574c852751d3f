"""The simulated Mac: apps, windows, who is in front, and what it tells its journal."""

from __future__ import annotations

import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from simulated_mac import menus
from simulated_mac.apps import AppLife
from simulated_mac.elements import App, Element, Window
from simulated_mac.faults import Faults
from simulated_mac.geometry import Bounds
from simulated_mac.journal import Journal
from simulated_mac.keyboard import Keyboard
from simulated_mac.notices import Notices
from simulated_mac.pasteboard import Pasteboard
from simulated_mac.pointer import Pointer
from simulated_mac.programs import Programs
from simulated_mac.scene import perform
from simulated_mac.then import Schedule
from simulated_mac.watchers import Watchers
from simulated_mac.windows import WindowLife
from simulated_mac.workspace_view import WorkspaceView

DEFAULT_SCREENS = [{"bounds": [0, 0, 1440, 900], "scale": 2}]
FIRST_SYSTEM_PID = 81
"""Of loginwindow and the window server, where the world leaves them free."""
LOGIN_WINDOW = {"name": "loginwindow", "bundle_id": "com.apple.loginwindow", "menus": [], "background": True}


class Machine:
    """All state. Every entry point holds ``lock``: scripts and captures come in from other processes."""

    def __init__(self, world: dict[str, Any], journal: Path | None = None) -> None:
        self.lock = threading.RLock()
        self.locale: str = world.get("locale", "en")
        self.screens: list[dict[str, Any]] = world.get("screens", DEFAULT_SCREENS)
        self.grants: dict[str, bool] = {"accessibility": True, "screen_recording": True, **world.get("grants", {})}
        self.journal = Journal(journal)
        self.schedule = Schedule(world.get("then", []))
        self.faults = Faults(world.get("faults", []))
        self.calls: Counter[str] = Counter()
        self.locked: bool = world.get("locked", False)
        self.pasteboard = Pasteboard(world.get("pasteboard", ""))
        self.keyboard = Keyboard(self, world)
        self.pointer = Pointer(self)
        self.notices = Notices()
        self.watchers = Watchers()
        self.apps: list[App] = [App(spec, self.locale) for spec in world["apps"]]
        self.login = App(LOGIN_WINDOW, self.locale)
        self.login.pid, self.window_server_pid = self._system_pids()
        self.stack: list[Window] = []
        self.front: App | None = None
        self.windows: WindowLife = WindowLife(self)
        self.life: AppLife = AppLife(self)
        self._set_the_scene(world)
        self.view = WorkspaceView(self)
        self._programs: Programs | None = None
        self.osascript = self.screencapture = ""
        """Absolute paths of the stand-ins, empty until they are served."""
        self._bring_about(0)

    def _system_pids(self) -> tuple[int, int]:
        """Of processes that every Mac has and no world names."""
        taken = {app.spec.get("pid") for app in self.apps}
        free = [pid for pid in range(FIRST_SYSTEM_PID, FIRST_SYSTEM_PID + len(taken) + 2) if pid not in taken]
        return free[0], free[1]

    def _set_the_scene(self, world: dict[str, Any]) -> None:
        running = [app for app in self.apps if app.spec.get("running", True)]
        for app in running:
            self.life.start(app, finished=True)
        seen = [app for app in running if not app.spec.get("background")]
        self.front = next((a for a in running if a.spec.get("frontmost")), next(iter(seen), None))
        if self.front:
            self.windows.raise_app(self.front)
        if "secure_input" in world:
            self.keyboard.secure_holder = self.app_named(world["secure_input"])

    # --- the journal and what it sets off --------------------------------------------------------------------

    def record(self, event: str, receiver: App | str | None, **fields: Any) -> None:
        """Write the line, then at once do what the scene has for that moment."""
        name = receiver.name if isinstance(receiver, App) else receiver or ""
        self._bring_about(self.journal.write(event, name, fields))

    def _bring_about(self, line: int) -> None:
        for entry in self.schedule.due_after(line):
            self._perform(entry)

    def catch_up(self) -> None:
        """Do what time has brought."""
        if self.schedule.awaits_time:
            for entry in self.schedule.due_at(self.journal.milliseconds):
                self._perform(entry)
        self.life.finish_launches()

    def _perform(self, entry: dict[str, Any]) -> None:
        perform(self, entry)

    # --- looking ---------------------------------------------------------------------------------------------

    def running(self) -> list[App]:
        return [app for app in self.apps if app.running]

    def app_named(self, name: str) -> App:
        """By any of its names or its bundle id; the world file was checked to have it."""
        return next(app for app in self.apps if app.answers_to(name))

    def app_of(self, pid: int) -> App | None:
        return next((app for app in self.apps if app.running and app.pid == pid), None)

    @property
    def keyboard_app(self) -> App | None:
        """Who gets the keys: the app in front, unless a panel that does not activate its app took them."""
        panel = self.panel
        return self.login if self.locked else panel.app if panel else self.front

    @property
    def focused(self) -> Element | None:
        """Which element gets the keys."""
        app = self.keyboard_app
        window = self.key_window(app) if app and not self.locked else None
        focus = window.focus if window else None
        return focus if focus and focus.alive else None

    @property
    def panel(self) -> Window | None:
        """A window that has the keyboard although its app is not in front (Spotlight, a password pop-over)."""
        return next((w for w in self.stack if w.spec.get("takes_keyboard") and w.visible), None)

    def key_window(self, app: App) -> Window | None:
        panel = self.panel
        if panel is not None and panel.app is app:
            return panel
        shown = [window for window in self.stack if window.app is app and window.visible and window.layer == 0]
        front = next((w for w in shown if w.modal and w.role != "AXSheet"), shown[0] if shown else None)
        return (self.sheet_of(front) or front) if front else None

    def sheet_of(self, window: Window) -> Window | None:
        """The sheet that keeps everything from this window."""
        return next((w for w in self.stack if w.role == "AXSheet" and w.parent is window and w.visible), None)

    def blocked(self, window: Window) -> bool:
        """A sheet is modal to its window, any other modal window to its app."""
        others = (w for w in self.stack if w.app is window.app and w is not window and w.visible)
        return self.sheet_of(window) is not None or any(w.modal and w.role != "AXSheet" for w in others)

    def window_at(self, point: tuple[float, float]) -> Window | None:
        """The topmost window that takes clicks there."""
        for window in self.stack:
            if window.visible and not window.click_through and window.alpha > 0 and window.frame.contains(point):
                return window
        return None

    def app_at(self, point: tuple[float, float]) -> App | None:
        """Who gets a pointer event there: the window's app, the menu bar's, or the desktop's, which is Finder."""
        if self.locked:
            return self.login
        window = self.window_at(point)
        if window:
            return window.app
        if self.front and self.menu_element_at(point):
            return self.front
        return next((app for app in self.running() if app.bundle_id == "com.apple.finder"), None)

    def menu_element_at(self, point: tuple[float, float]) -> Element | None:
        bar = self.front.menu_bar if self.front else None
        if bar is None or bar.bounds is None or not bar.bounds.contains(point):
            return None
        return next((item for item in bar.children if item.bounds and item.bounds.contains(point)), bar)

    @property
    def main_screen(self) -> Bounds:
        return Bounds(*self.screens[0]["bounds"])

    def build_menu_bar(self, app: App) -> None:
        app.menu_bar = menus.build(app)
        menus.menu_bounds(app.menu_bar, self.main_screen.width)

    @property
    def ancestors(self) -> tuple[int, ...]:
        """Pids of the apps that, in this world, started the program that uses the Mac."""
        return tuple(app.pid for app in self.running() if app.spec.get("hosts_us"))

    # --- programs of its own -------------------------------------------------------------------------------------

    def serve_programs(self) -> None:
        """From now on there are ``osascript`` and ``screencapture``, run by their paths."""
        programs = Programs(self)
        self.osascript, self.screencapture = programs.path("osascript"), programs.path("screencapture")
        self._programs = programs

    def close(self) -> None:
        """Programs and journal end."""
        if self._programs is not None:
            self._programs.close()
        self.journal.close()

    def now(self) -> float:
        return time.monotonic()

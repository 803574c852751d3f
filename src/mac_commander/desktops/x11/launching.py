"""Starting an app until its window is there, also when the started process hands over to another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mac_commander.desktops.x11 import windows
from mac_commander.desktops.x11.apps import Apps
from mac_commander.desktops.x11.display import Connection
from mac_commander.desktops.x11.launcher import Launcher, Ticket
from mac_commander.model import App, Installed, Progress


@dataclass(frozen=True, slots=True)
class Started:
    """What `Launching.progress` compares with."""

    what: Installed
    ticket: Ticket | None
    """``None`` when the app ran already and was brought to the front."""
    before: frozenset[int]
    """Windows that were there."""


class Launching:
    """Launches, and follows what came of it."""

    def __init__(self, x: Connection, apps: Apps, launcher: Launcher) -> None:
        self._x = x
        self._apps = apps
        self._launcher = launcher

    def start(self, what: Installed, activate: Callable[[App], None]) -> Started:
        shown = windows.read(self._x, windows.managed(self._x))
        before = frozenset(f.window.id for f in shown)
        running = next((a for a in self._apps.learn(shown) if _is(a, what)), None)
        if running is not None:
            activate(running)
            return Started(what, None, before)
        return Started(what, self._launcher.start(what), before)

    def progress(self, started: Started) -> Progress:
        shown = [f for f in windows.read(self._x, windows.managed(self._x)) if not f.shell]
        apps = self._apps.learn(shown)
        pids = set(self._launcher.pids(started.ticket)) if started.ticket is not None else set()
        found = next((a for a in apps if a.pid in pids), None) or next((a for a in apps if _is(a, started.what)), None)
        if found is None:
            return Progress()
        new = [f for f in shown if f.window.pid == found.pid and f.window.id not in started.before and f.viewable]
        return Progress(found, ready=bool(new) or started.ticket is None or found.pid not in pids)


def _is(app: App, what: Installed) -> bool:
    return bool(what.app_id) and app.app_id == what.app_id

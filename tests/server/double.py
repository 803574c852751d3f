"""A desktop that lives in memory, and a real server process on it: for what happens between client and tool."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from mac_commander.desktops.base import Desktop, Judge
from mac_commander.errors import DesktopError
from mac_commander.events import Evidence, Group, Owner
from mac_commander.model import (
    App,
    Element,
    Installed,
    Interpreter,
    Limits,
    Modifier,
    Notification,
    Picture,
    Point,
    Progress,
    Readiness,
    Rect,
    Screen,
    Snapshot,
    Window,
    WindowKind,
)

EDITOR = App(412, 1.0, "TextEdit", "com.apple.TextEdit")
FINDER = App(300, 1.0, "Finder", "com.apple.finder")
CHAT = App(99, 1.0, "Chat", "com.example.chat")
AGENT = App(77, 1.0, "SecurityAgent", "com.apple.SecurityAgent")


@dataclass
class Double(Desktop):
    """Keeps state like a desktop would; ``quits`` and the like say how its apps behave."""

    name = "double"
    main_modifier = Modifier.CTRL

    running: list[App] = field(default_factory=lambda: [EDITOR, FINDER, CHAT, AGENT])
    front: App = EDITOR
    shown: dict[int, list[Window]] = field(default_factory=dict)
    startable: list[Installed] = field(default_factory=lambda: [Installed("TextEdit", "com.apple.TextEdit")])
    quits: bool = True
    becomes_ready: bool = True
    comes_to_front: bool = True
    hides: bool = True
    banners: list[Notification] = field(default_factory=list)
    closed: bool = False

    @property
    def seat(self) -> str:
        """Each has a keyboard of its own: the tests of several files run at the same time."""
        return f"double {os.getpid()}"

    def __post_init__(self) -> None:
        self.on_hold = lambda _names: None
        for app in self.running:
            window = Window(app.pid * 10, app.pid, f"{app.name} window", Rect(100, 80, 640, 480), main=True)
            self.shown.setdefault(app.pid, [] if app is AGENT else [window])  # it runs, and asks nothing

    def readiness(self) -> Readiness:
        return Readiness()

    def screens(self) -> tuple[Screen, ...]:
        return (Screen(Rect(0, 0, 1440, 900), main=True),)

    def apps(self) -> tuple[App, ...]:
        return tuple(self.running)

    def frontmost(self) -> App | None:
        return self.front

    def is_running(self, app: App) -> bool:
        return app in self.running

    def windows(self, app: App) -> tuple[Window, ...]:
        return tuple(self.shown.get(app.pid, ()))

    def stack(self) -> tuple[Window, ...]:
        return tuple(w for windows in self.shown.values() for w in windows)

    def snapshot(self, app: App, limits: Limits) -> Snapshot:
        return Snapshot(app, self.windows(app), ())

    def describe(self, key: Hashable) -> Element | None:
        return None

    def focused(self, app: App) -> Element | None:
        return None

    def capture(self, window: Window) -> Picture:
        raise DesktopError("no pixels here")

    def capture_desktop(self) -> Picture:
        raise DesktopError("no pixels here")

    def ancestors(self) -> tuple[int, ...]:
        return (CHAT.pid,)

    def installed(self) -> tuple[Installed, ...]:
        return tuple(self.startable)

    def launch(self, what: Installed) -> object:
        app = next((a for a in self.running if a.app_id == what.app_id), App(555, 9.0, what.name, what.app_id))
        if app not in self.running:
            self.running.append(app)
            self.shown[app.pid] = [Window(5550, app.pid, "new", Rect(0, 0, 300, 200), main=True)]
        self.front = app
        return app

    def launch_progress(self, ticket: object) -> Progress:
        assert isinstance(ticket, App)
        return Progress(ticket, self.becomes_ready)

    def request_quit(self, app: App) -> None:
        if self.quits:
            self.running.remove(app)
        else:
            asking = Window(1, app.pid, 'Save "Ligne"?', Rect(0, 0, 1, 1), WindowKind.DIALOG)
            self.shown[app.pid].insert(0, asking)

    def activate(self, app: App, window: Window | None = None) -> None:
        if self.comes_to_front:
            self.front = app

    def hide(self, app: App) -> None:
        if self.hides:
            self.running[self.running.index(app)] = replace(app, hidden=True)

    def is_hidden(self, app: App) -> bool:
        return any(a.hidden for a in self.running if a.pid == app.pid)

    def place(self, window: Window, move: Point | None, size: tuple[float, float] | None) -> Rect:
        at, extent = move or window.bounds[:2], size or window.bounds[2:]
        return Rect(at[0], max(at[1], 25.0), *extent)

    def watch_human(self) -> None:
        pass

    def evidence(self, point: Point | None = None) -> Evidence:
        return Evidence(self.front, Owner(self.front.pid, self.front), point=Owner(self.front.pid, self.front))

    def deliver(self, group: Group, target: App, judge: Judge) -> None:
        judge(self.evidence(Point(200, 200)))

    def untypable(self, text: str) -> str:
        return ""

    def barrier(self, target: App, seconds: float) -> bool | None:
        return True

    def release_all(self) -> None:
        pass

    def notify(self, notification: Notification) -> str:
        if notification.message == "print to stdout":
            print("a stray line from Python")
            os.write(1, b"a stray line from C\n")
            os.system("echo a stray line from a child")  # the child inherits fd 1 as C code would pass it on
        if notification.message == "fail with the text inside":
            raise RuntimeError(notification.message)
        self.banners.append(notification)
        return "handed over"

    def interpreters(self) -> Sequence[Interpreter]:
        return (
            Interpreter(".sh", ("/bin/sh", "-s", "--"), "#"),
            Interpreter(".py", (sys.executable, "-"), "#"),
        )

    def script_help(self, exit_code: int, stderr: str) -> str:
        return ""

    def idle(self, seconds: float) -> None:
        time.sleep(seconds)

    def close(self) -> None:
        self.closed = True
        if marker := os.environ.get("DOUBLE_CLOSED"):
            Path(marker).write_text("closed")


if __name__ == "__main__":
    from mac_commander import desktops
    from mac_commander.__main__ import main

    desktops.open_desktop = lambda *_: Double()  # type: ignore[assignment]  # the one seam: which desktop
    sys.exit(main(["--desktop", "simulated", *sys.argv[1:]]))  # so that the halo has no screen to look for

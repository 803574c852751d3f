"""The X11 desktop: the contract of `desktops/base.py` over XTEST, EWMH, XRes, Composite and AT-SPI."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar, cast

from Xlib import X
from Xlib.ext import composite

from mac_commander.desktops.base import Desktop, Judge
from mac_commander.desktops.x11 import capture, ewmh, painted, processes, screens, windows
from mac_commander.desktops.x11.accessibility import Accessibility
from mac_commander.desktops.x11.apps import Apps
from mac_commander.desktops.x11.delivery import Delivery
from mac_commander.desktops.x11.desktop_files import DesktopFiles
from mac_commander.desktops.x11.display import Connection
from mac_commander.desktops.x11.environment import Session, find_session
from mac_commander.desktops.x11.launcher import Launcher
from mac_commander.desktops.x11.launching import Launching, Started
from mac_commander.errors import CommanderError, DesktopError, Unsupported
from mac_commander.events import Evidence, FocusElement, Group, PickMenu, PressElement, RevealElement, SetValue
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

CLOSING_SECONDS = 0.5
"""How long the last target may take to handle its keys before the lent ones lose their meaning."""


class X11Desktop(Desktop):
    """See `Desktop`."""

    name: ClassVar[str] = "x11"
    main_modifier: ClassVar[Modifier] = Modifier.CTRL

    def __init__(self, session: Session) -> None:
        self._session = session
        self.on_hold = lambda held: None
        files = DesktopFiles(session.child_environment)
        self._files = files
        self._apps = Apps(files.identify)
        self._connect()
        self._accessibility = Accessibility(session.session_bus, self._x.text(self._x.root, "AT_SPI_BUS") or None)

    def _connect(self) -> None:
        self._x = Connection(self._session)
        launcher = Launcher(self._files, self._session.child_environment)
        self._launching = Launching(self._x, self._apps, launcher)
        self._delivery = Delivery(self._x, self._app_of)

    @property
    def seat(self) -> str:
        return self._session.seat

    # --- looking -------------------------------------------------------------------------------------------

    def readiness(self) -> Readiness:
        lacks = "the X server has no Composite extension: only windows that nothing covers can be pictured"
        screenshots = "" if self._x.has_extension(composite.extname) else lacks
        return Readiness(self._accessibility.problem(), screenshots, self._input_problem())

    def _input_problem(self) -> str:
        try:
            self._x.sync()
        except DesktopError as error:
            return str(error)
        return ""

    def screens(self) -> tuple[Screen, ...]:
        return screens.screens(self._x)

    def apps(self) -> tuple[App, ...]:
        return self._apps.learn(f for f in windows.read(self._x, windows.managed(self._x)) if not f.shell)

    def frontmost(self) -> App | None:
        return self._delivery.evidence(None).frontmost

    def is_running(self, app: App) -> bool:
        return processes.start_time(app.pid) == app.started != 0.0

    def windows(self, app: App) -> tuple[Window, ...]:
        clients = windows.managed(self._x)
        shown = windows.stacked(self._x, clients)
        ids = {f.window.id for f in shown}
        hidden = windows.read(self._x, [c for c in clients if c not in ids])
        stacked, rest = ([f.window for f in facts if f.window.pid == app.pid] for facts in (shown, hidden))
        return _with_main(
            [*stacked, *(w for w in rest if not w.minimised), *(w for w in rest if w.minimised)], self._active()
        )

    def _active(self) -> int:
        return (*self._x.numbers(self._x.root, "_NET_ACTIVE_WINDOW"), X.NONE)[0]

    def stack(self) -> tuple[Window, ...]:
        return tuple(f.window for f in windows.stacked(self._x, windows.managed(self._x)))

    def shown(self, within: Window | None = None) -> Sequence[tuple[App | None, Rect]]:
        found = painted.on_screen(self._x) if within is None else painted.inside(self._x, within.id)
        return [(next(iter(self._apps.learn([facts])), None), place) for facts, place in found]

    def snapshot(self, app: App, limits: Limits) -> Snapshot:
        return self._accessibility.snapshot(app, self.windows(app), limits)

    def changed(self, app: App, limits: Limits, also: Sequence[Element] = ()) -> Snapshot:
        return self._accessibility.changed(app, self.windows(app), limits, also)

    def describe(self, key: Hashable) -> Element | None:
        return self._accessibility.describe(key, self._windows_of_element(key))

    def _windows_of_element(self, key: Hashable) -> tuple[Window, ...]:
        """The windows of the element's own process, which its key names."""
        pid = getattr(key, "pid", 0)
        found = windows.read(self._x, [*windows.managed(self._x), *(f.window.id for f in windows.popups(self._x))])
        return tuple(f.window for f in found if not pid or f.window.pid == pid)

    def focused(self, app: App) -> Element | None:
        return self._accessibility.focused(app, self.windows(app))

    def types_secretly(self, app: App) -> bool | None:
        return self._accessibility.types_secretly(app)

    def capture(self, window: Window) -> Picture:
        return capture.capture_window(self._x, self._delivery.grab, window)

    def capture_desktop(self) -> Picture:
        return capture.capture_root(self._x)

    def ancestors(self) -> tuple[int, ...]:
        return processes.hosts(os.getpid())

    # --- apps ----------------------------------------------------------------------------------------------

    def installed(self) -> tuple[Installed, ...]:
        return self._files.installed()

    def launch(self, what: Installed) -> object:
        return self._launching.start(what, self.activate)

    def launch_progress(self, ticket: object) -> Progress:
        return self._launching.progress(cast(Started, ticket))

    def request_quit(self, app: App) -> None:
        """Every window is asked to close, the front one first; dialogs are left to the person they ask."""
        asked = [w for w in self.windows(app) if w.kind is WindowKind.WINDOW and ewmh.takes_delete(self._x, w.id)]
        if not asked:
            raise Unsupported(f"{app.name} has no window that can be asked to close; nothing was done")
        for window in asked:
            ewmh.close(self._x, window.id)

    def activate(self, app: App, window: Window | None = None) -> None:
        chosen = window or _to_activate(self.windows(app))
        if chosen is None:
            raise DesktopError(f"{app.name} has no window to bring to the front; launch it, or open one in it")
        ewmh.activate(self._x, chosen.id)

    def hide(self, app: App) -> None:
        for window in self.windows(app):
            if window.kind is not WindowKind.POPUP and not window.minimised:
                ewmh.iconify(self._x, window.id)

    def is_hidden(self, app: App) -> bool:
        shown = [w for w in self.windows(app) if w.kind is not WindowKind.POPUP]
        return bool(shown) and all(w.minimised for w in shown)

    def place(self, window: Window, move: Point | None, size: tuple[float, float] | None) -> Rect:
        return ewmh.place(self._x, window.id, move, size)

    # --- input ---------------------------------------------------------------------------------------------

    def watch_human(self) -> None:
        self._delivery.begin()

    def evidence(self, point: Point | None = None) -> Evidence:
        return self._delivery.evidence(point)

    def deliver(self, group: Group, target: App, judge: Judge) -> None:
        match group:
            case PressElement() | FocusElement() | SetValue() | RevealElement() | PickMenu():
                judge(self._delivery.evidence(None))
                self._act(group, target)
            case _:
                self._delivery.deliver(group, target, judge, self.on_hold)

    def _act(self, group: PressElement | FocusElement | SetValue | RevealElement | PickMenu, target: App) -> None:
        """Addressed to an element, so it cannot land elsewhere and needs no hold on the server."""
        match group:
            case PressElement(key):
                self._accessibility.press(key)
            case FocusElement(key):
                self._accessibility.focus(key)
            case SetValue(key, value):
                self._accessibility.set_value(key, value)
            case RevealElement(key):
                self._accessibility.reveal(key)
            case PickMenu(path):
                self._accessibility.pick_menu(target, path)

    def untypable(self, text: str) -> str:
        return self._delivery.keyboard.untypable(text)

    def barrier(self, target: App, seconds: float) -> bool | None:
        end = time.monotonic() + seconds
        read = self._delivery.barrier(target, seconds)
        return read and self._accessibility.keys_arrived(target, max(0.0, end - time.monotonic()))

    def release_all(self) -> None:
        with suppress(CommanderError):  # the contract: never raises; without an X server nothing is held
            if self._x.lost:
                self._connect_again()
            self._delivery.release_all(self.on_hold)

    def _connect_again(self) -> None:
        """After our watchdog, or whoever it was, ended the connection: a button may still be down from before."""
        before = self._delivery
        self._connect()
        before.close()
        self._delivery.take_over(before)

    def _app_of(self, pid: int) -> App | None:
        known = self._apps.known(pid)
        if known is not None:
            return known
        found = windows.read(self._x, [*windows.managed(self._x), *windows.children(self._x, self._x.root)])
        return next(iter(self._apps.learn(f for f in found if f.window.pid == pid)), None)

    # --- others --------------------------------------------------------------------------------------------

    def notify(self, notification: Notification) -> str:
        from mac_commander.desktops.x11.notifications import Notifier

        return Notifier(self._session.session_bus).notify(notification)

    def interpreters(self) -> Sequence[Interpreter]:
        """Python and the system's shell, where they are installed by absolute path."""
        python = shutil.which("python3", path=_SYSTEM_PATH)
        found = [Interpreter(".sh", ("/bin/sh", "-s", "--"), "#")]
        return [*([Interpreter(".py", (python, "-"), "#")] if python else []), *found]

    def session_environment(self) -> Mapping[str, str]:
        child = self._session.child_environment
        return {name: child[name] for name in _SCRIPT_VARIABLES if name in child}

    def script_help(self, exit_code: int, stderr: str) -> str:
        if exit_code == 127 or "command not found" in stderr or ": not found" in stderr:
            return "A program that the script calls is not installed, or not in /usr/bin or /bin."
        return ""

    def idle(self, seconds: float) -> None:
        """Waits on the accessibility bus when there is one, since it tells most, else on the X server."""
        if self._delivery.pump() and seconds > 0:  # none at all also ends the listening
            return
        try:
            self._accessibility.idle(seconds)
        except DesktopError:
            self._x.wait_event(seconds)
        self._delivery.pump()

    def close(self) -> None:
        if not self._x.lost or self._delivery.dragging:
            self.release_all()
        with suppress(CommanderError):  # the contract: never raises; without a connection nothing is left to restore
            self._delivery.finish(CLOSING_SECONDS)
        self._accessibility.close()
        self._x.close()
        self._delivery.close()


_SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
_SCRIPT_VARIABLES = ("DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR")


def open_x11() -> X11Desktop:
    """The desktop of the session that this process belongs to. Raises `DesktopError` saying what is missing."""
    return X11Desktop(find_session())


def _with_main(found: Sequence[Window], active: int) -> tuple[Window, ...]:
    """Marks the window that has, or would get, the keyboard."""
    able = [w for w in found if w.kind is not WindowKind.POPUP and not w.minimised]
    main = next((w.id for w in able if w.id == active), able[0].id if able else 0)
    return tuple(replace(w, main=w.id == main) for w in found)


def _to_activate(found: Sequence[Window]) -> Window | None:
    """The main window, or the last that was minimised when there is no other."""
    main = next((w for w in found if w.main), None)
    return main or next((w for w in found if w.minimised), None)

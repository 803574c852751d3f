"""The macOS desktop behind the contract of `desktops.base`: every method is one look or one request."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar

from AppKit import NSApplication, NSApplicationActivationPolicyProhibited, NSApplicationLoad
from ApplicationServices import kAXFocusedUIElementAttribute, kAXRoleAttribute

from mac_commander.desktops.base import CALL_SECONDS, Desktop, Judge
from mac_commander.desktops.macos import (
    ax,
    ax_part,
    bundles,
    capture,
    displays,
    frontmost,
    osascript,
    paths,
    permissions,
    placing,
    processes,
    remote_views,
    runloop,
    windows,
)
from mac_commander.desktops.macos.activation import Activation
from mac_commander.desktops.macos.ax_snapshot import Reader
from mac_commander.desktops.macos.delivery import Delivery, untypable
from mac_commander.desktops.macos.element_key import ElementKey
from mac_commander.desktops.macos.event_source import EventSource
from mac_commander.desktops.macos.evidence import Witness
from mac_commander.desktops.macos.held import Held
from mac_commander.desktops.macos.human import HumanWatch
from mac_commander.desktops.macos.keyboard import Keyboard
from mac_commander.desktops.macos.layout import Layout
from mac_commander.desktops.macos.observer import Observer
from mac_commander.desktops.macos.pointer import Pointer
from mac_commander.desktops.macos.private import PrivateCalls
from mac_commander.desktops.macos.wake import Waker
from mac_commander.desktops.macos.windows import Told
from mac_commander.desktops.macos.workspace import Launch, Workspace
from mac_commander.errors import DesktopError, Hung, NoSuchApp, Stale
from mac_commander.events import Evidence, Group, PointerGroup
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
)


def open_macos(
    osascript: str = paths.OSASCRIPT,
    screencapture: str = paths.SCREENCAPTURE,
    seat: str = "macos",
    ancestors: tuple[int, ...] | None = None,
) -> MacDesktop:
    """Connect to the window server. The arguments are for the simulated Mac, which has programs and processes of
    its own, whose pids mean nothing outside it, and a keyboard that no other process shares.

    A framework build of Python is an app with a Dock entry, and could be in front: the server says that it is none.

    Raises `DesktopError` when this process is in no session with a screen (SSH, launchd).
    """
    NSApplicationLoad()
    NSApplication.sharedApplication().setActivationPolicy_(NSApplicationActivationPolicyProhibited)
    return MacDesktop(osascript, screencapture, seat, processes.ancestors() if ancestors is None else ancestors)


def _untold(_names: tuple[str, ...]) -> None:
    """Until the session sets ``on_hold``."""


def _hung(app: App) -> Hung:
    return Hung(f"{app} does not answer: it is busy or hung. Wait, then see again; other apps are not affected")


class MacDesktop(Desktop):
    name: ClassVar[str] = "macos"
    main_modifier: ClassVar[Modifier] = Modifier.CMD

    def __init__(self, osascript: str, screencapture: str, seat: str, ancestors: tuple[int, ...]) -> None:
        self.on_hold = _untold
        self._osascript = osascript
        self._screencapture = screencapture
        self._seat = seat
        self._private = PrivateCalls()
        self._workspace = Workspace()
        source = EventSource()
        down = Held(lambda names: self.on_hold(names))
        keyboard = Keyboard(source, down, Layout(self._private))
        self._human = HumanWatch(source)
        self._witness = Witness(self._workspace, self._private, self._human)
        self._delivery = Delivery(source, down, keyboard, Pointer(source, down, keyboard), self._witness)
        self._observer = Observer()
        self._reader = Reader(self._private, Waker(), self._observer)
        self._ancestors = ancestors

    @property
    def seat(self) -> str:
        return self._seat

    @property
    def _responsible(self) -> str:
        return permissions.responsible_program(self._workspace, self._private, self._ancestors)

    # --- looking -------------------------------------------------------------------------------------------

    def readiness(self) -> Readiness:
        return permissions.readiness(self._responsible)

    def grants_holder(self) -> str:
        return self._responsible

    def screens(self) -> tuple[Screen, ...]:
        return displays.screens()

    def apps(self) -> tuple[App, ...]:
        return self._workspace.apps(window.pid for window in windows.visible())

    def frontmost(self) -> App | None:
        front = frontmost.look(self._workspace, windows.listed())
        pid = front.pid or front.likely
        return None if pid is None else self._workspace.app(pid)

    def is_running(self, app: App) -> bool:
        runloop.turn()
        return self._workspace.find(app.identity) is not None

    def windows(self, app: App) -> tuple[Window, ...]:
        now = self._workspace.app(app.pid) or app
        return tuple(windows.all_of(now, self._told(app)))

    def _told(self, app: App) -> list[Told]:
        """By accessibility; without its grant the window server's list is all there is."""
        try:
            return windows.told(ax.application(app.pid), app.pid, self._private)
        except ax.APIDisabled:
            return []
        except Hung:
            raise _hung(app) from None

    def stack(self) -> tuple[Window, ...]:
        return tuple(windows.visible())

    def shown(self, within: Window | None = None) -> Sequence[tuple[App | None, Rect]]:
        """Whoever draws over everything without being an app is the system or our overlay."""
        if within is not None:
            return ()
        drawn = [(self._workspace.app(w.pid), w.bounds) for w in windows.click_through()]
        return [*super().shown(), *((app, bounds) for app, bounds in drawn if app is not None)]

    def snapshot(self, app: App, limits: Limits) -> Snapshot:
        self._observer.watch(app)
        try:
            return self._reader.snapshot(app, limits)
        except ax.APIDisabled as error:
            raise DesktopError(permissions.accessibility(self._responsible) or str(error)) from None
        except Hung:
            raise _hung(app) from None
        except Stale:
            raise DesktopError(f"{app} went away while it was read: it may have quit") from None

    def changed(self, app: App, limits: Limits, also: Sequence[Element] = ()) -> Snapshot:
        self._observer.watch(app)
        runloop.turn()
        told = self._observer.take()
        try:
            part = ax_part.read(app, told or [], also, limits, self._private)
        except (Hung, Stale, ax.APIDisabled):
            return Snapshot(app, (), (), complete=False)
        return replace(part, complete=part.complete and told is not None)

    def describe(self, key: Hashable) -> Element | None:
        if not isinstance(key, ElementKey):
            return None
        try:
            return self._reader.describe(key.element, Limits())
        except Stale:
            return None

    def focused(self, app: App) -> Element | None:
        try:
            element = ax.read(ax.application(app.pid), kAXFocusedUIElementAttribute)
            return None if element is None else self._reader.describe(element, Limits())
        except Stale:
            return None

    def capture(self, window: Window) -> Picture:
        return capture.window(self._screencapture, window, self._responsible)

    def capture_desktop(self) -> Picture:
        return capture.desktop(self._screencapture, self.screens(), self._responsible)

    def ancestors(self) -> tuple[int, ...]:
        return self._ancestors

    # --- apps ----------------------------------------------------------------------------------------------

    def installed(self) -> tuple[Installed, ...]:
        return tuple(bundles.installed())

    def launch(self, what: Installed) -> Launch:
        return self._workspace.launch(what)

    def launch_progress(self, ticket: object) -> Progress:
        if not isinstance(ticket, Launch):
            raise DesktopError("this launch was not asked for here")
        return self._workspace.progress(ticket)

    def request_quit(self, app: App) -> None:
        self._find(app).terminate()  # answers NO also when the app only asks first: callers watch the process

    def activate(self, app: App, window: Window | None = None) -> None:
        running = self._find(app)
        self._observer.watch(app)
        element = ax.application(app.pid)
        wanted = self._window_to_raise(app, window)
        Activation(self._workspace, app, running, element, wanted and wanted.element).climb()

    def _window_to_raise(self, app: App, window: Window | None) -> Told | None:
        """The one asked for; else the last minimised one when no other can be seen; else none in particular."""
        try:
            told = self._told(app)
        except Hung:
            return None
        if window is not None:
            return next((entry for entry in told if entry.window.id == window.id), None)
        return told[-1] if told and all(entry.window.minimised for entry in told) else None

    def hide(self, app: App) -> None:
        self._find(app).hide()  # may answer NO although it worked: callers look at the state

    def is_hidden(self, app: App) -> bool:
        runloop.turn()
        running = self._workspace.find(app.identity)
        if running is None:
            return False
        if any(w.pid == app.pid and w.layer == windows.NORMAL_LAYER for w in windows.listed()):
            return False
        return bool(running.isHidden()) or any(entry.window.minimised for entry in self._told(app))

    def place(self, window: Window, move: Point | None, size: tuple[float, float] | None) -> Rect:
        element = ax.application(window.pid)
        told = windows.told(element, window.pid, self._private)
        entry = next((entry for entry in told if entry.window.id == window.id), None)
        if entry is None:
            raise Stale(f"the window {window.title!r} is gone: take a fresh see")
        return placing.place(element, entry.element, move, size)

    # --- input ---------------------------------------------------------------------------------------------

    def watch_human(self) -> None:
        self._human.begin()

    def evidence(self, point: Point | None = None) -> Evidence:
        return self._witness.evidence(point)

    def deliver(self, group: Group, target: App, judge: Judge) -> None:
        seen = self.evidence(group.at if isinstance(group, PointerGroup) else None)
        judge(replace(seen, drawn_by=self._drawn_by(group, target) or seen.drawn_by))
        self._delivery.send(group, target)

    def _drawn_by(self, group: Group, target: App) -> App | None:
        """Who draws the element that the group is addressed to, when that is another app than the target."""
        key = getattr(group, "key", None)
        pid = remote_views.drawn_by(key.element, target.pid) if isinstance(key, ElementKey) else None
        return None if pid is None else self._workspace.app(pid)

    def untypable(self, text: str) -> str:
        return untypable(text)

    def barrier(self, target: App, seconds: float) -> bool | None:
        """An app answers accessibility in the same loop that takes its events, so an answer means that it turned
        since."""
        try:
            element = ax.bounded(ax.application(target.pid), min(seconds, CALL_SECONDS))
            return ax.read(element, kAXRoleAttribute) is not None or None
        except Hung:
            return False
        except (DesktopError, Stale):
            return None

    def release_all(self) -> None:
        with suppress(Exception):  # the contract: never raises, whatever the bridge throws at exit
            self._delivery.release()

    # --- others --------------------------------------------------------------------------------------------

    def notify(self, notification: Notification) -> str:
        return osascript.notify(self._osascript, notification, self._responsible)

    def interpreters(self) -> Sequence[Interpreter]:
        return osascript.interpreters(self._osascript)

    def script_help(self, exit_code: int, stderr: str) -> str:
        return osascript.explain(exit_code, stderr, self._responsible)

    def idle(self, seconds: float) -> None:
        if seconds <= 0:
            self._observer.forget()
        runloop.idle(seconds)

    def close(self) -> None:
        self.release_all()
        self._observer.stop()

    def _find(self, app: App) -> Any:
        running = self._workspace.find(app.identity)
        if running is None:
            raise NoSuchApp(f"{app} is not running any more")
        return running

"""NSWorkspace and NSRunningApplication: which apps run, and asking them to start, end, hide and come forward."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from AppKit import (
    NSApplicationActivationPolicyProhibited,
    NSApplicationActivationPolicyRegular,
    NSRunningApplication,
    NSWorkspace,
    NSWorkspaceOpenConfiguration,
)
from Foundation import NSURL

from mac_commander.desktops.macos import bundles, runloop
from mac_commander.errors import DesktopError
from mac_commander.model import App, Identity, Installed, Progress

BUNDLES_REMEMBERED = 512
"""Bundles whose names are kept: reading all languages of one costs some 20 file reads, and every proof asks for
the names of the app in front. A Mac has fewer running."""


@dataclass
class Launch:
    """A start under way: what the completion handler told, and which app was asked for."""

    what: Installed
    app: Any = None
    error: str = ""
    keep: list[Any] = field(default_factory=list)
    """The handler, alive until it was called."""


class Workspace:
    """The running apps. Every look turns the run loop first: without turns the answers never change."""

    def __init__(self) -> None:
        self._names = lru_cache(BUNDLES_REMEMBERED)(bundles.names_at)

    def apps(self, pids_with_windows: Iterable[int]) -> tuple[App, ...]:
        """All apps with a Dock entry, and all others that have a window."""
        runloop.turn()
        with_windows = set(pids_with_windows)
        found: dict[int, Any] = {}
        for running in NSWorkspace.sharedWorkspace().runningApplications():
            pid = int(running.processIdentifier())
            if pid in with_windows or running.activationPolicy() == NSApplicationActivationPolicyRegular:
                found[pid] = running
        for pid in with_windows - set(found):
            late = NSRunningApplication.runningApplicationWithProcessIdentifier_(pid)
            if late is not None:
                found[pid] = late
        return tuple(self._app(pid, running) for pid, running in found.items() if not running.isTerminated())

    def app(self, pid: int) -> App | None:
        """The app with that pid, ``None`` when it is no app."""
        running = self.running(pid)
        return None if running is None else self._app(pid, running)

    def running(self, pid: int) -> Any:
        running = NSRunningApplication.runningApplicationWithProcessIdentifier_(pid)
        return None if running is None or running.isTerminated() else running

    def has_dock_entry(self, pid: int) -> bool:
        """Whether that is an app of the kind that can be in front of the user: no agent, no bare process."""
        running = self.running(pid)
        return running is not None and running.activationPolicy() == NSApplicationActivationPolicyRegular

    def find(self, identity: Identity) -> Any:
        """That very process, ``None`` when it has ended, also when its pid has another process now."""
        running = self.running(identity.pid)
        return running if running is not None and _started(running) == identity.started else None

    def front_pid(self) -> int | None:
        """Who is in front by NSWorkspace, after a turn of the run loop."""
        runloop.turn()
        front = NSWorkspace.sharedWorkspace().frontmostApplication()
        return None if front is None else int(front.processIdentifier())

    def _app(self, pid: int, running: Any) -> App:
        path, executable = _path(running.bundleURL()), _path(running.executableURL())
        name = str(running.localizedName() or PurePosixPath(executable or path or f"pid {pid}").stem)
        others = (PurePosixPath(path).stem, PurePosixPath(executable).name, *self._names(path))
        return App(
            pid=pid,
            started=_started(running),
            name=name,
            app_id=str(running.bundleIdentifier() or ""),
            aliases=tuple(dict.fromkeys(other for other in others if other and other != name)),
            executable=executable,
            hidden=bool(running.isHidden()),
        )

    # --- asking --------------------------------------------------------------------------------------------

    def launch(self, what: Installed, activates: bool = True) -> Launch:
        """Ask for the app to be started, or brought forward when it runs. By its bundle, never by a document or
        URL, so nothing is opened in it."""
        launch = Launch(what)
        configuration = NSWorkspaceOpenConfiguration.configuration()
        configuration.setActivates_(activates)

        def finished(app: Any, error: Any) -> None:
            launch.app = app
            launch.error = str(error.localizedDescription()) if error is not None else ""

        launch.keep.append(finished)
        url = NSURL.fileURLWithPath_(what.location)
        NSWorkspace.sharedWorkspace().openApplicationAtURL_configuration_completionHandler_(
            url, configuration, finished
        )
        return launch

    def progress(self, launch: Launch) -> Progress:
        """Raises `DesktopError` when macOS refused the launch."""
        runloop.turn()
        if launch.error:
            raise DesktopError(f"macOS could not launch {launch.what.name}: {launch.error}")
        running = launch.app or self._by_bundle(launch.what)
        if running is None or running.isTerminated():
            return Progress()
        pid = int(running.processIdentifier())
        return Progress(self._app(pid, running), bool(running.isFinishedLaunching()))

    def _by_bundle(self, what: Installed) -> Any:
        """The process that took over from the one started, or was there before."""
        for running in NSWorkspace.sharedWorkspace().runningApplications():
            same = str(running.bundleIdentifier() or "") == what.app_id if what.app_id else False
            if same or _path(running.bundleURL()) == what.location:
                return running
        return None


def has_face(running: Any) -> bool:
    return bool(running.activationPolicy() != NSApplicationActivationPolicyProhibited)


def _path(url: Any) -> str:
    return "" if url is None else str(url.path() or "")


def _started(running: Any) -> float:
    """When it was launched; 0 for the few processes that launchd started without telling (loginwindow)."""
    date = running.launchDate()
    return 0.0 if date is None else float(date.timeIntervalSince1970())

"""AppKit's NSWorkspace and NSRunningApplication: a view of the apps that only run loop turns refresh."""

from __future__ import annotations

import threading
from typing import Any

from simulated_mac.elements import App
from simulated_mac.frameworks.objc_classes import NSObject
from simulated_mac.workspace_view import Belief

REGULAR, ACCESSORY = 0, 1
"""``NSApplicationActivationPolicy*``."""


class NSRunningApplication(NSObject):
    """One process. Its state is what was known at the last turn of the main run loop."""

    def __init__(self, app: App | None = None) -> None:
        self._app = app or App({"name": "python"}, "en")
        self._pid = self._app.pid
        self._first = self._now()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NSRunningApplication) and other._pid == self._pid

    def __hash__(self) -> int:
        return hash(self._pid)

    @property
    def app_names(self) -> tuple[str, ...]:
        return self._app.name, self._app.bundle_id, self._app.local_name

    def _now(self) -> Belief:
        front = self.machine.front is self._app
        return Belief(front, self._app.hidden, self._app.finished_launching)

    @property
    def _belief(self) -> Belief:
        return self.machine.view.beliefs.get(self._pid, self._first)

    @property
    def _alive(self) -> bool:
        return self._app.running and self._app.pid == self._pid

    @classmethod
    def runningApplicationWithProcessIdentifier_(cls, pid: int) -> Any:
        app = cls.machine.app_of(pid)
        return cls(app) if app is not None else None

    @classmethod
    def runningApplicationsWithBundleIdentifier_(cls, bundle_id: str) -> Any:
        return [cls(app) for app in cls.machine.view.apps if app.bundle_id == bundle_id and app.running]

    @classmethod
    def currentApplication(cls) -> Any:
        return cls()

    def processIdentifier(self) -> int:
        return self._pid

    def localizedName(self) -> str:
        return self._app.local_name

    def bundleIdentifier(self) -> str | None:
        return self._app.bundle_id or None

    def bundleURL(self) -> Any:
        return self.classes["NSURL"].fileURLWithPath_(self._app.path) if self._app.path else None

    def executableURL(self) -> Any:
        return self.classes["NSURL"].fileURLWithPath_(self._app.executable)

    def launchDate(self) -> Any:
        return self.classes["NSDate"](self._app.started)

    def activationPolicy(self) -> int:
        return ACCESSORY if self._app.spec.get("background") else REGULAR

    def isActive(self) -> bool:
        return self._belief.active

    def isHidden(self) -> bool:
        return self._belief.hidden

    def isFinishedLaunching(self) -> bool:
        return self._belief.finished

    def isTerminated(self) -> bool:
        return self._pid in self.machine.view.ended

    def ownsMenuBar(self) -> bool:
        return self._belief.active

    def activateWithOptions_(self, options: int) -> bool:
        return self._alive and self.machine.life.request_activation(self._app)

    def activateFromApplication_options_(self, other: Any, options: int) -> bool:
        return self._alive and self.machine.life.request_activation(self._app)

    def hide(self) -> bool:
        """Works, and answers NO."""
        if self._alive:
            self.machine.life.hide(self._app)
        return False

    def unhide(self) -> bool:
        if self._alive:
            self.machine.life.unhide(self._app)
        return self._alive

    def terminate(self) -> bool:
        """Asks; that the app was asked says nothing of whether it goes."""
        if self._alive:
            self.machine.life.quit(self._app)
        return True


class NSWorkspaceOpenConfiguration(NSObject):
    def __init__(self) -> None:
        self._activates = True

    @classmethod
    def configuration(cls) -> Any:
        return cls()

    def activates(self) -> bool:
        return self._activates

    def setActivates_(self, activates: bool) -> None:
        self._activates = bool(activates)

    def setAddsToRecentItems_(self, adds: bool) -> None:
        """There is no list of recent items here."""

    def setCreatesNewApplicationInstance_(self, creates: bool) -> None:
        """Every app has one instance here."""

    def setHides_(self, hides: bool) -> None:
        """Apps come up as the world has them."""

    def setPromptsUserIfNeeded_(self, prompts: bool) -> None:
        """Nothing prompts here."""


class NSWorkspace(NSObject):
    @classmethod
    def sharedWorkspace(cls) -> Any:
        cls.classes["run loop"].connected = True
        return cls()

    def frontmostApplication(self) -> Any:
        front = self.machine.view.front
        return self.classes["NSRunningApplication"](front) if front is not None else None

    def accessibilityDisplayShouldReduceMotion(self) -> bool:
        return False

    def menuBarOwningApplication(self) -> Any:
        front = self.machine.view.front
        return self.classes["NSRunningApplication"](front) if front is not None else None

    def runningApplications(self) -> Any:
        return [self.classes["NSRunningApplication"](app) for app in self.machine.view.apps]

    def _by_bundle_id(self, bundle_id: str) -> list[App]:
        return [app for app in self.machine.apps if app.bundle_id == bundle_id]

    def URLForApplicationWithBundleIdentifier_(self, bundle_id: str) -> Any:
        found = self._by_bundle_id(bundle_id)
        return self.classes["NSURL"].fileURLWithPath_(found[0].path) if found else None

    def URLsForApplicationsWithBundleIdentifier_(self, bundle_id: str) -> Any:
        return [self.classes["NSURL"].fileURLWithPath_(app.path) for app in self._by_bundle_id(bundle_id)]

    def openApplicationAtURL_configuration_completionHandler_(self, url: Any, configuration: Any, handler: Any) -> None:
        """Returns at once; the handler is called on a thread of its own, as AppKit does."""
        path = str(url.path())
        app = next((app for app in self.machine.apps if app.path == path), None)
        threading.Thread(target=self._open, args=(app, path, configuration.activates(), handler), daemon=True).start()

    def _open(self, app: App | None, path: str, activates: bool, handler: Any) -> None:
        if app is None:
            name = path.rsplit("/", 1)[-1]
            error = self.classes["NSError"](-10814, f"The application “{name}” could not be found.")
            handler(None, error)
            return
        with self.machine.lock:
            swallowed = app.running and app.spec.get("activates") is False
            self.machine.life.launch(app, activates and not swallowed)
            running = self.classes["NSRunningApplication"](app)
        if handler is not None:
            handler(running, None)

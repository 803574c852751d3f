"""Bringing an app to the front: since macOS 14 every way is a request, so several are tried and each is observed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from AppKit import NSApplicationActivateIgnoringOtherApps
from ApplicationServices import (
    kAXFrontmostAttribute,
    kAXMainAttribute,
    kAXMinimizedAttribute,
    kAXRaiseAction,
)

from mac_commander.desktops.macos import ax, frontmost, runloop, windows
from mac_commander.desktops.macos.workspace import Workspace
from mac_commander.errors import CommanderError
from mac_commander.model import App, Installed

OBSERVE_SECONDS = 0.3
"""How long one way may take to show before the next is tried; four of them fit the 3 s of a call."""

LOOK_SECONDS = 0.02

SEEN_TWICE = 2
"""An app has been seen in front for a moment and thrown back: one look proves nothing (logic-pro-mcp #465)."""


@dataclass(frozen=True, slots=True)
class Activation:
    """One app to bring forward, with the window of it that is wanted, if any."""

    workspace: Workspace
    app: App
    running: Any
    element: Any
    window: Any = None

    def climb(self) -> None:
        """Try the ladder until the app is in front. Never raises for a refusal: callers look at the front."""
        if self.running.isHidden():
            self.running.unhide()
        self._raise_window()
        for way in self._ways():
            _quietly(way)
            if self._arrived():
                _quietly(self._raise_window)
                return

    def _ways(self) -> tuple[Callable[[], object], ...]:
        return (self._by_running_application, self._by_front_process, self._by_accessibility, self._by_opening)

    def _by_running_application(self) -> None:
        """Brings only the main window forward: the others stay where the user has them (phoenix #266)."""
        self.running.activateWithOptions_(NSApplicationActivateIgnoringOtherApps)

    def _by_front_process(self) -> None:
        """The app in front hands over, as macOS 14 wants it; absent before (emacs-mac #138)."""
        front = self.workspace.running(self.workspace.front_pid() or 0)
        if front is not None and self.running.respondsToSelector_("activateFromApplication:options:"):
            self.running.activateFromApplication_options_(front, 0)

    def _by_accessibility(self) -> None:
        ax.ask_to_write(self.element, kAXFrontmostAttribute, True)

    def _by_opening(self) -> None:
        url = self.running.bundleURL()
        if url is not None:
            self.workspace.launch(Installed(self.app.name, self.app.app_id, location=str(url.path())))

    def _raise_window(self) -> None:
        """What these answer is not asked: ``AXRaise`` fails on some apps although it worked (neru #884)."""
        if self.window is None:
            return
        ax.ask_to_write(self.window, kAXMinimizedAttribute, False)
        ax.ask_to_write(self.window, kAXMainAttribute, True)
        ax.ask_to_perform(self.window, kAXRaiseAction)

    def _arrived(self) -> bool:
        """In front at two looks in a row."""
        end, seen = time.monotonic() + OBSERVE_SECONDS, 0
        while seen < SEEN_TWICE:
            seen = seen + 1 if frontmost.look(self.workspace, windows.listed()).pid == self.app.pid else 0
            if time.monotonic() >= end and seen == 0:
                return False
            runloop.turn_for(LOOK_SECONDS)
        return True


def _quietly(way: Callable[[], object]) -> None:
    """A way that fails is answered by the next one; what came of it is seen at the front."""
    try:
        way()
    except CommanderError:
        return

"""AXObserver: an app's own notices, so that waits look at once when something changed."""

from __future__ import annotations

import time
from typing import Any

import objc
from ApplicationServices import (
    AXObserverAddNotification,
    AXObserverCreate,
    AXObserverGetRunLoopSource,
    kAXCreatedNotification,
    kAXErrorCannotComplete,
    kAXErrorSuccess,
    kAXFocusedUIElementChangedNotification,
    kAXFocusedWindowChangedNotification,
    kAXLayoutChangedNotification,
    kAXMenuOpenedNotification,
    kAXRowCountChangedNotification,
    kAXSelectedChildrenChangedNotification,
    kAXSheetCreatedNotification,
    kAXTitleChangedNotification,
    kAXUIElementDestroyedNotification,
    kAXValueChangedNotification,
    kAXWindowCreatedNotification,
    kAXWindowMiniaturizedNotification,
)
from CoreFoundation import CFRunLoopAddSource, CFRunLoopGetCurrent, CFRunLoopRemoveSource, kCFRunLoopDefaultMode

from mac_commander.desktops.macos import ax, runloop
from mac_commander.desktops.macos.element_key import ElementKey
from mac_commander.errors import CommanderError
from mac_commander.model import App, Identity

NOTICES = (
    kAXFocusedUIElementChangedNotification,
    kAXFocusedWindowChangedNotification,
    kAXWindowCreatedNotification,
    kAXWindowMiniaturizedNotification,
    kAXSheetCreatedNotification,
    kAXMenuOpenedNotification,
    kAXCreatedNotification,
    kAXUIElementDestroyedNotification,
    kAXValueChangedNotification,
    kAXTitleChangedNotification,
    kAXLayoutChangedNotification,
    kAXRowCountChangedNotification,
    kAXSelectedChildrenChangedNotification,
)


_ELEMENTS = frozenset(
    (
        kAXCreatedNotification,
        kAXValueChangedNotification,
        kAXTitleChangedNotification,
        kAXLayoutChangedNotification,
        kAXRowCountChangedNotification,
        kAXSelectedChildrenChangedNotification,
    )
)
"""Tell of the element that they come with, and of what is in it."""

_NOTHING = frozenset((kAXFocusedUIElementChangedNotification, kAXUIElementDestroyedNotification))
"""Change nothing of what elements say. The others tell of windows and menus: the whole app is to be looked at."""

TOLD_MOST = 100
"""Elements kept; an app that changes more at once is better looked at as a whole."""

HEAR_SECONDS = 0.02
"""How often a look takes in what is told meanwhile."""


class Observer:
    """Watches one app at a time. An app that cannot be watched is polled instead; that is no error."""

    def __init__(self) -> None:
        self._watched: Identity | None = None
        self._observer: Any = None
        self._source: Any = None
        self._callback: Any = None
        """Must live as long as the observer."""
        self._listening = False
        self._told: dict[ElementKey, None] = {}
        self._lost = False
        self._heard = 0.0

    def take(self) -> list[ElementKey] | None:
        """Which elements the app told of since the last time; ``None`` when that is not known: nobody listened, or it
        told of more than elements. From here on somebody does."""
        known = self._listening and self._source is not None and not self._lost
        told = list(self._told)
        self._listening, self._told, self._lost = True, {}, False
        return told if known else None

    def forget(self) -> None:
        """Nobody listens any more."""
        self._listening, self._told, self._lost = False, {}, False

    def hears(self) -> bool:
        """Whether something was told that nobody took yet."""
        if time.monotonic() - self._heard >= HEAR_SECONDS:
            self._heard = time.monotonic()
            runloop.turn()
        return bool(self._told) or self._lost

    def _note(self, element: Any, notice: str) -> None:
        """Being called has also ended the run loop's turn, and so the wait."""
        if not self._listening or notice in _NOTHING:
            return
        if notice in _ELEMENTS and len(self._told) < TOLD_MOST:
            self._told[ElementKey(element)] = None
        else:
            self._lost = True

    def watch(self, app: App) -> None:
        if self._watched == app.identity:
            return
        self.stop()
        self._watched = app.identity

        @objc.callbackFor(AXObserverCreate)  # type: ignore[untyped-decorator]
        def noticed(_observer: Any, element: Any, notice: Any, _refcon: Any) -> None:
            self._note(element, str(notice))

        self._callback = noticed
        error, observer = AXObserverCreate(app.pid, noticed, None)
        if error != kAXErrorSuccess or observer is None:
            return
        try:
            element = ax.application(app.pid)
        except CommanderError:
            return  # polled, as said above
        for notice in NOTICES:
            if AXObserverAddNotification(observer, element, notice, None) == kAXErrorCannotComplete:
                return  # each of them would take a hung app's whole time again
        self._observer, self._source = observer, AXObserverGetRunLoopSource(observer)
        CFRunLoopAddSource(CFRunLoopGetCurrent(), self._source, kCFRunLoopDefaultMode)

    def stop(self) -> None:
        if self._source is not None:
            CFRunLoopRemoveSource(CFRunLoopGetCurrent(), self._source, kCFRunLoopDefaultMode)
        self._watched = self._observer = self._source = None
        self.forget()

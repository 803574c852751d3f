"""AXObserver: an app's own notices, so that waits look at once when something changed."""

from __future__ import annotations

from typing import Any

import objc
from ApplicationServices import (
    AXObserverAddNotification,
    AXObserverCreate,
    AXObserverGetRunLoopSource,
    kAXCreatedNotification,
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

from mac_commander.desktops.macos import ax
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


def _noticed(_observer: Any, _element: Any, _notification: Any, _refcon: Any) -> None:
    """Nothing to do: being called has ended the run loop's turn, and the wait looks for itself."""


_CALLBACK = objc.callbackFor(AXObserverCreate)(_noticed)
"""The bridge takes no plain function here; this object must live as long as any observer."""


class Observer:
    """Watches one app at a time. An app that cannot be watched is polled instead; that is no error."""

    def __init__(self) -> None:
        self._watched: Identity | None = None
        self._observer: Any = None
        self._source: Any = None

    def watch(self, app: App) -> None:
        if self._watched == app.identity:
            return
        self.stop()
        self._watched = app.identity
        error, observer = AXObserverCreate(app.pid, _CALLBACK, None)
        if error != kAXErrorSuccess or observer is None:
            return
        try:
            element = ax.application(app.pid)
        except CommanderError:
            return  # polled, as said above
        for notice in NOTICES:
            AXObserverAddNotification(observer, element, notice, None)
        self._observer, self._source = observer, AXObserverGetRunLoopSource(observer)
        CFRunLoopAddSource(CFRunLoopGetCurrent(), self._source, kCFRunLoopDefaultMode)

    def stop(self) -> None:
        if self._source is not None:
            CFRunLoopRemoveSource(CFRunLoopGetCurrent(), self._source, kCFRunLoopDefaultMode)
        self._watched = self._observer = self._source = None

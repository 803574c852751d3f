"""Electron and Chromium build their accessibility trees only when they are asked to; this asks, and waits."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from ApplicationServices import kAXErrorSuccess, kAXRoleAttribute

from mac_commander import roles
from mac_commander.desktops.macos import ax, ax_names, runloop
from mac_commander.model import Element, Identity

WAKE_SECONDS = 2.0
"""The tree comes 0.5 to 2 s after it was asked for (neru #1015)."""

REFUSED_SECONDS = 0.7
"""For an app that says it has no such attribute: one that tells nothing, or an older Electron, which does it all the
same (electron #37465) and begins at once."""

LOOK_SECONDS = 0.1

WINDOW_BUTTONS = 4
"""Close, minimise, zoom, full screen: what a window has although its content is not told."""

COLLAPSED = (
    "the app shows windows but almost nothing in them by accessibility, and was asked for more. See again in 2 s; "
    "if nothing has come then, look with vision=true and use xy."
)


def is_collapsed(elements: Sequence[Element]) -> bool:
    """Whether a tree has no more than a window frame in it, whose buttons have no names of their own."""
    said = [e for e in elements if e.role in roles.INTERACTIVE or (e.name and e.role in roles.CONTENT)]
    return len(said) <= WINDOW_BUTTONS and all(e.role == "button" and not e.name for e in said)


class Waker:
    """Asks each process once. What it says decides how long is waited; that it worked is seen by the tree alone."""

    def __init__(self) -> None:
        self._asked: set[Identity] = set()
        self._greeted: set[Identity] = set()

    def greet(self, app: Identity, element: Any) -> None:
        """Ask a process once for its role: Chromium takes whoever does for an assistive program and builds its pages
        (``chrome_browser_application_mac.mm``). They come later. Raises as `ax.read`."""
        if app not in self._greeted:
            self._greeted.add(app)
            ax.read(element, kAXRoleAttribute)

    def may_wake(self, app: Identity) -> bool:
        return app not in self._asked

    def wake(self, app: Identity, element: Any, grown: Callable[[], bool], seconds: float) -> bool:
        """Whether the tree grew within the time."""
        self._asked.add(app)
        answer = ax.ask_to_write(element, ax_names.MANUAL_ACCESSIBILITY, True)
        most = WAKE_SECONDS if answer == kAXErrorSuccess else REFUSED_SECONDS
        end = time.monotonic() + min(seconds, most)
        while time.monotonic() < end:
            runloop.turn_for(LOOK_SECONDS)
            if grown():
                return True
        return False

"""Elements that another process draws inside an app's window: a page in Safari, what is in an Open or Save panel.

Their pid is that process's (WebKit makes them with a pid of their own and the presenter's beside it), while the
window that they stand in is the app's. The input that reaches them goes through that window.
"""

from __future__ import annotations

from typing import Any

from ApplicationServices import kAXTopLevelUIElementAttribute, kAXWindowAttribute

from mac_commander.desktops.macos import ax
from mac_commander.desktops.macos.private import PrivateCalls
from mac_commander.desktops.macos.workspace import Workspace
from mac_commander.errors import CommanderError

PANEL_SERVICES = frozenset(("com.apple.appkit.xpc.openAndSavePanelService",))
"""What shows open panels in windows of its own on some macOS (trycua/cua#2237), in the app's on others (#3351)."""


def owner(element: Any) -> int:
    """The pid of the app whose window the element stands in; its own where no window is told.

    Raises `Stale`, `Hung`, `DesktopError` when the element's own process cannot be had.
    """
    for attribute in (kAXTopLevelUIElementAttribute, kAXWindowAttribute):
        try:
            window = ax.read(element, attribute)
        except CommanderError:
            continue  # a page that was just left: the other attribute may still tell
        if window is not None:
            return ax.pid_of(window)
    return ax.pid_of(element)


def drawn_by(element: Any, target: int) -> int | None:
    """The other process that draws an element of the target's, ``None`` for an element of its own."""
    pid = ax.pid_of(element)
    return None if pid == target else pid


def shown_for(pid: int, workspace: Workspace, private: PrivateCalls) -> int:
    """The app whose panel a window of this process is; the process itself when it serves nobody."""
    running = workspace.running(pid)
    if running is None or str(running.bundleIdentifier() or "") not in PANEL_SERVICES:
        return pid
    return private.responsible_for(pid) or pid

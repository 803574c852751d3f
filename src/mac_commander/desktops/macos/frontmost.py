"""Who is in front: three live sources that must agree, and who has the keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ApplicationServices import (
    kAXFocusedApplicationAttribute,
    kAXFocusedUIElementAttribute,
    kAXFocusedWindowAttribute,
)

from mac_commander.desktops.macos import ax, windows
from mac_commander.desktops.macos.windows import Listed
from mac_commander.desktops.macos.workspace import Workspace
from mac_commander.errors import CommanderError


@dataclass(frozen=True, slots=True)
class Front:
    """``pid`` is ``None`` when the sources disagree or do not tell; ``disagreement`` then says what each said."""

    pid: int | None
    disagreement: str = ""
    ungranted: int | None = None
    """Without the Accessibility grant: whom the two other sources agree on. Good enough to look at, and never to
    send input to."""


def look(workspace: Workspace, stack: Sequence[Listed]) -> Front:
    """Ask accessibility, the window server and NSWorkspace. Each alone has been seen to lie: NSWorkspace is a
    cache, the window server names the app behind one without windows, accessibility lags in a switch."""
    by_ax, granted = _focused_pid()
    by_workspace = workspace.front_pid()
    by_windows = _front_window_pid(stack, by_ax if by_ax == by_workspace else None)
    if by_ax is not None and by_ax == by_workspace == by_windows:
        return Front(by_ax)
    said = (("accessibility", by_ax), ("the window list", by_windows), ("NSWorkspace", by_workspace))
    disagreement = "; ".join(f"{source} says {_named(workspace, pid)}" for source, pid in said)
    return Front(None, disagreement, by_windows if not granted and by_windows == by_workspace else None)


def _named(workspace: Workspace, pid: int | None) -> str:
    app = None if pid is None else workspace.app(pid)
    return "nothing" if pid is None else str(app or f"pid {pid}")


def focused_pid() -> int | None:
    """Accessibility's answer alone: the quickest look there is."""
    return _focused_pid()[0]


def _focused_pid() -> tuple[int | None, bool]:
    """Accessibility's answer, ``None`` when it does not tell; and whether we may ask at all."""
    try:
        app = ax.read(ax.system_wide(), kAXFocusedApplicationAttribute)
        return (None if app is None else ax.pid_of(app)), True
    except ax.APIDisabled:
        return None, False
    except CommanderError:
        return None, True  # unknown, and the guard refuses what is unknown


def _front_window_pid(stack: Sequence[Listed], agreed: int | None) -> int | None:
    """The owner of the frontmost normal window. An app without any can still be in front (Finder, a menu-bar
    only TextEdit): when the other two agree on such an app, its lack of windows does not speak against it."""
    normal = [w for w in stack if w.layer == windows.NORMAL_LAYER and w.alpha > 0]
    if agreed is not None and all(w.pid != agreed for w in normal):
        return agreed
    return normal[0].pid if normal else None


def keyboard_owner(front_pid: int | None) -> tuple[int | None, Any]:
    """The pid of the element that gets the keys, and the window that it is in; each ``None`` when unknown.

    A panel of another process can have the keyboard while the app stays in front (Spotlight, a password
    pop-over): the system-wide focused element tells whose it is.
    """
    try:
        focused = ax.read(ax.system_wide(), kAXFocusedUIElementAttribute)
        if focused is not None:
            return ax.pid_of(focused), _focused_window(front_pid)
        window = _focused_window(front_pid)
        return (None if window is None else ax.pid_of(window)), window
    except CommanderError:
        return None, None  # unknown, and the guard refuses what is unknown


def _focused_window(front_pid: int | None) -> Any:
    return None if front_pid is None else ax.read(ax.application(front_pid), kAXFocusedWindowAttribute)

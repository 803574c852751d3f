"""Who is in front: three live sources that must agree, and who has the keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ApplicationServices import (
    kAXFocusedApplicationAttribute,
    kAXFocusedUIElementAttribute,
    kAXFocusedWindowAttribute,
    kAXFrontmostAttribute,
)

from mac_commander.desktops.macos import ax, ax_value, remote_views, windows
from mac_commander.desktops.macos.element_key import ElementKey
from mac_commander.desktops.macos.windows import Listed
from mac_commander.desktops.macos.workspace import Workspace
from mac_commander.errors import CommanderError, Hung


@dataclass(frozen=True, slots=True)
class Front:
    """``pid`` is ``None`` when the sources disagree or do not tell; ``disagreement`` then says what each said."""

    pid: int | None
    disagreement: str = ""
    likely: int | None = None
    """Whom the two other sources agree on, when accessibility may not be asked or does not answer. Good enough to
    look at, and never to send input to."""
    hung: bool = False
    """Accessibility took too long to answer, as it does while the app in front hangs."""


def look(workspace: Workspace, stack: Sequence[Listed]) -> Front:
    """Ask accessibility, the window server and NSWorkspace. Each alone has been seen to lie: NSWorkspace is a
    cache, the window server names the app behind one without windows, accessibility lags in a switch."""
    by_workspace = workspace.front_pid()
    by_ax, silence = _by_accessibility(by_workspace)
    by_windows = _front_window_pid(workspace, stack, by_ax if by_ax == by_workspace else None)
    if by_ax is not None and by_ax == by_workspace == by_windows:
        return Front(by_ax)
    said = (("accessibility", by_ax), ("the window list", by_windows), ("NSWorkspace", by_workspace))
    disagreement = "; ".join(f"{source} says {_named(workspace, pid)}" for source, pid in said)
    others_agree = silence is not None and by_windows == by_workspace
    return Front(None, disagreement, by_windows if others_agree else None, isinstance(silence, Hung))


def _named(workspace: Workspace, pid: int | None) -> str:
    app = None if pid is None else workspace.app(pid)
    return "nothing" if pid is None else str(app or f"pid {pid}")


def focused_pid(candidate: int | None) -> int | None:
    """Accessibility's answer alone, the quickest look there is; ``None`` when it does not tell. ``candidate`` as
    for `_focused_pid`."""
    try:
        return _focused_pid(candidate)
    except CommanderError:
        return None  # unknown, and the guard refuses what is unknown


def _by_accessibility(candidate: int | None) -> tuple[int | None, CommanderError | None]:
    """Accessibility's answer; without one, why it does not answer when there is a reason that matters."""
    try:
        return _focused_pid(candidate), None
    except (ax.APIDisabled, Hung) as silence:
        return None, silence
    except CommanderError:
        return None, None  # unknown, and the guard refuses what is unknown


def _focused_pid(candidate: int | None) -> int | None:
    """The system-wide element names no app at all while one is in front whose tree was not asked for yet (Chromium,
    Electron: Jitouch PR#32). Then the app that should be in front is asked itself. Raises `CommanderError`."""
    app = ax.read(ax.system_wide(), kAXFocusedApplicationAttribute)
    if app is not None:
        return ax.pid_of(app)
    if candidate is not None and ax_value.truth(ax.read(ax.application(candidate), kAXFrontmostAttribute)):
        return candidate
    return None


def _front_window_pid(workspace: Workspace, stack: Sequence[Listed], agreed: int | None) -> int | None:
    """The owner of the frontmost normal window. When the other two agree on an app, neither its lack of windows
    (Finder, a menu-bar only TextEdit) nor what merely floats above its windows speaks against it."""
    normal = [w for w in stack if w.layer == windows.NORMAL_LAYER and w.alpha > 0]
    if agreed is not None and all(_floats(workspace, w, stack) for w in _above_all_of(agreed, normal)):
        return agreed
    return normal[0].pid if normal else None


def _above_all_of(pid: int, normal: Sequence[Listed]) -> Sequence[Listed]:
    """The windows above the app's topmost one; none when it has no window."""
    own = next((at for at, window in enumerate(normal) if window.pid == pid), 0)
    return normal[:own]


def _floats(workspace: Workspace, window: Listed, stack: Sequence[Listed]) -> bool:
    """Borders around windows (yabai), a strip of other windows, a caret's badge: what belongs to no app with a Dock
    entry, or takes no clicks, lies among the normal windows and is not in front. Who has the keyboard, and who owns
    a point, is asked apart from this."""
    return not workspace.has_dock_entry(window.pid) or not windows.takes_clicks(window, stack)


@dataclass(frozen=True, slots=True)
class KeyboardOwner:
    """Who gets the keys. All ``None`` when it is unknown."""

    pid: int | None = None
    """Whose window the element that has the keyboard is in."""
    window: Any = None
    drawn_by: int | None = None
    """The other process that draws that element in the app's window, if one does."""
    hung: bool = False


def keyboard_owner(front_pid: int | None) -> KeyboardOwner:
    """A panel of another process can have the keyboard while the app stays in front (Spotlight, a password
    pop-over): the system-wide focused element tells whose it is."""
    try:
        focused = ax.read(ax.system_wide(), kAXFocusedUIElementAttribute)
        window = _of_app(front_pid, kAXFocusedWindowAttribute)
        if focused is None:
            return KeyboardOwner(None if window is None else ax.pid_of(window), window)
        pid = ax.pid_of(focused)
        if pid != front_pid and front_pid is not None and _shows(front_pid, focused):
            return KeyboardOwner(front_pid, window, drawn_by=pid)
        return KeyboardOwner(pid, window)
    except Hung:
        return KeyboardOwner(hung=True)
    except CommanderError:
        return KeyboardOwner()  # unknown, and the guard refuses what is unknown


def _shows(front_pid: int, element: Any) -> bool:
    """Whether the app in front says that this element of another process is what has its own keyboard focus, or the
    element stands in a window of the app's."""
    own = _of_app(front_pid, kAXFocusedUIElementAttribute)
    if own is not None and ElementKey(own) == ElementKey(element):
        return True
    return remote_views.owner(element) == front_pid


def _of_app(pid: int | None, attribute: str) -> Any:
    return None if pid is None else ax.read(ax.application(pid), attribute)

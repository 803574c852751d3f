"""What this macOS answers that no package and no header tells. For `verify`: each answer is a sentence for its report.

The questions are about processes of `verify`'s own, and hold no contents of others.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from AppKit import NSWorkspace
from ApplicationServices import (
    kAXChildrenAttribute,
    kAXFocusedAttribute,
    kAXFocusedUIElementAttribute,
    kAXValueAttribute,
    kAXWindowsAttribute,
)
from Quartz import (
    CGEventSourceCounterForEventType,
    kCGEventMouseMoved,
    kCGEventSourceStateCombinedSessionState,
    kCGEventSourceStateHIDSystemState,
    kCGMouseButtonLeft,
)

from mac_commander.desktops.macos import ax, ax_element, bundles, event_source, remote_views, runloop, session, windows
from mac_commander.desktops.macos.event_source import EventSource
from mac_commander.desktops.macos.private import PrivateCalls
from mac_commander.desktops.macos.workspace import Workspace
from mac_commander.errors import DesktopError

MOVES = 3
SETTLE_SECONDS = 0.2
NODES_MOST = 300
"""Of a window of our own."""

SETTINGS = "/System/Applications/System Settings.app"
SETTINGS_ABROAD = ("Systemeinstellungen", "Réglages Système")


def own_events() -> str:
    """Which counters our own events raise: the pointer is sent to where it is. Raises `DesktopError` when the counter
    that the human watch subtracts from does not have them."""
    before = _counters()
    source = EventSource()
    for _ in range(MOVES):
        source.mouse(kCGEventMouseMoved, event_source.pointer(), kCGMouseButtonLeft, 0)
        runloop.turn_for(SETTLE_SECONDS / MOVES)
    hardware, everything = (after - was for after, was in zip(_counters(), before, strict=True))
    told = f"{MOVES} events of ours raised the hardware counter by {hardware}, that of all by {everything}"
    if everything < MOVES:
        raise DesktopError(f"{told}: a person's input can hide behind ours")
    return told


def _counters() -> tuple[int, int]:
    hardware, everything = (
        int(CGEventSourceCounterForEventType(state, kCGEventMouseMoved))
        for state in (kCGEventSourceStateHIDSystemState, kCGEventSourceStateCombinedSessionState)
    )
    return hardware, everything


def secure_value(pid: int) -> str:
    """What macOS tells of the text in a password field of our own app. The server never asks."""
    value = ax.read(_secure_field(pid), kAXValueAttribute)
    if not isinstance(value, str) or not value:
        return "nothing is told of a password field's text"
    hidden = len(set(value)) == 1
    return f"{'as many bullets as characters are' if hidden else 'the text itself is'} told of a password field's text"


def secure_input(pid: int) -> str:
    """Who is said to hold secure event input while a password field of our own app has the focus."""
    ax.ask_to_write(_secure_field(pid), kAXFocusedAttribute, True)
    runloop.turn_for(SETTLE_SECONDS)
    holder = session.read(PrivateCalls()).secure_input_pid
    if holder is None:
        raise DesktopError("secure event input is not seen while a password field has the focus")
    if holder != pid:
        raise DesktopError(f"secure event input is seen, and pid {holder} is said to hold it, not {pid}")
    return "seen, and its holder is named"


def _secure_field(pid: int) -> Any:
    pending = list(ax.read(ax.application(pid), kAXWindowsAttribute) or ())
    for _ in range(NODES_MOST):
        if not pending:
            break
        record = ax_element.read_record(pending.pop(), ax_element.ATTRIBUTES_AND_CHILDREN)
        if record.secure:
            return record.element
        pending += record.children or ax.read(record.element, kAXChildrenAttribute) or ()
    raise DesktopError("the password field of our own app is not found")


def responsible() -> str:
    """Whose grants count for us, as macOS says. Raises `DesktopError` when it does not."""
    pid = PrivateCalls().responsible_for(os.getpid())
    if pid is None:
        raise DesktopError(
            "macOS does not say who is responsible for a process: the nearest app that started us is named"
        )
    running = Workspace().app(pid)
    whose = "this program itself" if pid == os.getpid() else "another program" if running is None else running.name
    return f"macOS holds {whose} responsible for us: grants belong there"


def foreign_names() -> str | None:
    """Whether an app's names in other languages are found; ``None`` where the app is not."""
    app = bundles.describe(SETTINGS)
    if app is None:
        return None
    missing = [name for name in SETTINGS_ABROAD if name not in (app.name, *app.aliases)]
    if missing:
        raise DesktopError(f"{app.name} has {len(app.aliases)} other names, and not {', '.join(missing)}")
    return f"{app.name} has {len(app.aliases)} other names, {' and '.join(SETTINGS_ABROAD)} among them"


def known_ids(ids: Sequence[str]) -> tuple[list[str], list[str]]:
    """Which bundle ids belong to an app of this macOS, and which do not."""
    workspace = NSWorkspace.sharedWorkspace()
    known = [one for one in ids if workspace.URLForApplicationWithBundleIdentifier_(one) is not None]
    return known, [one for one in ids if one not in known]


def drawn_in(pid: int) -> str:
    """Who draws what has the keyboard in this app, who answers for that process, and who owns the window on top."""
    focused = ax.read(ax.system_wide(), kAXFocusedUIElementAttribute)
    if focused is None:
        raise DesktopError("the system-wide element names no focused element")
    drawer = ax.pid_of(focused)
    top = next((w.pid for w in windows.listed() if w.layer == windows.NORMAL_LAYER and w.alpha > 0), None)
    answers = PrivateCalls().responsible_for(drawer)
    return "; ".join(
        (
            f"the focused element is drawn by {_whose(drawer, pid)}",
            f"its window is {_whose(remote_views.owner(focused), pid)}'s",
            f"macOS holds {_whose(answers, pid)} responsible for it",
            f"the topmost window is listed as {_whose(top, pid)}'s",
        )
    )


def _whose(pid: int | None, app: int) -> str:
    return "nobody known" if pid is None else "the app" if pid == app else "another process"


def over_all_windows() -> Iterator[bool]:
    """Whether clicks go through it, for each window that covers a whole screen above all others, as the halo does."""
    stack = windows.listed()
    for window in stack:
        if window.layer >= windows.POPUP_LAYER and window.alpha > 0 and window.bounds.width >= HALO_WIDTH:
            yield not windows.takes_clicks(window, stack)


HALO_WIDTH = 640
"""Narrower than any screen, wider than a menu or a banner."""

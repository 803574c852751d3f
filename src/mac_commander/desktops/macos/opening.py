"""Presses that open something: the app answers them only when what they opened has gone again.

A pop-up button tracks its menu inside the press, and a button may run a modal dialog inside it: the call then ends
with "did not answer in time" although it worked (pyatom #131, logic-pro-mcp #425). What has opened tells that it did.
"""

from __future__ import annotations

import time
from typing import Any

from mac_commander.desktops.macos import ax, runloop, windows

OPEN_SECONDS = 0.3
"""After the error: a menu was seen 0.15 s after it (logic-pro-mcp #425)."""

LOOK_SECONDS = 0.02


def press(element: Any, wanted: str, pid: int) -> None:
    """``AXPress``. Raises as `ax.press`, but not when a window or menu of the app has opened meanwhile."""
    before = _shown(pid)
    try:
        ax.press(element, wanted)
    except ax.Unanswered:
        if not _opens(pid, before):
            raise


def _opens(pid: int, before: frozenset[int]) -> bool:
    end = time.monotonic() + OPEN_SECONDS
    while not _shown(pid) - before:
        if time.monotonic() >= end:
            return False
        runloop.turn_for(LOOK_SECONDS)
    return True


def _shown(pid: int) -> frozenset[int]:
    return frozenset(w.number for w in windows.listed() if w.pid == pid and w.layer in windows.APP_LAYERS)

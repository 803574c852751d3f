"""Letting go of keys and buttons from another process, for the guardian: XTEST from a connection of its own."""

from __future__ import annotations

from collections.abc import Sequence

from Xlib import X, display
from Xlib.ext import xtest


def release(held: Sequence[str]) -> None:
    """Send the key or button up of each name (``key:37``, ``button:1``), last down first."""
    connection = display.Display()
    for name in reversed(held):
        kind, _, number = name.partition(":")
        event = X.ButtonRelease if kind == "button" else X.KeyRelease
        xtest.fake_input(connection, event, int(number.split("@")[0]))
    connection.sync()
    connection.close()

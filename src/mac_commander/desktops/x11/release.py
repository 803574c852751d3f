"""Letting go of keys and buttons from another process, for the guardian: XTEST from a connection of its own."""

from __future__ import annotations

from collections.abc import Sequence

from Xlib import X, display
from Xlib.ext import xtest

from mac_commander.model import Point


def held_button(number: int, at: Point) -> str:
    """The name for ``on_hold`` of a button that went down at this point of the screen."""
    return f"button:{number}@{round(at.x)},{round(at.y)}"


def release(held: Sequence[str]) -> None:
    """Send the key or button up of each name (``key:37``, ``button:1@640,400``), last down first.

    A button is taken back to where it went down before it goes up: a broken drag drops nothing elsewhere.
    """
    connection = display.Display()
    for name in reversed(held):
        kind, _, what = name.partition(":")
        number, _, place = what.partition("@")
        if place:
            x, y = map(int, place.split(","))
            xtest.fake_input(connection, X.MotionNotify, x=x, y=y)
        xtest.fake_input(connection, X.ButtonRelease if kind == "button" else X.KeyRelease, int(number))
    connection.sync()
    connection.close()

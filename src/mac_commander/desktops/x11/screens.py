"""The monitors (RandR 1.5)."""

from __future__ import annotations

from Xlib.error import XError
from Xlib.ext import randr

from mac_commander.desktops.x11.display import Connection
from mac_commander.model import Rect, Screen


def screens(x: Connection) -> tuple[Screen, ...]:
    """The main one first; the whole X screen where the server cannot tell monitors."""
    found = _monitors(x) if x.has_extension(randr.extname) else []
    if not found:
        whole = Rect(0, 0, x.screen.width_in_pixels, x.screen.height_in_pixels)
        return (Screen(whole, main=True),)
    found.sort(key=lambda screen: not screen.main)
    return (Screen(found[0].bounds, main=True), *found[1:])


def _monitors(x: Connection) -> list[Screen]:
    reply = x.outcomes(x.post(randr.GetMonitors, window=x.root, is_active=True))[0]
    if isinstance(reply, XError):
        return []
    return [Screen(Rect(m.x, m.y, m.width_in_pixels, m.height_in_pixels), main=bool(m.primary)) for m in reply.monitors]

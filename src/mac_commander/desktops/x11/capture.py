"""Pixels of one window and of nothing else, also when it is covered (Composite extension).

A plain GetImage leaves out what is covered. Redirecting the client window gives it its own pixels, which are
whole once the client has painted what was hidden: 7 to 52 ms (measured), with no pixel of another window under
openbox, metacity, xfwm4 and three compositors.
"""

from __future__ import annotations

import time
from typing import Any

from PIL import Image
from Xlib import X
from Xlib.error import XError
from Xlib.ext import composite
from Xlib.protocol import request

from mac_commander.desktops.x11.display import Connection
from mac_commander.desktops.x11.grab import ServerGrab
from mac_commander.desktops.x11.owners import owner
from mac_commander.desktops.x11.windows import Facts, children, covered_areas, read, top_level
from mac_commander.errors import DesktopError
from mac_commander.model import Picture, Rect, Window

PAINT_SECONDS_LEAST, PAINT_SECONDS_MOST = 0.08, 0.6
"""A client is given at least the first to paint what was covered (slowest measured: 52 ms), and then until two
pictures 40 ms apart are the same, at most the second."""
STILL_SECONDS = 0.04

ALL_PLANES = 0xFFFFFFFF

PIXELS_MOST = 64 << 20
"""Of one window: more than four screens of 4K. The X server makes a copy of a covered one; 30,000 by 30,000 took 2 GB
of it and answered nobody for seconds (seen)."""


def capture_window(x: Connection, grab: ServerGrab, window: Window) -> Picture:
    """Raises `DesktopError` when the window is minimised, gone, another process's, or cannot be read."""
    bounds = _checked(x, window).window.bounds
    if _is_uncovered(x, bounds, window.id):
        with grab.held():
            bounds = _checked(x, window).window.bounds
            grab.got()
            image = _image(x, window.id, bounds) if _is_uncovered(x, bounds, window.id) else None
        if image is not None:
            return image
    return _redirected(x, window, bounds)


def capture_root(x: Connection) -> Picture:
    """The whole desktop."""
    screen = x.screen
    return _image(x, x.root, Rect(0, 0, screen.width_in_pixels, screen.height_in_pixels))


def _checked(x: Connection, window: Window) -> Facts:
    found = read(x, [window.id])
    if not found or found[0].window.pid != window.pid:
        raise DesktopError("the window is gone: look with see, and name the app again")
    if found[0].window.minimised or not found[0].viewable:
        raise DesktopError("the window is minimised or hidden, so it has no pixels: bring it up with app switch first")
    bounds = found[0].window.bounds
    if bounds.width * bounds.height > PIXELS_MOST:
        raise DesktopError(f"the window is {bounds.width:g} by {bounds.height:g}: too large for a picture; resize it")
    return found[0]


def _is_uncovered(x: Connection, bounds: Rect, window: int) -> bool:
    """The whole client area is on the screen and nothing lies over it, frames and click-through windows too."""
    screen = x.screen
    if min(bounds.x, bounds.y) < 0:
        return False
    if bounds.x + bounds.width > screen.width_in_pixels or bounds.y + bounds.height > screen.height_in_pixels:
        return False
    tops = children(x, x.root)
    top = top_level(x, window)
    above = tops[tops.index(top) + 1 :] if top in tops else tops
    return not any(area.intersects(bounds) for area in covered_areas(x, above))


def _redirected(x: Connection, window: Window, bounds: Rect) -> Picture:
    if not x.has_extension(composite.extname):
        raise DesktopError("the window is covered and the X server has no Composite extension: bring it to the front")
    x.send(composite.RedirectWindow, window=window.id, update=composite.RedirectAutomatic)
    try:
        _expose(x, window.id)
        picture = _painted(x, window, bounds)
    finally:
        x.send(composite.UnredirectWindow, window=window.id, update=composite.RedirectAutomatic)
        x.sync()
    if owner(x, window.id) != window.pid:
        raise DesktopError("the window went to another process while it was read; its pixels were thrown away")
    return picture


def _expose(x: Connection, window: int) -> None:
    """Have the client paint the window and all in it anew."""
    x.send(request.ClearArea, exposures=True, window=window, x=0, y=0, width=0, height=0)
    for child in children(x, window):
        attributes = x.outcomes(x.post(request.GetWindowAttributes, window=child))[0]
        if not isinstance(attributes, XError) and attributes.win_class == X.InputOutput:
            _expose(x, child)
    x.sync()


def _painted(x: Connection, window: Window, bounds: Rect) -> Picture:
    began = time.monotonic()
    time.sleep(PAINT_SECONDS_LEAST)
    picture = _pixmap(x, window, bounds)
    while time.monotonic() - began < PAINT_SECONDS_MOST:
        time.sleep(STILL_SECONDS)
        again = _pixmap(x, window, bounds)
        if again.rgb == picture.rgb:
            return again
        picture = again
    return picture


def _pixmap(x: Connection, window: Window, bounds: Rect) -> Picture:
    pixmap = x.new_id()
    named = x.attempt(composite.NameWindowPixmap, window=window.id, pixmap=pixmap)
    size = x.outcomes(x.post(request.GetGeometry, drawable=pixmap))[0]
    if named.get_error() is not None or isinstance(size, XError):
        x.free_id(pixmap)
        raise DesktopError("the window was hidden or closed while it was read: look with see")
    try:
        return _image(x, pixmap, Rect(bounds.x, bounds.y, size.width, size.height))
    finally:
        x.send(request.FreePixmap, pixmap=pixmap)
        x.free_id(pixmap)


def _image(x: Connection, drawable: int, bounds: Rect) -> Picture:
    """``bounds`` is the place on the desktop of the whole drawable."""
    width, height = int(bounds.width), int(bounds.height)
    reply = x.ask(
        request.GetImage,
        format=X.ZPixmap,
        drawable=drawable,
        x=0,
        y=0,
        width=width,
        height=height,
        plane_mask=ALL_PLANES,
    )
    return Picture(width, height, _rgb(x, reply, width, height), bounds)


def _rgb(x: Connection, reply: Any, width: int, height: int) -> bytes:
    bits = {f.depth: f.bits_per_pixel for f in x.setup.pixmap_formats}.get(reply.depth, 0)
    layout = {(24, 32): "BGRX", (32, 32): "BGRX", (24, 24): "BGR", (16, 16): "BGR;16"}.get((reply.depth, bits))
    if layout is None or x.setup.image_byte_order != X.LSBFirst:
        raise DesktopError(f"the X server's pixels (depth {reply.depth}, {bits} bits) are of a kind not known here")
    stride = len(reply.data) // height
    return Image.frombytes("RGB", (width, height), bytes(reply.data), "raw", layout, stride).tobytes()

"""SHAPE: one window of the halo. Its pixels are its background pixmap, so the X server repaints it by itself."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from Xlib import X, Xatom, Xutil
from Xlib.display import Display
from Xlib.ext import shape
from Xlib.xobject.colormap import Colormap
from Xlib.xobject.drawable import Pixmap, Window

from mac_commander.model import Rect

WM_CLASS = ("mac-commander-halo", "Mac-Commander-Halo")
"""How a desktop knows these windows, beside the pid."""

REQUEST_BYTES = 200_000
"""The core protocol takes at most 262,140 bytes a request, and python-xlib does not enlarge it."""

OPAQUE = 0xFFFFFFFF


class NotClickThrough(Exception):
    """The X server does not let clicks through this window: it must not be shown."""


@dataclass(frozen=True, slots=True)
class Visual:
    """How pixels of a window are read."""

    id: int
    depth: int
    colormap: Colormap


def find_visual(display: Display, depth: int) -> Visual | None:
    """A TrueColor visual whose pixels are Cairo's: blue in the lowest byte."""
    screen = display.screen()
    for allowed in screen.allowed_depths:
        for visual in allowed.visuals if allowed.depth == depth else ():
            if visual.visual_class == X.TrueColor and visual.red_mask == 0xFF0000 and visual.blue_mask == 0xFF:
                colormap = screen.root.create_colormap(visual.visual_id, X.AllocNone)
                return Visual(visual.visual_id, depth, colormap)
    return None


class Panel:
    """A click-through window that never takes the focus: not managed (override-redirect), with no input area.

    Made unmapped. Raises `NotClickThrough` when the input area is not empty after it was made so.
    """

    def __init__(
        self, display: Display, bounds: Rect, visual: Visual, pixels: bytes, outline: Sequence[Rect] = ()
    ) -> None:
        self._display = display
        self._opacity = OPAQUE
        self._mapped = False
        self._window = self._create(bounds, visual, pixels)
        self._name()
        self._let_clicks_through()
        if outline:
            rows = [tuple(map(int, row)) for row in outline]
            shape.rectangles(self._window, shape.SO.Set, shape.SK.Bounding, X.YXBanded, 0, 0, rows)

    def _create(self, bounds: Rect, visual: Visual, pixels: bytes) -> Window:
        x, y, width, height = map(int, bounds)
        root = self._display.screen().root
        pixmap = root.create_pixmap(width, height, visual.depth)
        _upload(pixmap, pixels, width, height, visual.depth)
        window: Window = root.create_window(
            x,
            y,
            width,
            height,
            0,
            visual.depth,
            X.InputOutput,
            visual.id,
            background_pixmap=pixmap,
            border_pixel=0,
            colormap=visual.colormap,
            override_redirect=True,
            event_mask=X.VisibilityChangeMask,
        )
        pixmap.free()  # the window keeps it alive
        return window

    def _name(self) -> None:
        atom = self._display.get_atom
        window = self._window
        window.set_wm_name("Mac-Commander halo")
        window.set_wm_class(*WM_CLASS)
        window.set_wm_hints(flags=Xutil.InputHint, input=False)
        window.change_property(atom("_NET_WM_PID"), Xatom.CARDINAL, 32, [os.getpid()])
        window.change_property(atom("_NET_WM_WINDOW_TYPE"), Xatom.ATOM, 32, [atom("_NET_WM_WINDOW_TYPE_NOTIFICATION")])
        # picom and its ancestors would draw a shadow round every strip.
        window.change_property(atom("_COMPTON_SHADOW"), Xatom.CARDINAL, 32, [0])

    def _let_clicks_through(self) -> None:
        shape.rectangles(self._window, shape.SO.Set, shape.SK.Input, X.Unsorted, 0, 0, [])
        if shape.get_rectangles(self._window, shape.SK.Input).rectangles:
            raise NotClickThrough

    @property
    def id(self) -> int:
        return int(self._window.id)

    def set_level(self, level: float) -> None:
        """From 0 (not there at all) to 1, as _NET_WM_WINDOW_OPACITY; needs a compositor for what lies between."""
        opacity = round(level * OPAQUE)
        if opacity == 0:
            self._set_mapped(False)
            return
        if opacity != self._opacity:
            atom = self._display.get_atom("_NET_WM_WINDOW_OPACITY")
            self._window.change_property(atom, Xatom.CARDINAL, 32, [opacity])
            self._opacity = opacity
        self._set_mapped(True)

    def _set_mapped(self, mapped: bool) -> None:
        if mapped and not self._mapped:
            self._window.configure(stack_mode=X.Above)
            self._window.map()
        elif self._mapped and not mapped:
            self._window.unmap()
        self._mapped = mapped

    def rise(self) -> None:
        """Back above everything."""
        self._window.configure(stack_mode=X.Above)

    def destroy(self) -> None:
        self._window.destroy()


def _upload(pixmap: Pixmap, pixels: bytes, width: int, height: int, depth: int) -> None:
    gc = pixmap.create_gc()
    rows = max(1, REQUEST_BYTES // (width * 4))
    for top in range(0, height, rows):
        part = pixels[top * width * 4 : (top + rows) * width * 4]
        pixmap.put_image(gc.id, 0, top, width, min(rows, height - top), X.ZPixmap, depth, 0, part)
    gc.free()

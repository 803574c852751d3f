"""All windows of the halo together, made from a layout."""

from __future__ import annotations

from collections.abc import Iterator

from Xlib.display import Display

from mac_commander.overlay import design
from mac_commander.overlay.x11 import painter
from mac_commander.overlay.x11.panel import Panel, find_visual
from mac_commander.overlay.x11.screens import Layout

ARGB_DEPTH, OPAQUE_DEPTH = 32, 24


class NoVisual(Exception):
    """The X server has no visual that the halo could be painted in."""


class Glow:
    """Strips round every monitor and the pill on the main one. Raises `NoVisual`, `panel.NotClickThrough`."""

    def __init__(self, display: Display, layout: Layout) -> None:
        argb = find_visual(display, ARGB_DEPTH) if layout.composited else None
        visual = argb or find_visual(display, OPAQUE_DEPTH)
        if visual is None:
            raise NoVisual
        self.translucent = argb is not None
        self._visual = visual
        self._panels = tuple(self._make(display, layout))

    def _make(self, display: Display, layout: Layout) -> Iterator[Panel]:
        scale = layout.scale
        depth = design.GLOW_DEPTH if self.translucent else design.FRAME_WIDTH
        paint = painter.glow_band if self.translucent else painter.frame_band
        for monitor in layout.monitors:
            for band in design.bands(monitor, depth * scale):
                yield Panel(display, band, self._visual, paint(monitor, band, scale))
        yield self._pill(display, layout)

    def _pill(self, display: Display, layout: Layout) -> Panel:
        scale = layout.scale
        shape = design.pill(layout.work_area, painter.text_width(scale), scale)
        pixels = painter.pill(shape, scale, opaque=not self.translucent)
        outline = () if self.translucent else design.rounded_rows(shape.body)
        return Panel(display, shape.window, self._visual, pixels, outline)

    def owns(self, window_id: int) -> bool:
        return any(panel.id == window_id for panel in self._panels)

    def set_level(self, level: float) -> None:
        for panel in self._panels:
            panel.set_level(level)

    def rise(self) -> None:
        """Back above everything, the pill last so that it stays over the glow."""
        for panel in self._panels:
            panel.rise()

    def destroy(self) -> None:
        for panel in self._panels:
            panel.destroy()

"""Cairo: the halo's pixels. Every function returns BGRA or BGRx bytes, rows top to bottom, no padding."""

from __future__ import annotations

import math

import cairocffi as cairo

from mac_commander.model import Rect
from mac_commander.overlay import design
from mac_commander.overlay.design import Colour, Pill

FONT_FAMILY = "sans-serif"
"""Fontconfig's alias for what the user chose to read."""


def text_width(scale: float) -> float:
    """Width of the pill's words in pixels."""
    context = cairo.Context(cairo.ImageSurface(cairo.FORMAT_ARGB32, 1, 1))
    _choose_font(context, scale)
    return float(context.text_extents(design.TEXT)[4])


def glow_band(screen: Rect, band: Rect, scale: float) -> bytes:
    """One strip of the glow. All strips are cut from the same picture of the whole screen, so they fit."""
    surface, context = _canvas(band)
    _paint_edges(context, screen, scale)
    _paint_rim(context, screen, scale)
    return _pixels(surface)


def frame_band(screen: Rect, band: Rect, scale: float) -> bytes:
    """One strip of the opaque frame: bright in the middle, deep at both sides."""
    surface, context = _canvas(band)
    _fill(context, screen, _deep(design.ROSE_GOLD), 1)
    for inset, colour in ((0.0, design.RIM), (0.25, design.ROSE_GOLD), (0.75, _deep(design.ROSE_GOLD))):
        _fill(context, _inset(screen, inset * design.FRAME_WIDTH * scale), colour, 1)
    return _pixels(surface)


def pill(shape: Pill, scale: float, *, opaque: bool) -> bytes:
    """The pill with its words; ``opaque`` leaves out the light around it and all translucency."""
    surface, context = _canvas(Rect(0, 0, shape.window.width, shape.window.height))
    if opaque:
        _fill(context, Rect(0, 0, shape.window.width, shape.window.height), design.ROSE_GOLD, 1)
    else:
        _paint_pill_glow(context, shape.body, scale)
    _paint_pill_body(context, shape.body, scale, 1 if opaque else design.PILL_FILL_OPACITY)
    _paint_dot(context, shape.dot, scale)
    _paint_text(context, shape.text, scale)
    return _pixels(surface)


def _canvas(part: Rect) -> tuple[cairo.ImageSurface, cairo.Context]:
    """A surface for that part of a larger picture, addressed in the coordinates of the whole."""
    surface = cairo.ImageSurface(cairo.FORMAT_ARGB32, int(part.width), int(part.height))
    context = cairo.Context(surface)
    context.translate(-part.x, -part.y)
    return surface, context


def _pixels(surface: cairo.ImageSurface) -> bytes:
    surface.flush()
    return bytes(surface.get_data())


def _deep(colour: Colour) -> Colour:
    return Colour(*(0.55 * part for part in colour))


def _inset(rect: Rect, by: float) -> Rect:
    return Rect(rect.x + by, rect.y + by, rect.width - 2 * by, rect.height - 2 * by)


def _fill(context: cairo.Context, rect: Rect, colour: Colour, opacity: float) -> None:
    context.set_source_rgba(*colour, opacity)
    context.rectangle(*rect)
    context.fill()


def _paint_edges(context: cairo.Context, screen: Rect, scale: float) -> None:
    depth = design.GLOW_DEPTH * scale
    left, top, right, bottom = screen.x, screen.y, screen.x + screen.width, screen.y + screen.height
    for line in (
        (left, top, left + depth, top),
        (right, top, right - depth, top),
        (left, top, left, top + depth),
        (left, bottom, left, bottom - depth),
    ):
        gradient = cairo.LinearGradient(*line)
        for place, opacity in design.glow_stops():
            gradient.add_color_stop_rgba(place, *design.ROSE_GOLD, opacity)
        context.set_source(gradient)
        context.paint()


def _paint_rim(context: cairo.Context, screen: Rect, scale: float) -> None:
    width = design.RIM_WIDTH * scale
    context.set_source_rgba(*design.RIM, design.RIM_OPACITY)
    context.set_line_width(width)
    context.rectangle(*_inset(screen, width / 2))
    context.stroke()


def _paint_pill_glow(context: cairo.Context, body: Rect, scale: float) -> None:
    """Rings of falling opacity: Cairo has no blur."""
    context.set_line_width(design.PILL_GLOW_LINE)
    for i, opacity in enumerate(design.pill_glow(scale)):
        context.set_source_rgba(*design.ROSE_GOLD, opacity)
        _pill_path(context, _inset(body, -i - 0.5))
        context.stroke()


def _paint_pill_body(context: cairo.Context, body: Rect, scale: float, opacity: float) -> None:
    width = design.PILL_BORDER_WIDTH * scale
    _pill_path(context, body)
    context.set_source_rgba(*design.PILL_FILL, opacity)
    context.fill()
    _pill_path(context, _inset(body, width / 2))
    context.set_source_rgba(*design.ROSE_GOLD, 1)
    context.set_line_width(width)
    context.stroke()


def _pill_path(context: cairo.Context, rect: Rect) -> None:
    radius = rect.height / 2
    context.new_path()
    context.arc(rect.x + rect.width - radius, rect.y + radius, radius, -math.pi / 2, math.pi / 2)
    context.arc(rect.x + radius, rect.y + radius, radius, math.pi / 2, 3 * math.pi / 2)
    context.close_path()


def _paint_dot(context: cairo.Context, centre: tuple[float, float], scale: float) -> None:
    for radius, colour, opacity in design.DOT_RINGS:
        context.set_source_rgba(*colour, opacity)
        context.arc(*centre, radius * design.DOT_RADIUS * scale, 0, 2 * math.pi)
        context.fill()


def _choose_font(context: cairo.Context, scale: float) -> None:
    context.select_font_face(FONT_FAMILY, cairo.FONT_SLANT_NORMAL, cairo.FONT_WEIGHT_BOLD)
    context.set_font_size(design.FONT_SIZE * scale)
    options = cairo.FontOptions()
    options.set_antialias(cairo.ANTIALIAS_GRAY)  # sub-pixel colours would fringe on a translucent window
    options.set_hint_metrics(cairo.HINT_METRICS_OFF)
    context.set_font_options(options)


def _paint_text(context: cairo.Context, start: tuple[float, float], scale: float) -> None:
    _choose_font(context, scale)
    cap_height = -context.text_extents("C")[1]
    context.move_to(start[0], start[1] + cap_height / 2)
    context.set_source_rgba(*design.INK, 1)
    context.show_text(design.TEXT)

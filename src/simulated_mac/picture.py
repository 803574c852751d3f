"""What the simulated screen looks like: windows with title bars, labels and readable text, as PNG.

A window is drawn on a canvas of its own, so a picture of it can show no other.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from simulated_mac.drawing import Pen, paint
from simulated_mac.elements import TITLE_BAR, Window
from simulated_mac.geometry import Bounds

if TYPE_CHECKING:
    from simulated_mac.machine import Machine

DESKTOP = ((58, 96, 152), (150, 120, 170))
"""The wallpaper: colours of its top and its bottom."""

_BAR = (246, 246, 248)
_TITLE_BAR = (226, 226, 230)
_TRAFFIC_LIGHTS = ((237, 106, 94), (245, 191, 79), (97, 197, 84))
_INK, _GREY = (28, 28, 30), (142, 142, 147)
BAR_HEIGHT = 24


def of_window(machine: Machine, window: Window) -> bytes:
    """That window alone, at the scale of the screen that it is on."""
    return _png(_window(machine, window, _scale_at(machine, window.frame)))


def of_screen(machine: Machine, index: int) -> bytes:
    """Everything on one display."""
    return _png(screen(machine, index))


def of_everything(machine: Machine) -> bytes:
    """All displays beside one another, one pixel a point: for people to look at."""
    shown = [(Bounds(*s["bounds"]), screen(machine, i, 1)) for i, s in enumerate(machine.screens)]
    left, top = min(b.x for b, _ in shown), min(b.y for b, _ in shown)
    right, bottom = max(b.x + b.width for b, _ in shown), max(b.y + b.height for b, _ in shown)
    canvas = Image.new("RGB", (round(right - left), round(bottom - top)))
    for bounds, picture in shown:
        canvas.paste(picture, (round(bounds.x - left), round(bounds.y - top)))
    return _png(canvas)


def screen(machine: Machine, index: int, scale: float | None = None) -> Image.Image:
    shown = machine.screens[index]
    bounds = Bounds(*shown["bounds"])
    scale = shown.get("scale", 1) if scale is None else scale
    canvas = _wallpaper(round(bounds.width * scale), round(bounds.height * scale))
    for window in reversed(machine.stack):
        if window.visible and window.alpha > 0 and window.frame.overlaps(bounds):
            corner = (round((window.frame.x - bounds.x) * scale), round((window.frame.y - bounds.y) * scale))
            canvas.paste(_window(machine, window, scale), corner)
    _menu_bar(machine, canvas, bounds, scale)
    return canvas


def _scale_at(machine: Machine, frame: Bounds) -> float:
    on = [s for s in machine.screens if Bounds(*s["bounds"]).overlaps(frame)]
    return float((on or machine.screens)[0].get("scale", 1))


def _wallpaper(width: int, height: int) -> Image.Image:
    (r1, g1, b1), (r2, g2, b2) = DESKTOP
    column = Image.new("RGB", (1, 64))
    for y in range(64):
        part = y / 63
        column.putpixel(
            (0, y), (round(r1 + (r2 - r1) * part), round(g1 + (g2 - g1) * part), round(b1 + (b2 - b1) * part))
        )
    return column.resize((max(width, 1), max(height, 1)))


def _window(machine: Machine, window: Window, scale: float) -> Image.Image:
    frame = window.frame
    canvas = Image.new("RGB", (max(round(frame.width * scale), 1), max(round(frame.height * scale), 1)), _BAR)
    pen = Pen(ImageDraw.Draw(canvas), frame, scale)
    if window.role == "AXWindow" and window.layer == 0:
        _title_bar(pen, window)
    key = machine.front is window.app and machine.key_window(window.app) is window
    for element in window.walk():
        if element is not window and element.bounds is not None:
            paint(pen, element, focused=key and window.focus is element)
    pen.box(Bounds(frame.x, frame.y, frame.width - 1 / scale, frame.height - 1 / scale), outline=_GREY)
    return canvas


def _title_bar(pen: Pen, window: Window) -> None:
    frame = window.frame
    pen.box(Bounds(frame.x, frame.y, frame.width, TITLE_BAR), fill=_TITLE_BAR)
    for index, colour in enumerate(_TRAFFIC_LIGHTS):
        pen.disc(frame.x + 18 + 20 * index, frame.y + TITLE_BAR / 2, 6, colour)
    pen.centred(window.title, Bounds(frame.x + 70, frame.y, frame.width - 80, TITLE_BAR), _INK, bold=True)


def _menu_bar(machine: Machine, canvas: Image.Image, bounds: Bounds, scale: float) -> None:
    pen = Pen(ImageDraw.Draw(canvas), bounds, scale)
    pen.box(Bounds(bounds.x, bounds.y, bounds.width, BAR_HEIGHT), fill=_BAR)
    if bounds[:2] != machine.main_screen[:2] or machine.front is None or machine.front.menu_bar is None:
        return
    for item in machine.front.menu_bar.children:
        if item.bounds is not None:
            bold = item.title == machine.front.local_name
            pen.centred("●" if item.title == "Apple" else item.title, item.bounds, _INK, bold=bold)


def _png(image: Image.Image) -> bytes:
    written = io.BytesIO()
    image.save(written, "PNG")
    return written.getvalue()

"""How each kind of element is drawn."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from PIL import ImageDraw, ImageFont

from simulated_mac.elements import Element
from simulated_mac.geometry import Bounds

Colour = tuple[int, int, int]
WHITE, INK, GREY, LINE = (255, 255, 255), (28, 28, 30), (142, 142, 147), (199, 199, 204)
BLUE, BUTTON, SELECTED = (10, 110, 250), (255, 255, 255), (179, 215, 255)
FONTS = ("DejaVuSans.ttf", "Arial.ttf", "Helvetica.ttc")
BOLD_FONTS = ("DejaVuSans-Bold.ttf", "Arial Bold.ttf", "Helvetica.ttc")
YELLOW = (255, 204, 51)
TEXT_POINTS = 13
EMOJI = re.compile("([\U0001f000-\U0001faff][\u200d\ufe0f\U0001f000-\U0001faff]*)")
SMILEY_WIDTH = 1.1
"""Of a letter's height."""
LINE_HEIGHT, INSET = 16, 4


@cache
def font(pixels: int, bold: bool) -> Any:
    """The first that this machine has; pillow brings one of its own for the rest."""
    for name in BOLD_FONTS if bold else FONTS:
        try:
            return ImageFont.truetype(name, pixels)
        except OSError:
            continue
    return ImageFont.load_default(pixels)


class Pen:
    """Draws in screen points on the canvas of one window or screen."""

    def __init__(self, draw: ImageDraw.ImageDraw, frame: Bounds, scale: float) -> None:
        self._draw, self._frame, self._scale = draw, frame, scale

    def _pixels(self, x: float, y: float) -> tuple[float, float]:
        return (x - self._frame.x) * self._scale, (y - self._frame.y) * self._scale

    def box(
        self,
        bounds: Bounds,
        fill: Colour | None = None,
        outline: Colour | None = None,
        radius: float = 0,
        width: int = 1,
    ) -> None:
        x, y = self._pixels(bounds.x, bounds.y)
        right, bottom = self._pixels(bounds.x + bounds.width, bounds.y + bounds.height)
        if right > x and bottom > y:
            self._draw.rounded_rectangle((x, y, right, bottom), radius * self._scale, fill, outline, width)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        left, top = self._pixels(x - radius, y - radius)
        right, bottom = self._pixels(x + radius, y + radius)
        self._draw.ellipse((left, top, right, bottom), colour)

    def text(self, text: str, x: float, y: float, colour: Colour = INK, points: float = TEXT_POINTS) -> None:
        face = font(round(points * self._scale), False)
        left, top = self._pixels(x, y)
        for run in EMOJI.split(text):
            if EMOJI.fullmatch(run):
                self._smiley(left, top, face.size)
            else:
                self._draw.text((left, top), run, colour, face)
            left += face.size * SMILEY_WIDTH if EMOJI.fullmatch(run) else face.getlength(run)

    def _smiley(self, left: float, top: float, size: float) -> None:
        """For every emoji: text fonts have none, and a colour font is not to be counted on."""
        x, y, radius = left + size * SMILEY_WIDTH / 2, top + size * 0.6, size / 2
        self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), YELLOW)
        smile = (x - radius * 0.55, y - radius * 0.5, x + radius * 0.55, y + radius * 0.6)
        self._draw.arc(smile, 20, 160, INK, max(round(size / 14), 1))
        for eye in (x - radius * 0.35, x + radius * 0.35):
            self._draw.ellipse((eye - size / 14, y - size * 0.2, eye + size / 14, y - size * 0.02), INK)

    def centred(
        self, text: str, bounds: Bounds, colour: Colour, bold: bool = False, points: float = TEXT_POINTS
    ) -> None:
        middle = self._pixels(bounds.x + bounds.width / 2, bounds.y + bounds.height / 2)
        self._draw.text(middle, text, colour, font(round(points * self._scale), bold), anchor="mm")


def paint(pen: Pen, element: Element, focused: bool) -> None:
    bounds = element.bounds
    if bounds is not None:
        _KINDS.get(element.role, _nothing)(pen, element, bounds, focused)


def _nothing(pen: Pen, element: Element, bounds: Bounds, focused: bool) -> None:
    """Groups and areas show by what is in them."""


def _field(pen: Pen, element: Element, bounds: Bounds, focused: bool) -> None:
    outline = BLUE if focused else LINE
    pen.box(
        bounds, fill=WHITE, outline=outline, radius=0 if element.role == "AXTextArea" else 5, width=2 if focused else 1
    )
    shown = "•" * len(element.value) if element.secure else str(element.value)
    if not shown:
        pen.text(element.spec.get("placeholder", ""), bounds.x + INSET + 2, bounds.y + INSET, GREY)
    for row, line in enumerate(shown.split("\n")[: max(int(bounds.height // LINE_HEIGHT), 1)]):
        pen.text(line, bounds.x + INSET + 2, bounds.y + INSET + LINE_HEIGHT * row)


def _button(pen: Pen, element: Element, bounds: Bounds, focused: bool) -> None:
    default = bool(element.spec.get("default"))
    pen.box(bounds, fill=BLUE if default else BUTTON, outline=LINE, radius=6)
    ink = GREY if not element.enabled else WHITE if default else INK
    pen.centred(element.title or element.spec.get("description", ""), bounds, ink)


def _check(pen: Pen, element: Element, bounds: Bounds, focused: bool) -> None:
    on = element.value in (1, True)
    box = Bounds(bounds.x, bounds.y + (bounds.height - 14) / 2, 14, 14)
    pen.box(box, fill=BLUE if on else WHITE, outline=LINE, radius=7 if element.role == "AXRadioButton" else 3)
    if on:
        pen.centred("✓", box, WHITE, points=11)
    pen.text(element.title, bounds.x + 20, bounds.y + (bounds.height - LINE_HEIGHT) / 2)


def _label(pen: Pen, element: Element, bounds: Bounds, focused: bool) -> None:
    text = str(element.value if element.value is not None else element.title)
    if bounds.height > 2 * LINE_HEIGHT:
        pen.box(bounds, fill=INK, radius=4)
        pen.centred(text, bounds, WHITE, points=bounds.height * 0.5)
    else:
        pen.text(text, bounds.x, bounds.y + 1)


def _row(pen: Pen, element: Element, bounds: Bounds, focused: bool) -> None:
    if element.selected:
        pen.box(bounds, fill=SELECTED, radius=4)
    if not element.children:
        pen.text(str(element.value or element.title), bounds.x + INSET, bounds.y + INSET)


def _menu_item(pen: Pen, element: Element, bounds: Bounds, focused: bool) -> None:
    pen.text(element.title, bounds.x + 12, bounds.y + INSET, INK if element.enabled else GREY)


def _slider(pen: Pen, element: Element, bounds: Bounds, focused: bool) -> None:
    low, high = element.spec.get("minimum", 0), element.spec.get("maximum", 100)
    part = (element.quantity - low) / ((high - low) or 1)
    middle = bounds.y + bounds.height / 2
    pen.box(Bounds(bounds.x, middle - 2, bounds.width, 4), fill=LINE, radius=2)
    pen.disc(bounds.x + bounds.width * min(max(part, 0), 1), middle, 8, BLUE)


_KINDS = {
    "AXTextField": _field,
    "AXTextArea": _field,
    "AXSearchField": _field,
    "AXSecureTextField": _field,
    "AXComboBox": _field,
    "AXButton": _button,
    "AXPopUpButton": _button,
    "AXMenuButton": _button,
    "AXCheckBox": _check,
    "AXRadioButton": _check,
    "AXSwitch": _check,
    "AXStaticText": _label,
    "AXHeading": _label,
    "AXLink": _label,
    "AXRow": _row,
    "AXMenuItem": _menu_item,
    "AXSlider": _slider,
}

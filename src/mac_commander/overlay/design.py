"""What the halo looks like: words, colours, sizes, shapes. Pure, and shared by all desktops.

Sizes are **points**; a painter multiplies them with the display's scale. Colours are straight (not
premultiplied) RGB from 0 to 1.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from mac_commander.model import Rect

TEXT = "Claude has the con"


class Colour(NamedTuple):
    red: float
    green: float
    blue: float


ROSE_GOLD = Colour(0.89, 0.55, 0.47)
"""The glow. Deep enough to be seen on white, light enough to shine on black."""

RIM = Colour(1.0, 0.87, 0.80)
"""The bright line along the very edge of the screen."""

INK = Colour(1.0, 0.93, 0.89)
"""The pill's words."""

PILL_FILL = Colour(0.16, 0.09, 0.09)
"""Behind the words: dark on every wallpaper, so that one ink is legible on all."""

GLOW_DEPTH = 72.0
"""From the edge of the screen to where the glow has bled to nothing."""

GLOW_PEAK = 0.85
"""Opacity of the glow at the very edge."""

GLOW_STEPS = 24
"""Stops of the gradient that stands for the curve of `glow_opacity`; more cannot be told apart."""

RIM_WIDTH = 2.0

RIM_OPACITY = 0.95

FRAME_WIDTH = 4.0
"""The frame where nothing can be translucent: wide enough to be seen at a glance, too thin to hide anything."""

FONT_SIZE = 15.0

PILL_PADDING_X = 18.0

PILL_HEIGHT = 36.0

DOT_RADIUS = 4.0

DOT_RINGS = ((2.0, ROSE_GOLD, 0.3), (1.0, ROSE_GOLD, 1.0), (0.45, RIM, 1.0))
"""The dot from outside in: share of `DOT_RADIUS`, colour, opacity."""

DOT_GAP = 10.0
"""Between the dot and the words."""

PILL_FILL_OPACITY = 0.90

PILL_BORDER_WIDTH = 1.0

PILL_GLOW = 20.0
"""How far the pill's own soft light reaches around it."""

PILL_GLOW_PEAK = 0.55

PILL_GLOW_LINE = 1.5
"""Width of one ring of that light in pixels; rings are one apart, so neighbours overlap and melt."""

PILL_LIFT = 30.0
"""Between the pill and the bottom of the work area."""


def glow_opacity(distance: float) -> float:
    """Opacity at so many points from the edge: the peak there, nothing at `GLOW_DEPTH`, no kink in between.

    Where two edges meet, both are painted over one another: 1 - (1 - a)(1 - b), which has no seam.
    """
    left = 1.0 - min(max(distance / GLOW_DEPTH, 0.0), 1.0)
    return GLOW_PEAK * math.pow(left, 2.4)


def glow_stops() -> tuple[tuple[float, float], ...]:
    """Gradient stops (place from 0 at the edge to 1 at the inner end, opacity) of `glow_opacity`."""
    places = [i / GLOW_STEPS for i in range(GLOW_STEPS + 1)]
    return tuple((place, glow_opacity(place * GLOW_DEPTH)) for place in places)


def pill_glow(scale: float) -> tuple[float, ...]:
    """Opacities of the rings of light around the pill, one pixel apart, from its edge outwards."""
    reach = math.ceil(PILL_GLOW * scale)
    return tuple(PILL_GLOW_PEAK * math.pow(1 - i / reach, 2.6) for i in range(reach))


def bands(screen: Rect, depth: float) -> tuple[Rect, ...]:
    """The strips along the four edges of a screen, in whole pixels, which meet without a gap or an overlap.

    Separate strips leave the middle of the screen to the apps: no window of ours lies there at all.
    """
    d = min(math.ceil(depth), int(min(screen.width, screen.height) - 1) // 2)
    x, y, width, height = screen
    return (
        Rect(x, y, width, d),
        Rect(x, y + height - d, width, d),
        Rect(x, y + d, d, height - 2 * d),
        Rect(x + width - d, y + d, d, height - 2 * d),
    )


class Pill(NamedTuple):
    """Where things are in the pill's window, relative to its top left corner, in the unit of ``scale``."""

    window: Rect
    """On the desktop."""
    body: Rect
    dot: tuple[float, float]
    """Centre of the dot."""
    text: tuple[float, float]
    """Left end of the words, at half their height."""


def pill(work_area: Rect, text_width: float, scale: float) -> Pill:
    """The pill at the bottom centre of the main screen's work area; all results are in pixels of ``scale``."""
    glow = math.ceil(PILL_GLOW * scale)
    height = round(PILL_HEIGHT * scale)
    lead = (PILL_PADDING_X + 2 * DOT_RADIUS + DOT_GAP) * scale
    width = math.ceil(lead + text_width + PILL_PADDING_X * scale)
    x = round(work_area.x + (work_area.width - width) / 2)
    y = round(work_area.y + work_area.height - PILL_LIFT * scale - height)
    middle = glow + height / 2
    return Pill(
        window=Rect(x - glow, y - glow, width + 2 * glow, height + 2 * glow),
        body=Rect(glow, glow, width, height),
        dot=(glow + (PILL_PADDING_X + DOT_RADIUS) * scale, middle),
        text=(glow + lead, middle),
    )


def rounded_rows(body: Rect) -> tuple[Rect, ...]:
    """A pill-shaped area as one rectangle for each row of pixels: for screens that cannot be translucent."""
    height = int(body.height)
    radius = height / 2
    insets = [round(radius - math.sqrt(radius**2 - (radius - row - 0.5) ** 2)) for row in range(height)]
    return tuple(Rect(body.x + i, body.y + row, body.width - 2 * i, 1) for row, i in enumerate(insets))

"""Pixels of a view that draws itself: translucent colours painted over one another, as AppKit does."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image, ImageDraw

from simulated_mac.drawing import font
from simulated_mac.geometry import Bounds

Rgba = tuple[float, float, float, float]
Box = tuple[int, int, int, int]
Draw = Callable[[ImageDraw.ImageDraw, tuple[float, ...], float], None]
"""Draws a shape white on black into a box, at so many pixels for each point."""

CLEAR: Rgba = (0.0, 0.0, 0.0, 0.0)
SMOOTH = 4
"""Shapes are drawn this much larger and made smaller again: PIL draws without anti-aliasing."""


class Canvas:
    """Positions are points from the view's own origin."""

    def __init__(self, size: tuple[float, float], scale: float, flipped: bool) -> None:
        self._scale, self._flipped, self._height = scale, flipped, size[1]
        self.image = Image.new("RGBA", (round(size[0] * scale), round(size[1] * scale)))
        self.colour: Rgba = (0.0, 0.0, 0.0, 1.0)

    def fill(self, bounds: Bounds) -> None:
        left, top, right, bottom = (round(edge) for edge in self._pixels(bounds))
        self._over((left, top, right, bottom), lambda size: Image.new("L", size, 255))

    def fill_rounded(self, bounds: Bounds, radius: float) -> None:
        self._shape(bounds, lambda draw, box, scale: draw.rounded_rectangle(box, radius * scale, fill=255), 0)

    def stroke_rounded(self, bounds: Bounds, radius: float, width: float) -> None:
        """The line lies half inside and half outside of the path."""

        def ring(draw: ImageDraw.ImageDraw, box: tuple[float, ...], scale: float) -> None:
            half = width * scale / 2
            outer = (box[0] - half, box[1] - half, box[2] + half, box[3] + half)
            inner = (box[0] + half, box[1] + half, box[2] - half, box[3] - half)
            draw.rounded_rectangle(outer, radius * scale + half if radius else 0, fill=255)
            draw.rounded_rectangle(inner, max(radius * scale - half, 0), fill=0)

        self._shape(bounds, ring, width)

    def text(self, text: str, x: float, y: float, points: float, bold: bool) -> None:
        left, top, right, bottom = self._pixels(Bounds(x, y, *text_size(text, points, bold)))
        face = font(round(points * self._scale), bold)

        def letters(size: tuple[int, int]) -> Image.Image:
            mask = Image.new("L", size)
            ImageDraw.Draw(mask).text((0, size[1] / 2), text, 255, face, anchor="lm")
            return mask

        self._over((round(left), round(top), round(right), round(bottom)), letters)

    def _shape(self, bounds: Bounds, draw: Draw, margin: float) -> None:
        edges = self._pixels(bounds)
        room = round(margin * self._scale) + 1
        x, y = int(edges[0]) - room, int(edges[1]) - room

        def mask(size: tuple[int, int]) -> Image.Image:
            large = Image.new("L", (size[0] * SMOOTH, size[1] * SMOOTH))
            box = tuple((edge - origin) * SMOOTH for edge, origin in zip(edges, (x, y, x, y), strict=True))
            draw(ImageDraw.Draw(large), box, self._scale * SMOOTH)
            return large.resize(size, Image.Resampling.BOX)

        self._over((x, y, int(edges[2]) + room + 1, int(edges[3]) + room + 1), mask)

    def _pixels(self, bounds: Bounds) -> tuple[float, float, float, float]:
        y = bounds.y if self._flipped else self._height - bounds.y - bounds.height
        edges = (bounds.x, y, bounds.x + bounds.width, y + bounds.height)
        return tuple(edge * self._scale for edge in edges)  # type: ignore[return-value]

    def _over(self, box: Box, mask: Callable[[tuple[int, int]], Image.Image]) -> None:
        """Paint the colour over what is there, as strong as the mask says."""
        size = (max(box[2] - box[0], 0), max(box[3] - box[1], 0))
        if 0 in size:
            return
        red, green, blue, alpha = (round(255 * part) for part in self.colour)
        layer = Image.new("RGBA", size, (red, green, blue, 0))
        layer.putalpha(mask(size).point(lambda strength: strength * alpha // 255))
        below = self.image.crop(box)
        below.alpha_composite(layer)
        self.image.paste(below, box[:2])


def text_size(text: str, points: float, bold: bool) -> tuple[float, float]:
    """Width and line height in points."""
    return float(font(round(points), bold).getlength(text)), round(points * 1.2)

"""Pictures for the client: scaled and encoded within what clients accept, with the way back to points told."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass

from mac_commander.core.reply import Image
from mac_commander.model import Picture, Point, Rect

SIDE_MOST = 1568
"""Pixels of the long side: models scale larger pictures down themselves, and then points no longer fit."""

BYTES_MOST = 700_000
"""Claude Desktop rejects results over 1,048,576 bytes; base64 adds a third (fastmcp #1036)."""

_JPEG_QUALITIES = (88, 75, 60, 45)
_SHRINK = 0.75


@dataclass(frozen=True, slots=True)
class Mark:
    """A ref to draw on a picture, at its element's place on the screen."""

    ref: str
    bounds: Rect


@dataclass(frozen=True, slots=True)
class Encoded:
    image: Image
    width: int
    height: int
    bounds: Rect

    @property
    def words(self) -> str:
        """How a pixel of the picture becomes an ``xy``."""
        b, scale = self.bounds, self.bounds.width / self.width
        return (
            f"picture: {self.width}x{self.height} px of {b.width:.0f}x{b.height:.0f} points at {b.x:.0f},{b.y:.0f}; "
            f"xy = {b.x:.0f} + px * {scale:.4g}, {b.y:.0f} + py * {scale:.4g}"
        )


def encode(picture: Picture, black: Iterable[Rect] = (), marks: Iterable[Mark] = ()) -> Encoded:
    """The picture with ``black`` rectangles (screen points) painted over, at most `SIDE_MOST` and `BYTES_MOST`.
    PNG while it fits, else JPEG, smaller if need be."""
    from PIL import Image as Pillow  # not needed until the first picture: keeps start-up the SDK's own
    from PIL import ImageDraw

    image = Pillow.frombytes("RGB", (picture.width, picture.height), picture.rgb)
    draw = ImageDraw.Draw(image)
    for rect in black:
        draw.rectangle(_pixels(rect, picture), fill=(0, 0, 0))
    image.thumbnail((SIDE_MOST, SIDE_MOST), Pillow.Resampling.LANCZOS)
    _draw_marks(image, picture, marks)
    data, mime = _smallest(image)
    while len(data) > BYTES_MOST:
        image = image.resize((max(1, int(image.width * _SHRINK)), max(1, int(image.height * _SHRINK))))
        data, mime = _smallest(image)
    return Encoded(Image(data, mime), image.width, image.height, picture.bounds)


def _pixels(rect: Rect, picture: Picture) -> tuple[float, float, float, float]:
    sx = picture.width / picture.bounds.width
    sy = picture.height / picture.bounds.height
    left, top = (rect.x - picture.bounds.x) * sx, (rect.y - picture.bounds.y) * sy
    return (left, top, left + rect.width * sx, top + rect.height * sy)


def _smallest(image: object) -> tuple[bytes, str]:
    data = _saved(image, "PNG")
    if len(data) <= BYTES_MOST:
        return data, "image/png"
    for quality in _JPEG_QUALITIES:
        data = _saved(image, "JPEG", quality=quality)
        if len(data) <= BYTES_MOST:
            break
    return data, "image/jpeg"


def _saved(image: object, form: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **options)  # type: ignore[attr-defined]
    return out.getvalue()


def _draw_marks(image: object, picture: Picture, marks: Iterable[Mark]) -> None:
    """Each ref as a small tag on its element's top left corner, with a thin outline round the element."""
    from PIL import ImageDraw, ImageFont

    draw = ImageDraw.Draw(image)  # type: ignore[arg-type]
    font = ImageFont.load_default(_MARK_PX)
    scale = image.width / picture.width  # type: ignore[attr-defined]
    for mark in marks:
        left, top, right, bottom = (v * scale for v in _pixels(mark.bounds, picture))
        draw.rectangle((left, top, right, bottom), outline=_MARK_COLOUR)
        width = draw.textlength(mark.ref, font=font)
        draw.rectangle((left, top, left + width + 4, top + _MARK_PX + 2), fill=_MARK_COLOUR)
        draw.text((left + 2, top), mark.ref, fill=(255, 255, 255), font=font)


_MARK_PX = 12
_MARK_COLOUR = (183, 28, 92)


def point_of(encoded: Encoded, px: float, py: float) -> Point:
    """The screen point of a pixel in the encoded picture."""
    scale = encoded.bounds.width / encoded.width
    return Point(encoded.bounds.x + px * scale, encoded.bounds.y + py * scale)

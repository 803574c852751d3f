"""The icon: a pointer on a dark screen whose edges glow, as they do while the server is at the controls."""

from __future__ import annotations

from PIL import Image, ImageDraw, ImageFilter

SIZE = 512
"""Pixels a side; what the bundle's directory shows on dense screens."""

OVERSAMPLING = 4
"""Drawn larger and scaled down, for smooth edges."""

CORNER = 112
SCREEN = (17, 20, 29)
GLOW = (255, 149, 64)
POINTER = ((176, 128), (176, 360), (232, 308), (270, 392), (312, 373), (275, 291), (350, 286))


def draw() -> Image.Image:
    side = SIZE * OVERSAMPLING
    box = (0, 0, side - 1, side - 1)
    shape = Image.new("L", (side, side), 0)
    ImageDraw.Draw(shape).rounded_rectangle(box, CORNER * OVERSAMPLING, fill=255)
    icon = Image.new("RGB", (side, side), SCREEN)
    for width, blur, strength in ((80, 48, 0.55), (32, 14, 0.8), (10, 2, 1.0)):
        icon.paste(GLOW, mask=_edge(side, width, blur, strength))
    _point(icon)
    icon.putalpha(shape)
    return icon.resize((SIZE, SIZE), Image.Resampling.LANCZOS)


def _edge(side: int, width: int, blur: int, strength: float) -> Image.Image:
    edge = Image.new("L", (side, side), 0)
    ImageDraw.Draw(edge).rounded_rectangle(
        (0, 0, side - 1, side - 1),
        CORNER * OVERSAMPLING,
        outline=round(255 * strength),
        width=width * OVERSAMPLING // 2,
    )
    return edge.filter(ImageFilter.GaussianBlur(blur * OVERSAMPLING // 2))


def _point(icon: Image.Image) -> None:
    shape = [(x * OVERSAMPLING, y * OVERSAMPLING) for x, y in POINTER]
    ImageDraw.Draw(icon).polygon(shape, fill=(255, 255, 255))

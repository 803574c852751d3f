"""What colour a screen point has in a picture that ``see`` gave."""

from __future__ import annotations

import base64
import io
import re

from PIL import Image

from mac_commander.verify.acceptance import wanted

SCALE = re.compile(r"xy = (\S+) \+ px \* ([\d.]+), (\S+) \+ py \* ([\d.]+)")
"""As the note tells how pixels become screen points."""


def colour_at(picture: str, text: str, point: list[float]) -> tuple[int, int, int]:
    """``picture`` in base64, with the text that came with it. Raises `AssertionError` when that tells no scale."""
    found = SCALE.search(text)
    wanted(found is not None, "the picture came without its scale")
    assert found is not None
    left, across, top, down = (float(part) for part in found.groups())
    with Image.open(io.BytesIO(base64.b64decode(picture))) as image:
        x, y = round((point[0] - left) / across), round((point[1] - top) / down)
        red, green, blue = image.convert("RGB").crop((x, y, x + 1, y + 1)).tobytes()
    return red, green, blue

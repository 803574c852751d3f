from __future__ import annotations

import io
import random

import pytest
from PIL import Image, ImageChops

from mac_commander.core.picture import BYTES_MOST, SIDE_MOST, Mark, encode, point_of
from mac_commander.model import Picture, Point, Rect


def plain(width: int, height: int, bounds: Rect | None = None) -> Picture:
    return Picture(width, height, bytes((200, 210, 220)) * (width * height), bounds or Rect(0, 0, width, height))


def noise(width: int, height: int) -> Picture:
    return Picture(width, height, random.Random(7).randbytes(width * height * 3), Rect(0, 0, width, height))


def decoded(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def test_a_small_picture_is_a_png_of_the_same_size() -> None:
    out = encode(plain(300, 200))
    assert out.image.mime == "image/png"
    assert decoded(out.image.data).size == (300, 200)


@pytest.mark.parametrize("size", [(3840, 2160), (1000, 5000), (1569, 10)])
def test_a_large_picture_fits_clients(size: tuple[int, int]) -> None:
    out = encode(plain(*size))
    assert max(out.width, out.height) == SIDE_MOST
    assert len(out.image.data) <= BYTES_MOST


def test_noise_fits_as_well() -> None:
    out = encode(noise(1600, 1200))
    assert out.image.mime == "image/jpeg"
    assert len(out.image.data) <= BYTES_MOST


def test_a_pixel_leads_back_to_its_point_on_a_retina_screen_left_of_the_main_one() -> None:
    out = encode(plain(3840, 2160, Rect(-1920, -200, 1920, 1080)))
    assert point_of(out, 0, 0) == Point(-1920, -200)
    x, y = point_of(out, out.width / 2, out.height / 2)
    assert (round(x), round(y)) == (-960, 340)
    assert "xy = -1920 + px * 1.224" in out.words


def test_black_rectangles_are_black_at_any_scale() -> None:
    out = encode(plain(400, 200, Rect(100, 50, 200, 100)), black=[Rect(150, 75, 50, 25)])
    image = decoded(out.image.data)
    assert image.getpixel((150, 75)) == (0, 0, 0)
    assert image.getpixel((90, 75)) == (200, 210, 220)
    assert image.getpixel((150, 110)) == (200, 210, 220)


def test_marks_are_drawn_where_the_element_is() -> None:
    bare = decoded(encode(plain(200, 100)).image.data)
    marked = decoded(encode(plain(200, 100), marks=[Mark("e17", Rect(50, 40, 60, 20))]).image.data)
    assert ImageChops.difference(bare, marked).getbbox() == (50, 40, 111, 61)

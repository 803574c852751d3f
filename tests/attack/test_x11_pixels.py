"""Pictures of real windows among windows of another colour: over them, under them, in them. Not a pixel of those."""

from __future__ import annotations

import base64
import io
import json
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.attack.size import of, rounds
from tests.lab import Lab
from tests.server.raw_client import PROGRAM, RawClient
from tests.witness import Thief

ROUNDS = of(1, 84)
KINDS = (
    "over",
    "under",
    "in it",
    "over, and all is pictured",
    "in it, and all is pictured",
    "behind, and all is pictured",
)
GREEN = """
from Xlib import X, display
at = display.Display()
screen = at.screen()
window = screen.root.create_window(300, 200, 400, 300, 0, screen.root_depth, X.InputOutput, X.CopyFromParent,
                                   background_pixel=0x00A000)
window.set_wm_name("Green")
window.set_wm_class("green", "Green")
window.map()
while at.next_event():
    pass
"""


@pytest.fixture
def green(lab: Lab) -> int:
    """The number of its window."""
    lab.spawn([sys.executable, "-c", GREEN])
    return lab.wait_window(title="Green")


@pytest.fixture
def client(lab: Lab, tmp_path: Path) -> Iterator[RawClient]:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / "config.json").write_text(json.dumps({"overlay": False, "input_blocklist": ["Thief"]}))
    (home / "config.json").chmod(0o600)
    with RawClient(home, [str(PROGRAM), "--desktop", "x11"], lab.env) as started:
        yield started.initialize()


def picture(client: RawClient, **arguments: Any) -> Image.Image:
    content = client.call("see", vision=True, **arguments)["content"]
    images = [part for part in content if part["type"] == "image"]
    assert images, content
    return Image.open(io.BytesIO(base64.b64decode(images[0]["data"]))).convert("RGB")


def counted(image: Image.Image, kind: Callable[[int, int, int], bool]) -> int:
    return sum(count for count, (r, g, b) in image.getcolors(1 << 24) or [] if kind(r, g, b))


def is_red(r: int, g: int, b: int) -> bool:
    return r > 180 and g < 140 and b < 140


def is_green(r: int, g: int, b: int) -> bool:
    return r < 60 and g > 120 and b < 60


def test_no_picture_has_a_pixel_of_a_blocked_window(
    client: RawClient, lab: Lab, green: int, reached: Callable[[str], None]
) -> None:
    dice, taken = random.Random(5), 0
    with Thief(lab) as thief:
        client.call("app", action="switch", name="Green")
        for _ in rounds(ROUNDS):
            for kind in KINDS:
                taken += 1
                image = pictured(client, thief, green, kind, dice)
                assert counted(image, is_red) == 0, kind
                assert "all" in kind or counted(image, is_green) > 20_000, kind
    reached(f"pixels: 0 of a blocked window's in {taken} pictures with it over, under and in the pictured one")


def pictured(client: RawClient, thief: Thief, green: int, kind: str, dice: random.Random) -> Image.Image:
    width, height = dice.randrange(20, 200), dice.randrange(20, 150)
    place = (dice.randrange(280, 600), dice.randrange(180, 450), width, height)
    embedded = kind.startswith("in it")
    if kind.startswith("over"):
        thief.ask("cover", *place)
    if embedded:
        thief.ask("cover", 2000, 2000, width, height)
        thief.ask("embed", green, dice.randrange(0, 200), dice.randrange(0, 150))
    image = picture(client, all=True) if "all" in kind else picture(client, app="Green")
    thief.ask("take_out" if embedded else "uncover")
    return image


def test_the_colour_would_be_seen(lab: Lab, client: RawClient, green: int, tmp_path: Path) -> None:
    """What the pictures are searched for is there when nobody takes it out."""
    with Thief(lab) as thief:
        thief.ask("cover", 320, 220, 100, 100)
        lab.screenshot(tmp_path / "all.png")
        assert counted(Image.open(tmp_path / "all.png").convert("RGB"), is_red) >= 10_000

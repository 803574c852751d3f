"""The real helper of macOS on the simulated Mac: what its window server shows at each moment, and what is drawn.

Only a Mac can tell how it looks there; names, arity, selectors and values are held by the facts.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from mac_commander.overlay import design

PROGRAM = Path(__file__).with_name("mac_helper.py")

MAIN, ABOVE = [0, 0, 1440, 900], [-100, -1440, 2560, 1440]
"""A second screen that stands above the main one: flipping by the wrong height showed here elsewhere."""

WORLD = {
    "screens": [{"bounds": MAIN, "scale": 2}, {"bounds": ABOVE, "scale": 1}],
    "apps": [
        {
            "name": "TextEdit",
            "bundle_id": "com.apple.TextEdit",
            "frontmost": True,
            "windows": [{"title": "Untitled", "bounds": [0, 80, 640, 480], "elements": []}],
        }
    ],
}

SCREEN_SAVER_LEVEL = 1000
"""Above the menu bar, the Dock and full-screen apps."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("panels")


@pytest.fixture(scope="module")
def moments(folder: Path) -> dict[str, Any]:
    """What the window server had before, during and after a call, and all the brightness in between."""
    world = folder / "world.json"
    world.write_text(json.dumps(WORLD))
    argv = [sys.executable, str(PROGRAM), str(world), str(folder)]
    ran = subprocess.run(argv, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    seen = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [line["moment"] for line in seen] == ["before", "fade", "lit", "fade", "dark"]
    before, rise, lit, fall, dark = seen
    return {"before": before, "rise": rise, "lit": lit, "fall": fall, "dark": dark}


def test_one_panel_over_each_screen(moments: dict[str, Any]) -> None:
    assert sorted(w["bounds"] for w in moments["lit"]["windows"]) == sorted([MAIN, ABOVE])


def test_nothing_of_it_is_there_before_and_after_a_call(moments: dict[str, Any]) -> None:
    assert moments["before"]["windows"] == []
    assert moments["dark"]["windows"] == []


def test_it_is_above_everything_and_lets_clicks_through(moments: dict[str, Any]) -> None:
    for window in moments["lit"]["windows"]:
        assert window["click_through"]
        assert window["layer"] == SCREEN_SAVER_LEVEL
    assert moments["lit"]["takes_a_click"] == "TextEdit"


def test_the_app_in_front_stays_in_front(moments: dict[str, Any]) -> None:
    assert {moments[m]["front"] for m in ("before", "lit", "dark")} == {"TextEdit"}


def test_it_fades_in_and_out(moments: dict[str, Any]) -> None:
    assert len(moments["rise"]["alphas"]) > 4
    assert len(moments["fall"]["alphas"]) > 8


def test_the_main_screen_has_the_pill_and_every_screen_the_glow(moments: dict[str, Any], folder: Path) -> None:
    panels = {image.size: image for image in map(Image.open, sorted(folder.glob("panel-*.png")))}
    main, other = panels[(2880, 1800)], panels[(5120, 2880)]
    middle = 1800 - round(2 * (design.PILL_LIFT + design.PILL_HEIGHT / 2))
    dark = tuple(round(255 * part) for part in design.PILL_FILL)
    assert main.getpixel((1440, middle + 24))[:3] == pytest.approx(dark, abs=3)
    assert other.getpixel((2560, 2880 - (1800 - middle)))[3] < 255
    for panel in (main, other):
        assert panel.getpixel((0, 900))[3] > 200
        assert panel.getpixel((panel.width - 1, 900))[3] > 200
        assert panel.getpixel((panel.width // 2, panel.height // 2))[3] == 0
        corners = {panel.getpixel(at) for at in ((8, 8), (panel.width - 9, 8), (8, panel.height - 9))}
        assert len(corners) == 1

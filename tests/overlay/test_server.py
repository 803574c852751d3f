"""The real server on a real desktop: lit for exactly a call, in nobody's way, and no call ever fails for it."""

from __future__ import annotations

import base64
import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from mac_commander.model import Point
from mac_commander.overlay import design
from tests.conftest import not_run
from tests.lab import Lab
from tests.overlay.test_client import gone, until
from tests.overlay.test_x11 import Eyes
from tests.server.raw_client import RawClient
from tests.witness import Witness, missing

SERVER = (sys.executable, "-m", "mac_commander")


@dataclass
class Stage:
    eyes: Eyes
    client: RawClient
    app: Witness
    save: str = ""

    def see(self, **arguments: Any) -> str:
        return str(self.client.call("see", app="Gtk3.py", **arguments)["content"][0]["text"])

    def act(self, *steps: dict[str, Any]) -> int:
        return self.client.start_call("act", target="Gtk3.py", steps=list(steps))

    def answer(self) -> dict[str, Any]:
        return dict(self.client.receive(30)["result"])

    @property
    def helper(self) -> int:
        argv = ["pgrep", "--parent", str(self.client.process.pid), "--full", "mac_commander.overlay"]
        return int(subprocess.run(argv, capture_output=True, check=True).stdout.split()[0])


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Lab, Witness, Eyes]]:
    """A desktop with a compositor and an app on it."""
    with Lab(tmp_path_factory.mktemp("lab"), window_manager="metacity+compositor") as lab:
        lacking = missing("gtk3", lab)
        if lacking:
            not_run(f"needs {lacking}")
        eyes = Eyes(lab.display)
        with Witness(lab, "gtk3") as app:
            yield lab, app, eyes
        eyes.display.close()


@pytest.fixture
def stage(shown: tuple[Lab, Witness, Eyes], tmp_path: Path) -> Iterator[Stage]:
    """A server of its own for each test, told where the button is."""
    lab, app, eyes = shown
    with RawClient(tmp_path / "home", SERVER, lab.env) as client:
        client.initialize()
        it = Stage(eyes, client, app)
        found = re.search(r'button "Save" \[(e\d+)\]', it.see())
        assert found
        it.save = found[1]
        yield it
    assert until(lambda: not eyes.halo())


def test_a_look_is_a_shimmer_and_a_long_call_stays_lit(stage: Stage) -> None:
    assert until(lambda: bool(stage.eyes.halo())), "the first call, a quick one, was never seen"
    assert until(lambda: not stage.eyes.halo())
    stage.act({"kind": "wait", "ms": 3000})
    assert until(stage.eyes.lit)
    assert stage.answer()["content"][0]["text"].startswith('{"ok": true')
    assert until(lambda: not stage.eyes.halo())


def test_it_is_in_no_list_and_in_no_picture_of_a_window(stage: Stage) -> None:
    stage.client.call("app", action="switch", name="Gtk3.py", window={"move": [0, 0], "size": [1280, 700]})
    seen = stage.client.call("see", app="Gtk3.py", vision=True)
    pictures = [c for c in seen["content"] if c["type"] == "image"]
    assert pictures, seen["content"][0]["text"]
    pixels = Image.open(io.BytesIO(base64.b64decode(pictures[0]["data"]))).convert("RGB")
    left = [pixels.getpixel((x, pixels.height // 2)) for x in (0, 5, 20)]
    assert len(set(left)) == 1, "the glow would be strongest at the very edge"
    everything = stage.client.call("see", all=True)["content"][0]["text"]
    assert "halo" not in everything.lower()
    assert design.TEXT not in everything


def test_clicks_go_through_the_lit_pill(stage: Stage) -> None:
    """The window covers the pill; a click at an explicit point there is the window's."""
    stage.client.call("app", action="switch", name="Gtk3.py", window={"move": [0, 0], "size": [1280, 760]})
    stage.app.forget()
    stage.act({"kind": "wait", "ms": 1500}, {"kind": "click", "xy": [640, 745], "button": "middle"})
    assert until(stage.eyes.lit)
    assert stage.eyes.pill().bounds.contains(Point(640, 745))
    text = stage.answer()["content"][0]["text"]
    assert text.startswith('{"ok": true'), text
    assert [e["at"] for e in stage.app.events("mouse_down")] == [[640, 745]]


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL], ids=["stopped", "killed"])
def test_no_call_fails_for_a_helper_that_does(number: signal.Signals, stage: Stage) -> None:
    helper = stage.helper
    stage.act({"kind": "wait", "ms": 2000}, {"kind": "click", "ref": stage.save})
    assert until(stage.eyes.lit)
    os.kill(helper, number)
    assert stage.answer()["content"][0]["text"].startswith('{"ok": true')
    assert stage.app.wait("activate", "Save")
    for _ in range(3):
        stage.act({"kind": "click", "ref": stage.save})
        assert stage.answer()["content"][0]["text"].startswith('{"ok": true')
    if number == signal.SIGKILL:
        assert stage.helper != helper, "the next call lights another"
    stage.client.process.kill()
    assert until(lambda: not stage.eyes.halo()), "a stopped helper kept its glow after its server was killed"


def test_nothing_of_it_outlives_a_killed_server(stage: Stage) -> None:
    helper = stage.helper
    stage.act({"kind": "wait", "ms": 9000})
    assert until(stage.eyes.lit)
    stage.client.process.kill()
    assert until(lambda: not stage.eyes.halo() and gone(helper))


def test_switched_off_it_is_never_started(tmp_path: Path) -> None:
    with (
        Lab(tmp_path / "lab", accessibility=False) as lab,
        RawClient(tmp_path / "home", SERVER, lab.env) as client,
    ):
        client.initialize()
        client.call("notify", message="the home is made by the first call")
        config = tmp_path / "home" / "config.json"
        config.write_text(config.read_text().replace('"overlay": true', '"overlay": false'))
        client.process.kill()
        client.process.wait()
        with RawClient(tmp_path / "home", SERVER, lab.env) as again:
            again.initialize()
            again.call("see")
            argv = ["pgrep", "--parent", str(again.process.pid), "--full", "mac_commander.overlay"]
            assert subprocess.run(argv, capture_output=True).stdout == b""

"""A desktop of twice the scale: places are told in the screen's own points, where a click lands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import not_run
from tests.lab import Lab, missing_programs
from tests.server.raw_client import PROGRAM, RawClient
from tests.witness import Witness, missing


@pytest.fixture
def scaled(tmp_path: Path) -> Iterator[Lab]:
    if lacking := missing_programs():
        not_run(f"a private X desktop needs {', '.join(lacking)}")
    with Lab(tmp_path / "scaled") as lab:
        lab.env["GDK_SCALE"] = "2"
        yield lab


@pytest.mark.parametrize("toolkit", ["gtk3", "gtk4"])
def test_a_click_by_ref_lands_at_twice_the_scale(scaled: Lab, tmp_path: Path, toolkit: str) -> None:
    """computer-use-linux#122: clicks landed at half the way."""
    if lacking := missing(toolkit, scaled):
        not_run(f"the witness needs {lacking}")
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / "config.json").write_text('{"overlay": false}')
    (home / "config.json").chmod(0o600)
    with (
        Witness(scaled, toolkit) as witness,
        RawClient(home, [str(PROGRAM), "--desktop", "x11"], scaled.env) as client,
    ):
        client.initialize()
        seen = client.call("see", app=f"{toolkit}.py")["content"][0]["text"]
        save = re.search(r'button "Save" \[(e\d+)\] (\d+),(\d+)', seen)
        assert save, seen
        unscaled = witness.ask("bounds", "Save")
        assert int(save[3]) > unscaled[1] + unscaled[3], "the toolkit counts in its own, larger points"
        witness.forget()
        at = [int(save[2]), int(save[3])]
        steps = [{"kind": "click", "ref": save[1], "button": "right"}, {"kind": "click", "xy": at}]
        outcome = client.call_json("act", target=f"{toolkit}.py", steps=steps)
        assert outcome["ok"] is True, outcome
        witness.wait("activate", "Save")
        assert {e["widget"] for e in witness.events("mouse_down")} == {"Save"}

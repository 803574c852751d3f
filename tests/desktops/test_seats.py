"""Which simulated Macs share a keyboard: those of one world, so that two servers can refuse each other."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.desktops.macos.scenes import TEXTEDIT, world
from tests.server.raw_client import PROGRAM, RawClient

LONG = [{"kind": "key", "combo": "right"}, {"kind": "wait", "ms": 9000}]
SHORT = [{"kind": "key", "combo": "left"}]


@pytest.mark.parametrize("same", [True, False])
def test_servers_of_one_world_share_its_keyboard(tmp_path: Path, same: bool) -> None:
    """Each has the world in a file of its own."""
    worlds = [tmp_path / "one.json", tmp_path / "other.json"]
    for path in worlds:
        path.write_text(json.dumps(world(TEXTEDIT, name="Mac" if same else path.stem)))
    journal = tmp_path / "journal"
    programs = [[str(PROGRAM), "--desktop", "simulated", "--world", str(path)] for path in worlds]
    programs[0] += ["--journal", str(journal)]
    with RawClient(tmp_path / "h1", programs[0]) as one, RawClient(tmp_path / "h2", programs[1]) as other:
        one.initialize()
        other.initialize()
        busy = one.start_call("act", target="TextEdit", steps=LONG)
        while not (journal.exists() and "key_down" in journal.read_text()):
            time.sleep(0.05)
        outcome = other.call_json("act", target="TextEdit", steps=SHORT)
        one.tell("notifications/cancelled", {"requestId": busy})
    assert outcome["ok"] is not same
    if same:
        assert f"another Mac-Commander (pid {one.process.pid})" in outcome["failed_step"]["reason"]

"""Another app takes the front at every single event of a batch: what it gets, and what is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simulated_mac.then import Schedule
from tests.desktops.macos.conftest import Raise
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, app, window
from tests.desktops.macos.test_sweep import WHOLE, Client, hurry

TYPED = "Ligne — \"était\" 'ok' 🙂 and some more that makes several groups"
STEPS = [
    {"kind": "type", "text": TYPED},
    {"kind": "key", "combo": "cmd+a"},
    {"kind": "click", "xy": [300, 300], "clicks": 2},
    {"kind": "scroll", "xy": [300, 300], "dx": 0, "dy": -80},
    {"kind": "drag", "from_xy": [300, 200], "to_xy": [400, 300]},
    {"kind": "key", "combo": "cmd+shift+z"},
]
AGENT = app(CHAT, name="SecurityAgent", bundle_id="com.apple.SecurityAgent", windows=[])
BESIDE = [window(title="Thief", bounds=[50, 50, 900, 700])]
INPUT = ("key_down", "mouse_down", "mouse_drag", "scroll")


@pytest.mark.parametrize("thief", [AGENT, CHAT, app(CHAT, windows=BESIDE)] if WHOLE else [AGENT])
def test_a_theft_at_every_event(
    raised: Raise, thief: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    act = ("act", {"target": "TextEdit", "steps": STEPS, "settle_ms": 0})
    scene = raised(TEXTEDIT, thief)
    hurry(monkeypatch)
    (whole,) = Client(scene, tmp_path).call((act,))
    assert not whole.is_error, whole.text
    events = len(scene.events())
    assert events > 40
    told = 0
    for n in range(1, events):
        scene = raised(TEXTEDIT, thief)
        hurry(monkeypatch)
        scene.machine.schedule = Schedule([{"after_events": n, "do": "activate", "app": thief["name"]}])
        client = Client(scene, tmp_path)
        (reply,) = client.call((act,))
        stolen = [e for e in scene.events(*INPUT) if e["app"] == thief["name"]]
        assert not stolen, f"after {n}: {stolen}"
        told += reply.is_error
        assert not client.sent_after_refusal
        assert not scene.machine.keyboard.down
        assert not scene.machine.pointer.down
    assert told >= events - 5, "only a theft that our own next click undid may go unmentioned"

"""A person who touches keyboard or mouse stops a batch, at whichever of its events that happens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mac_commander.events import ClickAt, TypeText
from mac_commander.model import Point
from simulated_mac.keyboard import HUMAN
from simulated_mac.scene import perform
from simulated_mac.then import Schedule
from tests.desktops.macos.conftest import Raise
from tests.desktops.macos.scenes import Scene
from tests.desktops.macos.test_sweep import Client, hurry

KEY = {"do": "human_key", "text": "h"}
MOUSE = {"do": "human_mouse", "to": [7, 7]}
STEPS: tuple[tuple[dict[str, Any], int], ...] = (
    ({"kind": "type", "text": "abc"}, 2),
    ({"kind": "key", "combo": "cmd+a"}, 4),
    ({"kind": "click", "xy": [300, 300]}, 3),
    ({"kind": "click", "xy": [300, 300], "clicks": 2}, 5),
    ({"kind": "scroll", "xy": [300, 300], "dy": -40}, 2),
    ({"kind": "drag", "from_xy": [300, 200], "to_xy": [400, 300]}, 15),
)
"""Each with the number of events that it sends; as the first of a session, when nothing was learned yet."""
MOMENTS = [(step, n) for step, events in STEPS for n in range(1, events + 1)]


@pytest.mark.parametrize("deed", [KEY, MOUSE], ids=["key", "mouse"])
@pytest.mark.parametrize(("step", "moment"), MOMENTS, ids=[f"{step['kind']}-{n}" for step, n in MOMENTS])
def test_a_person_stops_a_batch_at_any_event(
    raised: Raise,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    step: dict[str, Any],
    moment: int,
    deed: dict[str, Any],
) -> None:
    scene = raised()
    hurry(monkeypatch)
    scene.machine.schedule = Schedule([{"after_events": moment, **deed}])
    steps = [step, {"kind": "type", "text": "NEVER"}]
    (reply,) = Client(scene, tmp_path).call((("act", {"target": "TextEdit", "steps": steps, "settle_ms": 0}),))
    assert json.loads(reply.text)["failed_step"]["cause"] == "human", reply.text
    assert not [e for e in scene.events("key_down") if e["text"] == "NEVER"]


def counts_every_event_as_hardware(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """A window server that does what CGEventSource.h does not promise."""
    count = scene.machine.keyboard.count
    monkeypatch.setattr(scene.machine.keyboard, "count", lambda kind, _source: count(kind, HUMAN))


@pytest.mark.parametrize("deed", [KEY, MOUSE], ids=["key", "mouse"])
def test_a_person_is_told_from_us_where_all_events_count_as_hardware(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, deed: dict[str, Any]
) -> None:
    counts_every_event_as_hardware(scene, monkeypatch)
    scene.desktop.watch_human()
    scene.send(TypeText("a"), ClickAt(Point(300, 300)))
    assert scene.desktop.evidence().human is None
    perform(scene.machine, deed)
    assert scene.desktop.evidence().human == deed["do"].removeprefix("human_")

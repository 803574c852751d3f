"""What the world does in the middle of a batch: it stops, says why, and nothing more is sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from simulated_mac.then import Schedule
from tests.desktops.macos.conftest import Raise
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, app, window
from tests.desktops.macos.test_sweep import Client, hurry

TEXT = "x" * 100
"""Five groups of 20 UTF-16 units."""
STEPS = [{"kind": "type", "text": TEXT}, {"kind": "key", "combo": "cmd+a"}, {"kind": "type", "text": "after"}]
AFTER = 3
"""The second group's key-down has just arrived."""

DIALOG = window({"role": "AXTextField", "title": "Name", "bounds": [220, 240, 100, 20]}, title="Dialog",
                bounds=[200, 200, 300, 150], subrole="AXDialog", modal=True)  # fmt: skip
FOREIGN = window(title="Allow?", bounds=[200, 200, 300, 150])


@pytest.mark.parametrize(
    ("deed", "causes"),
    [
        ({"do": "human_key", "text": "h"}, {"human"}),
        ({"do": "human_mouse", "to": [7, 7]}, {"human"}),
        ({"do": "human_hold", "modifier": "cmd"}, {"human"}),
        ({"do": "lock_screen"}, {"refused", "focus"}),
        ({"do": "secure_input", "app": "Chat"}, {"refused"}),
        ({"do": "die", "app": "TextEdit"}, {"gone", "focus"}),
        ({"do": "open_window", "app": "TextEdit", "window": DIALOG}, {"dialog"}),
        ({"do": "open_window", "app": "Chat", "window": FOREIGN}, {"focus", "dialog"}),
        ({"do": "activate", "app": "Chat"}, {"focus"}),
        ({"do": "revoke", "grant": "accessibility"}, {"focus", "error", "refused"}),
    ],
    ids=lambda value: value["do"] if isinstance(value, dict) else "",
)
def test_a_batch_stops(
    raised: Raise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deed: dict[str, Any], causes: set[str]
) -> None:
    scene = raised()
    hurry(monkeypatch)
    scene.machine.schedule = Schedule([{"after_events": AFTER, **deed}])
    (reply,) = Client(scene, tmp_path).call((("act", {"target": "TextEdit", "steps": STEPS, "settle_ms": 0}),))
    failed = json.loads(reply.text)["failed_step"]
    assert failed["cause"] in causes, reply.text
    assert failed["index"] == 0
    ours = [e for e in scene.events("key_down") if e.get("source") != "human"]
    assert [e["text"] for e in ours] == ["x" * 20] * 2, "nothing after the event at which it happened"
    assert failed["of"] == len(TEXT)
    assert TEXT not in reply.text
    assert not scene.machine.keyboard.down or deed["do"] == "revoke", "without the grant no event is taken at all"


def test_a_hung_app_is_told(raised: Raise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = raised()
    hurry(monkeypatch)
    scene.machine.schedule = Schedule([{"after_events": AFTER, "do": "hang", "app": "TextEdit"}])
    (reply,) = Client(scene, tmp_path).call((("act", {"target": "TextEdit", "steps": STEPS, "settle_ms": 0}),))
    assert json.loads(reply.text)["failed_step"]["cause"] in ("hung", "focus")


def test_a_slow_tree_is_cut_and_says_so(raised: Raise) -> None:
    buttons = [{"role": "AXButton", "title": f"Button {n}", "bounds": [110, 90, 50, 10]} for n in range(500)]
    scene = raised(app(TEXTEDIT, windows=[window(*buttons)], slow_ms=20), CHAT)
    snapshot = scene.look(seconds=0.5)
    assert 0 < len(snapshot.elements) < 100
    assert not snapshot.complete
    assert "answers slowly" in snapshot.notes[0]


def test_points_on_a_screen_above_the_main_one(raised: Raise, tmp_path: Path) -> None:
    above = app(TEXTEDIT, windows=[window(title="Above", bounds=[50, -1300, 600, 400])])
    scene = raised(above, CHAT, screens=[{"bounds": [0, 0, 1440, 900]}, {"bounds": [0, -1440, 2560, 1440]}])
    steps = [{"kind": "click", "xy": [100, -1250]}]
    (reply,) = Client(scene, tmp_path, labels=()).call((("act", {"target": "TextEdit", "steps": steps}),))
    assert not reply.is_error, reply.text
    assert scene.events("mouse_down")[0]["at"] == [100, -1250]


def test_a_menu_item_that_is_not_there_is_refused_with_those_that_are(raised: Raise, tmp_path: Path) -> None:
    scene = raised(app(TEXTEDIT, menus=[{"title": "File", "items": [{"title": "Save"}, {"title": "Close"}]}]), CHAT)
    steps = [{"kind": "menu", "path": "File > Print"}]
    (reply,) = Client(scene, tmp_path, labels=()).call((("act", {"target": "TextEdit", "steps": steps}),))
    failed = json.loads(reply.text)["failed_step"]
    assert (failed["cause"], failed["phase"], failed["retry"]) == ("refused", "before", "safe")
    assert "'Save', 'Close'" in failed["reason"]
    assert not scene.events("press")

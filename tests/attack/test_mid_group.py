"""What comes at each single event of a step, also within one proven group: a window over the point, another app in
front, the lock. None of them gets a press; a release may land anywhere, since a key that stays down is worse."""

from __future__ import annotations

from typing import Any

import pytest

from tests.attack.client import Hijacked
from tests.attack.size import FULL

STEPS: dict[str, dict[str, Any]] = {
    "click": {"kind": "click", "xy": [300, 300], "clicks": 3},
    "cmd+click": {"kind": "click", "xy": [300, 300], "modifiers": ["cmd"]},
    "scroll": {"kind": "scroll", "xy": [300, 300], "dy": -40},
    "drag": {"kind": "drag", "from_xy": [200, 200], "to_xy": [300, 300]},
    "type": {"kind": "type", "text": "CANARY-typed-abcdefghijklmnopqrstuvwxyz"},
    "key": {"kind": "key", "combo": "cmd+shift+z"},
}
POPPED = {
    "title": "Popped",
    "bounds": [250, 250, 420, 300],
    "elements": [{"role": "AXButton", "title": "Allow", "bounds": [270, 280, 80, 40]}],
}
DEEDS: dict[str, dict[str, Any]] = {
    "a window of a blocked app": {"do": "open_window", "app": "1Password", "window": POPPED},
    "a question of the system": {"do": "open_window", "app": "SecurityAgent", "window": POPPED},
    "a blocked app in front": {"do": "activate", "app": "1Password"},
    "the lock": {"do": "lock_screen"},
}
QUICK = [("click", "a window of a blocked app"), ("cmd+click", "a question of the system"), ("scroll", "the lock"),
         ("drag", "a window of a blocked app"), ("key", "a blocked app in front"), ("type", "the lock")]  # fmt: skip
PAIRS = [(step, deed) for step in STEPS for deed in DEEDS] if FULL else QUICK


@pytest.mark.parametrize(("step", "deed"), PAIRS)
def test_nothing_is_pressed_in_what_came(step: str, deed: str) -> None:
    after, events = 0, 1
    while after < events:
        after += 1
        client = Hijacked("us")
        client.deed(DEEDS[deed], after)
        reached = client.call("act", {"target": "TextEdit", "steps": [STEPS[step]], "settle_ms": 0})
        events = len(client.events())
        told = client.last.is_error
        happened = client.machine.schedule._by_line == []
        dropped = [
            e for e in client.events() if e["event"] == "mouse_up" and e["app"] in ("1Password", "SecurityAgent")
        ]
        client.close()
        assert reached == [], f"{deed} after event {after} of {events}"
        assert dropped == [], f"{deed} after event {after} of {events}: {dropped}"
        assert told or not happened or after >= events - 1, f"{deed} after event {after} of {events} was not told"

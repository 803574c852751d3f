"""False refusals: ordinary work on an ordinary desktop, at most one flow in a hundred refused."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tests.attack.client import Hijacked
from tests.attack.size import of

FLOWS = of(40, 200)
REFUSED_MOST = 0.01

ORDINARY = (
    [{"kind": "type", "text": "Dear Ms Ünal,\nyour order — \"the blue one\" — is on its way. 🙂\n"}],
    [{"kind": "click", "ref": "Text"}, {"kind": "type", "text": "x"}, {"kind": "key", "combo": "cmd+a"}],
    [{"kind": "key", "combo": "cmd+a"}, {"kind": "key", "combo": "cmd+c"}, {"kind": "key", "combo": "right"}],
    [{"kind": "click", "ref": "Wrap"}, {"kind": "wait", "ms": 5}, {"kind": "click", "ref": "Wrap"}],
    [{"kind": "set", "ref": "Size", "value": "4"}],
    [{"kind": "set", "ref": "Text", "value": "all of it anew"}],
    [{"kind": "click", "xy": [300, 250]}, {"kind": "type", "text": "tab\tand\nreturn", "submit": True}],
    [{"kind": "scroll", "xy": [300, 250], "dy": -120}, {"kind": "hover", "xy": [320, 260]}],
    [{"kind": "drag", "from_xy": [150, 200], "to_xy": [400, 260]}, {"kind": "key", "combo": "cmd+c"}],
    [{"kind": "click", "xy": [300, 250], "clicks": 2}, {"kind": "key", "combo": "backspace"}],
    [{"kind": "menu", "path": "Edit > Select All"}],
    [{"kind": "key", "combo": "cmd+shift+left", "repeat": 3}, {"kind": "key", "combo": "cmd+shift+z"}],
    [{"kind": "wait", "until": "Save", "ms": 200}, {"kind": "type", "ref": "Text", "text": "found it"}],
)  # fmt: skip


def test_ordinary_flows_are_not_refused(reached: Callable[[str], None]) -> None:
    dice = random.Random(7)
    refused: list[str] = []
    for layout in ("us", "de", "fr", "dvorak", "ru"):
        client = Hijacked(layout)
        for flow in [dice.choice(ORDINARY) for _ in range(FLOWS // 5)]:
            client.call("app", {"action": "switch", "name": "TextEdit"})
            client.call("see", {"app": "TextEdit"})
            refs = _refs(client.last.text)
            steps = [{k: refs.get(v, v) if k == "ref" else v for k, v in step.items()} for step in flow]
            client.call("act", {"target": "TextEdit", "steps": steps, "settle_ms": 5})
            if client.last.is_error:
                refused.append(f"{layout}: {flow} {client.last.text}")
        client.close()
    assert len(refused) <= FLOWS * REFUSED_MOST, refused
    reached(f"ordinary flows: {len(refused)} of {FLOWS} refused, in five keyboard layouts")


def _refs(text: str) -> dict[str, Any]:
    lines = [line.split('"') for line in text.splitlines() if "[e" in line and '"' in line]
    return {parts[1]: parts[2].split("[")[1].split("]")[0] for parts in lines if "[" in parts[2]}

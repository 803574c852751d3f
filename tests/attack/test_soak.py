"""Many calls in one server: its memory, files and threads stay what they were, and no line is lost.

``ATTACK_SOAK=100000`` sets how many; the figure asked for in eight hours is 500,000.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.attack.client import Hijacked
from tests.attack.size import of, rounds

CALLS = int(os.environ.get("ATTACK_SOAK", of(600, 20_000)))
WARM = of(150, 2_000)
GROWTH_MOST = 0.10
STEPS = [{"kind": "type", "text": "abc"}, {"kind": "click", "xy": [300, 250]}, {"kind": "key", "combo": "cmd+a"}]
ROUND: tuple[tuple[str, dict[str, Any]], ...] = (
    ("act", {"target": "TextEdit", "steps": STEPS, "settle_ms": 0}),
    ("see", {"app": "TextEdit"}),
    ("see", {"all": True}),
    ("act", {"target": "1Password", "steps": STEPS}),
    ("app", {"action": "switch", "name": "TextEdit"}),
    ("applescript", {}),
    ("see", {"changes": True}),
    ("act", {"target": "TextEdit", "steps": "nonsense"}),
)


def resident() -> int:
    """Bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def held() -> tuple[int, int]:
    return len(list(Path("/proc/self/fd").iterdir())), threading.active_count()


def test_nothing_grows_and_no_line_is_lost(reached: Callable[[str], None]) -> None:
    client = Hijacked("us")
    warm, warm_held, made = resident(), held(), 0
    for number in rounds(CALLS):
        made += 1
        client.call_unjudged(*ROUND[number % len(ROUND)])
        if number % 50 == 0:
            _forget(client)
        if number == WARM:
            warm, warm_held = resident(), held()
    grown = (resident() - warm) / warm
    with (client.home / "audit.jsonl").open() as log:
        lines = [json.loads(line)["seq"] for line in log]
    client.close()
    assert made > WARM, "it ended before it was warm"
    assert lines == list(range(1, made + 1))
    assert grown < GROWTH_MOST, f"{grown:.1%} more memory"
    assert held() <= warm_held
    reached(f"soak: {made:,} calls, memory {grown:+.1%} after the first {WARM:,}, no file, no thread, no line lost")


def _forget(client: Hijacked) -> None:
    """What the simulated Mac itself gathers is not the server's."""
    client.forget_events()
    client.machine.app_named("TextEdit").windows[0].children[0].value = ""

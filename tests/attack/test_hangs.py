"""An app that answers nothing: `see` and `act` say so in time, and the server goes on answering meanwhile."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.attack.size import of
from tests.attack.worlds import EDITOR, SHIFTER, world
from tests.server.raw_client import RawClient, own_mac

RUNS = of(1, 50)
SLACK = of(4, 1)
"""Among all other tests the machine may be busy: there only a soon end is held; `make attack` holds the seconds."""
SEE_SECONDS, ACT_SECONDS, PING_SECONDS = 8.0 * SLACK, 8.0 * SLACK, 1.0 * SLACK
"""The asked for: a `see` in 8 s, a refused `act` in 5 s after its 3 s for the front, a ping in 1 s."""

CALLS = (
    ("see", {"app": "Shifter"}, SEE_SECONDS),
    ("see", {"all": True}, SEE_SECONDS),
    ("act", {"target": "Shifter", "steps": [{"kind": "type", "text": "x"}]}, ACT_SECONDS),
)


@pytest.mark.parametrize("run", range(RUNS))
def test_a_hung_app_holds_nobody_up(tmp_path: Path, run: int) -> None:
    scene = world("us")
    scene["apps"] = [EDITOR, {**SHIFTER, "hung": True}]
    with RawClient(tmp_path / "home", own_mac(tmp_path, scene)) as client:
        client.initialize()
        for tool, arguments, most in CALLS:
            wanted = {client.start_call(tool, **arguments), client.start("ping")}
            begun, answered = time.monotonic(), dict[int, float]()
            while wanted - set(answered):
                message = client.receive(most + 5)
                assert message is not None, f"{tool} was not answered"
                answered[message["id"]] = time.monotonic() - begun
            call, ping = min(wanted), max(wanted)
            assert answered[ping] < PING_SECONDS
            assert answered[call] < most

"""Frames of every kind to the real process: it stays, answers each id that can be read, and sends no event."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

from tests.attack.frames import Frames, awaited
from tests.attack.oracle import PRESSES
from tests.attack.size import of, rounds
from tests.attack.worlds import world
from tests.server.raw_client import INITIALIZE, RawClient, own_mac

FRAMES = int(os.environ.get("ATTACK_FRAMES", of(2_000, 100_000)))
BATCH = 50
ANSWER_SECONDS = 5.0
START_SECONDS = 60.0
"""Of a crowded machine; not what is asked about here."""
PING = "ping-"


def test_the_server_outlives_every_frame(tmp_path: Path, reached: Callable[[str], None]) -> None:
    journal = tmp_path / "journal.jsonl"
    program = (*own_mac(tmp_path, world("us")), "--journal", str(journal))
    with RawClient(tmp_path / "home", program) as client:
        client.start("initialize", INITIALIZE)
        assert client.receive(START_SECONDS) is not None
        frames, late, sent = Frames(seed=FRAMES), list[object](), 0
        for batch in rounds(FRAMES // BATCH):
            lines = [frames.next() for _ in range(BATCH)]
            late += _unanswered(client, lines, f"{PING}{batch}")
            sent += BATCH
        assert late == []
        assert client.process.poll() is None
        assert client.call_json("app", action="switch", name="TextEdit")["ok"] is True
        client.close_input()
        assert client.ended() == 0
        assert "Traceback" not in client.errors()
    events = [json.loads(line)["event"] for line in journal.read_text().splitlines()]
    assert not set(events) & set(PRESSES)
    reached(f"frames: {sent:,} to one process: 0 exits, each id answered in {ANSWER_SECONDS:g} s, 0 events")


def _unanswered(client: RawClient, lines: list[bytes], ping: str) -> list[object]:
    """What was not answered within `ANSWER_SECONDS` of the whole batch."""
    wanted = {known for line in lines if (known := awaited(line)) is not None} | {ping}
    for line in lines:
        client.send(line)
    client.start("ping", request_id=ping)
    end = time.monotonic() + ANSWER_SECONDS
    while wanted and time.monotonic() < end:
        message = client.receive(max(0.01, end - time.monotonic()))
        if message is None:
            break
        assert "Traceback" not in json.dumps(message)
        wanted.discard(message.get("id"))
    return sorted(map(str, wanted))

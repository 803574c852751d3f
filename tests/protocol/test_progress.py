"""Progress of a long batch, as it comes through the pipe."""

from __future__ import annotations

import json
import os
import select
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mac_commander.core.progress import EVERY_SECONDS, FIRST_SECONDS
from mac_commander.server import PROGRESS_GAP_SECONDS
from tests.protocol.conftest import FIXTURE_SERVER
from tests.server.raw_client import ENVELOPE, RawClient, own_mac

TOKEN = "mine"
TRIES = 5


def reads(client: RawClient) -> Iterator[list[Any]]:
    """The messages of each read of the pipe, until the answer."""
    assert client.process.stdout is not None
    rest = b""
    while True:
        assert select.select([client.process.stdout], [], [], 30)[0]
        *lines, rest = (rest + os.read(client.process.stdout.fileno(), 1 << 20)).split(b"\n")
        messages = [json.loads(line) for line in lines]
        yield messages
        if any("result" in message for message in messages):
            return


def waits(client: RawClient, *milliseconds: int, meta: dict[str, object] | None = None) -> list[list[Any]]:
    steps = [{"kind": "wait", "ms": ms} for ms in milliseconds]
    client.start_call("act", {"progressToken": TOKEN} | (meta or {}), target="TextEdit", steps=steps, settle_ms=0)
    return list(reads(client))


def test_a_long_batch_tells_the_start_of_its_steps(client: RawClient) -> None:
    for meta in ({}, dict(ENVELOPE)):
        began = time.monotonic()
        *told, answer = [m for read in waits(client, *[110] * 20, meta=meta) for m in read]
        took = time.monotonic() - began
        assert json.loads(answer["result"]["content"][0]["text"])["steps_completed"] == 20
        assert {m["method"] for m in told} == {"notifications/progress"}
        params = [m["params"] for m in told]
        assert {(p["progressToken"], p["total"], p["message"]) for p in params} == {(TOKEN, 20, "wait")}
        done = [p["progress"] for p in params]
        assert done == sorted(set(done))
        assert done[0] * 0.11 <= took
        assert 2 <= len(done) <= (took - FIRST_SECONDS) / EVERY_SECONDS + 1


def test_a_short_batch_tells_nothing(client: RawClient) -> None:
    assert [len(read) for read in waits(client, 1, 1, 1)] == [1]


def test_the_answer_never_comes_right_behind_the_last_progress(tmp_path: Path) -> None:
    """A client that reads both at once loses the answer. Half the gap is asked for: a busy machine reads late. And it
    may have the answer before the progress has left: then that one is dropped, and the call is no trial."""
    gaps = list[float]()
    with RawClient(tmp_path / "home", FIXTURE_SERVER) as own:
        own.initialize()
        while len(gaps) < TRIES:
            own.start_call("progress_at_the_end", {"progressToken": TOKEN})
            if "result" in (first := own.receive()):
                continue
            assert first["method"] == "notifications/progress"
            told = time.monotonic()
            assert "result" in own.receive()
            gaps.append(time.monotonic() - told)
    assert statistics.median(gaps) > PROGRESS_GAP_SECONDS / 2


def test_nobody_is_told_who_did_not_ask(client: RawClient) -> None:
    client.start_call("act", target="TextEdit", steps=[{"kind": "wait", "ms": 1200}, {"kind": "wait", "ms": 300}])
    assert [len(read) for read in reads(client)] == [1]


def test_progress_of_two_calls_keeps_to_its_own_token(tmp_path: Path) -> None:
    with RawClient(tmp_path / "home", own_mac(tmp_path)) as own:
        own.initialize()
        steps = [{"kind": "wait", "ms": 700}] * 3
        for token in ("a", "b"):
            own.start_call("act", {"progressToken": token}, target="TextEdit", steps=steps)
        seen = [own.receive()]
        while sum("result" in m for m in seen) < 2:
            seen.append(own.receive())
        order = [m["params"]["progressToken"] if "params" in m else "answer" for m in seen]
        assert order == [*"a" * order.count("a"), "answer", *"b" * order.count("b"), "answer"]
        assert "a" in order
        assert "b" in order

"""Cancelling one call: it stops, nothing more is said of it, and no other call is touched. And progress."""

from __future__ import annotations

import json
import time
from typing import Any

from tests.server.raw_client import RawClient


def cancel(client: RawClient, request_id: int) -> None:
    client.tell("notifications/cancelled", {"requestId": request_id, "reason": "test"})


def started(client: RawClient, name: str) -> None:
    end = time.monotonic() + 10
    while not (client.home / name).exists():
        assert time.monotonic() < end
        time.sleep(0.01)
    (client.home / name).unlink()


def test_a_running_call_stops_and_is_never_answered(client: RawClient) -> None:
    client.add_script("slow.sh", f"touch {client.home}/on; sleep 60")
    call = client.start_call("applescript", name="slow")
    started(client, "on")
    cancel(client, call)
    next_call = client.start_call("see")
    assert client.receive()["id"] == next_call
    assert client.receive(0.3) is None
    assert [line["result"] for line in client.audit()[-2:]] == ["cancelled", "ok"]


def test_an_id_is_not_used_twice_at_a_time(client: RawClient) -> None:
    """Else a cancellation would stop the second call while the first goes on."""
    client.add_script("slow.sh", f"touch {client.home}/on; sleep 60")
    call = client.start_call("applescript", name="slow")
    started(client, "on")
    request = {"jsonrpc": "2.0", "id": call, "method": "tools/call", "params": {"name": "see", "arguments": {}}}
    client.send(request)
    refused = client.receive()
    assert "id" not in refused
    assert "not answered yet" in refused["error"]["message"]
    cancel(client, call)
    next_call = client.start_call("see")
    assert client.receive()["id"] == next_call
    assert [line["result"] for line in client.audit()[-2:]] == ["cancelled", "ok"]


def test_a_waiting_call_never_begins(client: RawClient) -> None:
    client.add_script("slow.sh", f"touch {client.home}/on; sleep 0.5")
    client.add_script("mark.sh", f"touch {client.home}/marked")
    first = client.start_call("applescript", name="slow")
    second = client.start_call("applescript", name="mark")
    third = client.start_call("see")
    started(client, "on")
    cancel(client, second)
    assert [client.receive()["id"], client.receive()["id"]] == [first, third]
    assert not (client.home / "marked").exists()
    assert [line["result"] for line in client.audit()[-3:]] == ["ok: exit 0", "cancelled", "ok"]


def test_cancelling_what_has_ended_or_never_was_touches_nothing(client: RawClient) -> None:
    client.add_script("short.sh", f"touch {client.home}/on; sleep 0.4; echo done")
    done = client.start_call("see")
    assert client.receive()["id"] == done
    call = client.start_call("applescript", name="short")
    started(client, "on")
    cancel(client, done)
    cancel(client, 987_654)
    client.tell("notifications/cancelled", {"requestId": None})
    client.tell("notifications/cancelled", {})
    answer = client.receive()
    assert (answer["id"], json.loads(answer["result"]["content"][0]["text"])["stdout"]) == (call, "done\n")


def test_an_act_stops_in_the_middle_of_a_wait(client: RawClient) -> None:
    call = client.start_call("act", target="TextEdit", steps=[{"kind": "wait", "ms": 10_000}] * 3)
    time.sleep(0.3)
    before = time.monotonic()
    cancel(client, call)
    answer = client.ask("tools/call", {"name": "see", "arguments": {}})
    assert answer["id"] == call + 1
    assert time.monotonic() - before < 5
    assert "cancel" in client.audit()[-2]["result"]


def test_progress_comes_after_a_second_and_never_after_the_answer(client: RawClient) -> None:
    steps: list[dict[str, Any]] = [{"kind": "wait", "ms": 150}] * 14
    call = client.start_call("act", {"progressToken": "p"}, target="TextEdit", steps=steps)
    messages = [client.receive()]
    while messages[-1].get("id") != call:
        messages.append(client.receive())
    progress = [m["params"] for m in messages[:-1]]
    assert progress
    assert all(p["progressToken"] == "p" and p["total"] == 14 for p in progress)
    assert [p["progress"] for p in progress] == sorted({p["progress"] for p in progress})
    assert client.receive(0.3) is None

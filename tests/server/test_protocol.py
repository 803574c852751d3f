"""What is answered to what: both eras, errors as the protocol has them, garbage."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from mac_commander.instructions import INSTRUCTIONS
from tests.server.raw_client import ENVELOPE, INITIALIZE, RawClient

TOOLS = ["see", "act", "app", "notify", "applescript"]
PORTABLE = {"type", "description", "properties", "required", "items", "enum"}


def test_the_list_has_five_tools_with_all_hints_and_a_title_in_both_places(client: RawClient) -> None:
    tools = client.ask("tools/list")["result"]["tools"]
    assert [t["name"] for t in tools] == TOOLS
    for tool in tools:
        hints = tool["annotations"]
        assert set(hints) == {"title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
        assert hints["title"] == tool["title"]
        assert "outputSchema" not in tool
    assert [t["annotations"]["readOnlyHint"] for t in tools] == [True, False, False, False, False]


def test_schemas_keep_to_what_every_client_takes(client: RawClient) -> None:
    def keywords(schema: dict[str, object]) -> set[str]:
        inner = [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]  # type: ignore[attr-defined]
        return set(schema).union(*map(keywords, inner))

    for tool in client.ask("tools/list")["result"]["tools"]:
        assert tool["inputSchema"]["type"] == "object"
        assert keywords(tool["inputSchema"]) <= PORTABLE, tool["name"]


def test_instructions_fit_what_clients_keep_and_tell_of_the_shell(client: RawClient) -> None:
    assert len(INSTRUCTIONS.encode()) < 2048
    assert "shell" in INSTRUCTIONS


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"name": "nope", "arguments": {}}, "unknown tool"),
        ({"name": "see", "arguments": []}, ""),
        ({"name": "see", "arguments": "{}"}, ""),
        ({"name": 5}, ""),
        ({}, ""),
        ([1], "params"),
        ("text", "params"),
    ],
)
def test_a_call_that_is_no_call_is_a_protocol_error_and_leaves_no_line(
    client: RawClient, params: object, says: str
) -> None:
    before = client.audit()
    error = client.ask("tools/call", params)["error"]
    assert error["code"] == -32602
    assert says in error["message"]
    assert client.audit() == before


def test_a_failure_of_the_tool_is_a_result(client: RawClient) -> None:
    result = client.call("see", app="Nobody")
    assert result["isError"]
    assert "no running app" in result["content"][0]["text"]


@pytest.mark.parametrize(
    ("line", "code", "request_id"),
    [
        (b"{garbage", -32700, None),
        (b"\xff\xfe\x00", -32700, None),
        (b'{"jsonrpc":"2.0","id":7,"method":"ping"', -32700, None),
        (b"[" * 100_000, -32700, None),
        (b'{"id":' + b"9" * 5000 + b"}", -32700, None),
        (b"7", -32600, None),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, None),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600, 7),
        (b'{"jsonrpc":"2.0","id":7}', -32600, 7),
        (b'{"jsonrpc":"2.0","id":"x","method":"tools/call","params":[]}', -32602, "x"),
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/nope"}', -32601, 7),
        (b'{"jsonrpc":"2.0","id":"\\ud800","method":"tools/nope"}', -32601, "\ud800"),
    ],
)
def test_what_is_no_request_is_answered_and_the_next_one_served(
    client: RawClient, line: bytes, code: int, request_id: object
) -> None:
    client.send(line)
    answer = client.receive()
    assert (answer["error"]["code"], answer.get("id")) == (code, request_id)
    assert client.ask("ping")["result"] == {}


def test_blank_lines_are_nothing(client: RawClient) -> None:
    client.send(b"")
    client.send(b"  \r")
    assert client.ask("ping")["result"] == {}


def test_invalid_utf8_inside_a_call_is_replaced(client: RawClient) -> None:
    client.send(
        b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"notify","arguments":{"message":"a\xffb"}}}'
    )
    assert json.loads(client.receive()["result"]["content"][0]["text"])["ok"]
    assert client.audit()[-1]["summary"] == "a\N{REPLACEMENT CHARACTER}b"


def test_half_a_surrogate_pair_is_logged_and_answered(client: RawClient) -> None:
    result = client.call("see", app="\ud800")
    assert result["isError"]
    assert client.audit()[-1]["target"] == "\ud800"


def test_steps_may_come_as_their_json_text(client: RawClient) -> None:
    told = client.call("act", target="TextEdit", steps='[{"kind": "wait", "ms": 1, "txt": "x"}]')
    assert "unknown key 'txt'" in told["content"][0]["text"]


def test_discover_then_initialize_is_served(tmp_path: Path) -> None:
    with RawClient(tmp_path / "home") as client:
        discovered = client.ask("server/discover", {"_meta": ENVELOPE})["result"]
        assert discovered["supportedVersions"] == ["2026-07-28"]
        client.initialize()
        assert len(client.ask("tools/list")["result"]["tools"]) == 5
        modern = client.ask("tools/list", {"_meta": ENVELOPE})["result"]
        assert modern["resultType"] == "complete"
        assert len(modern["tools"]) == 5


def test_initialize_in_the_stateless_era_does_not_exist(client: RawClient) -> None:
    assert client.ask("initialize", INITIALIZE | {"_meta": ENVELOPE})["error"]["code"] == -32601


def test_a_stateless_version_that_is_not_served_is_named(client: RawClient) -> None:
    envelope = ENVELOPE | {"io.modelcontextprotocol/protocolVersion": "2027-01-01"}
    error = client.ask("tools/list", {"_meta": envelope})["error"]
    assert error["code"] == -32022
    assert error["data"] == {"supported": ["2026-07-28"], "requested": "2027-01-01"}


def test_nothing_but_the_protocol_goes_to_stdout(own_client: RawClient) -> None:
    assert own_client.call_json("notify", message="print to stdout")["ok"]
    assert own_client.ask("ping")["result"] == {}
    own_client.close_input()
    own_client.ended()
    stray = own_client.errors()
    assert [source in stray for source in ("from Python", "from C", "from a child")] == [True] * 3


def test_our_own_fault_is_told_by_its_kind_alone(own_client: RawClient) -> None:
    result = own_client.call("notify", message="fail with the text inside")
    assert result["isError"]
    assert "RuntimeError" in result["content"][0]["text"]
    own_client.close_input()
    own_client.ended()
    assert "fail with the text inside" not in result["content"][0]["text"] + own_client.errors()
    assert own_client.audit()[-1]["result"] == "error: internal"


def test_calls_sent_at_once_run_one_after_another(client: RawClient) -> None:
    client.add_script(
        "slow.py", "import time\nprint(time.monotonic(), flush=True)\ntime.sleep(0.15)\nprint(time.monotonic())"
    )
    ids = [client.start_call("applescript", name="slow") for _ in range(3)]
    answers = [client.receive() for _ in ids]
    assert [a["id"] for a in answers] == ids
    spans = [list(map(float, json.loads(a["result"]["content"][0]["text"])["stdout"].split())) for a in answers]
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


def test_a_ping_is_answered_while_a_call_runs(client: RawClient) -> None:
    client.add_script("second.sh", "sleep 1")
    call = client.start_call("applescript", name="second")
    ping = client.start("ping")
    assert [client.receive()["id"], client.receive()["id"]] == [ping, call]


def test_no_side_effect_before_the_first_call(tmp_path: Path) -> None:
    with RawClient(tmp_path / "home") as client:
        client.initialize().ask("tools/list")
        assert not (tmp_path / "home").exists()
        client.call("see")
        assert sorted(p.name for p in (tmp_path / "home").iterdir()) == ["audit.jsonl", "config.json", "scripts"]

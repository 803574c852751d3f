"""What a client types, passes or has in its environment, sent down every path of a real server on the simulated Mac:
not a character of it in the log or on stderr."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.raw_client import RawClient, own_mac

TYPED = "CANARY-typed-é"
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("see", {"app": "TextEdit"}),
    ("act", {"target": "TextEdit", "steps": [{"kind": "type", "text": TYPED}, {"kind": "key", "combo": "cmd+a"}]}),
    ("act", {"target": "TextEdit", "steps": [{"kind": "set", "ref": "e4", "value": TYPED}]}),
    ("act", {"target": "TextEdit", "steps": [{"kind": "type", "text": TYPED, "txt": TYPED}]}),
    ("act", {"target": "TextEdit", "steps": [{"kind": "type", "text": [TYPED]}, {"kind": TYPED}]}),
    ("act", {"target": "TextEdit", "steps": [{"kind": "key", "combo": TYPED}, {"kind": "key", "combo": "C"}]}),
    ("act", {"target": "TextEdit", "steps": json.dumps([{"kind": "type", "text": TYPED}])}),
    ("act", {"target": "TextEdit", "steps": [{"kind": "type", "text": TYPED}], "settle_ms": TYPED}),
    ("act", {"target": "TextEdit", "steps": TYPED}),
    ("act", {"target": "TextEdit", "steps": [{"kind": "wait", "ms": 1, "until": TYPED}]}),
    ("act", {"target": "TextEdit", "steps": [{"kind": "menu", "path": "File > Nope"}]}),
    ("see", {"app": "TextEdit", "find": TYPED}),
    ("applescript", {"name": "echo-argv", "args": [TYPED]}),
    ("applescript", {"name": "echo-argv", "args": [TYPED + "\0"]}),
    ("applescript", {"name": "echo-argv", "args": {"x": TYPED}}),
    ("applescript", {"script": TYPED}),
    ("applescript", {"timeout": TYPED}),
    ("app", {"action": TYPED, "name": "TextEdit"}),
    ("app", {"action": "switch", "name": "TextEdit", "window": {TYPED: TYPED}}),
]


@pytest.fixture
def simulated(tmp_path: Path) -> Iterator[RawClient]:
    with RawClient(tmp_path / "home", own_mac(tmp_path), {"API_KEY": "CANARY-key"}) as started:
        yield started.initialize()


def test_no_canary_in_log_or_stderr_and_a_line_for_every_call(simulated: RawClient) -> None:
    answers = [simulated.call(tool, **arguments) for tool, arguments in CALLS]
    assert not answers[1].get("isError"), "the typing itself must have happened"
    assert TYPED in json.loads(answers[12]["content"][0]["text"])["stdout"]
    simulated.close_input()
    assert simulated.ended() == 0
    log = (simulated.home / "audit.jsonl").read_text()
    assert "CANARY" not in log + simulated.errors()
    assert [line["tool"] for line in simulated.audit()] == [tool for tool, _ in CALLS]
    assert [line["seq"] for line in simulated.audit()] == list(range(1, len(CALLS) + 1))

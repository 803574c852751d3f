"""A key that stands twice in a call: the verdict is on the value that counts, and the log shows that one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.server.raw_client import RawClient, own_mac

TYPE = '"steps":[{"kind":"type","text":"x"}]'
CALLS = {
    "1Password": f'"target":"TextEdit","target":"1Password",{TYPE}',
    "TextEdit": f'"target":"1Password","target":"TextEdit",{TYPE}',
}


@pytest.fixture
def client(tmp_path: Path) -> RawClient:
    return RawClient(tmp_path / "home", (*own_mac(tmp_path), "--journal", str(tmp_path / "journal")))


def test_the_last_one_is_judged_and_logged(client: RawClient, tmp_path: Path) -> None:
    told = []
    with client.initialize():
        for number, arguments in enumerate(CALLS.values(), 100):
            params = f'{{"name":"act","arguments":{{{arguments}}}}}'
            client.send(f'{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{params}}}'.encode())
            told.append(json.loads(client.receive()["result"]["content"][0]["text"])["ok"])
        assert told == [False, True]
        assert [line["target"] for line in client.audit()] == list(CALLS)
    downs = [json.loads(line) for line in (tmp_path / "journal").read_text().splitlines() if "key_down" in line]
    assert {line["app"] for line in downs} == {"TextEdit"}

"""The official Inspector: its lint of the tool list, and a call in each way in which it negotiates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.protocol import node
from tests.server.raw_client import own_mac


def inspect(inspector: Path, folder: Path, *options: str) -> tuple[int, str]:
    done = node.run(inspector, "--cli", *options, "-q", *own_mac(folder), "--home", folder / "home")
    return done.returncode, done.stdout or done.stderr


def test_its_strict_lint_finds_nothing(inspector: Path, tmp_path: Path) -> None:
    code, told = inspect(inspector, tmp_path, "--method", "tools/list", "--strict")
    assert code == 0, told
    assert len(json.loads(told)["tools"]) == 5


@pytest.mark.parametrize("era", ["legacy", "auto", "modern"])
def test_it_calls_a_tool(inspector: Path, tmp_path: Path, era: str) -> None:
    options = ("--protocol-era", era, "--method", "tools/call", "--tool-name", "act")
    steps = {"target": "TextEdit", "steps": [{"kind": "type", "text": 'é — "'}]}
    code, told = inspect(inspector, tmp_path, *options, "--tool-args-json", json.dumps(steps))
    assert code == 0, told
    assert json.loads(json.loads(told)["content"][0]["text"])["steps_completed"] == 1


def test_a_refused_call_is_an_error_to_it(inspector: Path, tmp_path: Path) -> None:
    options = ("--method", "tools/call", "--tool-name", "act")
    steps = {"target": "1Password", "steps": [{"kind": "key", "combo": "cmd+a"}]}
    code, told = inspect(inspector, tmp_path, *options, "--tool-args-json", json.dumps(steps))
    assert code == 5  # its status for isError
    assert "blocklist" in told

"""A log that cannot take a line: no event without one, and the server neither hangs nor ends."""

from __future__ import annotations

import json
import os
import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.attack.client import Hijacked
from tests.attack.oracle import PRESSES
from tests.attack.size import of

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("act", {"target": "TextEdit", "steps": [{"kind": "type", "text": "x"}], "settle_ms": 0}),
    ("app", {"action": "quit", "name": "Shifter"}),
    ("notify", {"message": "x"}),
    ("see", {}),
    ("applescript", {"name": "echo-argv"}),
)


def _fifo(log: Path) -> None:
    log.unlink()
    os.mkfifo(log)


def _link(log: Path) -> None:
    log.rename(log.with_name("elsewhere"))
    log.symlink_to("elsewhere")


def _second_name(log: Path) -> None:
    os.link(log, log.with_name("second"))


def _readable(log: Path) -> None:
    log.chmod(0o666)


def _folder(log: Path) -> None:
    log.unlink()
    log.mkdir()


def _device(log: Path) -> None:
    log.unlink()
    log.symlink_to("/dev/full")


def _no_folder(log: Path) -> None:
    log.parent.rename(log.parent.with_name(log.parent.name + "-moved"))


@pytest.fixture
def client() -> Iterator[Hijacked]:
    client = Hijacked("us")
    assert client.call(*CALLS[0]) == []
    yield client
    moved = client.home.with_name(client.home.name + "-moved")
    if moved.exists():
        moved.rename(client.home)
    client.close()


@pytest.mark.parametrize("deed", [_fifo, _link, _second_name, _readable, _folder, _device, _no_folder])
def test_nothing_is_done_that_cannot_be_recorded(client: Hijacked, deed: Callable[[Path], None]) -> None:
    deed(client.home / "audit.jsonl")
    _assert_all_refused(client)


def test_a_file_that_may_not_grow_is_a_full_disk(client: Hijacked) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = (client.home / "audit.jsonl").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, hard))
    try:
        _assert_all_refused(client)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _assert_all_refused(client: Hijacked) -> None:
    before = len(client.events())
    for tool, arguments in CALLS * of(1, 20):
        client.call_unjudged(tool, arguments)
        assert client.last.is_error
        assert "audit log" in client.last.text
    assert client.events()[before:] == []


def test_a_log_that_was_removed_comes_back_with_the_next_line(client: Hijacked) -> None:
    log = client.home / "audit.jsonl"
    log.unlink()
    client.call_unjudged(*CALLS[0])
    assert not client.last.is_error
    assert [json.loads(line)["seq"] for line in log.read_text().splitlines()] == [2]
    assert [e for e in client.events() if e["event"] in PRESSES]

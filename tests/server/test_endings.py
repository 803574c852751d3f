"""How a server ends: whoever ends it, nothing keeps running, the line is written, and the process is gone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.server.raw_client import INITIALIZE, PROGRAM, RawClient

ENDINGS = ["input", "output", "SIGTERM", "SIGINT", "SIGHUP"]
SOON = 3.0
"""Seconds: far below anything that hangs, far above a machine under load. The figures are in bench/."""


def end(client: RawClient, how: str) -> int:
    """End it that way; the return code that people expect of it."""
    if how == "input":
        client.close_input()
        return 0
    if how == "output":
        client.close_output()
        return 0
    client.process.send_signal(signal.Signals[how])
    return -signal.Signals[how]


@pytest.mark.parametrize("how", ENDINGS)
def test_an_idle_server_ends_at_once(tmp_path: Path, how: str) -> None:
    closed = tmp_path / "closed"
    with RawClient(tmp_path / "home", environment={"DOUBLE_CLOSED": str(closed)}) as client:
        client.initialize().call("see")
        expected = end(client, how)
        assert client.ended(SOON) == expected
        assert closed.exists()
        assert client.errors() == ""


@pytest.mark.parametrize("how", ENDINGS)
def test_a_call_in_the_middle_is_stopped_recorded_and_its_children_ended(own_client: RawClient, how: str) -> None:
    pids = own_client.home / "pids"
    own_client.add_script("slow.sh", f"sleep 60 & echo $! >{pids}; echo $$ >>{pids}; wait")
    own_client.start_call("applescript", name="slow")
    own_client.start_call("see")
    started = _pids(pids)
    expected = end(own_client, how)
    assert own_client.ended(SOON) == expected
    assert [line["result"] for line in own_client.audit()] == ["cancelled", "cancelled"]
    assert [pid for pid in started if _runs(pid)] == []


def test_an_act_in_the_middle_of_a_wait_is_stopped(own_client: RawClient) -> None:
    own_client.start_call(
        "act", target="TextEdit", steps=[{"kind": "wait", "ms": 10_000}, {"kind": "wait", "ms": 10_000}]
    )
    assert own_client.receive(0.5) is None
    own_client.close_input()
    answer = own_client.receive()
    assert own_client.ended(SOON) == 0
    assert answer["result"]["isError"]
    assert len(own_client.audit()) == 1


def test_calls_in_the_pipe_at_the_end_of_input_are_still_answered(tmp_path: Path) -> None:
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "see", "arguments": {}}},
    ]
    done = subprocess.run(
        [PROGRAM, "--home", tmp_path / "home"],
        input="\n".join(map(json.dumps, lines)),
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
    )
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 2, 3]


def test_no_input_at_all_ends_it(tmp_path: Path) -> None:
    done = subprocess.run(
        [PROGRAM, "--home", tmp_path / "home"], stdin=subprocess.DEVNULL, capture_output=True, timeout=20
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not (tmp_path / "home").exists()


def test_the_death_of_the_parent_ends_it_although_a_sibling_holds_the_pipe(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    answers, told = os.pipe()
    command = [str(PROGRAM), "--home", str(tmp_path)]
    program = (
        f"import subprocess\np = subprocess.Popen({command}, stdin={reading}, stdout={told})\n"
        "print(p.pid, flush=True)\np.wait()"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, pass_fds=(reading, told))
    assert parent.stdout is not None
    server = int(parent.stdout.readline())
    os.write(writing, json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode() + b"\n")
    os.close(told)
    assert os.read(answers, 65536)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert _gone(server)
    for fd in (reading, writing, answers):
        os.close(fd)


def test_a_client_that_reads_nothing_holds_up_neither_cancel_nor_the_end(own_client: RawClient) -> None:
    own_client.add_script("flood.py", "print('x' * 60_000)")
    for _ in range(40):
        own_client.start_call("applescript", name="flood")
    time.sleep(0.5)
    own_client.close_input()
    assert own_client.ended(SOON) == 0
    assert len(own_client.audit()) == 40


def _pids(file: Path) -> list[int]:
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if file.exists() and len(file.read_text().split()) == 2:
            return [int(pid) for pid in file.read_text().split()]
        time.sleep(0.02)
    raise AssertionError("the script did not start")


def _runs(pid: int) -> bool:
    """A zombie runs no more: its parent is gone and init has yet to collect it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def _gone(pid: int) -> bool:
    end = time.monotonic() + SOON
    while _runs(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not _runs(pid)

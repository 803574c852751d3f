"""The real guardian process: what it writes and lets go when its server is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mac_commander.errors import Refused
from mac_commander.guardian.client import GuardianClient
from mac_commander.guardian.record import PAID_LINE, Record, desktop_line, held_line, owe_line, told

LINE = b'{"ts": "x", "tool": "act"}\n'


def test_the_record_follows_what_it_is_told() -> None:
    record = told(Record(), held_line(["button:1", "key:37"]).decode())
    assert record.held == ("button:1", "key:37")
    record = told(record, owe_line("/log", "line").decode())
    assert record == Record(("button:1", "key:37"), ("/log", "line"))
    assert told(told(record, PAID_LINE.decode()), held_line([]).decode()) == Record()
    assert told(record, desktop_line("x11", {"DISPLAY": ":7"}).decode()).environment == {"DISPLAY": ":7"}


@pytest.mark.parametrize(
    "noise", ["", "x", "[]", "{}", '{"held": 1}', '{"owe": ["a"]}', "null", '{"paid": 1}', '{"desktop": []}']
)
def test_noise_changes_nothing(noise: str) -> None:
    assert told(Record(("key:1",), ("a", "b")), noise) == Record(("key:1",), ("a", "b"))


def gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return True
    return state == "Z"


def wait_gone(pid: int) -> bool:
    end = time.monotonic() + 5
    while time.monotonic() < end and not gone(pid):
        time.sleep(0.01)
    return gone(pid)


SERVER = """
import sys, time
from pathlib import Path
from mac_commander.guardian.client import GuardianClient
guardian = GuardianClient()
guardian.require()
guardian.owe(Path(sys.argv[1]), {line!r})
if sys.argv[2] == "paid":
    guardian.paid()
print(guardian.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("state", ["owed", "paid"])
def test_the_line_of_a_killed_server_is_written_exactly_when_owed(
    tmp_path: Path, how: signal.Signals, state: str
) -> None:
    log = tmp_path / "audit.jsonl"
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER.format(line=LINE), str(log), state], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    guardian = int(server.stdout.readline())
    server.send_signal(how)
    server.wait(5)
    server.stdout.close()
    assert wait_gone(guardian)
    assert (log.read_bytes() if log.exists() else b"") == (LINE if state == "owed" else b"")


def test_signals_do_not_end_it_before_its_server(tmp_path: Path) -> None:
    client = GuardianClient()
    client.require()
    assert client.pid is not None
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(client.pid, number)
    client.hold(("button:1",))
    client.require()
    client.close()
    assert wait_gone(client.pid)


def test_a_dead_guardian_forbids_pressing_and_is_replaced() -> None:
    client = GuardianClient()
    client.require()
    first = client.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert wait_gone(first)
    with pytest.raises(Refused, match="guardian"):
        client.hold(("button:1",))
    client.hold(())
    client.require()
    assert client.pid != first
    client.close()


def test_a_guardian_that_cannot_start_refuses_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    with pytest.raises(Refused, match="no input is sent without it"):
        GuardianClient().require()

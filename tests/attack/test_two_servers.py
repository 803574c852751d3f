"""Two real processes with one home: each call has its line, whole, and no line is inside another."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from mac_commander.core.keyboard_lock import keyboard_lock
from mac_commander.errors import Refused
from tests.attack.size import of
from tests.server.raw_client import RawClient, own_mac

ACTS = of(40, 1_000)
STEPS = [{"kind": "type", "text": "x"}]
HOLDS = of(200, 5_000)


def test_no_line_is_torn_or_lost(tmp_path: Path, reached: Callable[[str], None]) -> None:
    program = own_mac(tmp_path)
    with RawClient(tmp_path / "home", program) as one:
        one.initialize()
        with RawClient(tmp_path / "home", program) as other:
            _drive_both((one, other.initialize()))
        lines = [json.loads(line) for line in (tmp_path / "home/audit.jsonl").read_text().splitlines()]
    assert Counter(line["seq"] for line in lines) == dict.fromkeys(range(1, ACTS // 2 + 1), 2)
    ends = {"ok: 1 steps", "refused: before any step, 0 of 1 steps completed"}
    assert "ok: 1 steps" in {line["result"] for line in lines} <= ends
    reached(f"two servers: {ACTS:,} acts: 0 lines torn or lost")


def test_a_second_server_is_refused_while_the_first_is_at_the_keyboard(tmp_path: Path) -> None:
    program = own_mac(tmp_path)
    watched = (*program, "--journal", str(tmp_path / "journal"))
    with RawClient(tmp_path / "home", watched) as one, RawClient(tmp_path / "home", program) as other:
        one.initialize()
        other.initialize()
        long = one.start_call(
            "act", target="TextEdit", steps=[{"kind": "key", "combo": "right"}, {"kind": "wait", "ms": 9000}]
        )
        while "key_down" not in _text(tmp_path / "journal"):
            time.sleep(0.05)
        step = other.call_json("act", target="TextEdit", steps=STEPS)["failed_step"]
        assert f"another Mac-Commander (pid {one.process.pid}) is at the keyboard" in step["reason"]
        assert step["retry"] == "safe"
        one.tell("notifications/cancelled", {"requestId": long})


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def _drive_both(pair: tuple[RawClient, RawClient]) -> None:
    def drive(client: RawClient) -> None:
        for _ in range(ACTS // 2):
            outcome = client.call_json("act", target="TextEdit", steps=STEPS, settle_ms=0)
            assert outcome["ok"] or "another Mac-Commander" in outcome["failed_step"]["reason"]

    threads = [threading.Thread(target=drive, args=(client,)) for client in pair]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_one_keyboard_has_one_owner_at_a_time(tmp_path: Path) -> None:
    inside, most, refused = 0, 0, 0
    count = threading.Lock()

    def hold() -> None:
        nonlocal inside, most, refused
        for _ in range(HOLDS // 2):
            try:
                with keyboard_lock("seat", tmp_path):
                    with count:
                        inside += 1
                        most = max(most, inside)
                    with count:
                        inside -= 1
            except Refused:
                refused += 1

    threads = [threading.Thread(target=hold) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
    assert refused < HOLDS

"""What the real process alone can show: a burst of calls, two batches at once, settings that change under it, a
working folder that is hostile."""

from __future__ import annotations

import json
import shutil
import threading
from itertools import groupby
from pathlib import Path

from tests.attack.size import of
from tests.server.raw_client import RawClient, own_mac

BURST = of(700, 5_000)
TYPE = [{"kind": "type", "text": "x"}]


def events(journal: Path, kind: str) -> list[dict[str, str]]:
    lines = journal.read_text().splitlines() if journal.exists() else []
    return [event for event in map(json.loads, lines) if event["event"] == kind]


def test_each_call_of_a_burst_is_answered_and_has_a_line_of_its_own(tmp_path: Path) -> None:
    """No lines are rolled up into one: beyond the pace a call does nothing, and is recorded all the same."""
    with RawClient(tmp_path / "home", own_mac(tmp_path)) as client:
        client.initialize()
        sender = threading.Thread(target=lambda: [client.start_call("see", max_elements=1) for _ in range(BURST)])
        sender.start()
        answers = [client.receive()["result"] for _ in range(BURST)]
        sender.join()
        client.close_input()
        assert client.ended(60) == 0
        lines = client.audit()
    refused = [line for line in lines if line["result"] == "refused: locked"]
    assert len(answers) == len(lines) == BURST
    assert [line["seq"] for line in lines] == list(range(1, BURST + 1))
    assert len(refused) == sum(bool(answer.get("isError")) for answer in answers) > 0


def test_two_batches_at_once_never_mix_their_keys(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    with RawClient(tmp_path / "home", (*own_mac(tmp_path), "--journal", str(journal))) as client:
        client.initialize()
        for letter in "abc":
            steps = [{"kind": "type", "text": letter * 25}] * 2
            client.start_call("act", target="TextEdit", steps=steps, settle_ms=0)
        assert not [answer for answer in (client.receive() for _ in "abc") if answer["result"].get("isError")]
    typed = "".join(event["text"] for event in events(journal, "key_down"))
    assert [(letter, len(list(run))) for letter, run in groupby(typed)] == [("a", 50), ("b", 50), ("c", 50)]


def test_settings_that_change_meanwhile_count_from_the_next_start(tmp_path: Path) -> None:
    """Neither wider nor narrower: an editor that a model drives must not be able to do it."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    config = home / "config.json"
    config.write_text(json.dumps({"input_blocklist": ["Finder"]}))
    config.chmod(0o600)
    for blocked in ("Finder", "TextEdit"):
        with RawClient(home, own_mac(tmp_path)) as client:
            client.initialize()
            for _ in range(2):
                step = client.call_json("act", target=blocked, steps=TYPE)["failed_step"]
                assert "input blocklist" in step["reason"]
                config.write_text(json.dumps({"input_blocklist": ["TextEdit"], "audit_log": None}))
    assert len(client.audit()) == 2, "the second start was the first to know of no log"


def test_nothing_is_taken_from_the_folder_in_which_it_is_started(tmp_path: Path) -> None:
    """A project that a client opens may bring settings, scripts and modules of its own."""
    here, home = tmp_path / "project", tmp_path / "home"
    shutil.copytree(Path(__file__).parents[2] / "src/mac_commander/scripts/linux", here / "scripts")
    marker = tmp_path / "ran"
    for name in ("mcp", "mac_commander", "json", "sitecustomize"):
        (here / f"{name}.py").write_text(f"open({str(marker)!r}, 'w').close()\nraise SystemExit(3)\n")
    for name in ("config.json", ".mac-commander.json", ".env", "mac-commander/config.json"):
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).write_text('{"input_blocklist": [], "allow_raw_applescript": true}')
    with RawClient(home, ("/usr/bin/env", "-C", str(here), *own_mac(tmp_path))) as client:
        client.initialize()
        act = client.call_json("act", target="1Password", steps=TYPE)["failed_step"]["reason"]
        raw = client.call_json("applescript", script="beep")["reason"]
        catalogue = client.call_json("applescript")
    assert "input blocklist" in act
    assert "allow_raw_applescript" in raw
    assert {s["name"] for s in catalogue["scripts"]} >= {"echo-argv"}
    assert sorted(path.name for path in home.iterdir()) == ["audit.jsonl", "config.json", "scripts"]
    assert not marker.exists()

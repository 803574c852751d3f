"""The world of docs/simulated-mac.md through the real program: what the documents promise a stranger who has nothing
but the command line, the world file, the journal and the home folder."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.server.raw_client import PROGRAM, ROOT, RawClient

TEXT = 'Bonjour — "été" 🙂 là, et bien plus de vingt signes'
DOCUMENT = (ROOT / "docs" / "simulated-mac.md").read_text(encoding="utf-8")
MISSIONS_BLOCKLIST = (
    *("1Password", "com.1password.", "Passwords", "com.apple.Passwords", "System Settings"),
    *("com.apple.systempreferences", "Keychain Access", "com.apple.keychainaccess"),
)


@dataclass
class Stranger:
    client: RawClient
    home: Path
    file: Path

    def call(self, tool: str, **arguments: Any) -> str:
        told = self.client.ask("tools/call", {"name": tool, "arguments": arguments})
        return str(told["result"]["content"][0]["text"])

    def act(self, target: str, *steps: dict[str, Any]) -> Any:
        return json.loads(self.call("act", target=target, steps=list(steps), settle_ms=20))

    def journal(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.file.read_text(encoding="ascii").splitlines()]


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stranger]:
    """One session, whose tests go on from one another in the order of this file."""
    folder = tmp_path_factory.mktemp("stranger")
    world = re.search(r"```json\n(.*?)```", DOCUMENT, re.DOTALL)
    assert world is not None
    (folder / "world.json").write_text(world[1], encoding="utf-8")
    program = (str(PROGRAM), "--desktop", "simulated", "--world", str(folder / "world.json"))
    with RawClient(folder / "home", (*program, "--journal", str(folder / "journal"))) as started:
        yield Stranger(started.initialize(), folder / "home", folder / "journal")


def test_the_first_look_is_as_it_is_shown(stranger: Stranger) -> None:
    assert stranger.call("see", app="TextEdit").splitlines() == [
        "frontmost: TextEdit (com.apple.TextEdit, pid 412)",
        "TextEdit (com.apple.TextEdit, pid 412)",
        'window "Untitled" main at 100,80 size 640x480',
        "  textarea [e1] 420,340 focused",
        '  button "Save" [e2] 690,102',
        "complete: 2 of 2 elements",
    ]


def test_the_theft_in_the_world_file_stops_the_batch_right_after_its_line(stranger: Stranger) -> None:
    steps = ({"kind": "click", "ref": "e1"}, {"kind": "type", "text": TEXT}, {"kind": "key", "combo": "cmd+a"})
    told = stranger.act("TextEdit", *steps, {"kind": "type", "text": "never"})
    failed = told.pop("failed_step")
    assert (told["ok"], told["steps_completed"], told["target"]) == (False, 3, {"name": "TextEdit", "pid": 412})
    assert (failed["index"], failed["phase"], failed["cause"], failed["retry"]) == (2, "after", "focus", "unsafe")
    assert failed["reason"].startswith("focus lost")
    assert failed["reason"].endswith("Chat is frontmost")
    assert failed["frontmost"] == {"name": "Chat", "pid": 99}
    lines = stranger.journal()
    assert [line["n"] for line in lines] == list(range(1, len(lines) + 1))
    assert lines[12].items() >= {"event": "activate", "app": "Chat"}.items()
    assert {line["event"] for line in lines[13:]} <= {"key_up"}, "only what was down comes up"


def test_the_journal_tells_text_keys_and_pointer_as_events_carry_them(stranger: Stranger) -> None:
    keys = [line for line in stranger.journal() if line["event"] == "key_down"]
    typed = [line["text"] for line in keys if line["flags"] == 0]
    assert "".join(typed) == TEXT
    assert all(len(text.encode("utf-16-le")) <= 40 for text in typed)
    pointer = [line for line in stranger.journal() if line["event"] in ("mouse_down", "mouse_up")]
    assert [(line["at"], line["button"], line["clicks"], line["app"]) for line in pointer] == [
        ([420, 340], "left", 1, "TextEdit")
    ] * 2
    assert 0x100000 in {line["flags"] for line in keys}, "the mask of Command"


def test_a_press_that_says_it_failed_is_not_made_twice(stranger: Stranger) -> None:
    before = len(stranger.journal())
    stranger.act("TextEdit", {"kind": "click", "ref": "e2"})
    assert [line["event"] for line in stranger.journal()[before:]] == ["activate", "press"]
    assert 'window "Save As" main at 200,200 size 300x150' in stranger.call("see", app="TextEdit")


def test_a_stranger_app_takes_text_as_an_app_does(stranger: Stranger) -> None:
    assert stranger.act("Chat", {"kind": "type", "text": "héllo 🙂"})["ok"] is True
    assert 'textfield [e3] 1000,520 focused value="héllo 🙂"' in stranger.call("see", app="Chat")


def test_the_home_is_private_and_has_the_missions_files(stranger: Stranger) -> None:
    config = json.loads((stranger.home / "config.json").read_text(encoding="utf-8"))
    assert set(MISSIONS_BLOCKLIST) <= set(config["input_blocklist"])
    told = {key: config[key] for key in ("audit_log", "overlay", "allow_raw_applescript")}
    assert told == {"audit_log": str(stranger.home / "audit.jsonl"), "overlay": True, "allow_raw_applescript": False}
    for path in (stranger.home, *stranger.home.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_every_call_has_one_line_with_its_text_only_counted(stranger: Stranger) -> None:
    log = (stranger.home / "audit.jsonl").read_text(encoding="ascii")
    lines = [json.loads(line) for line in log.splitlines()]
    assert [line["tool"] for line in lines] == ["see", "act", "act", "see", "act", "see"]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["ts"]) for line in lines)
    assert all({"ts", "tool", "target", "summary", "result"} <= set(line) for line in lines)
    assert lines[1]["summary"] == f"click(e1), type({len(TEXT)} chars), key(cmd+a), type(5 chars)"
    assert lines[4].items() >= {"target": "Chat", "summary": "type(7 chars)", "result": "ok: 1 steps"}.items()
    assert "Bonjour" not in log

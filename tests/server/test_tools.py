"""`app`, `notify` and `applescript` as a client sees them, on a desktop in memory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mac_commander import tools
from mac_commander.core import config
from mac_commander.core.audit import AuditLog
from mac_commander.core.config import Config
from mac_commander.core.dispatch import Dispatcher, Grounds, Job
from mac_commander.core.progress import silent
from mac_commander.core.reply import Reply
from mac_commander.core.session import Session
from mac_commander.core.stop import Stop
from mac_commander.errors import Refused
from mac_commander.model import Installed, Notification
from mac_commander.tools import app as app_tool
from tests.server.double import CHAT, EDITOR, Double


class Told(dict[str, Any]):
    """A tool's JSON answer, with its audit line."""

    line: Mapping[str, Any]
    is_error: bool


class Bench:
    def __init__(self, home: Path) -> None:
        self.home = home
        self.desktop = Double()
        self.settings: dict[str, Any] = {}
        (home / "scripts").mkdir(mode=0o700)

    def script(self, name: str, text: str) -> None:
        path = self.home / "scripts" / name
        path.write_text(text)
        path.chmod(0o600)

    def call(self, tool: str, **arguments: Any) -> Told:
        """Through the whole funnel: strict check, tool, audit line."""
        from dataclasses import replace

        settings: Config = replace(config.defaults(self.home), **self.settings)
        grounds = Grounds(settings, AuditLog(settings.audit_log))
        replies: list[Reply] = []
        dispatcher = Dispatcher(lambda: grounds, lambda given, stop: Session(self.desktop, given, stop))
        declared = next(t for t in tools.TOOLS if t.name == tool)
        dispatcher.submit(Job(declared.call(arguments), replies.append, silent))
        dispatcher.close()
        dispatcher.run()
        told = Told(json.loads(replies[0].text))
        told.is_error = replies[0].is_error
        told.line = json.loads((self.home / "audit.jsonl").read_text().splitlines()[-1])
        return told


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    for name in ("LAUNCH_SECONDS", "QUIT_SECONDS", "HIDE_SECONDS", "WINDOW_SECONDS"):
        monkeypatch.setattr(app_tool, name, 0.1)
    monkeypatch.setattr("mac_commander.core.session.FRONT_SECONDS", 0.1)
    return Bench(tmp_path)


# --- app -------------------------------------------------------------------------------------------------------


def test_launch_tells_which_process_it_became(bench: Bench) -> None:
    bench.desktop.startable.append(Installed("Mail", "com.apple.mail"))
    told = bench.call("app", action="launch", name="mail")
    assert told == {"action": "launch", "ok": True, "app": {"name": "Mail", "id": "com.apple.mail", "pid": 555}}
    assert (told.line["target"], told.line["summary"], told.line["result"]) == ("mail", "launch", "ok: launch")


def test_launch_says_when_it_is_not_ready(bench: Bench) -> None:
    bench.desktop.becomes_ready = False
    told = bench.call("app", action="launch", name="TextEdit")
    assert told.is_error
    assert "not finished launching" in told["reason"]


def test_launch_of_what_runs_but_is_not_installed_switches_to_it(bench: Bench) -> None:
    told = bench.call("app", action="launch", name="Chat")
    assert (told["ok"], told["note"]) == (True, "it was running already")
    assert bench.desktop.front == CHAT


def test_a_miss_names_near_installed_apps(bench: Bench) -> None:
    told = bench.call("app", action="launch", name="TextEdti")
    assert "near names: TextEdit" in told["reason"]


def test_quit_waits_for_the_end(bench: Bench) -> None:
    assert bench.call("app", action="quit", name="com.apple.textedit")["ok"]
    assert EDITOR not in bench.desktop.running


def test_quit_names_the_dialog_that_holds_it(bench: Bench) -> None:
    bench.desktop.quits = False
    told = bench.call("app", action="quit", name="TextEdit")
    assert told.is_error
    assert 'it shows dialog "Save \\"Ligne\\"?"' in told["reason"]


@pytest.mark.parametrize("name", ["SecurityAgent", "Finder", "com.apple.finder", "Chat"])
def test_quit_never_for_system_dialogs_the_desktop_and_our_client(bench: Bench, name: str) -> None:
    before = list(bench.desktop.running)
    assert bench.call("app", action="quit", name=name).is_error
    assert bench.desktop.running == before


@pytest.mark.parametrize("action", ["switch", "hide", "launch"])
@pytest.mark.parametrize("name", ["SecurityAgent", "com.apple.securityagent", "Agent der Sicherheit"])
def test_a_system_dialog_is_not_touched(bench: Bench, action: str, name: str) -> None:
    bench.desktop.startable.append(Installed("SecurityAgent", "com.apple.SecurityAgent", ("Agent der Sicherheit",)))
    if name.startswith("Agent") and action != "launch":
        name = "SecurityAgent.app"
    assert "only the user" in bench.call("app", action=action, name=name)["reason"]
    assert bench.desktop.front == EDITOR


def test_the_users_blocklist_gates_input_not_this(bench: Bench) -> None:
    bench.settings = {"input_blocklist": ("Chat", "TextEdit")}
    assert bench.call("app", action="switch", name="Chat")["ok"]
    assert bench.call("app", action="quit", name="TextEdit")["ok"]


def test_switch_says_who_is_in_front_instead(bench: Bench) -> None:
    bench.desktop.comes_to_front = False
    told = bench.call("app", action="switch", name="Finder")
    assert "TextEdit is frontmost" in told["reason"]
    assert told["cause"] == "focus"


def test_hide_is_judged_by_what_came_of_it(bench: Bench) -> None:
    assert bench.call("app", action="hide", name="Finder")["ok"]
    bench.desktop.hides = False
    assert "can still be seen" in bench.call("app", action="hide", name="TextEdit")["reason"]


def test_the_window_is_placed_and_its_bounds_read_back(bench: Bench) -> None:
    told = bench.call("app", action="switch", name="Finder", window={"move": [10, 40], "size": [500, 300]})
    assert told["window"] == {"title": "Finder window", "bounds": [10, 40, 500, 300]}
    assert "note" not in told
    told = bench.call("app", action="switch", name="Finder", window={"move": [10, 0]})
    assert told["window"]["bounds"] == [10, 25, 640, 480]
    assert "asked for [10, 0, 640, 480]" in told["note"]
    assert told.line["summary"] == "switch window(move)"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"action": "QUIT", "name": "TextEdit"}, "got 'QUIT'" ),
        ({"action": "force_quit", "name": "TextEdit"}, "wanted one of launch, quit, switch, hide"),
        ({"action": ["quit"], "name": "TextEdit"}, "action"),
        ({"name": "TextEdit"}, "action: missing"),
        ({"action": "quit"}, "name: missing"),
        ({"action": "quit", "name": ""}, "empty text"),
        ({"action": "quit", "name": None}, "name: missing"),
        ({"action": "quit", "name": 5}, "name: wanted text, got an integer"),
        ({"action": "quit", "name": "TextEdit", "windwo": {}}, "did you mean 'window'?"),
        ({"action": "quit", "name": "TextEdit", "window": {"move": [0, 0]}}, "goes with launch and switch"),
        ({"action": "switch", "name": "TextEdit", "window": {}}, "wanted move"),
        ({"action": "switch", "name": "TextEdit", "window": {"move": [0]}}, "window.move"),
        ({"action": "switch", "name": "TextEdit", "window": {"size": [0, 5]}}, "window.size[0]"),
        ({"action": "switch", "name": "TextEdit", "window": {"size": [5, float("nan")]}}, "finite"),
        ({"action": "switch", "name": "TextEdit", "window": {"size": [5, True]}}, "a boolean"),
        *(({"action": "launch", "name": name}, "") for name in (
            "../x", "/bin/sh", "~/x.app", "-a Terminal", "--args", "a\0b", "a\nb", "/Applications/TextEdit.app",
            "https://x", "file:///x", "shortcuts:x", "x-apple.systempreferences:", "*", "x" * 300, "frontmost",
        )),
    ],
)  # fmt: skip
def test_what_is_not_right_is_refused_and_nothing_changes(bench: Bench, arguments: dict[str, Any], says: str) -> None:
    before = (list(bench.desktop.running), bench.desktop.front)
    told = bench.call("app", **arguments)
    assert told.is_error
    assert says in told["reason"]
    assert (bench.desktop.running, bench.desktop.front) == before
    assert told.line["result"] in ("refused: arguments", "failed: gone")


# --- notify ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ['"; \\ é — 🙂\n\u2028', '" & (do shell script "id") & "', "--icon=/etc/passwd", "<b>a & b</b>"]
)
def test_a_banner_shows_its_text_and_the_log_its_beginning(bench: Bench, text: str) -> None:
    told = bench.call("notify", message=text, subtitle="s")
    assert told == {"ok": True, "delivery": "handed over"}
    assert bench.desktop.banners == [Notification("Mac-Commander", text, "s")]
    assert told.line["summary"] == text


def test_the_logs_part_is_120_characters(bench: Bench) -> None:
    assert bench.call("notify", message="🙂" * 2000).line["summary"] == "🙂" * 120


@pytest.mark.parametrize(
    "arguments",
    [{}, {"message": ""}, {"message": "x" * 2001}, {"message": "x", "title": "t" * 201}, {"message": ["x"]}],
)
def test_a_banner_out_of_bounds_is_refused(bench: Bench, arguments: dict[str, Any]) -> None:
    assert bench.call("notify", **arguments).is_error
    assert bench.desktop.banners == []


def test_no_more_than_20_banners_in_a_minute(tmp_path: Path) -> None:
    session = Session(Double(), config.defaults(tmp_path), Stop())
    notify = next(t for t in tools.TOOLS if t.name == "notify").call({"message": "x"})
    for _ in range(20):
        notify.run(session)
    with pytest.raises(Refused, match="enough banners"):
        notify.run(session)


# --- applescript -----------------------------------------------------------------------------------------------


def test_the_catalogue_is_read_for_each_call(bench: Bench) -> None:
    assert bench.call("applescript")["scripts"] == []
    bench.script("hello.sh", "# Says hello.\necho hello")
    bench.script("open.sh", "")
    (bench.home / "scripts" / "open.sh").chmod(0o666)
    told = bench.call("applescript")
    assert told["scripts"] == [{"name": "hello", "about": "Says hello."}]
    assert "open.sh can be written by others" in told["refused"][0]
    assert (told.line["summary"], told.line["result"]) == ("catalogue", "ok: 1 scripts")


def test_a_script_gets_its_values_and_the_log_a_fingerprint(bench: Bench) -> None:
    text = '#!/bin/sh\n# Prints.\nprintf "%s|" "$@"\nexit 3\n'
    bench.script("show.sh", text)
    told = bench.call("applescript", name="show", args=["it's", "", "-e", "é\n🙂"])
    assert (told["ok"], told["exit_code"], told["stdout"], told["stderr"]) == (False, 3, "it's||-e|é\n🙂|", "")
    assert told.is_error
    assert told.line["target"] == "show"
    summary, result = told.line["summary"], told.line["result"]
    assert summary.startswith("show sha256:")
    assert f"{len(text)}c/4L 'printf" in summary
    assert summary.endswith("4 args (9 chars)")
    assert result == "exit 3"


def test_a_script_that_reads_stdin_takes_nothing_of_the_protocol(bench: Bench) -> None:
    bench.script("reads.py", "import sys\nprint(repr(sys.stdin.read()))\n")
    assert bench.call("applescript", name="reads")["stdout"] == "''\n"


def test_no_variable_of_the_client_arrives(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "canary-key")
    bench.script("env.sh", "env")
    told = bench.call("applescript", name="env")
    assert "canary" not in told["stdout"]
    assert "PATH=/usr/local/bin:" in told["stdout"]


def test_the_timeout_ends_it_and_says_whose_it_was(bench: Bench) -> None:
    bench.script("slow.sh", "echo begun; sleep 60")
    told = bench.call("applescript", name="slow", timeout=1)
    assert told.is_error
    assert told["stdout"] == "begun\n"
    assert "after 1 s (this call's timeout)" in told["note"]
    assert told.line["result"] == "timed out after 1 s"


def test_raw_text_is_refused_and_its_attempt_logged_by_fingerprint_alone(bench: Bench) -> None:
    told = bench.call("applescript", script='display dialog "canary"\n')
    assert told.is_error
    assert "allow_raw_applescript" in told["reason"]
    assert "canary" not in json.dumps([told, told.line])
    assert told.line["summary"].startswith("script sha256:")
    assert "24c/1L" in told.line["summary"]
    assert told.line["result"] == "refused"


def test_raw_text_runs_when_the_user_allows_it(bench: Bench) -> None:
    bench.settings = {"allow_raw_applescript": True}
    told = bench.call("applescript", script="echo canary", args=["x"])
    assert told["stdout"] == "canary\n"
    assert "canary" not in json.dumps(told.line)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"name": "a", "script": "b"}, "got both"),
        ({"name": ""}, "not a path"),
        ({"name": "nope"}, "no script is called"),
        ({"name": "a", "args": "x"}, "args"),
        ({"name": "a", "args": [1]}, "args[0]: wanted text, got an integer"),
        ({"name": "a", "args": ["x"] * 33}, "at most 32 items"),
        ({"name": "a", "args": ["a\0canary"]}, "args[0]: wanted text without NUL"),
        ({"name": "a", "args": ["canary" * 2000]}, "at most 8192 bytes"),
        ({"name": "a", "timeout": 0}, "from 1 to 300"),
        ({"name": "a", "timeout": 301}, "from 1 to 300"),
        ({"name": "a", "timeout": 1.5}, "timeout"),
        ({"name": "a", "timeout": True}, "a boolean"),
        ({"name": "a", "timeout": "30"}, "timeout"),
        ({"name": 7}, "name"),
        ({"nmae": "a"}, "did you mean 'name'?"),
    ],
)
def test_a_call_that_is_not_right_runs_nothing(bench: Bench, arguments: dict[str, Any], says: str) -> None:
    told = bench.call("applescript", **arguments)
    assert told.is_error
    assert says in told["reason"]
    assert "canary" not in json.dumps([told, told.line])


def test_empty_raw_text_is_refused_where_raw_text_is_allowed(bench: Bench) -> None:
    bench.settings = {"allow_raw_applescript": True}
    assert "empty text" in bench.call("applescript", script=" \n")["reason"]


# --- what every tool's audit line must withstand ------------------------------------------------------------------


@pytest.mark.parametrize("tool", [t.name for t in tools.TOOLS])
@pytest.mark.parametrize("value", [None, True, 5, 1e308, "\ud800", "x" * 100_000, [], {}, [[["canary"]]], {"a": {}}])
def test_any_value_can_be_summarised(tool: str, value: Any) -> None:
    declared = next(t for t in tools.TOOLS if t.name == tool)
    names = [p.name for p in declared.params]
    target, summary = declared.summarise(dict.fromkeys(names, value) | {"unknown": value})
    assert isinstance(target, str)
    assert isinstance(summary, str)
    assert "canary" not in target + summary

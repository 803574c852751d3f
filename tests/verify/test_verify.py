"""`mac-commander verify`, as a user runs it where there is no Mac; and the proof of the facts, on the stand-ins."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from mac_commander.verify import killed_server, witness
from mac_commander.verify.assumptions import ASSUMPTIONS, settled, told
from mac_commander.verify.bench import Bench
from mac_commander.verify.bridge_calls import counted
from mac_commander.verify.client import Answer
from mac_commander.verify.verdict import Mark, Verdict
from mac_commander.verify.window import SECRET, WINDOW_CHECKS
from tests.conftest import not_run
from tests.desktops.macos.conftest import Raise
from tests.desktops.macos.conftest import raised as raised  # the fixture
from tests.lab import Lab

FACTS: dict[str, Any] = json.loads((Path(__file__).parents[2] / "src/simulated_mac/facts.json").read_text())


RUN_SECONDS = 280
"""A run takes 30 s where nothing else does."""


@pytest.mark.timeout(RUN_SECONDS + 20)
def test_all_passes_on_the_simulated_mac_except_what_needs_a_mac(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    argv = [sys.executable, "-m", "mac_commander", "verify", "--desktop", "simulated", "--report", str(report)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=RUN_SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr
    written = json.loads(report.read_text())
    marks = {v["name"]: v["mark"] for v in written["verdicts"]}
    open_ = {name for name, mark in marks.items() if mark == "UNVERIFIED"}
    assert open_ == {"facts about PyObjC", "modifiers after a kill", "halo"}
    assert len(marks) == 45
    assert {name for one in ASSUMPTIONS for name in one.by} <= set(marks), "what settles an assumption is a check"
    assert {one["state"] for one in written["assumptions"]} == {"open"}, "a simulation settles nothing about a Mac"
    assert {"hung in mid-call", "killed in mid-call"} <= set(marks)
    assert set(marks.values()) == {"PASS", "UNVERIFIED"}, done.stdout
    transcript = json.dumps(written["transcript"], ensure_ascii=False)
    assert len(written["transcript"]) > 50
    assert '"kind": "type", "text": "str[500]"' in transcript
    noted = Counter(name for call in written["transcript"] for name in call["bridge"])
    assert len(noted) > 40, "names of the functions that were called"
    codes = {code for call in written["transcript"] for codes in call["bridge"].values() for code in codes}
    assert {"0", "-", "true"} <= codes
    assert not [code for code in codes if not re.fullmatch(r"-?\d*|none|true|false", code)]
    assert not [word for word in ("été", "TextEdit", "Ligne", "hunter2", SECRET) if word in transcript]


@pytest.mark.timeout(RUN_SECONDS + 20)
def test_on_x11_it_drives_real_apps_and_puts_the_clipboard_back(lab: Lab, tmp_path: Path) -> None:
    if lacking := [name for name in ("mousepad", "xterm", "xclip") if shutil.which(name) is None]:
        not_run(f"needs the Debian packages {', '.join(lacking)}")
    xclip = ["xclip", "-selection", "clipboard"]
    subprocess.run(xclip, input="kept", text=True, env=lab.env, check=True)
    report = tmp_path / "report.json"
    argv = [sys.executable, "-m", "mac_commander", "verify", "--desktop", "x11", "--report", str(report)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=RUN_SECONDS, env=lab.env)
    assert done.returncode == 0, done.stdout + done.stderr
    marks = {v["name"]: v["mark"] for v in json.loads(report.read_text())["verdicts"]}
    open_ = {name for name, mark in marks.items() if mark == "UNVERIFIED"}
    assert open_ == {"notify", "an app of our own"}, "no daemon for banners runs in the lab"
    assert len(marks) == 8
    assert subprocess.run([*xclip, "-out"], capture_output=True, text=True, env=lab.env, check=True).stdout == "kept"


def test_the_report_goes_to_the_logs_and_nothing_into_the_folder_where_it_was_run(tmp_path: Path) -> None:
    """Where no X display is, all that cannot be tried is said, and the report still comes."""
    here = tmp_path / "here"
    here.mkdir()
    argv = [sys.executable, "-m", "mac_commander", "verify", "--desktop", "x11"]
    environment = {"HOME": str(tmp_path), "PATH": os.defpath, "DISPLAY": ":987"}
    done = subprocess.run(argv, capture_output=True, text=True, timeout=RUN_SECONDS, env=environment, cwd=here)
    assert list(here.iterdir()) == []
    place = re.search(r"^report: (.+)$", done.stdout, re.MULTILINE)
    assert place is not None, done.stdout + done.stderr
    assert Path(place[1]).is_relative_to(tmp_path)
    assert json.loads(Path(place[1]).read_text())["desktop"] == "x11"


def test_a_report_that_cannot_be_written_is_no_success(tmp_path: Path) -> None:
    argv = [
        sys.executable,
        "-m",
        "mac_commander",
        "verify",
        "--desktop",
        "x11",
        "--report",
        str(tmp_path / "no" / "r.json"),
    ]
    (tmp_path / "no").write_text("a file")
    environment = {"HOME": str(tmp_path), "PATH": os.defpath, "DISPLAY": ":987"}
    done = subprocess.run(argv, capture_output=True, text=True, timeout=RUN_SECONDS, env=environment)
    assert done.returncode == 1
    assert "the report cannot be written to" in done.stderr


@pytest.mark.parametrize(
    ("lines", "calls"),
    [
        ([], {}),
        ([">A", "<A 0", ">A", "<A 0", ">A", "<A -25204"], {"A": {"0": 2, "-25204": 1}}),
        ([">Run", ">A", "<A 0", "<Run -"], {"A": {"0": 1}, "Run": {"-": 1}}),
        ([">A", "<A 0", ">A"], {"A": {"0": 1, "no answer": 1}}),
    ],
)
def test_calls_are_counted_by_code_and_one_that_never_came_back_is_told(
    lines: list[str], calls: dict[str, dict[str, int]]
) -> None:
    assert counted(lines) == calls


class Told:
    """A witness whose app got something else than what was sent."""

    name, canvas, has_widgets = "App", [0.0, 0.0, 100.0, 100.0], True

    def __init__(self, *reports: dict[str, Any]) -> None:
        self._reports = list(reports)

    def reports(self) -> list[dict[str, Any]]:
        return self._reports

    def forget(self) -> None:
        pass

    def text(self, widget: str) -> str:
        return "1234"


class Agreeable:
    """A client whose server says that all went well."""

    def call(self, tool: str, **arguments: Any) -> Answer:
        if tool == "see":
            elements = [f'  button "{name}" [e{n}] 1,1' for n, name in enumerate(("Save", "Notes", "Row 2", "OK"))]
            return Answer("\n".join(elements), False, None)
        return Answer('{"ok": true, "steps_completed": 1}', False, None)


@pytest.mark.parametrize(
    ("name", "reports"),
    [
        ("press", []),
        ("press", [{"event": "press", "widget": "Other"}]),
        ("type 500 characters", []),
        ("password field", []),
        ("shortcut", [{"event": "key_down", "text": "j", "modifiers": ["cmd"]}]),
        ("clicks", [{"event": "mouse_down", "button": "left", "clicks": 1, "at": [0, 0]}]),
        ("drag", [{"event": "mouse_down", "at": [20, 50]}, {"event": "mouse_up", "at": [80, 50]}]),
        ("scroll", [{"event": "scroll", "dx": 0, "dy": 0}]),
        ("table row", []),
        ("menu", []),
        ("move and resize", [{"event": "place", "bounds": [220, 180, 600, 400]}]),
    ],
)
def test_a_server_that_only_says_so_does_not_pass(
    name: str, reports: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(witness, "REPORT_SECONDS", 0.0)
    with pytest.raises(AssertionError):
        WINDOW_CHECKS[name](Bench(Agreeable(), Told(*reports)))  # type: ignore[arg-type]


def differences(facts: dict[str, Any]) -> list[str]:
    from mac_commander.desktops.macos import bridge_proof

    return list(bridge_proof.prove(facts))


def simulated(facts: dict[str, Any]) -> dict[str, Any]:
    """Those facts that the stand-ins bear out: what they lack is told by the proof, by its name."""
    missing = {re.split("[: ]", line)[0] for line in differences(facts)}
    kinds = ("constants", "functions", "structs", "types", "classes")
    return {kind: {name: fact for name, fact in facts[kind].items() if name not in missing} for kind in kinds}


@pytest.mark.parametrize(
    ("kind", "name", "change", "said"),
    [
        ("constants", "kAXErrorFailure", {"value": -1}, "kAXErrorFailure: -25200 here, -1 in the facts"),
        ("constants", "kAXRoleAttribute", {"value": "AXRolle"}, "'AXRole' here"),
        ("functions", "AXGhost", {"modules": ["Quartz"], "arguments": []}, "AXGhost: not in Quartz"),
        ("structs", "CGPoint", {"fields": ["x", "z"]}, "CGPoint: no field z"),
        (
            "classes",
            "NSGhost",
            {"modules": ["AppKit"], "instance_methods": {}, "class_methods": {}},
            "NSGhost: no such class",
        ),
        ("classes", "NSDate", {"instance_methods": {"active": {"selector": "active"}}}, "active: not on"),
    ],
)
def test_a_wrong_fact_is_found(raised: Raise, kind: str, name: str, change: dict[str, Any], said: str) -> None:
    raised()
    facts = simulated(FACTS)
    assert differences(facts) == []
    assert len(facts["functions"]) > 100
    wrong = deepcopy(facts)
    wrong[kind][name] = {**wrong[kind].get(name, {}), **change}
    (found,) = differences(wrong)
    assert said in found


def test_each_assumption_is_told_by_what_its_checks_found() -> None:
    every = [name for one in ASSUMPTIONS for name in one.by]
    passed = [Verdict(name, Mark.PASS, "") for name in dict.fromkeys(every)]
    states = {str(one["what"]): one["state"] for one in settled(passed, real=True)}
    assert states["a locked screen is seen"] == "open", "only a person can look"
    assert {state for what, state in states.items() if what not in LOOKED_AT} == {"held"}
    mixed = [Verdict(v.name, Mark.FAIL if v.name == "halo" else v.mark, "") for v in passed if v.name != "own events"]
    found = {str(one["what"]): one for one in settled(mixed, real=True)}
    broken = found["clicks go through the halo, and what is below it is what they hit"]
    assert told(broken).startswith("BROKEN")
    assert "(halo)" in told(broken)
    assert found["a person is told from our own events"]["state"] == "open"
    assert {one["state"] for one in settled(passed, real=False)} == {"open"}


LOOKED_AT = {one.what for one in ASSUMPTIONS if not one.by}


def test_a_server_that_is_killed_in_mid_chord_is_no_error(tmp_path: Path) -> None:
    arguments = ["--home", str(tmp_path / "home"), "--desktop", "simulated"]
    assert killed_server.kill_in_mid_chord(arguments, "TextEdit", 0.5)

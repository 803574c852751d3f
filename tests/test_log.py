"""The audit log as people read it."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mac_commander.core.audit import AuditLog, Entry, append_line, render
from mac_commander.log import TOOLS as OF_THE_LOG
from mac_commander.log import Gaps, main
from mac_commander.tools import TOOLS

NOW = datetime(2026, 11, 30, 18, 0, 0, 0, UTC)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    entries = [
        Entry("see", "TextEdit", "see", "ok"),
        Entry("act", "TextEdit", "click(e1), type(20 chars)", "ok: 2 steps"),
        Entry("act", "1Password", "type(3 chars)", "refused"),
        Entry("notify", "", "Done\n\x1b[31mred", "ok: handed over"),
    ]
    for number, entry in enumerate(entries, 1):
        append_line(tmp_path / "audit.jsonl", render(entry, number, NOW + timedelta(minutes=number)))
    return tmp_path


def shown(capsys: pytest.CaptureFixture[str], home: Path, *options: str) -> list[str]:
    assert main(["--home", str(home), *options]) == 0
    return capsys.readouterr().out.splitlines()


def test_plain_lines_say_who_did_what(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    assert shown(capsys, home) == [
        "2026-11-30T18:01:00.000Z see TextEdit: see -> ok",
        "2026-11-30T18:02:00.000Z act TextEdit: click(e1), type(20 chars) -> ok: 2 steps",
        "2026-11-30T18:03:00.000Z act 1Password: type(3 chars) -> refused",
        r"2026-11-30T18:04:00.000Z notify: Done\n\u001b[31mred -> ok: handed over",
    ]


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        (["--tool", "act"], [2, 3]),
        (["--app", "textedit"], [1, 2]),
        (["--result", "REFUSED"], [3]),
        (["--since", "2026-11-30T18:03"], [3, 4]),
        (["--since", "2026-11-30T20:03+02:00"], [3, 4]),
        (["--since", "5m"], []),
        (["-n", "1"], [4]),
        (["--tool", "act", "-n", "1"], [3]),
    ],
)
def test_filters(capsys: pytest.CaptureFixture[str], home: Path, options: list[str], numbers: list[int]) -> None:
    assert [json.loads(line)["seq"] for line in shown(capsys, home, "--format", "json", *options)] == numbers


def test_a_table_has_columns(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    rows = shown(capsys, home, "--format", "table")
    assert {row.index("TextEdit") for row in rows[:2]} == {39}
    assert "\x1b" not in "".join(rows)


def test_torn_and_missing_lines_are_told(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    log = home / "audit.jsonl"
    with log.open("ab") as file:
        file.write(b'{"ts": "2026-\n7\n[]\n{"ts": 1, "tool": 2, "target": 3, "summary": 4, "result": 5}\n\xff\n')
    append_line(log, render(Entry("see", "", "see", "ok"), 8, NOW))
    assert main(["--home", str(home)]) == 0
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == 5
    assert "5 lines could not be read" in told.err
    assert "3 lines are missing in all" in told.err


@pytest.mark.parametrize(
    ("numbers", "missing"),
    [
        ([1, 2, 3, 1, 2], 0),
        ([1, 1, 2, 2, 3, 3], 0),
        ([1, 2, 5], 2),
        ([1, 1, 2, 3, 2, 4], 0),
        ([7, 8, 9], 0),
        ([7, 8, 10, 1, 2], 1),
        ([0, 0], 0),
    ],
)
def test_numbers_of_several_servers_are_told_apart(numbers: list[int], missing: int) -> None:
    gaps = Gaps()
    for number in numbers:
        gaps.follow(number)
    assert gaps.missing == missing


def test_following_shows_what_comes_also_into_a_new_file(home: Path) -> None:
    log = home / "audit.jsonl"
    command = [sys.executable, "-m", "mac_commander", "log", "--home", str(home), "-f", "-n", "1"]
    follower = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert follower.stdout is not None
    try:
        assert "notify" in follower.stdout.readline()
        append_line(log, render(Entry("see", "One", "see", "ok"), 5))
        assert "One" in follower.stdout.readline()
        log.rename(home / "old.jsonl")
        append_line(log, render(Entry("see", "Two", "see", "ok"), 6))
        assert "Two" in follower.stdout.readline()
    finally:
        follower.kill()
        follower.wait()
        follower.stdout.close()


def test_no_log_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["--home", str(tmp_path / "none")]) == 1
    assert "no calls yet" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_a_wrong_moment_is_a_usage_error(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--home", str(home), "--since", "yesterday"])
    assert ended.value.code == 2
    assert "wanted 10m" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-n", "0"], "wanted a number from 1 on, got '0'"),
        (["-n", "-1"], "wanted a number from 1 on, got '-1'"),
        (["-n", "few"], "wanted a number from 1 on, got 'few'"),
        (["--tool", "bogus"], "invalid choice: 'bogus' (choose from"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(
    capsys: pytest.CaptureFixture[str], home: Path, options: list[str], said: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--home", str(home), *options])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_its_tools_are_the_tools() -> None:
    assert tuple(tool.name for tool in TOOLS) == OF_THE_LOG


def test_the_log_that_the_config_names_is_read(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    other = home / "elsewhere.jsonl"
    (home / "config.json").write_text(json.dumps({"audit_log": str(other)}))
    (home / "config.json").chmod(0o600)
    append_line(other, render(Entry("see", "There", "see", "ok"), 1))
    assert "There" in shown(capsys, home)[0]


def test_a_changed_line_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.jsonl")
    for target in ("TextEdit", "1Password", "TextEdit"):
        log.reserve().write(Entry("act", target, "type(3 chars)", "ok: 1 steps"))
    shown(capsys, tmp_path)
    main(["--home", str(tmp_path)])
    assert capsys.readouterr().err == ""
    path = tmp_path / "audit.jsonl"
    path.write_bytes(path.read_bytes().replace(b"1Password", b"Calculate"))
    main(["--home", str(tmp_path)])
    assert "1 lines do not fit the line before them: it was changed" in capsys.readouterr().err


def test_servers_that_write_by_turns_are_no_change(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for log in [AuditLog(tmp_path / "audit.jsonl"), AuditLog(tmp_path / "audit.jsonl")] * 3:
        log.reserve().write(Entry("see", "", "see", "ok"))
    main(["--home", str(tmp_path)])
    assert capsys.readouterr().err == ""

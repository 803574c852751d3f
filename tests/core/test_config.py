"""One place, read once, strictly: what cannot be read whole locks the server."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mac_commander.core import config
from mac_commander.core.config import LINUX_BLOCKLIST, MISSION_BLOCKLIST, SIZE_MOST, Config, default_blocklist, load
from mac_commander.errors import Locked


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "home"
    made.mkdir(mode=0o700)
    return made


def write(home: Path, text: str | bytes) -> Path:
    path = home / "config.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    path.chmod(0o600)
    return path


def locked(home: Path) -> str:
    with pytest.raises(Locked) as caught:
        load(home)
    return str(caught.value)


def test_a_missing_file_means_the_defaults_and_is_written_for_the_user_to_change(home: Path) -> None:
    first = load(home)
    assert first == config.defaults(home)
    path = home / "config.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in home.iterdir()] == ["config.json"]
    again = load(home)
    assert again.config_sha256
    assert json.loads(path.read_text())["audit_log"] == str(home / "audit.jsonl")
    for name in ("input_blocklist", "audit_log", "overlay", "allow_raw_applescript", "pin_scripts"):
        assert getattr(again, name) == getattr(first, name)


def test_the_default_blocklist_is_the_missions_and_each_platforms_own() -> None:
    assert default_blocklist("darwin")[: len(MISSION_BLOCKLIST)] == MISSION_BLOCKLIST
    assert "com.apple.ScreenContinuity" in default_blocklist("darwin")
    assert set(MISSION_BLOCKLIST + LINUX_BLOCKLIST) == set(default_blocklist("linux"))


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    assert load(tmp_path / "missing" / "home").overlay is True


def test_an_empty_object_is_the_defaults(home: Path) -> None:
    write(home, "{}")
    assert load(home).input_blocklist == default_blocklist()


def test_what_the_user_says_holds(home: Path) -> None:
    said = {"input_blocklist": [], "audit_log": None, "overlay": False, "allow_raw_applescript": True}
    write(home, json.dumps(said))
    read = load(home)
    assert (read.input_blocklist, read.audit_log, read.overlay, read.allow_raw_applescript) == ((), None, False, True)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1, column 1"),
        ("null", "one JSON object"),
        ("[]", "one JSON object"),
        ('"x"', "one JSON object"),
        ("{} {}", "line 1, column 4"),
        ('{\n  "overlay": true,\n}', "line 2, column 18" if sys.version_info >= (3, 13) else "line 3, column 1"),
        ('{// note\n"overlay": true}', "line 1, column 2"),
        ("\ufeff{}", "byte order mark"),
        (b'{\n"input_blocklist": ["\xff"]}', "line 2, column 22"),
        ('{"overlay": NaN}', "NaN is not a JSON value"),
        ("[" * 10_000, "nested too deep"),
        (" " * (SIZE_MOST + 1) + "{}", "more than"),
        ('{\n  "input_blocklst": []}', "(line 2, column 3) has an unknown key 'input_blocklst'; did you mean"),
        ('{"Input_Blocklist": []}', "did you mean 'input_blocklist'?"),
        ('{"OVERLAY": false}', "did you mean 'overlay'?"),
        ('{"zzz": 1}', "known are input_blocklist, audit_log"),
        ('{"allow_raw_applescript": "false"}', "true or false for 'allow_raw_applescript'"),
        ('{"allow_raw_applescript": 1}', "true or false"),
        ('{"allow_raw_applescript": null}', "true or false"),
        ('{"overlay": "off"}', "true or false"),
        ('{"overlay": {}}', "true or false"),
        ('{"pin_scripts": []}', "true or false"),
        ('{"input_blocklist": ["Mail"],\n "input_blocklist": []}', "(line 2, column 2) says 'input_blocklist' twice"),
        ('{"overlay": {"a": 1, "a": 2}}', "says 'a' twice"),
        ('{"input_blocklist": "Mail"}', "list of names"),
        ('{"input_blocklist": [1]}', "list of names"),
        ('{"input_blocklist": null}', "list of names"),
        ('{"input_blocklist": [""]}', "names nothing, or everything"),
        ('{"input_blocklist": ["Mail", " "]}', "names nothing, or everything"),
        ('{"input_blocklist": ["*"]}', "names nothing, or everything"),
        ('{"input_blocklist": ["."]}', "names nothing, or everything"),
        ('{"input_blocklist": ["\\u200b\\u00ad"]}', "names nothing, or everything"),
        ('{"audit_log": false}', "absolute path"),
        ('{"audit_log": ""}', "absolute path"),
        ('{"audit_log": "audit.jsonl"}', "absolute path"),
        ('{"audit_log": "~/audit.jsonl"}', "absolute path"),
        ('{"audit_log": "/tmp/"}', "not a folder"),
        ('{"audit_log": "/x/Mobile Documents/a.jsonl"}', "iCloud"),
        ('{"audit_log": "/a\\u0000b"}', "absolute path"),
    ],
)
def test_what_is_not_right_locks_with_its_place(home: Path, text: str | bytes, says: str) -> None:
    write(home, text)
    message = locked(home)
    assert says in message
    assert str(home / "config.json") in message
    assert "restarted the server" in message


@pytest.mark.parametrize(
    "name",
    ["config.json", "scripts/log.sh", "scripts/deep/log", "x/../config.json", "Config.JSON", "Scripts/a.sh", "to/a.sh"],
)
def test_the_log_is_not_the_config_and_not_a_script(home: Path, name: str) -> None:
    """By whatever way it leads there: a line of the log among the scripts would be a program."""
    (home / "to").symlink_to(home / "scripts")
    write(home, json.dumps({"audit_log": f"{home}/{name}"}))
    assert "not this file and not among the scripts" in locked(home)


def test_a_file_that_others_can_write_locks(home: Path) -> None:
    write(home, "{}").chmod(0o620)
    assert "written by others" in locked(home)


def test_what_is_no_plain_file_locks_without_hanging(home: Path) -> None:
    path = home / "config.json"
    elsewhere = home / "elsewhere.json"
    elsewhere.write_text("{}")
    makers = [path.mkdir, lambda: os.mkfifo(path), lambda: path.symlink_to(elsewhere)]
    for make in makers:
        make()
        assert "plain file" in (told := locked(home)) or "regular file" in told
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_user_locks(home: Path) -> None:
    os.chown(write(home, "{}"), 12345, -1)
    assert "belongs to user 12345" in locked(home)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(["input_blocklist", "audit_log", "overlay", "allow_raw_applescript", "pin_scripts"])


def _valid(key: str, value: Any) -> bool:
    if key == "input_blocklist":
        return isinstance(value, list) and all(isinstance(v, str) and any(c.isalnum() for c in v) for v in value)
    if key == "audit_log":
        return value is None or (isinstance(value, str) and value.startswith("/"))
    return isinstance(value, bool)


@settings(max_examples=300)
@given(values=st.dictionaries(KEYS | st.text(), JSON))
def test_any_json_is_read_as_it_says_or_locks(tmp_path_factory: pytest.TempPathFactory, values: dict[str, Any]) -> None:
    home = tmp_path_factory.mktemp("home")
    write(home, json.dumps(values))
    try:
        read = load(home)
    except Locked:
        return
    assert isinstance(read, Config)
    assert all(_valid(key, value) for key, value in values.items())
    assert read.allow_raw_applescript == values.get("allow_raw_applescript", False)
    assert list(read.input_blocklist) == values.get("input_blocklist", list(default_blocklist()))


@settings(max_examples=300)
@given(raw=st.binary(max_size=200))
def test_any_bytes_are_read_or_lock(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    home = tmp_path_factory.mktemp("home")
    write(home, raw)
    try:
        load(home)
    except Locked:
        return
    assert isinstance(json.loads(raw), dict)

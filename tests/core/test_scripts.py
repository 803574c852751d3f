"""Which files are scripts, which one a name means, and that what was read is what runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mac_commander.core import config
from mac_commander.core.scripts import (
    ARGUMENT_BYTES_MOST,
    LISTED_MOST,
    SIZE_MOST,
    Catalogue,
    Script,
    catalogue,
    check_values,
    fingerprint,
    pick,
    pinned,
)
from mac_commander.errors import CommanderError, InvalidArgument, Refused
from mac_commander.model import Interpreter

SHELL = Interpreter(".sh", ("/bin/sh", "-s", "--"), "#")
PYTHON = Interpreter(".py", ("/usr/bin/python3", "-"), "#")
APPLE = Interpreter(".applescript", ("/usr/bin/osascript", "-"), "--")
KNOWN = (SHELL, PYTHON, APPLE)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir(mode=0o700)
    return tmp_path


def add(home: Path, name: str, text: str = "# Says hello.\necho hello\n") -> Path:
    path = home / "scripts" / name
    path.write_text(text)
    path.chmod(0o600)
    return path


def read(home: Path) -> Catalogue:
    return catalogue(config.defaults(home), KNOWN)


def test_each_script_with_its_first_comment_line(home: Path) -> None:
    add(home, "hello.sh", "#!/bin/sh\n\n#   Says hello to $1.\n# More.\necho hello\n")
    add(home, "no-comment.py", "print(1)\n")
    add(home, "apple_1 b.applescript", "\ufeff-- Über\ndisplay dialog 1")
    found = read(home).scripts
    assert {n: s.about for n, s in found.items()} == {
        "hello": "Says hello to $1.",
        "no-comment": "",
        "apple_1 b": "Über",
    }
    assert found["hello"].first_body_line == "echo hello"
    assert found["hello"].interpreter is SHELL


def test_nothing_else_is_one(home: Path) -> None:
    for name in (".hidden.sh", "._x.sh", "readme.md", "a.scpt", "b.sh~", "é.sh", "-x.sh", "a.b.sh", "x" * 65 + ".sh"):
        add(home, name)
    (home / "scripts" / "folder.sh.d").mkdir()
    assert read(home) == Catalogue({}, {}, False)


def test_no_folder_is_an_empty_catalogue(tmp_path: Path) -> None:
    assert read(tmp_path) == Catalogue({}, {}, False)


def test_files_that_others_could_change_are_refused_with_the_reason(home: Path) -> None:
    outside = home / "outside.sh"
    outside.write_text("echo outside")
    outside.chmod(0o600)
    (home / "scripts" / "link.sh").symlink_to(outside)
    (home / "scripts" / "hard.sh").hardlink_to(outside)
    os.mkfifo(home / "scripts" / "fifo.sh", 0o600)
    (home / "scripts" / "folder.sh").mkdir()
    add(home, "open.sh").chmod(0o622)
    add(home, "big.sh", "#" * (SIZE_MOST + 1))
    add(home, "good.sh")
    found = read(home)
    assert list(found.scripts) == ["good"]
    reasons = found.refused
    assert set(reasons) == {"link", "hard", "fifo", "folder", "open", "big"}
    assert "hard link" in reasons["hard"]
    assert "regular file" in reasons["fifo"]
    assert "written by others" in reasons["open"]
    with pytest.raises(Refused, match="hard link"):
        pick(found, "hard")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file away")
def test_a_script_of_another_user_is_refused(home: Path) -> None:
    os.chown(add(home, "theirs.sh"), 12345, -1)
    assert "user 12345" in read(home).refused["theirs"]


def test_a_folder_that_is_a_link_or_open_to_all_is_refused(home: Path, tmp_path: Path) -> None:
    (home / "scripts").chmod(0o777)
    with pytest.raises(Refused, match="written by others"):
        read(home)
    (home / "scripts").chmod(0o700)
    (home / "scripts").rename(home / "real")
    (home / "scripts").symlink_to(home / "real")
    with pytest.raises(Refused, match="plain folder"):
        read(home)


@pytest.mark.parametrize("names", [("a.sh", "a.py"), ("a.sh", "A.sh"), ("a.sh", "A.py", "a.applescript")])
def test_twins_are_refused_all_of_them(home: Path, names: tuple[str, ...]) -> None:
    for name in names:
        add(home, name)
    found = read(home)
    assert not found.scripts
    for name in names:
        with pytest.raises(Refused, match="several files"):
            pick(found, Path(name).stem)


@pytest.mark.parametrize(
    "name",
    [
        *("../x", "/etc/passwd", "a/../b", "..%2f", "a\0b", "a\\b", "a\u2215b", "a\uff0fb", "~x", "hello/", ".", ".."),
        *("", "x" * 300, "he\u0301llo", "hello.sh", "hello\n", " hello"),
    ],
)
def test_a_name_is_no_path(home: Path, name: str) -> None:
    add(home, "hello.sh")
    with pytest.raises(InvalidArgument, match="not a path"):
        pick(read(home), name)


def test_a_miss_names_what_there_is(home: Path) -> None:
    add(home, "hello.sh")
    with pytest.raises(InvalidArgument, match="there are hello"):
        pick(read(home), "helo")
    with pytest.raises(InvalidArgument, match="there are hello"):
        pick(read(home), "Hello2")


@given(st.text(max_size=80))
def test_no_name_leads_out_of_the_listing(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    listing = Catalogue({"hello": Script("hello", "hello.sh", b"", SHELL)}, {})
    try:
        assert pick(listing, name).name == name == "hello"
    except CommanderError:
        assert name != "hello"


def test_what_was_read_is_what_runs(home: Path) -> None:
    path = add(home, "swap.sh", "echo old\n")
    script = pick(read(home), "swap")
    path.write_text("echo new\n")
    assert script.body == b"echo old\n"
    assert fingerprint(script.body).split() == [f"sha256:{script.digest[:16]}", "9c/1L"]


def test_a_changed_script_runs_unless_scripts_are_pinned(home: Path) -> None:
    path = add(home, "hello.sh")
    plain = config.defaults(home)
    assert pinned(plain) is plain
    from dataclasses import replace

    held = pinned(replace(plain, pin_scripts=True))
    assert list(catalogue(held, KNOWN).scripts) == ["hello"]
    path.write_text("echo changed")
    add(home, "new.sh")
    assert list(catalogue(plain, KNOWN).scripts) == ["hello", "new"]
    found = catalogue(held, KNOWN)
    assert not found.scripts
    assert "pin_scripts" in found.refused["hello"]
    assert "pin_scripts" in found.refused["new"]


def test_more_files_than_can_be_listed_are_cut_and_said(home: Path) -> None:
    for number in range(LISTED_MOST + 1):
        add(home, f"s{number:03}.sh", "")
    found = read(home)
    assert (len(found.scripts), found.cut) == (LISTED_MOST, True)


@pytest.mark.parametrize(
    ("value", "says"), [("a\0b", "NUL"), ("\ud800", "surrogate"), ("é" * (ARGUMENT_BYTES_MOST // 2 + 1), "8194")]
)
def test_values_that_cannot_travel_are_refused_without_being_told(value: str, says: str) -> None:
    with pytest.raises(InvalidArgument, match=r"args\[1\]") as caught:
        check_values(["fine", value])
    assert says in str(caught.value)
    assert value not in str(caught.value)


def test_values_that_can_travel_pass() -> None:
    check_values(["", "-e", "--", "a\nb", "x" * ARGUMENT_BYTES_MOST])

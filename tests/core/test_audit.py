"""One line for each call, whole, readable, and never into a file that is not ours alone."""

from __future__ import annotations

import fcntl
import json
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mac_commander.core.audit import LINE_MOST, AuditLog, Entry, append_line, render
from mac_commander.errors import Locked

ENTRY = Entry("act", "TextEdit", "click(e151), type(20 chars), key(cmd+a)", "ok: 3 steps")


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def write(log: AuditLog, entry: Entry = ENTRY) -> None:
    log.reserve().write(entry)


def test_a_line_has_the_missions_shape(tmp_path: Path) -> None:
    moment = datetime(2026, 11, 30, 18, 5, 9, 123_456, UTC)
    assert json.loads(render(ENTRY, 7, moment)) == {
        "ts": "2026-11-30T18:05:09.123Z",
        "tool": "act",
        "target": "TextEdit",
        "summary": "click(e151), type(20 chars), key(cmd+a)",
        "result": "ok: 3 steps",
        "seq": 7,
    }
    write(AuditLog(tmp_path / "log"))
    assert (tmp_path / "log").stat().st_mode & 0o777 == 0o600


@given(st.builds(Entry, st.text(), st.text(), st.text(max_size=9000), st.text()))
def test_any_text_becomes_one_bounded_ascii_line(entry: Entry) -> None:
    line = render(entry, 1)
    assert len(line) <= LINE_MOST
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert len(line.decode().splitlines()) == 1
    assert json.loads(line)["tool"][:50] == entry.tool[:50]


@pytest.mark.parametrize("text", ["\n\r\u2028\u2029\x85\0\x1b[31m\u202e", "\ud800", "🙂" * 5000, "x" * 1_000_000])
def test_hostile_text_stays_in_its_field(text: str) -> None:
    told = json.loads(render(Entry("see", text, text, text), 1))
    assert told["target"][:1] == text[:1]
    assert all("[cut]" in told[name] for name in ("target", "summary") if len(text) > 4096)


def test_120_characters_of_a_message_are_never_cut() -> None:
    assert json.loads(render(Entry("notify", "", "🙂" * 120, "ok"), 1))["summary"] == "🙂" * 120


def test_numbers_tell_of_lines_that_were_lost(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "log")
    for _ in range(3):
        write(log)
    assert [line["seq"] for line in lines(tmp_path / "log")] == [1, 2, 3]


def test_a_torn_line_does_not_take_the_next_one_with_it(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b'{"ts": "2026-')
    path.chmod(0o600)
    write(AuditLog(path))
    torn, whole = path.read_bytes().splitlines()
    assert torn == b'{"ts": "2026-'
    assert json.loads(whole)["tool"] == "act"


def test_threads_and_processes_never_tear_each_others_lines(tmp_path: Path) -> None:
    path = tmp_path / "log"
    program = (
        "import sys; from pathlib import Path; from mac_commander.core.audit import AuditLog, Entry\n"
        "log = AuditLog(Path(sys.argv[1]))\n"
        "for n in range(150): log.reserve().write(Entry('act', sys.argv[2], 'x' * 3000, 'ok'))"
    )
    others = [subprocess.Popen([sys.executable, "-c", program, path, str(n)]) for n in range(2)]
    own = [AuditLog(path) for _ in range(3)]
    threads = [threading.Thread(target=lambda log=log: [write(log) for _ in range(50)]) for log in own]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [other.wait(60) for other in others] == [0, 0]
    assert len(lines(path)) == 2 * 150 + 3 * 50


def test_a_log_that_was_renamed_or_removed_meanwhile_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "log"
    log = AuditLog(path)
    write(log)
    reservation = log.reserve()
    path.rename(tmp_path / "old")
    reservation.write(ENTRY)
    reservation = log.reserve()
    path.unlink()
    reservation.write(ENTRY)
    assert [line["seq"] for line in lines(path)] == [3]
    assert [line["seq"] for line in lines(tmp_path / "old")] == [1]


def test_what_is_not_ours_alone_refuses_before_anything_is_done(tmp_path: Path) -> None:
    path = tmp_path / "log"
    other = tmp_path / "other"
    other.write_text("")
    other.chmod(0o600)

    def world_readable() -> None:
        path.write_text("")
        path.chmod(0o644)

    makers = [
        (lambda: path.symlink_to(other), "plain file"),
        (lambda: os.mkfifo(path, 0o600), "regular file"),
        (path.mkdir, "plain file"),
        (lambda: path.hardlink_to(other), "hard link"),
        (world_readable, "chmod 600"),
    ]
    for make, says in makers:
        make()
        with pytest.raises(Locked, match=says):
            AuditLog(path).reserve()
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    assert other.read_text() == ""


def test_a_device_is_no_log() -> None:
    with pytest.raises(Locked, match="regular file"):
        AuditLog(Path("/dev/full")).reserve()


def test_a_folder_for_everybody_is_no_place_for_it(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    with pytest.raises(Locked, match="everybody"):
        AuditLog(tmp_path / "open" / "log").reserve()


def test_a_missing_folder_refuses(tmp_path: Path) -> None:
    with pytest.raises(Locked, match="No such file or directory"):
        AuditLog(tmp_path / "missing" / "log").reserve()


def test_a_full_file_refuses_before_anything_is_done(tmp_path: Path) -> None:
    with file_size_limit(10_000), pytest.raises(Locked, match="file size limit"):
        AuditLog(tmp_path / "log").reserve()


def test_a_line_that_could_not_be_written_is_owed_and_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "log"
    log = AuditLog(path)
    reservation = log.reserve()
    with file_size_limit(10), pytest.raises(Locked, match="the audit log"):
        reservation.write(ENTRY)
    with file_size_limit(10), pytest.raises(Locked):
        log.reserve()
    write(log)
    whole = [json.loads(line) for line in path.read_bytes().splitlines() if line.endswith(b"}")]
    assert [line["seq"] for line in whole] == [1, 2]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a small file system is mounted as Linux does it")
def test_a_full_disk_refuses_before_anything_is_done(tmp_path: Path) -> None:
    place = tmp_path / "small"
    place.mkdir(mode=0o700)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", place], capture_output=True)
    if mounted.returncode:
        pytest.skip("not run: mounting a small file system needs root")
    try:
        log = AuditLog(place / "log")
        write(log)
        (place / "filler").write_bytes(b"x" * 52 * 1024)
        with pytest.raises(Locked, match="full disk"):
            log.reserve()
    finally:
        subprocess.run(["umount", place], check=True)


def test_somebody_who_keeps_the_lock_cannot_hang_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mac_commander.core.audit.LOCK_SECONDS", 0.05)
    path = tmp_path / "log"
    write(AuditLog(path))
    with path.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        write(AuditLog(path))
    assert len(lines(path)) == 2


def test_a_log_that_is_turned_off_writes_nothing(tmp_path: Path) -> None:
    write(AuditLog(None))
    assert list(tmp_path.iterdir()) == []


def test_the_guardians_line_is_checked_as_any_other(tmp_path: Path) -> None:
    append_line(tmp_path / "log", render(ENTRY, 1))
    assert len(lines(tmp_path / "log")) == 1


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

"""The server's side against real helper processes: words go out, nothing is ever waited for, nothing ever fails."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mac_commander.overlay.client import RESTARTS, Halo
from mac_commander.overlay.protocol import Ending

WAIT_SECONDS = 10.0


def until(done: Callable[[], bool], seconds: float = WAIT_SECONDS) -> bool:
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def gone(pid: int) -> bool:
    """No such process, or a dead one that nobody has collected yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.fixture
def halo() -> Iterator[Halo]:
    it = Halo(True, "simulated", os.environ)
    yield it
    it.close()


def started(halo: Halo) -> int:
    halo.ping()
    assert halo.pid is not None
    return halo.pid


def test_nothing_runs_before_the_first_call(halo: Halo) -> None:
    assert halo.pid is None
    halo.hide()
    assert halo.pid is None


def test_switched_off_it_never_starts() -> None:
    halo = Halo(False, "x11", {})
    halo.ping()
    halo.hide()
    assert halo.pid is None
    assert halo.note() == ""
    halo.close()


def test_an_unknown_desktop_is_named() -> None:
    with pytest.raises(ValueError, match="'wayland'"):
        Halo(True, "wayland", {})


def test_one_helper_serves_all_calls(halo: Halo) -> None:
    pid = started(halo)
    for _ in range(200):
        halo.ping()
        halo.hide()
    assert halo.pid == pid
    assert not gone(pid)
    assert halo.note() == ""


def test_the_helper_ends_with_its_input(halo: Halo) -> None:
    pid = started(halo)
    halo.close()
    assert gone(pid)
    halo.ping()
    assert halo.pid is None, "closed is closed"


def test_the_helper_ends_with_a_server_that_was_killed() -> None:
    program = (
        "import os, time; from mac_commander.overlay.client import Halo\n"
        "halo = Halo(True, 'simulated', os.environ); halo.ping(); print(halo.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        helper = int(server.stdout.readline())
        server.kill()
        assert until(lambda: gone(helper)), "it outlived its server"


def test_a_killed_helper_is_replaced_at_the_next_call(halo: Halo) -> None:
    pid = started(halo)
    os.kill(pid, signal.SIGKILL)
    assert until(lambda: gone(pid))
    halo.hide()
    halo.ping()
    assert halo.pid not in (None, pid)
    assert halo.note() == ""


def test_after_three_restarts_it_gives_up_with_one_note(halo: Halo) -> None:
    pids = []
    for _ in range(1 + RESTARTS):
        pids.append(started(halo))
        os.kill(pids[-1], signal.SIGKILL)
        assert until(lambda: gone(pids[-1]))
        assert halo.note() == ""
    halo.ping()
    halo.hide()
    assert halo.pid is None
    assert len(set(pids)) == 4
    note = halo.note()
    assert "4 times" in note
    assert "mac_commander.overlay simulated" in note
    assert halo.note() == "", "one note, not one for each call"


def test_a_helper_that_cannot_show_anything_is_not_tried_again() -> None:
    halo = Halo(True, "x11", {"PATH": "/usr/bin", "DISPLAY": ":does-not-exist"})
    pid = started(halo)
    assert until(lambda: gone(pid))
    halo.hide()
    halo.ping()
    assert halo.pid is None
    assert Ending.NO_DISPLAY.explanation in halo.note()
    halo.close()


def test_a_program_that_is_not_there_fails_no_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    halo = Halo(True, "simulated", {})
    halo.ping()
    halo.hide()
    assert halo.pid is None
    assert "No such file" in halo.note()


def test_words_to_a_stopped_helper_are_dropped_and_a_full_pipe_ends_it(halo: Halo) -> None:
    pid = started(halo)
    os.kill(pid, signal.SIGSTOP)
    for _ in range(20_000):
        halo.ping()
        halo.hide()
        if halo.pid != pid:
            break
    assert until(lambda: gone(pid)), "a helper that reads nothing may hang with the glow on"
    halo.ping()
    assert halo.pid not in (None, pid)


def test_the_helper_has_nothing_of_ours_but_its_own_pipe(halo: Halo) -> None:
    """Not the wire, not the audit log: only the read end of its pipe and /dev/null."""
    kept = os.open("/dev/null", os.O_RDONLY)
    os.set_inheritable(kept, True)
    try:
        pid = started(halo)
    finally:
        os.close(kept)
    assert until(lambda: descriptors(pid) <= {"pipe", "/dev/null"}), descriptors(pid)  # modules are read at first


def descriptors(pid: int) -> set[str]:
    found = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            found.add(str(descriptor.readlink()).partition(":[")[0])
    return found


def test_modules_in_the_working_folder_are_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = tmp_path / "mac_commander"
    planted.mkdir()
    (planted / "__init__.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    halo = Halo(True, "simulated", os.environ)
    pid = started(halo)
    assert until(lambda: b"overlay" in Path(f"/proc/{pid}/cmdline").read_bytes())
    halo.close()
    assert not (tmp_path / "ran").exists()

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mac_commander.core.keyboard_lock import keyboard_lock
from mac_commander.errors import Refused

HOLDER = """
import sys, time
from pathlib import Path
from mac_commander.core.keyboard_lock import keyboard_lock
with keyboard_lock("x11 :7", Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_owner_is_refused_naming_the_first_and_freed_by_its_death(tmp_path: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(Refused, match=rf"\(pid {holder.pid}\)"), keyboard_lock("x11 :7", tmp_path):
        pass
    with keyboard_lock("x11 :8", tmp_path):
        pass
    holder.send_signal(signal.SIGKILL)
    holder.wait(5)
    holder.stdout.close()
    with keyboard_lock("x11 :7", tmp_path):
        pass


def test_it_is_not_kept_between_batches(tmp_path: Path) -> None:
    for _ in range(3):
        with keyboard_lock("macos", tmp_path):
            pass


def test_who_held_it_before_is_not_named(tmp_path: Path) -> None:
    with keyboard_lock("macos", tmp_path):
        (lock,) = tmp_path.glob("*/*.lock")
    lock.write_text("1234567890 was here before")
    named = pytest.raises(Refused, match=rf"\(pid {os.getpid()}\)")
    with keyboard_lock("macos", tmp_path), named, keyboard_lock("macos", tmp_path):
        pass


@pytest.mark.parametrize("trap", ["symlink", "open folder", "file"])
def test_a_folder_that_others_can_write_to_is_not_trusted(tmp_path: Path, trap: str) -> None:
    ours, elsewhere = tmp_path / f"mac-commander-{os.getuid()}", tmp_path / "elsewhere"
    elsewhere.mkdir(0o700)
    match trap:
        case "symlink":
            ours.symlink_to(elsewhere)
        case "file":
            ours.touch(0o600)
        case _:
            ours.mkdir()
            ours.chmod(0o770)
    with pytest.raises(Refused, match="not a private folder of yours"), keyboard_lock("macos", tmp_path):
        pass
    assert not list(elsewhere.iterdir())


def test_neither_is_another_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    somebody = os.getuid() + 1
    monkeypatch.setattr("os.getuid", lambda: somebody)
    with pytest.raises(Refused, match="not a private folder of yours"), keyboard_lock("macos", tmp_path):
        pass


def test_a_lock_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    ours = tmp_path / f"mac-commander-{os.getuid()}"
    ours.mkdir(0o700)
    (ours / "keyboard-macos.lock").symlink_to(tmp_path / "x")
    with pytest.raises(Refused, match="cannot be opened"), keyboard_lock("macos", tmp_path):
        pass
    assert not (tmp_path / "x").exists()

"""The lab itself: if it lies, every test on it does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from PIL import Image
from Xlib.display import Display

from mac_commander.errors import DesktopError
from tests.lab import Lab

ROOT = Path(__file__).parents[2]


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_gtk_window_comes_up_and_is_in_the_picture(lab: Lab, tmp_path: Path) -> None:
    editor = lab.spawn(["mousepad"])
    assert lab.wait_window(pid=editor.pid) == lab.wait_window(title="Mousepad")
    lab.screenshot(tmp_path / "seen.png")
    with Image.open(tmp_path / "seen.png") as picture:
        assert picture.size == (1280, 800)
        assert picture.getextrema() != ((0, 0), (0, 0), (0, 0))


def test_nothing_of_the_caller_leaks_in(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    assert lab.env["DISPLAY"] != os.environ.get("DISPLAY")
    assert lab.env["HOME"] != os.environ.get("HOME")
    assert not {"WAYLAND_DISPLAY", "NO_AT_BRIDGE", "GTK_MODULES", "XAUTHORITY"} & set(lab.env)


def test_the_bus_starts_no_portal(lab: Lab) -> None:
    call = "dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListActivatableNames"
    names = subprocess.run(call.split(), env=lab.env, capture_output=True, text=True, check=True).stdout
    assert "portal" not in names
    assert "org.a11y.Bus" not in names


def test_the_screen_is_never_saved(lab: Lab) -> None:
    """A saved screen may be a locked one: after ten minutes of a long test nothing could be typed any more."""
    with closing(Display(lab.display)) as connection:
        assert connection.get_screen_saver().timeout == 0


def test_a_missing_window_says_what_is_there(lab: Lab) -> None:
    editor = lab.spawn(["mousepad"])
    lab.wait_window(pid=editor.pid)
    with pytest.raises(DesktopError, match=r"no window .* 'nowhere' .* there is 'Untitled 1 - Mousepad'"):
        lab.wait_window(title="nowhere", seconds=0.2)


def test_everything_is_ended(tmp_path: Path) -> None:
    with Lab(tmp_path) as lab:
        editor = lab.spawn(["mousepad"])
        lab.wait_window(pid=editor.pid)
        pids = [part.pid for part in lab._parts] + [editor.pid]
        assert all(map(_alive, pids))
    assert not any(map(_alive, pids))
    assert (tmp_path / "logs" / "xvfb.log").exists()


@pytest.mark.parametrize("window_manager", ["metacity", "openbox", "xfwm4"])
def test_the_window_manager_outlives_a_clean_up(window_manager: str) -> None:
    with Lab(window_manager=window_manager) as lab:
        detached = subprocess.Popen(["/usr/bin/setsid", "mousepad"], env=lab.env, stderr=subprocess.DEVNULL)
        lab.wait_window(title="Mousepad")
        lab.close_foreign_windows()
        assert detached.wait(5) != 0
        assert not lab.dead_parts()
        editor = lab.spawn(["mousepad"])
        lab.wait_window(pid=editor.pid)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_killed_lab_leaves_no_process_behind(tmp_path: Path, number: int) -> None:
    argv = [sys.executable, "-m", "tests.lab", "--folder", str(tmp_path)]
    with subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE, text=True) as command:
        assert command.stdout is not None
        while not command.stdout.readline().startswith("#"):
            pass
        children = [int(p) for p in Path(f"/proc/{command.pid}/task/{command.pid}/children").read_text().split()]
        command.send_signal(number)
    deadline = time.monotonic() + 5
    while any(map(_alive, children)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(children) >= 4
    assert not any(map(_alive, children))


def test_two_monitors() -> None:
    with Lab(window_manager="openbox", screens=[(800, 600), (640, 480)]) as lab:
        listed = subprocess.run(["xrandr", "--listmonitors"], env=lab.env, capture_output=True, text=True, check=True)
    assert "Monitors: 2" in listed.stdout
    assert "640/160x480/120+800+0" in listed.stdout

"""`mac-commander doctor` on the simulated Mac, as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.desktops.macos.scenes import CHAT, TEXTEDIT, app, world
from tests.lab import Lab

WINDOW = """
from Xlib import X, display
at = display.Display()
screen = at.screen()
window = screen.root.create_window(10, 10, 200, 100, 0, screen.root_depth, X.InputOutput, X.CopyFromParent)
window.set_wm_name("A window")
window.map()
while at.next_event():
    pass
"""


def doctor(folder: Path, scene: dict[str, Any], *more: str) -> subprocess.CompletedProcess[str]:
    file = folder / "world.json"
    file.write_text(json.dumps(scene))
    argv = [sys.executable, "-m", "mac_commander", "doctor", "--desktop", "simulated", "--world", str(file)]
    return subprocess.run([*argv, "--home", str(folder / "home"), *more], capture_output=True, text=True, timeout=60)


def test_all_is_there(tmp_path: Path) -> None:
    done = doctor(tmp_path, world())
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("all is there\n")
    assert "simulated, which runs the macos code" in done.stdout
    assert "4 elements in 1 window of TextEdit" in done.stdout
    assert "hunter2" not in done.stdout
    assert not (tmp_path / "home").exists(), "doctor makes nothing"


@pytest.mark.parametrize(
    ("scene", "said"),
    [
        (world(grants={"accessibility": False}), "Privacy & Security > Accessibility"),
        (world(grants={"screen_recording": False}), "Screen & System Audio Recording"),
        (
            world(faults=[{"call": "AXUIElementCopyAttributeValue", "code": -25211}]),
            "macOS refuses the calls all the same",
        ),
        (world(app(TEXTEDIT, hung=True), CHAT), "does not answer"),
    ],
)
def test_what_is_missing_is_said_with_the_fix(tmp_path: Path, scene: dict[str, Any], said: str) -> None:
    done = doctor(tmp_path, scene)
    assert done.returncode == 1
    lines = [line for line in done.stdout.splitlines() if said in line]
    assert lines
    assert all(line.startswith("MISSING") for line in lines)


def test_the_binary_that_holds_the_grants_is_named(tmp_path: Path) -> None:
    assert f"belong to {sys.executable};" in doctor(tmp_path, world()).stdout
    host = app(CHAT, name="Claude", bundle_id="com.anthropic.claude", hosts_us=True)
    assert "belong to Claude;" in doctor(tmp_path, world(TEXTEDIT, host)).stdout


def test_each_missing_thing_is_said_once(tmp_path: Path) -> None:
    done = doctor(tmp_path, world(grants={"accessibility": False}))
    assert [line.split()[1] for line in done.stdout.splitlines() if line.startswith("MISSING")] == [
        "accessibility",
        "input",
    ]


def test_a_reader_that_has_seen_enough_gets_no_traceback(tmp_path: Path) -> None:
    argv = [sys.executable, "-m", "mac_commander", "doctor", "--desktop", "simulated", "--home", str(tmp_path / "home")]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as done:
        assert done.stdout is not None
        assert done.stderr is not None
        done.stdout.readline()
        done.stdout.close()
        assert done.stderr.read() == ""


DISPLAYS = {"DISPLAY": ":987"}, {"WAYLAND_DISPLAY": "wayland-0"}


@pytest.mark.parametrize("environment", DISPLAYS, ids=lambda e: next(iter(e)))
def test_no_x_display(tmp_path: Path, environment: dict[str, str]) -> None:
    argv = [sys.executable, "-m", "mac_commander", "doctor", "--desktop", "x11", "--home", str(tmp_path / "home")]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, env={"HOME": str(tmp_path), **environment})
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("MISSING")]
    assert "desktop" in line


@pytest.mark.parametrize("accessible", [True, False])
@pytest.mark.usefixtures("session_lab")  # where no private desktop can come up, this is not run either
def test_on_x11(tmp_path: Path, accessible: bool) -> None:
    with Lab(accessibility=accessible) as lab:
        lab.spawn([sys.executable, "-c", WINDOW])
        lab.wait_window(title="A window")
        argv = [sys.executable, "-m", "mac_commander", "doctor", "--home", str(tmp_path / "home")]
        done = subprocess.run(argv, capture_output=True, text=True, timeout=60, env=lab.env)
    missing = [line for line in done.stdout.splitlines() if line.startswith("MISSING")]
    if accessible:
        assert "ok       accessibility" in done.stdout
    else:
        assert done.returncode == 1
        assert "at-spi2-core" in missing[0]
        assert len(missing) == 1


@pytest.mark.usefixtures("session_lab")
def test_on_an_empty_desktop_nothing_is_amiss(tmp_path: Path) -> None:
    with Lab() as lab:
        argv = [sys.executable, "-m", "mac_commander", "doctor", "--home", str(tmp_path / "home")]
        done = subprocess.run(argv, capture_output=True, text=True, timeout=60, env=lab.env)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "note     frontmost       no window is open" in done.stdout
    assert done.stdout.endswith("all is there\n")


def test_a_config_that_locks_the_server(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir(0o700)
    (tmp_path / "home/config.json").write_text('{"input_blocklst": []}')
    done = doctor(tmp_path, world())
    assert done.returncode == 1
    assert "input_blocklist" in done.stdout


def test_a_blocked_app_in_front_is_not_pictured(tmp_path: Path) -> None:
    done = doctor(tmp_path, world(app(TEXTEDIT, name="1Password", bundle_id="com.1password.1password")))
    assert "not tried" in done.stdout
    assert done.returncode == 0

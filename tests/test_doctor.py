"""`mac-commander doctor` on the simulated Mac, as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.desktops.macos.scenes import CHAT, TEXTEDIT, app, world


def doctor(folder: Path, scene: dict[str, Any], *more: str) -> subprocess.CompletedProcess[str]:
    file = folder / "world.json"
    file.write_text(json.dumps(scene))
    argv = [sys.executable, "-m", "mac_commander", "doctor", "--desktop", "simulated", "--world", str(file)]
    return subprocess.run([*argv, "--home", str(folder / "home"), *more], capture_output=True, text=True, timeout=60)


def test_all_is_there(tmp_path: Path) -> None:
    done = doctor(tmp_path, world())
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("all is there\n")
    assert "4 elements in 1 windows of TextEdit" in done.stdout
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

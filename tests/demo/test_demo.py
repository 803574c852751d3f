"""The demo is the first thing that people run: it has to go right, and to say so when it does not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from mac_commander.demo.narration import TEXT


def _run(*arguments: str, path: str = os.environ["PATH"], tmp: Path = Path("/tmp")) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "mac_commander", "demo", *arguments]
    env = {"PATH": path, "HOME": "/nonexistent", "LANG": "C.UTF-8", "TMPDIR": str(tmp)}
    return subprocess.run(argv, env=env, capture_output=True, text=True, check=False)


def test_the_demo_goes_right_with_nothing_installed(tmp_path: Path) -> None:
    picture = tmp_path / "seen.png"
    demo = _run("--screenshot", str(picture), path=str(tmp_path), tmp=tmp_path)
    assert demo.returncode == 0, demo.stdout + demo.stderr
    assert "holds exactly what was typed" in demo.stdout
    assert '"cause": "focus", "reason": "focus lost during step: expected TextEdit, Chat is frontmost"' in demo.stdout
    assert '"delivered": 40, "of": 92' in demo.stdout
    assert "1Password is on the user's input blocklist" in demo.stdout
    assert f"The Notification Center got: Mac-Commander: Fini: {TEXT}" in demo.stdout
    log = demo.stdout.rpartition("The audit log")[2]
    assert f"type({len(TEXT)} chars), key(cmd+a), key(cmd+c)" in log
    with Image.open(picture) as seen:
        assert seen.format == "PNG"
        assert max(seen.size) == 1568
    assert list(tmp_path.iterdir()) == [picture]


@pytest.mark.usefixtures("session_lab")  # where no private desktop can come up, this is not run either
def test_the_x11_tour_goes_right(tmp_path: Path) -> None:
    picture = tmp_path / "seen.png"
    demo = _run("--desktop", "x11", "--screenshot", str(picture))
    assert demo.returncode == 0, demo.stdout + demo.stderr
    assert '"ok": false, "steps_completed": 2' in demo.stdout
    assert "Zenity is frontmost" in demo.stdout
    assert "KeePassXC is on the user's input blocklist" in demo.stdout
    log = demo.stdout.rpartition("The audit log")[2]
    assert f"type({len(TEXT)} chars), key(cmd+a), key(cmd+c)" in log
    assert TEXT not in log
    with Image.open(picture) as seen:
        assert seen.size == (1280, 800)


def test_a_machine_without_the_programs_is_told_which(tmp_path: Path) -> None:
    demo = _run("--desktop", "x11", path=str(tmp_path))
    assert demo.returncode == 1
    assert "Xvfb" in demo.stderr
    assert "mousepad" in demo.stderr


@pytest.mark.parametrize("desktop", ["simulated", "x11"])
@pytest.mark.usefixtures("session_lab")
def test_a_failure_is_said_and_nothing_stays(tmp_path: Path, desktop: str) -> None:
    demo = _run("--desktop", desktop, "--screenshot", str(tmp_path / "no-such-folder" / "seen.png"), tmp=tmp_path)
    assert demo.returncode == 1
    assert "The demo failed: the picture could not be saved" in demo.stderr
    assert "Traceback" not in demo.stderr
    assert list(tmp_path.iterdir()) == []

"""The demo is the first thing that people run: it has to go right, and to say so when it does not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from mac_commander.demo.tour import TEXT


def _run(*arguments: str, path: str = os.environ["PATH"], tmp: Path = Path("/tmp")) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "mac_commander", "demo", *arguments]
    env = {"PATH": path, "HOME": "/nonexistent", "LANG": "C.UTF-8", "TMPDIR": str(tmp)}
    return subprocess.run(argv, env=env, capture_output=True, text=True, check=False)


@pytest.mark.usefixtures("session_lab")  # where no private desktop can come up, this is not run either
def test_the_demo_goes_right(tmp_path: Path) -> None:
    picture = tmp_path / "seen.png"
    demo = _run("--screenshot", str(picture))
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
    demo = _run(path=str(tmp_path))
    assert demo.returncode == 1
    assert "Xvfb" in demo.stderr
    assert "mousepad" in demo.stderr


@pytest.mark.usefixtures("session_lab")
def test_a_failure_is_said_and_nothing_stays(tmp_path: Path) -> None:
    demo = _run("--screenshot", str(tmp_path / "no-such-folder" / "seen.png"), tmp=tmp_path)
    assert demo.returncode == 1
    assert "The demo failed: the picture could not be saved" in demo.stderr
    assert "Traceback" not in demo.stderr
    assert list(tmp_path.iterdir()) == []

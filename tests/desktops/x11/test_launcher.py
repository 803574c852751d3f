"""Starting programs: what they get, what they do not get, and that they leave nothing behind."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mac_commander.desktops.x11.desktop_files import DesktopFiles
from mac_commander.desktops.x11.launcher import FORCE_TREE, Launcher
from mac_commander.errors import DesktopError
from mac_commander.model import Installed
from tests.desktops.x11.conftest import wait
from tests.lab import Lab

TELLS = """#!/usr/bin/python3
import json, os, sys, time
facts = {"argv": sys.argv[1:], "env": dict(os.environ), "cwd": os.getcwd(), "session": os.getsid(0),
         "files": {fd: os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")
                   if os.path.exists(f"/proc/self/fd/{fd}")}}
open(os.environ["XDG_DATA_HOME"] + "/facts.tmp", "w").write(json.dumps(facts))
os.rename(os.environ["XDG_DATA_HOME"] + "/facts.tmp", os.environ["XDG_DATA_HOME"] + "/facts")
"""
"""A program that writes down what it was given."""


class Scene:
    """A folder of desktop files and programs, and a launcher over it."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.environment = {
            "XDG_DATA_HOME": str(folder),
            "XDG_DATA_DIRS": "/nonexistent",
            "HOME": str(folder),
            "PATH": "/usr/bin:/bin",
        } | environment
        self.files = DesktopFiles(self.environment)
        self.launcher = Launcher(self.files, self.environment)

    def app(self, name: str, script: str, command: str = "", **values: str) -> Installed:
        program = self.folder / name
        program.write_text(script)
        program.chmod(0o755)
        entry = {"Type": "Application", "Name": name, "Exec": command or f"{program} %U"} | values
        (self.folder / "applications").mkdir(exist_ok=True)
        path = self.folder / "applications" / f"{name}.desktop"
        path.write_text("\n".join(["[Desktop Entry]", *(f"{k}={v}" for k, v in entry.items())]))
        return Installed(name, name, (), str(path))

    def facts(self) -> dict[str, object]:
        assert wait((self.folder / "facts").exists)
        told: dict[str, object] = json.loads((self.folder / "facts").read_text())
        return told


def test_a_program_gets_its_words_and_nothing_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "canary")
    scene = Scene(tmp_path, NO_AT_BRIDGE="1", LANG="C", LC_ALL="POSIX")
    ticket = scene.launcher.start(scene.app("tells", TELLS, f'{tmp_path}/tells "two words" $HOME ; %F'))
    facts = scene.facts()
    environment = facts["env"]
    assert isinstance(environment, dict)
    assert facts["argv"] == ["two words", "$HOME", ";"]
    assert facts["cwd"] == str(tmp_path)
    assert facts["session"] == ticket.pid
    assert "API_KEY" not in environment
    assert "NO_AT_BRIDGE" not in environment
    assert environment["QT_LINUX_ACCESSIBILITY_ALWAYS_ON"] == "1"
    assert environment["LANG"] == "C.UTF-8"
    assert "LC_ALL" not in environment
    assert isinstance(facts["files"], dict)
    assert {facts["files"][fd] for fd in ("0", "1", "2")} == {"/dev/null"}
    assert not [file for file in facts["files"].values() if "pipe:" in file or "socket:" in file]


def test_no_zombie_is_left(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    ticket = scene.launcher.start(scene.app("ends", "#!/bin/sh\nexit 3\n"))
    assert wait(lambda: scene.launcher.exit_code(ticket) == 3)
    assert scene.launcher.pids(ticket) == ()
    assert not Path(f"/proc/{ticket.pid}").exists()


def test_processes_that_were_handed_over_to_are_found(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    script = '#!/bin/sh\nsleep 30 & echo $! > "$XDG_DATA_HOME/child"\nexit 0\n'
    ticket = scene.launcher.start(scene.app("forks", script))
    assert wait(lambda: scene.launcher.exit_code(ticket) == 0)
    child = int((tmp_path / "child").read_text())
    try:
        assert scene.launcher.pids(ticket) == (child,)
    finally:
        os.kill(child, 9)


def test_chromium_is_asked_for_its_tree(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    scene.launcher.start(scene.app("chromium-dev", TELLS))
    assert scene.facts()["argv"] == [FORCE_TREE]


def test_what_is_built_on_chromium_is_asked_too(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    (tmp_path / "chrome_100_percent.pak").touch()
    scene.launcher.start(scene.app("notes", TELLS))
    assert scene.facts()["argv"] == [FORCE_TREE]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda path: path.unlink(), "desktop file is gone"),
        (lambda path: path.write_text(path.read_text() + "\nTerminal=true"), "runs in a terminal"),
        (
            lambda path: path.write_text("[Desktop Entry]\nType=Application\nName=x\nExec=/nonexistent/x"),
            "not installed",
        ),
        (lambda path: path.write_text("[Desktop Entry]\nType=Application\nName=x\nExec="), "not installed"),
    ],
)
def test_what_cannot_be_started_is_refused_in_words(tmp_path: Path, change: object, reason: str) -> None:
    scene = Scene(tmp_path)
    app = scene.app("x", TELLS)
    assert callable(change)
    change(Path(app.location))
    with pytest.raises(DesktopError, match=reason):
        scene.launcher.start(app)
    assert not (tmp_path / "facts").exists()


def test_a_program_that_the_system_refuses_is_told(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    app = scene.app("broken", "\0not a program")
    with pytest.raises(DesktopError, match="refused"):
        scene.launcher.start(app)


def test_an_app_that_is_activated_over_the_bus(lab: Lab, tmp_path: Path) -> None:
    """The lab's bus knows no such service, so the desktop file's own command is what starts it."""
    scene = Scene(tmp_path, DBUS_SESSION_BUS_ADDRESS=lab.env["DBUS_SESSION_BUS_ADDRESS"])
    ticket = scene.launcher.start(scene.app("org.example.Tells", TELLS, DBusActivatable="true"))
    assert scene.facts()["argv"] == []
    assert ticket.pid

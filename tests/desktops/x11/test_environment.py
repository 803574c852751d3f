"""The session is found without any environment, and what is no X11 session is refused in words."""

from __future__ import annotations

import gc
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mac_commander.desktops.x11 import environment
from mac_commander.desktops.x11.desktop import X11Desktop
from mac_commander.desktops.x11.environment import Session, find_session
from mac_commander.errors import DesktopError
from tests.lab import Lab
from tests.witness import Witness

CLIENTS_PASS = ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER")


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine where no process has a display and no socket is there."""
    monkeypatch.setattr(environment, "_ancestor_environments", lambda: iter([]))
    monkeypatch.setattr(environment, "_session_environments", lambda: iter([]))
    monkeypatch.setattr(environment, "SOCKETS", tmp_path / "none")


def test_the_session_is_that_of_our_ancestors(lab: Lab) -> None:
    """The client that starts the server runs on the desktop, but passes nothing of it on."""
    kept = {name: lab.env[name] for name in CLIENTS_PASS if name in lab.env}
    ask = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {ASK!r}], env={kept!r})"
    told = subprocess.run([sys.executable, "-c", ask], env=lab.env, capture_output=True, text=True, check=True)
    assert told.stdout.split() == [lab.display, lab.env["DBUS_SESSION_BUS_ADDRESS"], lab.env["XDG_RUNTIME_DIR"]]


ASK = """
from mac_commander.desktops.x11.environment import find_session
found = find_session()
print(found.display, found.session_bus, found.child_environment["XDG_RUNTIME_DIR"])
"""


@pytest.mark.parametrize(
    ("display", "seat"),
    [(":7", "x11 :7"), (":7.0", "x11 :7"), ("unix:7.1", "x11 :7"), ("unix/:7", "x11 :7"), (":17", "x11 :17"),
     ("10.0.0.5:0", "x11 10.0.0.5:0"), ("ssh.example:10.0", "x11 ssh.example:10")],
)  # fmt: skip
def test_one_keyboard_has_one_name_however_its_display_is_written(display: str, seat: str) -> None:
    assert Session(display, "", "", {}).seat == seat


@pytest.mark.usefixtures("nobody")
def test_the_only_display_of_the_users_processes_is_taken(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "_session_environments", lambda: iter([dict(lab.env)]))
    monkeypatch.setattr(environment, "SOCKETS", Path("/tmp/.X11-unix"))
    found = find_session({"HOME": "/nonexistent"})
    assert (found.display, found.session_bus) == (lab.display, lab.env["DBUS_SESSION_BUS_ADDRESS"])
    assert "MC_SECRET" not in found.child_environment


@pytest.mark.usefixtures("nobody")
def test_no_display_is_said_with_what_to_do() -> None:
    with pytest.raises(DesktopError, match="wanted an X display, found none: DISPLAY is not set") as told:
        find_session({"HOME": "/nonexistent"})
    assert "Start the server inside a graphical session" in str(told.value)


@pytest.mark.usefixtures("nobody")
def test_several_displays_are_not_guessed_among(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for number in (3, 4):
        (tmp_path / f"X{number}").touch()
    monkeypatch.setattr(environment, "SOCKETS", tmp_path)
    two = [{"DISPLAY": ":3"}, {"DISPLAY": ":4"}]
    monkeypatch.setattr(environment, "_session_environments", lambda: iter(two))
    with pytest.raises(DesktopError, match="found :3, :4 and nothing that tells which"):
        find_session({})


@pytest.mark.usefixtures("nobody")
@pytest.mark.parametrize("sign", [{"WAYLAND_DISPLAY": "wayland-0"}, {"XDG_SESSION_TYPE": "wayland"}])
def test_a_wayland_session_is_refused_in_words(sign: dict[str, str]) -> None:
    with pytest.raises(DesktopError, match=r"Wayland.*no program can prove where input goes.*Xorg"):
        find_session(sign)


def test_xwayland_is_not_enough(tmp_path: Path) -> None:
    """An X server whose program is called Xwayland, with all its extensions there."""
    server = tmp_path / "Xwayland"
    shutil.copy(shutil.which("Xvfb") or "/usr/bin/Xvfb", server)
    argv = [str(server), "-displayfd", "1", "-nolisten", "tcp"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
        assert running.stdout is not None
        display = ":" + running.stdout.readline().decode().strip()
        try:
            with pytest.raises(DesktopError, match="XWayland: on Wayland no program can prove"):
                X11Desktop(find_session({"DISPLAY": display}))
        finally:
            running.terminate()


@pytest.mark.filterwarnings("ignore:Exception ignored.*socket:pytest.PytestUnraisableExceptionWarning")
def test_a_dead_display_is_said_at_once() -> None:
    """python-xlib leaves the sockets of its failed attempts to the collector."""
    with pytest.raises(DesktopError, match="wanted the X display :9876, but it cannot be reached"):
        X11Desktop(find_session({"DISPLAY": ":9876"}))
    gc.collect()


def test_an_app_is_named_by_what_runs_and_not_by_what_it_claims(desktop: X11Desktop, editor: Witness) -> None:
    app = next(a for a in desktop.apps() if a.pid == editor.pid)
    assert app.executable.startswith("/usr/bin/python3")
    assert "gtk3.py" in app.aliases
    assert desktop.is_running(app)

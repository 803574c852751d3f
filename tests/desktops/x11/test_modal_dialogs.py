"""A press that opens a modal dialog: GTK 3 answers it only when that is closed, and must not be deaf until then."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from mac_commander.desktops.x11.desktop import X11Desktop
from mac_commander.events import Group, PickMenu, PressChord, PressElement
from mac_commander.model import Chord, Limits
from tests.conftest import not_run
from tests.desktops.x11.conftest import app_of, wait
from tests.lab import Lab, end
from tests.witness import SYSTEM_PYTHON, missing


@pytest.mark.parametrize("how", ["button", "menu"])
def test_a_key_answers_the_dialog(desktop: X11Desktop, lab: Lab, how: str) -> None:
    """Whoever leaves the connection that pressed while the dialog is up freezes the app at the first key."""
    if lacking := missing("gtk3", lab):
        not_run(f"needs {lacking}")
    script = str(Path(__file__).with_name("modal_dialog.py"))
    process = lab.spawn([SYSTEM_PYTHON, script], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        lab.wait_window(pid=process.pid)
        app = app_of(desktop, process.pid)
        button = next(e.key for e in desktop.snapshot(app, Limits()).elements if e.name == "Ask")
        desktop.activate(app)
        group = PressElement(button) if how == "button" else PickMenu(("File", "Ask…"))
        desktop.deliver(group, app, lambda _evidence: None)
        assert process.stdout.readline() == b"opened\n"
        assert wait(lambda: any(e.name == "Yes" for e in desktop.snapshot(app, Limits()).elements))
        desktop.deliver(PressChord(Chord(frozenset(), "escape")), app, lambda _evidence: None)
        assert process.stdout.readline() == b"answered False\n"
        assert wait(lambda: not any(e.name == "Yes" for e in desktop.snapshot(app, Limits()).elements))
    finally:
        end(process)


@pytest.mark.parametrize("how", ["button", "menu"])
def test_the_dialog_can_be_read_and_answered(desktop: X11Desktop, lab: Lab, how: str) -> None:
    if lacking := missing("gtk3", lab):
        not_run(f"needs {lacking}")
    script = str(Path(__file__).with_name("modal_dialog.py"))
    process = lab.spawn([SYSTEM_PYTHON, script], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        lab.wait_window(pid=process.pid)
        app = app_of(desktop, process.pid)

        def press(name: str) -> Group:
            return PressElement(next(e.key for e in desktop.snapshot(app, Limits()).elements if e.name == name))

        group = press("Ask") if how == "button" else PickMenu(("File", "Ask…"))
        desktop.deliver(group, app, lambda _evidence: None)
        assert process.stdout.readline() == b"opened\n"
        assert wait(lambda: any(e.name == "Yes" for e in desktop.snapshot(app, Limits()).elements))
        desktop.deliver(press("Yes"), app, lambda _evidence: None)
        assert process.stdout.readline() == b"answered True\n"
        assert wait(lambda: not any(e.name == "Yes" for e in desktop.snapshot(app, Limits()).elements))
    finally:
        end(process)

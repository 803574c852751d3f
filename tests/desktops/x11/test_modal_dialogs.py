"""A press that opens a modal dialog: GTK 3 answers it only when that is closed, and must not be deaf until then."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from mac_commander.desktops.x11.desktop import X11Desktop
from mac_commander.events import Group, PickMenu, PressChord, PressElement
from mac_commander.model import Chord, Element, Limits
from tests.conftest import not_run
from tests.desktops.x11.conftest import app_of, wait
from tests.lab import Lab, end
from tests.witness import SYSTEM_PYTHON, missing


class Asking:
    """An app that asks a question in a modal dialog, and prints what became of it."""

    def __init__(self, desktop: X11Desktop, process: subprocess.Popen[bytes]) -> None:
        self.desktop = desktop
        self.app = app_of(desktop, process.pid)
        self._told = process.stdout

    def button(self, name: str) -> Group:
        return PressElement(next(e.key for e in self._elements() if e.name == name))

    def send(self, group: Group) -> None:
        self.desktop.deliver(group, self.app, lambda _evidence: None)

    def ask(self, how: str) -> None:
        self.send(self.button("Ask") if how == "button" else PickMenu(("File", "Ask…")))
        assert self.tells() == b"opened\n"
        assert wait(self.shows_the_question)

    def tells(self) -> bytes:
        assert self._told is not None
        return self._told.readline()

    def shows_the_question(self) -> bool:
        return any(e.name == "Yes" for e in self._elements())

    def _elements(self) -> Sequence[Element]:
        return self.desktop.snapshot(self.app, Limits()).elements


@pytest.fixture
def asking(desktop: X11Desktop, lab: Lab) -> Iterator[Asking]:
    if lacking := missing("gtk3", lab):
        not_run(f"needs {lacking}")
    script = str(Path(__file__).with_name("modal_dialog.py"))
    process = lab.spawn([SYSTEM_PYTHON, script], stdout=subprocess.PIPE)
    try:
        lab.wait_window(pid=process.pid)
        yield Asking(desktop, process)
    finally:
        end(process)


@pytest.mark.parametrize("how", ["button", "menu"])
def test_a_key_answers_the_dialog(asking: Asking, how: str) -> None:
    """Whoever leaves the connection that pressed while the dialog is up freezes the app at the first key."""
    asking.desktop.activate(asking.app)
    asking.ask(how)
    asking.send(PressChord(Chord(frozenset(), "escape")))
    assert asking.tells() == b"answered False\n"
    assert wait(lambda: not asking.shows_the_question())


@pytest.mark.parametrize("how", ["button", "menu"])
def test_the_dialog_can_be_read_and_answered(asking: Asking, how: str) -> None:
    asking.ask(how)
    asking.send(asking.button("Yes"))
    assert asking.tells() == b"answered True\n"
    assert wait(lambda: not asking.shows_the_question())

"""Two windows of one app, alike in title and size: told apart by their places, or left out with a word."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mac_commander.desktops.x11.atspi_reading import ALIKE
from mac_commander.desktops.x11.desktop import X11Desktop
from mac_commander.events import ClickAt
from mac_commander.model import App, Limits, Point
from tests.conftest import not_run
from tests.desktops.x11.conftest import app_of, wait
from tests.lab import Lab, end
from tests.witness import SYSTEM_PYTHON, missing


@contextmanager
def twins(desktop: X11Desktop, lab: Lab, toolkit: str) -> Iterator[tuple[App, subprocess.Popen[bytes]]]:
    if lacking := missing(toolkit, lab):
        not_run(f"needs {lacking}")
    script = str(Path(__file__).with_name("twins.py"))
    process = lab.spawn([SYSTEM_PYTHON, script, toolkit], stdout=subprocess.PIPE)
    try:
        lab.wait_window(pid=process.pid)
        app = app_of(desktop, process.pid)
        assert wait(lambda: len(desktop.windows(app)) == 2, 20)
        yield app, process
    finally:
        end(process)


def set_apart(desktop: X11Desktop, app: App) -> None:
    for number, window in enumerate(desktop.windows(app)):
        desktop.place(window, Point(200 + 500 * number, 300), None)


@pytest.mark.parametrize("toolkit", ["gtk3", "qt6"])
def test_a_click_lands_in_the_right_one(desktop: X11Desktop, lab: Lab, toolkit: str) -> None:
    with twins(desktop, lab, toolkit) as (app, process):
        set_apart(desktop, app)
        assert wait(lambda: desktop.snapshot(app, Limits()).complete)
        desktop.activate(app)
        buttons = [e for e in desktop.snapshot(app, Limits()).elements if e.role == "button" and e.window]
        assert {e.name for e in buttons} == {"First", "Second"}
        for button in buttons:
            now = desktop.describe(button.key)
            assert now is not None
            assert now.bounds == button.bounds is not None
            desktop.deliver(ClickAt(now.bounds.centre), app, lambda _evidence: None)
            assert process.stdout is not None
            assert process.stdout.readline().decode().strip() == button.name


def test_which_is_which_of_gtk_4_is_not_known_and_said(desktop: X11Desktop, lab: Lab) -> None:
    with twins(desktop, lab, "gtk4") as (app, _process):
        assert wait(lambda: ALIKE in desktop.snapshot(app, Limits()).notes)
        seen = desktop.snapshot(app, Limits())
        assert not seen.complete
        assert [e.window for e in seen.elements if e.role == "button"] == [0, 0]

"""A list far longer than the screen: what is in view is read, placed right, and the rest is said to be there."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from mac_commander.desktops.x11.desktop import X11Desktop
from mac_commander.events import ClickAt
from mac_commander.model import Limits, State
from tests.conftest import not_run
from tests.desktops.x11.conftest import app_of, wait
from tests.lab import Lab, end
from tests.witness import SYSTEM_PYTHON, missing


@pytest.mark.parametrize("toolkit", ["gtk3", "qt6"])
@pytest.mark.parametrize("row", [0, 2_500, 4_999])
def test_rows_in_view_are_read_and_clicks_land(desktop: X11Desktop, lab: Lab, toolkit: str, row: int) -> None:
    if lacking := missing(toolkit, lab):
        not_run(f"needs {lacking}")
    script = str(Path(__file__).with_name("long_list.py"))
    process = lab.spawn([SYSTEM_PYTHON, script, toolkit, str(row)], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        lab.wait_window(pid=process.pid)
        while process.stdout.readline() != b"ready\n":
            pass
        app = app_of(desktop, process.pid)
        desktop.activate(app)

        def shows() -> bool:
            elements = desktop.snapshot(app, Limits()).elements
            return any(e.name == f"row {row}" and State.OFFSCREEN not in e.states for e in elements)

        assert wait(shows)
        seen = desktop.snapshot(app, Limits())
        rows = [e for e in seen.elements if e.name.startswith("row ")]
        shown = [e for e in rows if State.OFFSCREEN not in e.states]
        assert 5 < len(shown) < 40
        assert len(rows) < 500
        assert not seen.complete
        assert any("was read only around its visible part" in note for note in seen.notes)
        target = shown[len(shown) // 2]
        assert target.bounds is not None
        desktop.deliver(ClickAt(target.bounds.centre), app, lambda _evidence: None)
        told = ""
        while told != target.name:
            told = process.stdout.readline().decode().strip()
    finally:
        end(process)

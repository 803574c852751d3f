"""Cells of a table say their row and column, also when only a part of the table was read."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from mac_commander.desktops.x11.desktop import X11Desktop
from mac_commander.model import Element, Limits, State
from tests.conftest import not_run
from tests.desktops.x11.conftest import app_of, wait
from tests.lab import Lab, end
from tests.witness import SYSTEM_PYTHON, missing


def told(cell: Element) -> tuple[int, int] | None:
    found = re.fullmatch(r"r(\d+)c(\d+)", cell.name)
    return (int(found[1]), int(found[2])) if found else None


@pytest.mark.parametrize("toolkit", ["gtk3", "qt6"])
@pytest.mark.parametrize(("rows", "at"), [(5, 1), (2_000, 1_234)])
def test_a_cell_says_its_row_and_column(desktop: X11Desktop, lab: Lab, toolkit: str, rows: int, at: int) -> None:
    if lacking := missing(toolkit, lab):
        not_run(f"needs {lacking}")
    script = str(Path(__file__).with_name("table.py"))
    process = lab.spawn([SYSTEM_PYTHON, script, toolkit, str(rows), str(at)], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        app = app_of(desktop, process.pid)

        def cells() -> list[Element]:
            seen = desktop.snapshot(app, Limits()).elements
            return [e for e in seen if e.role == "cell" and State.OFFSCREEN not in e.states]

        assert wait(lambda: any(told(cell) == (at, 2) for cell in cells()))
        seen = cells()
        assert len(seen) >= 15
        assert [cell.cell for cell in seen] == [told(cell) for cell in seen]
    finally:
        end(process)

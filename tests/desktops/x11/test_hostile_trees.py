"""Trees that lie, never answer or never end: what is read stays bounded, and says what is missing."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mac_commander.desktops.x11 import processes
from mac_commander.desktops.x11.accessibility import Accessibility
from mac_commander.model import App, Limits, Rect, Snapshot, Window
from mac_commander.roles import ROLES
from tests.lab import Lab, end

MOST_SECONDS = 6.5
"""`Limits.seconds`, a second for the bus, and half of one for a busy machine."""

WIDE_ENDS = r"some elements are missing|more than 20000 elements"
"""A quick machine reaches the number of elements first, a slow one the deadline."""


@pytest.fixture
def accessibility(lab: Lab) -> Iterator[Accessibility]:
    opened = Accessibility(lab.env["DBUS_SESSION_BUS_ADDRESS"])
    assert not opened.problem()
    yield opened
    opened.close()


def look(lab: Lab, accessibility: Accessibility, kind: str) -> Snapshot:
    address = accessibility._address()
    script = str(Path(__file__).with_name("fake_atspi_app.py"))
    process = lab.spawn([sys.executable, script, kind, address], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        app = App(process.pid, processes.start_time(process.pid), "fake")
        window = Window(1, process.pid, "fake", Rect(0, 0, 200, 100))
        start = time.monotonic()
        seen = accessibility.snapshot(app, (window,), Limits())
        assert time.monotonic() - start < MOST_SECONDS
        return seen
    finally:
        end(process)


@pytest.mark.parametrize(
    ("kind", "elements", "note"),
    [
        ("cycle", range(3, 5), ""),
        ("deep", range(1), "deeper than 200"),
        ("wide", range(500, 20_001), WIDE_ENDS),
        ("silent", range(5, 6), "did not answer"),
        ("nonsense", range(3, 4), "gave no sense"),
        ("long", range(6, 7), ""),
        ("huge", range(6, 7), ""),
        ("dies", range(7), "went away"),
    ],
)
def test_hostile_trees_are_bounded_and_told(
    lab: Lab, accessibility: Accessibility, kind: str, elements: range, note: str
) -> None:
    seen = look(lab, accessibility, kind)
    assert len(seen.elements) in elements
    assert seen.complete == (not note)
    assert any(re.search(note, said) for said in seen.notes) or not note
    assert {e.role for e in seen.elements} <= ROLES
    assert len({e.key for e in seen.elements}) == len(seen.elements)
    assert all(len(e.name) <= 500 and len(e.value or "") <= Limits().value_chars for e in seen.elements)
    assert not any("evil" in said for said in seen.notes)
    str(seen).encode("utf-8")


def test_a_bus_that_is_silent_is_told_in_time(tmp_path: Path) -> None:
    """A socket that takes connections and never says a word."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "bus"))
        listener.listen()
        start = time.monotonic()
        silent = Accessibility(f"unix:path={tmp_path / 'bus'}", f"unix:path={tmp_path / 'bus'}")
        assert "does not answer" in silent.problem()
        assert time.monotonic() - start < 4
        silent.close()


@pytest.mark.parametrize("address", ["", "unix:path=/nonexistent/bus", "nonsense"])
def test_a_missing_bus_says_what_to_install(address: str) -> None:
    lacking = Accessibility(address)
    assert "at-spi2-core" in lacking.problem()
    lacking.close()

"""Whatever ends the server, wherever it is: nothing stays down, nothing more is sent, the line is written.

A batch of a drag, a chord and a text has 63 boundaries. ``make test`` tries a few of each kind; all of them with
``KILL_MATRIX=1``, every n-th of them with ``KILL_MATRIX=n``.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mac_commander.model import Point
from tests.conftest import not_run
from tests.desktops.x11.conftest import drained
from tests.kill.spy import Spy
from tests.lab import Lab
from tests.server.raw_client import INITIALIZE, RawClient
from tests.witness import Witness, missing

SERVER = (sys.executable, "-m", "tests.kill.ended_server", "--overlay", "false")
SIGNALS = ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP")
ENDINGS = (*SIGNALS, "input", "cancel")
GROUPS = 14 + 1 + 6
"""Drag: press, 12 moves, release; the chord; the text in groups of at most 20 characters."""
BOUNDARIES = 3 * GROUPS
TEXT = "the quick brown fox jumps over the lazy dog; " * 2 + "then it ends here."
EVERY = int(os.environ.get("KILL_MATRIX", "0"))
WHOLE = EVERY > 0
TRIED = range(1, BOUNDARIES + 1, EVERY) if WHOLE else (3, 20, 50)
"""Without the whole: just pressed, in the drag between proof and sending, in the text."""

UP_SECONDS, QUIET_SECONDS = 1.0, 0.25
"""The promise on a machine that is not overloaded; `PATIENCE` is what is waited for."""
PATIENCE = 10.0
START_SECONDS = 60.0


@dataclass(frozen=True)
class End:
    """How one run ended, in seconds after it was ended."""

    how: str
    boundary: int
    up: float
    quiet: float
    """The last event of all."""
    lines: int
    left_down: tuple[str, ...]
    pointer: tuple[int, int]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Lab, Witness, Spy]]:
    with Lab(tmp_path_factory.mktemp("lab")) as lab:
        lacking = missing("gtk3", lab)
        if lacking:
            not_run(f"needs {lacking}")
        with Witness(lab, "gtk3") as witness, Spy(lab.display) as spy:
            yield lab, witness, spy


@pytest.mark.parametrize("how", ENDINGS)
@pytest.mark.timeout(36_000 if WHOLE else 300)
def test_nothing_stays_down_and_no_line_is_lost(
    app: tuple[Lab, Witness, Spy], how: str, tmp_path: Path, reached: Callable[[str], None]
) -> None:
    ends = [ended(app, how, boundary, tmp_path / str(boundary)) for boundary in TRIED]
    reached(told(how, ends))
    assert [e for e in ends if e.left_down] == []
    assert [e for e in ends if e.lines != 1] == []
    if WHOLE:
        assert [e for e in ends if e.up > UP_SECONDS] == []
        assert how == "SIGKILL" or [e for e in ends if e.quiet > QUIET_SECONDS] == []


def test_a_drag_cut_by_a_kill_goes_back_to_where_it_began(app: tuple[Lab, Witness, Spy], tmp_path: Path) -> None:
    _, witness, _ = app
    witness.forget()
    end = ended(app, "SIGKILL", 30, tmp_path / "home")
    start = witness.bounds("Drag me").centre
    assert end.left_down == ()
    assert end.pointer == (round(start.x), round(start.y))
    assert not witness.events("drop")


def ended(app: tuple[Lab, Witness, Spy], how: str, boundary: int, folder: Path) -> End:
    lab, witness, spy = app
    folder.mkdir()
    witness.ask("focus", "Notes")
    start, stop = witness.bounds("Drag me").centre, witness.bounds("Drop here").centre
    mark = folder / "mark"
    by = how if how in SIGNALS else "client"
    told = {"END_AT": str(boundary), "END_BY": by, "END_MARK": str(mark)}
    with RawClient(folder / "home", SERVER, lab.env | told) as client, drained(witness):
        client.start("initialize", INITIALIZE)
        assert client.receive(START_SECONDS), f"no answer at all; ended with {client.process.poll()}"
        client.tell("notifications/initialized")
        call = client.start_call("act", target="Gtk3.py", steps=steps(start, stop), settle_ms=0)
        assert until(mark.exists), f"boundary {boundary} was never reached: {client.receive(1)} {client.audit()}"
        at = float(mark.read_text())
        if by == "client":
            at = time.monotonic()
            if how == "input":
                client.close_input()
            else:
                client.tell("notifications/cancelled", {"requestId": call})
        up = _up(spy, at)
        assert until(lambda: bool(client.audit())), "no audit line"
        time.sleep(max(0.0, at + 2 * QUIET_SECONDS - time.monotonic()))  # what may not come, has time to come
        if how != "cancel":
            client.ended(PATIENCE)
        return End(how, boundary, up, spy.last() - at, len(client.audit()), tuple(spy.down()), spy.pointer())


def steps(start: Point, stop: Point) -> list[dict[str, object]]:
    return [
        {"kind": "drag", "from_xy": [round(start.x), round(start.y)], "to_xy": [round(stop.x), round(stop.y)]},
        {"kind": "key", "combo": "ctrl+shift+end"},
        {"kind": "type", "text": TEXT},
    ]


def _up(spy: Spy, since: float) -> float:
    """When everything was first found up, in seconds after the end."""
    until(lambda: not spy.down())
    return time.monotonic() - since


def until(done: object) -> bool:
    assert callable(done)
    end = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    return True


def told(how: str, ends: list[End]) -> str:
    ups, quiets = [e.up for e in ends], [max(0.0, e.quiet) for e in ends]
    return (
        f"ended by {how}: {len(ends)} runs, {sum(bool(e.left_down) for e in ends)} with something down, "
        f"{sum(e.lines != 1 for e in ends)} without their line; all up after {1e3 * statistics.median(ups):.0f} ms "
        f"(median; most {1e3 * max(ups):.0f}), last event after {1e3 * statistics.median(quiets):.0f} ms "
        f"(most {1e3 * max(quiets):.0f})"
    )

"""Random changes to a window, and a wait's quick answer after each: never yes where a whole look then says no."""

from __future__ import annotations

import random
import time
from collections import Counter
from pathlib import Path

import pytest

from mac_commander.core import waiting
from mac_commander.core.waiting import TextWatch, shows
from mac_commander.desktops.base import Desktop
from mac_commander.model import Limits
from tests.conftest import not_run
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, app, raise_scene, window, world
from tests.desktops.test_ref_identity import (
    FEWEST,
    HOWS,
    MOST,
    MUTATIONS,
    ROWS,
    SEED,
    Changing,
    ChangingApp,
    ChangingMac,
)
from tests.lab import Lab
from tests.witness import FOLDER, SYSTEM_PYTHON, Reporting, missing

SOON = 0.5
"""Seconds in which an app tells of a change, on a busy machine too."""


def play(game: Changing, mutations: int) -> Counter[str]:
    """How often the quick answer was right, and how often the change was not noticed by it."""
    chance = random.Random(SEED)
    outcomes = Counter[str]()
    for _ in range(mutations):
        kind, how = chance.choice(("button", "row")), chance.choice(HOWS)
        there = [t for t in game.things() if t.kind == kind]
        how = "add" if len(there) < FEWEST else "remove" if len(there) > MOST and how == "add" else how
        place = chance.randrange(len(there))
        fresh = f"{kind} new {game.names[kind] + 1}"
        text = chance.choice([there[place].label, chance.choice(there).label, fresh])
        watch = TextWatch(game.desktop, game.app, text)
        before = watch.holds()
        game.change(kind, how, place, chance)
        outcomes[noticed(game, watch, text, before, f"{how} {kind}")] += 1
    return outcomes


def noticed(game: Changing, watch: TextWatch, text: str, before: bool, what: str) -> str:
    end = time.monotonic() + SOON
    while (now := watch.holds()) is before and time.monotonic() < end:
        game.desktop.idle(0.02)
    whole = shows(game.desktop.snapshot(game.app, Limits()), text)
    if now is not before:
        return "right" if now is whole else f"WRONG {what} {'until' if now else 'gone'}"
    return "same" if whole is before else f"missed {what} {'gone' if before else 'until'}"


@pytest.fixture(autouse=True)
def told_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No whole look but the first, and where the app told too much."""
    monkeypatch.setattr(waiting, "LOOK_SECONDS", float("inf"))


@pytest.mark.parametrize("toolkit", ROWS)
def test_real_windows(x11_desktop: Desktop, lab: Lab, toolkit: str) -> None:
    if lacking := missing(toolkit, lab):
        not_run(f"needs {lacking}")
    with Reporting(lab, [SYSTEM_PYTHON, str(FOLDER / f"changing_{toolkit}.py")]) as process:
        process.wait("ready", seconds=20)
        lab.wait_window(pid=process.pid)
        target = next(a for a in x11_desktop.apps() if a.pid == process.pid)
        judge(play(ChangingApp(x11_desktop, target, process, ROWS[toolkit]), MUTATIONS))


def test_simulated_mac(tmp_path: Path) -> None:
    scene = raise_scene(tmp_path, world(app(TEXTEDIT, windows=[window()]), CHAT))
    judge(play(ChangingMac(scene), MUTATIONS))
    scene.desktop.close()


def judge(outcomes: Counter[str]) -> None:
    print(dict(outcomes))
    assert not [outcome for outcome in outcomes if outcome.startswith("WRONG")]

"""Random changes to a window, and a ref acted on after each: what is touched is what the ref was given for, or nothing.

``MAC_COMMANDER_MUTATIONS=1000`` plays the long game; the number of stale answers is printed (``pytest -s``).
"""

from __future__ import annotations

import os
import random
from abc import ABC, abstractmethod
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from mac_commander.core.config import Config
from mac_commander.core.session import Session
from mac_commander.core.stop import Stop
from mac_commander.desktops.base import Desktop
from mac_commander.errors import Stale
from mac_commander.model import App, ClickAt, Element, Limits, PressElement, State
from tests.conftest import not_run
from tests.lab import Lab
from tests.witness import FOLDER, SYSTEM_PYTHON, Reporting, missing

MUTATIONS = int(os.environ.get("MAC_COMMANDER_MUTATIONS", "60"))
SEED = 7


class Thing(NamedTuple):
    """One button or row, as the app itself knows it."""

    kind: str
    number: int
    label: str


class Changing(ABC):
    """A window of buttons and rows that changes, and tells what was touched."""

    def __init__(self, desktop: Desktop, app: App) -> None:
        self.desktop = desktop
        self.app = app
        self.names = Counter[str]()

    @abstractmethod
    def things(self) -> list[Thing]:
        """Buttons, then rows, each in the order of the window."""

    @abstractmethod
    def change(self, kind: str, how: str, place: int, chance: random.Random) -> None: ...

    @abstractmethod
    def touched(self) -> list[Thing]:
        """What was pressed or clicked since the last time; ``kind`` empty."""

    @abstractmethod
    def is_listed(self, element: Element, kind: str) -> bool: ...

    def touch(self, element: Element, kind: str) -> None:
        if kind == "button":
            self.desktop.deliver(PressElement(element.key), self.app, lambda _: None)
        else:
            assert element.bounds is not None
            self.desktop.deliver(ClickAt(element.bounds.centre), self.app, lambda _: None)
        self.desktop.barrier(self.app, 3.0)

    def new_label(self, kind: str, chance: random.Random) -> str:
        """Mostly new; sometimes one that another has, or had."""
        if chance.random() < 0.2:
            return chance.choice([t.label for t in self.things() if t.kind == kind] or ["again"])
        self.names[kind] += 1
        return f"{kind} new {self.names[kind]}"


HOWS = ("add", "remove", "rename", "sort", "recreate")
FEWEST, MOST = 4, 12


def look(session: Session, world: Changing) -> dict[str, Thing]:
    """Refs of everything that shows, each with what the app says is in that place of the window."""
    things = world.things()
    session.look(world.app)
    seen = world.desktop.snapshot(world.app, Limits()).elements
    refs: dict[str, Thing] = {}
    for kind in ("button", "row"):
        elements = [e for e in seen if world.is_listed(e, kind)]
        of_kind = [t for t in things if t.kind == kind]
        assert [e.name for e in elements] == [t.label for t in of_kind]
        shown = [(e, t) for e, t in zip(elements, of_kind, strict=True) if State.OFFSCREEN not in e.states]
        refs |= {session.refs.ref(world.app, e): t for e, t in shown}
    return refs


def play(session: Session, world: Changing, mutations: int) -> Counter[str]:
    """How often the ref's own thing was touched, another one, and none because the ref was stale."""
    chance = random.Random(SEED)
    outcomes = Counter[str]()
    known = look(session, world)
    for _ in range(mutations):
        kind, how = chance.choice(("button", "row")), chance.choice(HOWS)
        there = [t for t in world.things() if t.kind == kind]
        how = "add" if len(there) < FEWEST else "remove" if len(there) > MOST and how == "add" else how
        world.change(kind, how, chance.randrange(len(there)), chance)
        ref = chance.choice(list(known))
        outcomes[act_on(session, world, ref, known[ref])] += 1
        known |= look(session, world)
        known = dict(list(known.items())[-60:])
    return outcomes


def act_on(session: Session, world: Changing, ref: str, meant: Thing) -> str:
    try:
        element = session.element(ref, world.app)
    except Stale:
        assert not world.touched()
        return "stale"
    if State.OFFSCREEN in element.states:
        return "out of sight"
    world.touch(element, meant.kind)
    touched = [(t.number, t.label) for t in world.touched()]
    return "right" if touched == [(meant.number, meant.label)] else f"wrong: {touched} for {meant}"


def session_on(desktop: Desktop, folder: Path) -> Session:
    return Session(desktop, Config(folder, input_blocklist=()), Stop())


class ChangingGtk(Changing):
    def __init__(self, desktop: Desktop, app: App, process: Reporting) -> None:
        super().__init__(desktop, app)
        self.process = process

    def things(self) -> list[Thing]:
        return [Thing(*each) for each in self.process.ask("things")]

    def change(self, kind: str, how: str, place: int, chance: random.Random) -> None:
        arguments: dict[str, list[Any]] = {
            "add": [self.new_label(kind, chance), place],
            "remove": [place],
            "rename": [place, self.new_label(kind, chance)],
            "sort": [chance.randrange(1000)],
            "recreate": [place],
        }
        self.process.ask(how, kind, *arguments[how])

    def touched(self) -> list[Thing]:
        return [Thing("", *each) for each in self.process.ask("touched")]

    def is_listed(self, element: Element, kind: str) -> bool:
        return element.role == {"button": "button", "row": "cell"}[kind]


def test_gtk3(x11_desktop: Desktop, lab: Lab, tmp_path: Path) -> None:
    if lacking := missing("gtk3", lab):
        not_run(f"needs {lacking}")
    with Reporting(lab, [SYSTEM_PYTHON, str(FOLDER / "changing.py")]) as process:
        process.wait("ready", seconds=20)
        lab.wait_window(pid=process.pid)
        app = next(a for a in x11_desktop.apps() if a.pid == process.pid)
        session = session_on(x11_desktop, tmp_path)
        session.bring_to_front(app)
        outcomes = play(session, ChangingGtk(x11_desktop, app, process), MUTATIONS)
    judge(outcomes)


def judge(outcomes: Counter[str]) -> None:
    print(dict(outcomes))
    assert set(outcomes) <= {"right", "stale", "out of sight"}
    assert outcomes["right"] > MUTATIONS / 10
    assert outcomes["stale"] > MUTATIONS / 10

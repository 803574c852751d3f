"""Random changes to a window, and a ref acted on after each: what is touched is what the ref was given for, or nothing.

``MAC_COMMANDER_MUTATIONS=1000`` plays the long game; the number of stale answers is printed (``pytest -s``).
"""

from __future__ import annotations

import os
import random
import time
from abc import ABC, abstractmethod
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mac_commander.core.config import Config
from mac_commander.core.session import Session
from mac_commander.core.stop import Stop
from mac_commander.desktops.base import Desktop
from mac_commander.errors import Stale
from mac_commander.events import ClickAt, PressElement
from mac_commander.model import App, Element, Limits, State
from simulated_mac.elements import Element as MacElement
from simulated_mac.geometry import Bounds
from tests.conftest import not_run
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, Scene, app, raise_scene, window, world
from tests.lab import Lab
from tests.witness import FOLDER, SYSTEM_PYTHON, Reporting, missing

MUTATIONS = int(os.environ.get("MAC_COMMANDER_MUTATIONS", "40"))
SEED = 7
PATIENCE = 3.0
"""Seconds until a touch that brought nothing counts as lost."""


class Thing(NamedTuple):
    """One button or row, as the app itself knows it."""

    kind: str
    number: int
    label: str


class Changing(ABC):
    """A window of buttons and rows that changes, and tells what was touched."""

    def __init__(self, desktop: Desktop, target: App) -> None:
        self.desktop = desktop
        self.app = target
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
FEWEST, MOST, START = 4, 12, 8


def look(session: Session, game: Changing) -> dict[str, Thing]:
    """Refs of everything that shows, each with what the app says is in that place of the window."""
    things = game.things()
    session.look(game.app)
    seen = game.desktop.snapshot(game.app, Limits()).elements
    refs: dict[str, Thing] = {}
    for kind in ("button", "row"):
        elements = [e for e in seen if game.is_listed(e, kind)]
        of_kind = [t for t in things if t.kind == kind]
        assert [e.name for e in elements] == [t.label for t in of_kind]
        shown = [(e, t) for e, t in zip(elements, of_kind, strict=True) if State.OFFSCREEN not in e.states]
        refs |= {session.refs.ref(game.app, e): t for e, t in shown}
    return refs


def play(session: Session, game: Changing, mutations: int) -> Counter[str]:
    """How often the ref's own thing was touched, another one, and none because the ref was stale."""
    chance = random.Random(SEED)
    outcomes = Counter[str]()
    known = look(session, game)
    for _ in range(mutations):
        kind, how = chance.choice(("button", "row")), chance.choice(HOWS)
        there = [t for t in game.things() if t.kind == kind]
        how = "add" if len(there) < FEWEST else "remove" if len(there) > MOST and how == "add" else how
        game.change(kind, how, chance.randrange(len(there)), chance)
        ref = chance.choice(list(known))
        outcomes[act_on(session, game, ref, known[ref])] += 1
        known |= look(session, game)
        known = dict(list(known.items())[-60:])
    return outcomes


def act_on(session: Session, game: Changing, ref: str, meant: Thing) -> str:
    try:
        element = session.element(ref, game.app)
    except Stale:
        assert not game.touched()
        return "stale"
    if State.OFFSCREEN in element.states:
        return "out of sight"
    game.touch(element, meant.kind)
    touched = [(t.number, t.label) for t in touched_by_now(game)]
    return "right" if touched == [(meant.number, meant.label)] else f"wrong: {touched} for {meant}"


def touched_by_now(game: Changing) -> list[Thing]:
    """Qt shows a button pressed for a tenth of a second before it is."""
    end = time.monotonic() + PATIENCE
    while not (touched := game.touched()) and time.monotonic() < end:
        time.sleep(0.02)
    return touched


def session_on(desktop: Desktop, folder: Path) -> Session:
    return Session(desktop, Config(folder, input_blocklist=()), Stop())


ROWS = {"gtk3": "cell", "gtk4": "listitem", "qt6": "listitem"}
"""What a row of the list is in each toolkit."""


class ChangingApp(Changing):
    def __init__(self, desktop: Desktop, target: App, process: Reporting, row: str) -> None:
        super().__init__(desktop, target)
        self.process = process
        self.roles = {"button": "button", "row": row}

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
        return element.role == self.roles[kind]


@pytest.mark.parametrize("toolkit", ROWS)
def test_real_windows(x11_desktop: Desktop, lab: Lab, tmp_path: Path, toolkit: str) -> None:
    if lacking := missing(toolkit, lab):
        not_run(f"needs {lacking}")
    with Reporting(lab, [SYSTEM_PYTHON, str(FOLDER / f"changing_{toolkit}.py")]) as process:
        process.wait("ready", seconds=20)
        lab.wait_window(pid=process.pid)
        target = next(a for a in x11_desktop.apps() if a.pid == process.pid)
        session = session_on(x11_desktop, tmp_path)
        session.bring_to_front(target)
        outcomes = play(session, ChangingApp(x11_desktop, target, process, ROWS[toolkit]), MUTATIONS)
    judge(outcomes)


WIDTH, HEIGHT = 120, 20


class ChangingMac(Changing):
    """Rows are views that a sort often uses again for other rows, as AppKit does. Live labels are unique, so that the
    journal's title of what was pressed names one thing."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene.desktop, scene.app())
        self.machine = scene.machine
        self.window, self.owner = scene.machine.apps[0].windows[0], scene.machine.apps[0]
        self.numbers: dict[str, int] = {}
        self.lists: dict[str, list[Any]] = {"button": [], "row": []}
        for n in range(START):
            for kind in self.lists:
                self._add(kind, f"{kind} {n}", n)

    def _add(self, kind: str, label: str, place: int) -> None:
        self.numbers[label] = max(self.numbers.values(), default=0) + 1
        spec = {"role": "AXButton", "title": label, "bounds": [0, 0, 1, 1]}
        if kind == "row":
            text = {"role": "AXStaticText", "value": label, "bounds": [0, 0, 1, 1]}
            spec = {"role": "AXRow", "bounds": [0, 0, 1, 1], "children": [{"role": "AXCell", "children": [text]}]}
        self.lists[kind].insert(place, MacElement(spec, self.window, self.owner))
        self._lay_out()

    def _lay_out(self) -> None:
        self.window.children = [*self.lists["button"], *self.lists["row"]]
        for column, there in enumerate(self.lists.values()):
            for n, element in enumerate(there):
                x, y = 120 + column * 2 * WIDTH, 100 + n * HEIGHT
                for node in element.walk():
                    node.bounds = Bounds(x, y, WIDTH, HEIGHT)

    def _text(self, element: Any) -> Any:
        return next((n for n in element.walk() if n.role == "AXStaticText"), None)

    def label(self, element: Any) -> str:
        text = self._text(element)
        return str(text.value if text else element.title)

    def things(self) -> list[Thing]:
        named = [(kind, self.label(element)) for kind, there in self.lists.items() for element in there]
        return [Thing(kind, self.numbers[label], label) for kind, label in named]

    def new_label(self, kind: str, chance: random.Random) -> str:
        self.names[kind] += 1
        return f"{kind} new {self.names[kind]}"

    def change(self, kind: str, how: str, place: int, chance: random.Random) -> None:
        there = self.lists[kind]
        if how == "add":
            self._add(kind, self.new_label(kind, chance), place)
        elif how in ("remove", "recreate"):
            there[place].end()
            label = self.label(there.pop(place))
            if how == "recreate":
                self._add(kind, label, place)
        elif how == "rename":
            self._rename(there[place], self.new_label(kind, chance))
        else:
            self._sort(kind, chance)
        self._lay_out()

    def _rename(self, element: Any, label: str) -> None:
        """The same thing under another name."""
        self.numbers[label] = self.numbers[self.label(element)]
        self._relabel(element, label)

    def _relabel(self, element: Any, label: str) -> None:
        text = self._text(element)
        if text:
            text.value = label
        else:
            element.title = label

    def _sort(self, kind: str, chance: random.Random) -> None:
        there = self.lists[kind]
        if chance.random() < 0.5:
            chance.shuffle(there)
            return
        labels = [self.label(element) for element in there]
        chance.shuffle(labels)
        for element, label in zip(there, labels, strict=True):
            self._relabel(element, label)

    def touched(self) -> list[Thing]:
        lines, self.machine.journal.lines[:] = list(self.machine.journal.lines), []
        pressed = [line["title"] for line in lines if line["event"] == "press"]
        clicked = [self._row_at(*line["at"]) for line in lines if line["event"] == "mouse_down"]
        return [Thing("", self.numbers.get(label, 0), label) for label in pressed + clicked]

    def _row_at(self, x: float, y: float) -> str:
        return next((self.label(r) for r in self.lists["row"] if r.bounds and r.bounds.contains((x, y))), "nothing")

    def is_listed(self, element: Element, kind: str) -> bool:
        return element.role == kind


def test_simulated_mac(tmp_path: Path) -> None:
    scene = raise_scene(tmp_path, world(app(TEXTEDIT, windows=[window()]), CHAT))
    judge(play(session_on(scene.desktop, tmp_path), ChangingMac(scene), MUTATIONS))
    scene.desktop.close()


def judge(outcomes: Counter[str]) -> None:
    print(dict(outcomes))
    assert set(outcomes) <= {"right", "stale", "out of sight"}
    assert outcomes["right"] > MUTATIONS / 10
    assert outcomes["stale"] > MUTATIONS / 10

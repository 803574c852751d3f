"""How soon a person stops us: ``python -m bench.guard.human [--runs N]``.

The real server types into a GTK 3 window, or waits in mid-batch, when a key or Escape is pressed, or the mouse moved or
clicked, on the X server's own devices, which count as a person's. Told are the times from that to the last event of
all, and to the server's answer; with and without a compositor. Wants Xvfb, metacity and picom.
"""

from __future__ import annotations

import argparse
import random
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from bench.guard.__main__ import plain, stage
from bench.guard.typists import Ours
from Xlib.display import Display

from mac_commander.demo.private_desktop import PrivateDesktop
from mac_commander.demo.processes import end
from tests.desktops.x11.conftest import Human
from tests.kill.spy import Spy

A, ESCAPE = 38, 9
"""Keycodes of evdev keyboards."""

DEEDS = ("key", "escape", "move", "click")
TEXT = 4_000
"""Characters: more than are typed before the person acts."""


@dataclass(frozen=True)
class Stopped:
    """One run, in seconds after the person's deed."""

    quiet: float
    """The last event of all, whoever's."""
    answered: float
    cause: str


def main() -> None:
    parser = argparse.ArgumentParser("python -m bench.guard.human", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=15, help="of each kind")
    runs = parser.parse_args().runs
    print("| in mid | the person | compositor | runs | said so | last event after (median, most) | answer after |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for compositor in ("", "picom"):
        with stage("metacity", "gtk3", Ours) as (desktop, _, typist), composited(desktop, compositor):
            assert isinstance(typist, Ours)
            for batch in ("text", "wait"):
                for deed in DEEDS:
                    found = [stopped(desktop, typist, batch, deed) for _ in range(runs)]
                    print(told(batch, deed, compositor, found), flush=True)


@contextmanager
def composited(desktop: PrivateDesktop, program: str) -> Iterator[None]:
    if not program:
        yield
        return
    process = desktop.spawn([program, "--backend", "xrender"])
    time.sleep(2)
    assert process.poll() is None, f"{program} ended"
    try:
        yield
    finally:
        end(process)


def stopped(desktop: PrivateDesktop, typist: Ours, batch: str, deed: str) -> Stopped:
    typist.target.clear()
    typist.target.raise_window()
    text = {"kind": "type", "text": plain(TEXT, random.Random())}
    steps = [text] if batch == "text" else [{"kind": "type", "text": "x"}, {"kind": "wait", "ms": 5_000}]
    answer: list[tuple[float, dict[str, Any]]] = []

    def act() -> None:
        answer.append((0.0, typist.act(steps)))
        answer[0] = (time.monotonic(), answer[0][1])

    display = Display(desktop.display)
    with Spy(desktop.display) as spy:
        thread = threading.Thread(target=act)
        thread.start()
        while not spy.events:
            time.sleep(0.002)
        time.sleep(random.uniform(0.1, 0.8))
        at = time.monotonic()
        _do(Human(display), deed)
        thread.join(30)
        time.sleep(0.5)  # what may not come, has time to come
    display.close()
    when, told = answer[0]
    return Stopped(spy.last() - at, when - at, told.get("failed_step", {}).get("cause", "nothing"))


def _do(human: Human, deed: str) -> None:
    if deed == "move":
        human.move(random.randrange(300, 900), random.randrange(300, 600))
    elif deed == "click":
        human.click()
    else:
        human.tap(ESCAPE if deed == "escape" else A)


def told(batch: str, deed: str, compositor: str, found: list[Stopped]) -> str:
    quiet, answered = [f.quiet for f in found], [f.answered for f in found]
    said = sum(f.cause == "human" for f in found)
    cells = [batch, deed, compositor or "none", str(len(found)), str(said), _both(quiet), _both(answered)]
    return "| " + " | ".join(cells) + " |"


def _both(seconds: list[float]) -> str:
    return f"{1e3 * statistics.median(seconds):.0f} ms, {1e3 * max(seconds):.0f} ms"


if __name__ == "__main__":
    main()

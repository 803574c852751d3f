"""Ours beside its peers against a thief: ``python -m bench.guard [--quick] [--only PART …] [--out FILE]``.

The thief takes the focus (past the window manager or through it), grabs the keyboard, or maps a window under the
pointer, at random moments between 20 µs and 50 ms. Counted are characters and clicks that it got, those that were
right in the target, and the speed. Prints one table, and draws docs/guard.svg.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import random
import string
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from bench.guard.table import Row, markdown, plot
from bench.guard.targets import NAMES, Target, opened
from bench.guard.thief import Loot, at_work
from bench.guard.typists import PEERS, Ours, PyAutoGui, Typist, Xdotool, XdotoolFast
from Xlib import X
from Xlib.display import Display

from mac_commander.demo.private_desktop import PrivateDesktop

ROUND = 1_000
"""Characters between two looks at the target, which is then cleared: GTK 3 is slow with long paragraphs."""

PRESSES = "popup, by ref"
PARTS = ("typing", "modes", "peers", "quiet", "clicks", "unicode")
KEYS = string.ascii_letters + string.digits + " ,.-;:()"


@dataclasses.dataclass(frozen=True)
class Sizes:
    typing: int = 20_000
    peers: int = 2_000
    clicks: int = 2_001
    peer_clicks: int = 150
    unicode: int = 20_000


QUICK = Sizes(1_000, 300, 100, 30, 400)


def main() -> None:
    parser = argparse.ArgumentParser("python -m bench.guard", description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--quick", action="store_true", help="a twentieth of everything, to see that it works")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--rows", type=Path, help="append each trial to this file as JSON, and begin with those in it")
    options = parser.parse_args()
    sizes = QUICK if options.quick else Sizes()
    rows = _kept(options.rows)
    for part in options.only:
        for row in PARTS_DONE[part](sizes):
            rows.append(row)
            print(row, flush=True)
            if options.rows:
                with options.rows.open("a") as file:
                    file.write(json.dumps(dataclasses.asdict(row)) + "\n")
    print(markdown(rows))
    plot(rows, Path(__file__).parents[2] / "docs" / "guard.svg")


def _kept(file: Path | None) -> list[Row]:
    return [Row(**json.loads(line)) for line in file.read_text().splitlines()] if file and file.exists() else []


# --- the parts -----------------------------------------------------------------------------------------------


def typing(sizes: Sizes) -> Iterator[Row]:
    """Ours in every toolkit under metacity."""
    for name in NAMES:
        with stage("metacity", name, Ours) as (desktop, target, typist):
            yield typed(desktop, target, typist, "focus", sizes.typing)


def modes(sizes: Sizes) -> Iterator[Row]:
    """The other ways to steal, and the other window managers."""
    for mode in ("activate", "grab"):
        with stage("metacity", "gtk3", Ours) as (desktop, target, typist):
            yield typed(desktop, target, typist, mode, sizes.peers)
    for manager in ("openbox", "xfwm4"):
        with stage(manager, "gtk3", Ours) as (desktop, target, typist):
            yield typed(desktop, target, typist, "focus", sizes.peers)


def peers(sizes: Sizes) -> Iterator[Row]:
    for kind in (Ours, *PEERS):
        yield from _or_said(kind, partial(_peer, kind, sizes, "focus"))


def quiet(sizes: Sizes) -> Iterator[Row]:
    """Throughput without a thief."""
    for kind in (Ours, Xdotool, XdotoolFast):
        yield _peer(kind, sizes, "quiet")


def clicks(sizes: Sizes) -> Iterator[Row]:
    """A window under the pointer, against clicks by the pointer and presses by accessibility."""
    for manager in ("metacity", "openbox"):
        yield _clicks(Ours, manager, "popup", sizes.clicks)
    yield _clicks(Ours, "xfwm4", "popup", sizes.peer_clicks)  # each is refused, in a call of its own
    yield _clicks(Ours, "xfwm4", PRESSES, sizes.clicks)
    for manager in ("metacity", "openbox", "xfwm4"):
        for kind in (Xdotool, PyAutoGui):
            yield from _or_said(kind, partial(_clicks, kind, manager, "popup", sizes.peer_clicks))


def unicode(sizes: Sizes) -> Iterator[Row]:
    """Random characters of all planes, no thief; exact or not."""
    for name in ("gtk3", "qt6", "xterm"):
        with stage("xfwm4", name, Ours) as (desktop, target, typist):
            yield typed(desktop, target, typist, "quiet", sizes.unicode, foreign)


PARTS_DONE = {
    "typing": typing,
    "modes": modes,
    "peers": peers,
    "quiet": quiet,
    "clicks": clicks,
    "unicode": unicode,
}


# --- one trial -----------------------------------------------------------------------------------------------


@contextmanager
def stage(manager: str, name: str, kind: type[Typist]) -> Iterator[tuple[PrivateDesktop, Target, Typist]]:
    """A desktop of its own for each trial: peers leave keys and focus as they like."""
    with PrivateDesktop(window_manager=manager) as desktop, closing(opened(desktop, name)) as target:
        _keep_awake(desktop)
        target.kind, target.manager = name, manager
        with closing(kind(desktop, target)) as typist:
            yield desktop, target, typist
            for reason, times in getattr(typist, "reasons", Counter()).most_common(5):
                print(f"  refused {times} times {reason}", file=sys.stderr, flush=True)


def _keep_awake(desktop: PrivateDesktop) -> None:
    """No screen saver: a press by accessibility is no input to the X server, which saves the screen after ten minutes
    without any, and a saved screen is one that may be locked."""
    display = Display(desktop.display)
    display.set_screen_saver(0, 0, X.DontPreferBlanking, X.DontAllowExposures)
    display.sync()
    display.close()


def plain(count: int, chance: random.Random) -> str:
    return "".join(chance.choice(KEYS) for _ in range(count))


RANGES = (
    (0x21, 0x7E), (0xA1, 0x17F), (0x391, 0x3A1), (0x410, 0x44F), (0x5D0, 0x5EA), (0x627, 0x63A), (0x300, 0x36F),
    (0x2010, 0x2027), (0x3041, 0x3096), (0x4E00, 0x9FA5), (0xAC00, 0xD7A3), (0x10280, 0x1029C), (0x1F300, 0x1F64F),
    (0x20000, 0x2A6D6),
)  # fmt: skip


def foreign(count: int, chance: random.Random) -> str:
    """All planes that people use, combining marks and joined emoji."""
    pieces: list[str] = []
    while sum(map(len, pieces)) < count:
        joined = chance.random() < 0.02
        pieces.append("👩‍👩‍👧" if joined else chr(chance.randint(*chance.choice(RANGES))))
    return "".join(pieces)[:count]


def typed(
    desktop: PrivateDesktop,
    target: Target,
    typist: Typist,
    mode: str,
    count: int,
    make: Callable[[int, random.Random], str] = plain,
) -> Row:
    chance, arrived, seconds, loot = random.Random(7), 0, 0.0, Loot()
    for begin in range(0, count, ROUND):
        text = make(min(ROUND, count - begin), chance)
        target.clear()
        target.raise_window()
        with thief(desktop, mode) as got:
            began = time.monotonic()
            typist.type(text)
            sent = time.monotonic()
        there, since = target.settled(len(text))
        seconds += max(sent, since) - began
        arrived += in_order(text, there)
        loot = Loot(*(getattr(loot, f.name) + getattr(got, f.name) for f in dataclasses.fields(Loot)))
    refused = getattr(typist, "refusals", 0)
    what = "all of Unicode" if make is foreign else mode
    return Row(
        typist.name, what, target.kind, target.manager, count, arrived, loot.presses, loot.releases, loot.had,
        arrived / seconds, refused,
    )  # fmt: skip


def clicked(
    desktop: PrivateDesktop, target: Target, typist: Typist, what: str, count: int, click: Callable[[], int]
) -> Row:
    target.clear()
    target.raise_window()
    with thief(desktop, "popup", target.button()) as loot:
        began = time.monotonic()
        refused = click()
        seconds = time.monotonic() - began
    time.sleep(1)
    arrived = target.clicks()
    return Row(
        typist.name, what, target.kind, target.manager, count, arrived, loot.clicks, 0, loot.had, arrived / seconds,
        refused,
    )  # fmt: skip


@contextmanager
def thief(desktop: PrivateDesktop, mode: str, box: Sequence[int] = ()) -> Iterator[Loot]:
    if mode == "quiet":
        yield Loot()
    else:
        with at_work(desktop, mode, box) as loot:
            yield loot


def in_order(text: str, arrived: str) -> int:
    """How many of the text's characters arrived in their order; a foreign one among them ends the count."""
    at = count = 0
    for char in arrived:
        found = text.find(char, at)
        if found < 0:
            break
        at, count = found + 1, count + 1
    return count


def _peer(kind: type[Typist], sizes: Sizes, mode: str) -> Row:
    with stage("metacity", "gtk3", kind) as (desktop, target, typist):
        return typed(desktop, target, typist, mode, sizes.peers)


def _clicks(kind: type[Typist], manager: str, what: str, count: int) -> Row:
    with stage(manager, "gtk3", kind) as (desktop, target, typist):
        x, y, width, height = target.button()
        if what == PRESSES:
            assert isinstance(typist, Ours)
            return clicked(desktop, target, typist, what, count, partial(typist.press, count))
        click = partial(typist.click, x + width // 2, y + height // 2, count)
        return clicked(desktop, target, typist, what, count, click)


def _or_said(kind: type[Typist], trial: Callable[[], Row]) -> Iterator[Row]:
    """A peer that cannot be installed or does not answer is told, and costs nobody the rest."""
    try:
        yield trial()
    except (subprocess.SubprocessError, TimeoutError, OSError) as error:
        print(f"{kind.name}: no trial ({type(error).__name__}: {error})", flush=True)


if __name__ == "__main__":
    main()

"""Keysyms against the toolkit's own table, and strokes against layouts made by hand."""

from __future__ import annotations

import json
import subprocess

from hypothesis import given
from hypothesis import strategies as st

from mac_commander.desktops.x11 import keysyms
from mac_commander.desktops.x11.keymap import Keymap, Stroke
from mac_commander.desktops.x11.xtest import chord_events, key, scroll_events, tap, text_events
from mac_commander.model import Point
from tests.lab import Lab
from tests.witness import SYSTEM_PYTHON, missing

GDK = """
import gi, json
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk
print(json.dumps([Gdk.keyval_to_unicode(k) for k in range(0x20, 0xFE00)]))
"""


def test_every_keysym_that_gdk_knows_means_the_same(lab: Lab) -> None:
    assert not missing("gtk3", lab)
    told = subprocess.run([SYSTEM_PYTHON, "-c", GDK], env=lab.env, capture_output=True, check=True).stdout
    known = {k: chr(code) for k, code in enumerate(json.loads(told), 0x20) if code}
    wrong = {hex(k): (c, known[k]) for k in known if (c := keysyms.character(k)) and c != known[k]}
    assert wrong == {}
    spoken = sum(bool(keysyms.character(k)) for k in known)
    assert spoken > 700


@given(st.characters(exclude_categories=("Cs", "Cc")))
def test_a_characters_own_keysym_reads_back(char: str) -> None:
    assert keysyms.character(keysyms.keysym(char)) == char
    assert keysyms.typable(char)


US = {38: (0x61, 0x41, 0x61, 0x41), 50: (0xFFE1,), 66: (0xFFE5,), 92: (0xFE03,), 36: (0xFF0D,), 23: (0xFF09,)}
MODIFIERS = ((50,), (66,), (), (), (), (), (), (92,))


def made(extra: dict[int, tuple[int, ...]]) -> Keymap:
    keys = US | extra
    rows = tuple((*keys.get(k, ()), *[0] * 7)[:7] for k in range(8, 256))
    return Keymap(8, rows, MODIFIERS)


def test_levels_and_groups() -> None:
    keymap = made(
        {
            24: (0x71, 0x51, 0x71, 0x51, 0x40, 0x7D9, 0),  # one group, four levels: q Q @ Ω
            25: (0x77, 0x57, 0x6C3, 0x6E3, 0, 0, 0),  # two groups: w W, ц Ц
            26: (0xFE52, 0x5E, 0xFE52, 0x5E, 0, 0, 0),  # a dead circumflex, and a plain one
            87: (0xFFB1, 0x31, 0xFFB1, 0x31, 0, 0, 0),  # keypad 1: NumLock decides
        }
    )
    assert keymap.stroke("A", 0) == Stroke(38, shift=True)
    assert keymap.stroke("@", 0) == keymap.stroke("@", 1) == Stroke(24, level3=True)
    assert keymap.stroke("Ω", 0) == Stroke(24, shift=True, level3=True)
    assert (keymap.stroke("w", 0), keymap.stroke("w", 1)) == (Stroke(25), None)
    assert (keymap.stroke("ц", 0), keymap.stroke("Ц", 1)) == (None, Stroke(25, shift=True))
    assert keymap.stroke("^", 0) == Stroke(26, shift=True)
    assert keymap.stroke("1", 0) is None
    assert keymap.stroke("\n", 0) == Stroke(36)
    assert 9 in keymap.spare
    assert not {8, 38, 50, 92} & {*keymap.spare}
    assert keymap.chord_stroke("w", 1) == Stroke(25)


def test_shifts_are_pressed_only_where_they_change_and_end_up() -> None:
    strokes = [Stroke(38, shift=True), Stroke(39, shift=True), Stroke(40), Stroke(24, level3=True)]
    down, up = key(50, down=True), key(50, down=False)
    assert text_events(strokes, 50, 92) == [
        down, *tap(38), *tap(39), up, *tap(40), key(92, down=True), *tap(24), key(92, down=False)
    ]  # fmt: skip


@given(
    st.lists(st.builds(Stroke, st.integers(9, 255).filter(lambda k: k not in (50, 92)), st.booleans(), st.booleans()))
)
def test_everything_pressed_is_let_go(strokes: list[Stroke]) -> None:
    held: set[int] = set()
    for kind, detail, _, _ in text_events(strokes, 50, 92):
        (held.add if kind == 2 else held.discard)(detail)
    assert not held


def test_a_chord_lets_go_in_reverse_order() -> None:
    pressed = chord_events([37, 50], tap(38))
    assert [(e.kind, e.detail) for e in pressed] == [(2, 37), (2, 50), (2, 38), (3, 38), (3, 50), (3, 37)]


def test_scrolling_goes_by_notches_with_the_contracts_signs() -> None:
    def buttons(dx: int, dy: int) -> list[int]:
        return [e.detail for e in scroll_events(Point(1, 1), dx, dy, shielded=False) if e.kind == 4]

    assert buttons(0, 80) == [4, 4]
    assert buttons(0, -1) == [5]
    assert buttons(40, -120) == [5, 5, 5, 6]
    assert buttons(-40, 0) == [7]
    assert buttons(0, 0) == []

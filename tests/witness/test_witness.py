"""The witnesses themselves, with xdotool as the hand: one that misses an event makes every other test worthless."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable

import pytest

from tests.conftest import not_run
from tests.lab import Lab
from tests.witness import Thief, Witness

Hand = Callable[..., None]


@pytest.fixture
def hand(lab: Lab) -> Hand:
    """xdotool: input that is not ours."""
    if shutil.which("xdotool") is None:
        not_run("these tests move a hand that is not ours: install xdotool")
    return lambda *words: subprocess.run(["xdotool", *map(str, words)], env=lab.env, check=True) and None


def _over(witness: Witness, name: str) -> tuple[int, int]:
    centre = witness.bounds(name).centre
    return int(centre.x), int(centre.y)


def test_keys_and_what_they_made(witness: Witness, hand: Hand) -> None:
    assert witness.ask("focus", "Name") == "Name"
    witness.wait("focus_in", "Name")
    hand("type", "a_B")
    witness.wait("value", "Name", value="a_B")
    keys = [e["text"] for e in witness.events("key_down", "Name") if e["text"]]
    assert keys == ["a", "_", "B"]
    hand("key", "ctrl+a")
    assert witness.wait("key_down", "Name", modifiers=["ctrl"])
    assert witness.values["Name"] == "a_B"


def test_clicks_land_where_bounds_say(witness: Witness, hand: Hand) -> None:
    for name in ("Save", "Wrap lines", "Right"):
        at = _over(witness, name)
        hand("mousemove", *at, "click", 1)
        down = witness.wait("mouse_down", name)
        assert (down["button"], tuple(down["at"])) == (1, at)
    witness.wait("activate", "Save")
    assert witness.values["Wrap lines"] is True
    assert witness.values["Right"] is True


def test_double_and_right_clicks(witness: Witness, hand: Hand) -> None:
    hand("mousemove", *_over(witness, "Drop here"), "click", "--repeat", 2, "--delay", 20, 1)
    witness.wait("mouse_down", "Drop here", clicks=2)
    hand("click", 3)
    witness.wait("mouse_down", "Drop here", button=3)


def test_a_disabled_button_does_nothing(witness: Witness, hand: Hand) -> None:
    hand("mousemove", *_over(witness, "Publish"), "click", 1)
    witness.wait("mouse_up")
    assert not witness.events("activate")


def test_wheel(witness: Witness, hand: Hand) -> None:
    hand("mousemove", *_over(witness, "Scroll area"), "click", "--repeat", 3, 5)
    witness.wait("scroll", dy=1)
    witness.wait("value", "Scroll area")
    assert witness.values["Scroll area"] > 0


def test_drag(witness: Witness, hand: Hand) -> None:
    (x, y), (to_x, to_y) = _over(witness, "Drag me"), _over(witness, "Drop here")
    hand("mousemove", x, y, "mousedown", 1)
    for part in range(1, 11):
        hand("mousemove", x + (to_x - x) * part // 10, y + (to_y - y) * part // 10)
    witness.wait("drag")
    hand("mousemove", to_x + 1, to_y, "sleep", 0.1, "mouseup", 1)
    assert witness.wait("drop", "Drop here")["text"] == "dragged text"


def test_dialog(witness: Witness, hand: Hand) -> None:
    witness.ask("dialog")
    witness.wait("focus_in", "Dialog entry")
    witness.wait("focus_in", "dialog")  # in GTK 4 the entry has the focus in its window before that has the keyboard
    hand("type", "x")
    witness.wait("value", "Dialog entry", value="x")
    hand("key", "Escape")
    witness.wait("closed", "dialog")


def test_a_replaced_button_is_a_new_one(witness: Witness, hand: Hand) -> None:
    witness.ask("rename", "Save", "Keep")
    witness.ask("replace", "Save")
    time.sleep(0.2)  # the toolkit lays the new button out; it has no event for it
    hand("mousemove", *_over(witness, "Save"), "click", 1)
    witness.wait("activate", "Save")


def test_the_thief_takes_focus_and_tells(lab: Lab, thief: Thief, witness: Witness, hand: Hand) -> None:
    thief.ask("focus")
    hand("key", "z")
    assert thief.stolen >= 1
    assert [e["text"] for e in thief.took if e["event"] == "key_down"] == ["z"]
    assert not witness.events("key_down")


def test_the_thief_grabs_the_keyboard_without_focus(thief: Thief, witness: Witness, hand: Hand) -> None:
    witness.ask("focus", "Name")
    thief.ask("give_focus", witness.window)
    thief.ask("settle")
    assert thief.ask("grab_keyboard") is True
    hand("key", "z")
    assert [e["text"] for e in thief.took if e["event"] == "key_down"] == ["z"]
    thief.ask("ungrab")
    hand("key", "y")
    witness.wait("value", "Name", value="y")


def test_the_thief_covers_a_place(thief: Thief, witness: Witness, hand: Hand) -> None:
    x, y = _over(witness, "Save")
    thief.ask("cover", x - 20, y - 20, 40, 40)
    hand("mousemove", x, y, "click", 1)
    assert [e["event"] for e in thief.took] == ["mouse_down", "mouse_up"]
    thief.ask("uncover")
    thief.ask("settle")
    hand("click", 1)
    witness.wait("activate", "Save")


def test_the_thief_owns_a_hotkey(thief: Thief, witness: Witness, hand: Hand) -> None:
    thief.ask("hotkey", "j", "ctrl", "alt")
    hand("key", "ctrl+alt+j")
    assert "j" in [e["text"] for e in thief.took if e["event"] == "key_down"]


@pytest.mark.parametrize("mode", ["focus", "activate"])
def test_a_storm_steals_many_times(thief: Thief, witness: Witness, mode: str) -> None:
    steals = thief.ask("storm", mode, witness.window, 1.0, 0.002, 0.002)
    assert steals > 50
    assert thief.stolen > steals // 4

"""Against an adversary: what is meant for one app never lands in another. Each theft is asserted to have happened."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from mac_commander.desktops.x11.desktop import X11Desktop
from mac_commander.errors import Cause, Refused
from mac_commander.events import ClickAt, PressChord, TypeText
from mac_commander.model import Chord, Modifier, Point
from tests.desktops.x11.conftest import Hands, Human, drained, in_front, keys_down, wait
from tests.lab import Lab
from tests.witness import Thief, Witness

LINES = "".join(f"{n:03d} the quick brown fox jumps over the lazy dog, ÀÉß — again\n" for n in range(50))
CTRL = frozenset({Modifier.CTRL})
STORM_SECONDS = 300.0
"""Longer than any trial: the thief is ended with the test."""

ENOUGH, MOST_ROUNDS = 10, 8
"""Thefts that prove something, and how often a storm is raised to get them: on a busy machine one brings few, since the
window manager lets most requests for the front pass."""


@pytest.mark.timeout(400)
@pytest.mark.parametrize("mode", ["focus", "activate", "grab"])
def test_no_key_lands_in_a_thief(hands: Hands, editor: Witness, thief: Thief, mode: str) -> None:
    hands.desktop.activate(hands.target)
    assert wait(lambda: hands.desktop.frontmost() == hands.target)
    editor.ask("focus", "Notes")
    focus = hands.desktop.evidence().focus_window
    thief.forget()
    storm = 2.0 if mode == "grab" else 6.0
    hold = 0.03 if mode == "activate" else 0.004  # a window manager on a busy machine needs its time to obey
    steals = refusals = rounds = 0
    while rounds < MOST_ROUNDS and not (refusals and min(steals, steals if mode == "grab" else thief.stolen) > ENOUGH):
        rounds += 1
        thief.tell("storm", mode, focus, storm, 0.004, hold)
        refusals += hands.type_through_theft(LINES)
        with drained(editor):
            steals += thief.answer("storm", STORM_SECONDS)
        hands.back_in_front()
    assert steals > ENOUGH
    assert mode == "grab" or thief.stolen > ENOUGH, "the theft did not happen, so nothing is proven"
    assert refusals > 0
    assert thief.took == []
    assert editor.values["Notes"] == LINES * rounds


def test_a_held_keyboard_is_seen_and_said(hands: Hands, thief: Thief) -> None:
    hands.desktop.activate(hands.target)
    assert wait(lambda: hands.desktop.frontmost() == hands.target)
    assert thief.ask("grab_keyboard")
    assert hands.desktop.evidence().keyboard_grabbed
    with pytest.raises(Refused, match="holds the keyboard"):
        hands.send(TypeText("secret"))
    thief.ask("ungrab")
    assert not hands.desktop.evidence().keyboard_grabbed
    assert thief.took == []


def test_a_held_mouse_is_seen_and_said(hands: Hands, editor: Witness, thief: Thief) -> None:
    hands.desktop.activate(hands.target)
    assert wait(lambda: hands.desktop.frontmost() == hands.target)
    assert thief.ask("grab_pointer")
    with pytest.raises(Refused, match="holds the mouse"):
        hands.send(ClickAt(editor.bounds("Save").centre))
    thief.ask("ungrab")
    hands.send(ClickAt(editor.bounds("Save").centre))
    editor.wait("activate", "Save")
    assert thief.took == []


def test_a_probe_leaves_no_trace(hands: Hands, editor: Witness) -> None:
    """Looking must cause no focus or crossing events in the target, or menus would close under it."""
    editor.forget()
    for _ in range(50):
        hands.desktop.evidence(editor.bounds("Save").centre)
    assert [e for e in editor.events() if e["event"] in ("focus_in", "focus_out")] == []


@pytest.mark.parametrize("kind", ["core", "xi2"])
def test_a_global_hotkey_is_not_pressed(hands: Hands, lab: Lab, thief: Thief, kind: str) -> None:
    hands.desktop.activate(hands.target)
    assert wait(lambda: hands.desktop.frontmost() == hands.target)
    hotkey = Chord(frozenset({Modifier.CTRL, Modifier.SHIFT}), "y")
    if kind == "core":
        thief.ask("hotkey", "y", "ctrl", "shift")
    else:
        owner = subprocess.Popen([sys.executable, "-c", XI2_HOTKEY], env=lab.env, stdout=subprocess.PIPE, text=True)
        assert owner.stdout is not None
        assert owner.stdout.readline() == "ready []\n"
    try:
        with pytest.raises(Refused, match="global hotkey"):
            hands.send(PressChord(hotkey))
        hands.send(PressChord(Chord(CTRL, "y")))
        assert hands.judged[-1].hotkey is False
        assert thief.took == []
    finally:
        if kind == "xi2":
            owner.kill()
            owner.wait()
            owner.stdout.close()


XI2_HOTKEY = """
import time
from Xlib import X, display
from Xlib.ext import xinput
d = display.Display()
root = d.screen().root
keycode = d.keysym_to_keycode(ord("y"))
reply = root.xinput_grab_keycode(3, X.CurrentTime, keycode, 1, 1, True, 1 << xinput.KeyPress, [5])
print("ready", reply.modifiers, flush=True)
time.sleep(60)
"""


def test_text_with_a_key_that_is_a_hotkey_is_not_typed(hands: Hands, editor: Witness, thief: Thief) -> None:
    """A drop-down terminal may own a plain key."""
    hands.desktop.activate(hands.target)
    assert wait(lambda: hands.desktop.frontmost() == hands.target)
    thief.ask("hotkey", "q")
    hands.desktop.watch_human()
    hands.type("Q and others")
    with pytest.raises(Refused, match="global hotkey"):
        hands.type("quick")
    assert thief.took == []
    assert editor.values["Notes"] == "Q and others"


def test_the_window_managers_hotkeys_are_known(hands: Hands) -> None:
    with pytest.raises(Refused, match="global hotkey"):
        hands.send(PressChord(Chord(frozenset({Modifier.ALT}), "f4")))


def test_two_sources_that_disagree_are_quoted(hands: Hands, thief: Thief, lab: Lab) -> None:
    """Until the window manager has noticed a theft, it still names the target: here it is held up meanwhile."""
    hands.desktop.activate(hands.target)
    assert wait(lambda: hands.desktop.frontmost() == hands.target)
    window_manager = lab._parts[-1].pid
    os.kill(window_manager, signal.SIGSTOP)
    try:
        thief.ask("focus")
        assert wait(lambda: hands.desktop.evidence().frontmost is None)
        seen = hands.desktop.evidence()
        with pytest.raises(Refused, match=r"focus (lost|unknown) during step"):
            hands.send(TypeText("secret"))
    finally:
        os.kill(window_manager, signal.SIGCONT)
    assert seen.frontmost is None
    assert "the window manager says that Gtk3.py" in seen.disagreement
    assert "the keyboard focus is with Thief" in seen.disagreement
    assert thief.stolen
    assert thief.took == []


def test_a_persons_held_modifier_stops_text_and_clicks(hands: Hands, editor: Witness, human: Human) -> None:
    control = 37
    human.key(control, down=True)
    try:
        hands.desktop.watch_human()
        assert hands.desktop.evidence().modifiers_held == {Modifier.CTRL}
        with pytest.raises(Refused, match="ctrl") as refused:
            hands.send(TypeText("q"))
        assert refused.value.cause is Cause.HUMAN
        with pytest.raises(Refused, match="ctrl"):
            hands.send(ClickAt(editor.bounds("Save").centre))
    finally:
        human.key(control, down=False)
    hands.desktop.watch_human()
    assert not hands.desktop.evidence().modifiers_held
    hands.type("q")
    assert editor.values["Notes"] == "q"


@pytest.mark.parametrize(
    ("what", "seen"), [("key", "key"), ("escape", "escape"), ("click", "mouse"), ("move", "mouse")]
)
def test_a_person_stops_the_batch_and_our_own_events_do_not(
    hands: Hands, editor: Witness, human: Human, what: str, seen: str
) -> None:
    hands.type("our own keys, among them: ")
    hands.send(PressChord(Chord(frozenset(), "escape")))
    hands.send(ClickAt(editor.bounds("Notes").centre))
    assert hands.desktop.evidence().human is None
    if what == "click":
        human.click()
    elif what == "move":
        human.move(40, 40)
    else:
        human.tap(9 if what == "escape" else 38)
    assert wait(lambda: hands.desktop.evidence().human == seen)
    with pytest.raises(Refused) as refused:
        hands.send(TypeText("more"))
    assert refused.value.cause is Cause.HUMAN
    hands.desktop.watch_human()
    assert hands.desktop.evidence().human is None


def test_a_persons_key_in_mid_typing_stops_it_within_a_few_groups(hands: Hands, lab: Lab) -> None:
    """A key pressed by another process while we type as fast as we can."""
    press = [sys.executable, "-c", PRESS_SOON]
    other = subprocess.Popen(press, env=lab.env | {"PYTHONPATH": "."})
    with pytest.raises(Refused) as refused:
        hands.type("0123456789 " * 2_000)
    assert refused.value.cause is Cause.HUMAN
    assert other.wait(10) == 0


PRESS_SOON = """
import time
from Xlib.display import Display
from tests.desktops.x11.conftest import Human
time.sleep(0.3)
Human(Display()).tap(38)
"""


def test_the_targets_own_menu_stays_usable(hands: Hands, editor: Witness) -> None:
    """An open menu grabs keyboard and mouse; the grab is the target's own."""
    hands.send(ClickAt(editor.bounds("Colour").centre))
    assert wait(lambda: any(w.kind == "popup" for w in hands.desktop.windows(hands.target)))
    seen = hands.desktop.evidence()
    assert not seen.keyboard_grabbed
    assert not seen.pointer_grabbed
    hands.send(PressChord(Chord(frozenset(), "down")))
    hands.send(PressChord(Chord(frozenset(), "return")))
    assert editor.wait("value", "Colour")["value"] == "Green"


def test_nothing_is_down_after_any_end(hands: Hands, editor: Witness, thief: Thief, lab: Lab) -> None:
    hands.desktop.activate(hands.target)
    assert wait(lambda: hands.desktop.frontmost() == hands.target)
    hands.send(PressChord(Chord(frozenset({Modifier.CTRL, Modifier.SHIFT}), "a")))
    hands.send(ClickAt(editor.bounds("Notes").centre, modifiers=CTRL))
    thief.ask("focus")
    assert wait(lambda: hands.desktop.frontmost() != hands.target)
    with pytest.raises(Refused):
        hands.send(PressChord(Chord(CTRL, "c")))
    assert keys_down(lab) == 0


def test_a_grab_is_not_taken_for_a_pop_ups_own(hands: Hands, editor: Witness, thief: Thief) -> None:
    """Menus hold keyboard and mouse: who holds the keyboard alone is somebody else, whatever pop-up is open."""
    hands.desktop.activate(hands.target)
    assert wait(lambda: hands.desktop.frontmost() == hands.target)
    hands.send(ClickAt(editor.bounds("Colour").centre))
    assert wait(lambda: hands.desktop._delivery._witness._has_menu(hands.target.pid))
    hands.send(PressChord(Chord(frozenset(), "escape")))
    assert wait(lambda: thief.ask("grab_keyboard"))  # once the closing list has let go of it
    hands.desktop._delivery._witness._has_menu = lambda _: True  # type: ignore[method-assign]
    with pytest.raises(Refused, match="holds the keyboard"):
        hands.send(TypeText("secret"))
    thief.ask("ungrab")
    assert thief.took == []


def test_a_saved_screen_is_a_locked_one(hands: Hands, editor: Witness, lab: Lab) -> None:
    subprocess.run(["xset", "s", "activate"], env=lab.env, check=True)
    try:
        assert wait(lambda: hands.desktop.evidence().locked)
        with pytest.raises(Refused, match="screen is locked or blank"):
            hands.send(TypeText("secret"))
    finally:
        subprocess.run(["xset", "s", "reset"], env=lab.env, check=True)
    assert not hands.desktop.evidence().locked
    assert editor.values["Notes"] == ""


def test_what_the_judge_raises_comes_out_unchanged_and_nothing_was_sent(hands: Hands, editor: Witness) -> None:
    class Verdict(Exception):
        pass

    def judge(_: object) -> None:
        raise Verdict

    for group in (TypeText("x"), PressChord(Chord(CTRL, "a")), ClickAt(Point(*editor.bounds("Save").centre))):
        with pytest.raises(Verdict):
            hands.desktop.deliver(group, hands.target, judge)
    assert hands.desktop.barrier(hands.target, 5)
    assert editor.values["Notes"] == ""
    assert not editor.events("activate", "Save")


def test_every_toolkit_types_under_a_storm(desktop: X11Desktop, witness: Witness, thief: Thief) -> None:
    witness.ask("focus", "Notes")
    hands = in_front(desktop, witness)
    focus = desktop.evidence().focus_window
    thief.forget()
    thief.tell("storm", "focus", focus, 3.0, 0.003, 0.003)
    hands.type_through_theft(LINES[:1_000])
    with drained(witness):
        thief.wait("answer", "storm", seconds=STORM_SECONDS)
    assert thief.stolen > 50
    assert thief.took == []
    hands.back_in_front()
    assert witness.values["Notes"] == LINES[:1_000]

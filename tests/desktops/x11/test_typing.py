"""Text arrives exactly as it was given, in real toolkits, under real layouts; and the keymap is what it was."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from mac_commander.desktops.x11.desktop import X11Desktop
from mac_commander.desktops.x11.environment import find_session
from mac_commander.errors import Hung
from mac_commander.events import PressChord
from mac_commander.model import Chord, Modifier
from tests.desktops.x11.conftest import PHYSICAL_KEYBOARD, Hands, Human, in_front, keymap, keys_down, wait
from tests.lab import Lab
from tests.witness import Witness

MISSION = "Ligne — \"était\" 'ok' 🙂"
SHELL = 'a && b | c > /tmp/x; echo "$HOME" ~ ^ ` \\ {[(<%#@!?*+-=_:,.\';>)]}'


def read(witness: Witness) -> str:
    return str(witness.values["Notes"])


def typed(hands: Hands, witness: Witness, text: str) -> str:
    witness.ask("clear")
    witness.ask("focus", "Notes")
    hands.type(text)
    return read(witness)


def test_the_missions_text_arrives_in_every_toolkit(desktop: X11Desktop, witness: Witness, lab: Lab) -> None:
    before = keymap(lab)
    witness.ask("focus", "Notes")
    hands = in_front(desktop, witness)
    text = f"{MISSION}\n{SHELL}\tà À è È ò Ò ÀÉÎß ﬁ 東京 Łódź e\u0301 👩‍👩‍👧 end"
    hands.type(text)
    assert read(witness) == text
    desktop.close()
    assert keymap(lab) == before
    assert not keys_down(lab)


@pytest.mark.parametrize(
    "options",
    [
        ("-layout", "us"),
        ("-layout", "us", "-variant", "dvorak"),
        ("-layout", "de"),
        ("-layout", "fr"),
        ("-layout", "it"),
        ("-layout", "gb"),
        ("-layout", "ru"),
        ("-layout", "gr"),
        ("-layout", "cz,ru", "-variant", ",phonetic"),
        ("-layout", "us", "-variant", "intl"),
    ],
    ids=" ".join,
)
def test_every_layout_types_the_same(
    hands: Hands, editor: Witness, layout: Callable[..., None], options: tuple[str, ...]
) -> None:
    layout(*options)
    text = f"foo {SHELL} {MISSION} ÀÉÎß абв АБВ αβγ A-Za-z YyZz 0123456789 ^a~a'e\"u ^ `"
    assert typed(hands, editor, text) == text


def test_an_active_second_layout_is_followed(
    hands: Hands, editor: Witness, layout: Callable[..., None], lab: Lab
) -> None:
    layout("-layout", "us,ru")
    text = "Latin и русский text, both."
    subprocess.run([sys.executable, "-c", LOCK_GROUP, "1"], env=lab.env, check=True)
    try:
        assert typed(hands, editor, text) == text
    finally:
        subprocess.run([sys.executable, "-c", LOCK_GROUP, "0"], env=lab.env, check=True)


LOCK_GROUP = """
import ctypes, sys
lib = ctypes.CDLL("libX11.so.6")
lib.XOpenDisplay.restype = ctypes.c_void_p
display = ctypes.c_void_p(lib.XOpenDisplay(None))
lib.XkbLockGroup(display, 0x100, int(sys.argv[1]))
lib.XSync(display, 0)
"""


def test_a_persons_keyboard_with_a_layout_of_its_own_changes_nothing(
    hands: Hands, editor: Witness, layout: Callable[..., None], human: Human
) -> None:
    """Its map is everybody's while it is used last; ours is another device, with another map."""
    layout("-device", str(PHYSICAL_KEYBOARD), "-layout", "de")
    try:
        human.tap(38)
        assert wait(lambda: hands.desktop.evidence().human)
        hands.desktop.watch_human()
        assert typed(hands, editor, "yz; ÀÉ ß") == "yz; ÀÉ ß"
        assert hands.desktop.evidence().human is None
    finally:
        layout("-device", str(PHYSICAL_KEYBOARD), "-layout", "us")


def test_capslock_and_numlock_change_nothing(hands: Hands, editor: Witness, lab: Lab) -> None:
    toggle = ["xdotool", "key"]
    for lock in ("Caps_Lock", "Num_Lock"):
        subprocess.run([*toggle, lock], env=lab.env, check=True)
        try:
            assert typed(hands, editor, "aBc 1.5 é É ß 🙂 XyZ") == "aBc 1.5 é É ß 🙂 XyZ"
        finally:
            subprocess.run([*toggle, lock], env=lab.env, check=True)


def test_random_unicode_is_exact(hands: Hands, editor: Witness) -> None:
    text = random_text(400)
    assert typed(hands, editor, text) == text


def random_text(count: int) -> str:
    """All planes, combining marks and right-to-left included; lines short, since GTK 3 is slow on long ones."""
    chance = random.Random(5)
    ranges = [(0x21, 0x7E), (0xC0, 0x17F), (0x391, 0x3A1), (0x410, 0x44F), (0x5D0, 0x5EA), (0x627, 0x63A)]
    ranges += [(0x2010, 0x2027), (0x3041, 0x3096), (0x4E00, 0x9FA5), (0xAC00, 0xD7A3), (0x1F300, 0x1F5FF)]
    ranges += [(0x20000, 0x2A6D6), (0x300, 0x36F), (0x1F600, 0x1F64F)]
    chars = [chr(chance.randint(*chance.choice(ranges))) for _ in range(count)]
    return "".join("\n" if i % 60 == 59 else c for i, c in enumerate(chars))


def test_a_target_that_hangs_stops_the_text_instead_of_spoiling_it(hands: Hands, editor: Witness) -> None:
    """Keys can be lent anew only once the app has handled them; a stopped app never says so."""
    os.kill(editor.pid, signal.SIGSTOP)
    try:
        with pytest.raises(Hung, match="did not take in"):
            hands.type(random_text(400))
    finally:
        os.kill(editor.pid, signal.SIGCONT)
    arrived = read(editor)
    assert random_text(400).startswith(arrived)


def test_a_slow_target_is_waited_for(hands: Hands, editor: Witness) -> None:
    """For longer than it takes until keys that it has not read yet are wanted for other characters."""
    text = random_text(90)
    editor.tell("hang", 1.5)
    hands.type(text)
    assert read(editor) == text


def test_the_keymap_another_client_reloads_is_followed(
    hands: Hands, editor: Witness, layout: Callable[..., None]
) -> None:
    assert typed(hands, editor, "ж 字") == "ж 字"
    layout("-layout", "de")
    assert typed(hands, editor, "yz 字 ж ü~") == "yz 字 ж ü~"
    layout("-layout", "fr")
    assert typed(hands, editor, "yz 字 ж ü~ aqw") == "yz 字 ж ü~ aqw"


def test_what_a_killed_predecessor_lent_is_taken_back(lab: Lab, editor: Witness) -> None:
    before = keymap(lab)
    subprocess.run([sys.executable, "-c", LEAVE_KEYS], env=lab.env, check=True)
    assert wait(lambda: keymap(lab) != before)
    X11Desktop(find_session(lab.env)).close()
    assert keymap(lab) == before


LEAVE_KEYS = """
import os
from mac_commander.desktops.x11.display import Connection
from mac_commander.desktops.x11.environment import find_session
from mac_commander.desktops.x11.keyboard import Keyboard
x = Connection(find_session())
Keyboard(x, lambda: None).text("日本語 кириллица", 0, lambda: None)
os._exit(0)
"""


def test_chords_work_under_a_layout_without_latin_letters(
    desktop: X11Desktop, witness: Witness, layout: Callable[..., None]
) -> None:
    layout("-layout", "ru")
    witness.ask("focus", "Notes")
    hands = in_front(desktop, witness)
    hands.type("один два")
    hands.send(PressChord(Chord(frozenset({Modifier.CTRL}), "a")))
    hands.type("3")
    assert read(witness) == "3"


def test_chords_use_the_physical_key_of_another_loaded_layout(
    hands: Hands, editor: Witness, layout: Callable[..., None], lab: Lab
) -> None:
    layout("-layout", "us,ru")
    subprocess.run([sys.executable, "-c", LOCK_GROUP, "1"], env=lab.env, check=True)
    try:
        hands.desktop.watch_human()
        typed(hands, editor, "один два")
        hands.send(PressChord(Chord(frozenset({Modifier.CTRL}), "a")))
        hands.type("3")
        assert read(editor) == "3"
        assert not hands.desktop._delivery.keyboard.spare.any_lent
    finally:
        subprocess.run([sys.executable, "-c", LOCK_GROUP, "0"], env=lab.env, check=True)


def test_lines_and_returns_stay_in_order(hands: Hands, editor: Witness) -> None:
    editor.ask("clear")
    line = "x" * 59 + "."
    for _ in range(20):
        hands.type(line)
        hands.send(PressChord(Chord(frozenset(), "return")))
    assert hands.desktop.barrier(hands.target, 5)
    assert read(editor) == f"{line}\n" * 20


def test_untypable_names_what_no_key_can_mean(desktop: X11Desktop) -> None:
    assert desktop.untypable("a\x00b\x1b\t\nÀ🙂\ud800\x08") == "\x00\x1b\ud800\x08"


def test_xterm_which_answers_no_ping(desktop: X11Desktop, lab: Lab) -> None:
    out = lab.folder / "typed.txt"
    out.unlink(missing_ok=True)
    child = lab.spawn(["xterm", "-e", f"stty -echo; cat > {out}"])
    lab.wait_window(pid=child.pid)
    target = next(a for a in desktop.apps() if a.pid == child.pid)
    desktop.activate(target)
    assert wait(lambda: desktop.frontmost() == target)
    time.sleep(0.3)
    desktop.watch_human()
    text = random_text(300) + "\n"
    Hands(desktop, target).type(text)
    assert wait(lambda: out.exists() and out.read_text() == text), (out.read_text(), text)

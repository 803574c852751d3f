"""Every spelling of a kept chord gets one verdict, and so does every ordinary chord."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product
from string import ascii_lowercase, digits

import pytest

from mac_commander.core.chords import parse, refuse_system_chord, resolve
from mac_commander.errors import Refused
from mac_commander.model import App, Modifier
from tests.attack.size import FULL

EDITOR = App(412, 1.0, "TextEdit", "com.apple.TextEdit")
WORDS = {
    "cmd": ("cmd", "Command", "⌘", "ｃｍｄ", "lcmd"),
    "ctrl": ("ctrl", "Control", "⌃", "right ctrl"),
    "alt": ("alt", "Option", "⌥", "OPT"),
    "shift": ("shift", "⇧", "left shift", "SHIFT"),
}
KEYS = {
    "space": ("space", "Spacebar", "␣"), "tab": ("tab", "⇥", "TAB"), "escape": ("esc", "Escape", "⎋"),
    "q": ("q", "Q", "ｑ"), "up": ("up", "↑", "Up Arrow", "arrow up"), "f3": ("f3", "F3"),
}  # fmt: skip
KEPT = [
    ("cmd", "space"), ("cmd alt", "space"), ("cmd", "tab"), ("cmd", "escape"), ("cmd alt", "escape"),
    ("cmd shift", "q"), ("cmd ctrl", "q"), ("ctrl", "up"), ("", "f3"),
]  # fmt: skip
SEPARATORS = ("+", "-", " ", " + ", "＋") if FULL else ("+", " ")


def refused(combo: str, main: Modifier = Modifier.CMD) -> bool:
    try:
        refuse_system_chord(resolve(parse(combo), main), main, EDITOR, "combo")
    except Refused:
        return True
    return False


def spellings(modifiers: frozenset[str], key: str) -> Iterator[str]:
    for order in permutations(sorted(modifiers)):
        for words in product(*(WORDS[m] for m in order), KEYS[key]):
            yield from (separator.join(words) for separator in SEPARATORS)


def supersets(modifiers: str) -> Iterator[frozenset[str]]:
    have = frozenset(modifiers.split())
    rest = sorted(set(WORDS) - have)
    for count in range(len(rest) + 1 if FULL else 2):
        for more in combinations(rest, count):
            if len(have) + count < 4:
                yield have | frozenset(more)


@pytest.mark.parametrize(("modifiers", "key"), KEPT)
def test_every_spelling_order_and_superset_is_kept(modifiers: str, key: str) -> None:
    tried = [combo for more in supersets(modifiers) for combo in spellings(more, key)]
    assert len(tried) >= 4
    assert [combo for combo in tried if len(combo) <= 64 and not refused(combo)] == []


@pytest.mark.parametrize("letter", "йЙqæøθςшя")
def test_a_letter_of_another_layout_may_be_any_letter(letter: str) -> None:
    """On a Russian layout й is the key of Q, and ⇧⌘Q logs out."""
    assert refused(f"cmd+shift+{letter}")
    assert refused(f"ctrl+cmd+{letter}")
    assert refused(f"ctrl+alt+{letter}", Modifier.CTRL) or letter == "q"
    assert not refused(f"cmd+{letter}")


def test_five_hundred_ordinary_chords_stay_allowed() -> None:
    plain = [*ascii_lowercase, *digits, "return", "tab", "home", "end", "pageup", "pagedown", "left", "right", "delete"]
    sets = ("", "cmd", "shift", "alt", "cmd+alt", "alt+shift", "ctrl", "cmd+shift", "ctrl+shift", "ctrl+alt")
    wanted = [f"{mods}+{key}".lstrip("+") for mods in sets for key in plain]
    meant = {"cmd+tab", "cmd+alt+tab", "cmd+shift+q", "cmd+shift+tab", "ctrl+left", "ctrl+right", "ctrl+shift+left",
             "ctrl+shift+right", "ctrl+alt+left", "ctrl+alt+right"}  # fmt: skip
    ordinary = [combo for combo in wanted if combo not in meant]
    assert len(ordinary) >= 400
    linux_only = [combo for combo in ordinary if refused(combo)]
    assert linux_only == []

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mac_commander.core.chords import NAMED_KEYS, count_or_name, fills_a_field, parse, refuse_system_chord, resolve
from mac_commander.errors import InvalidArgument, Refused
from mac_commander.model import App, Chord, Modifier

EDITOR = App(412, 1.0, "TextEdit", "com.apple.TextEdit")
FINDER = App(300, 1.0, "Finder", "com.apple.finder")
MAC, LINUX = Modifier.CMD, Modifier.CTRL

SPELLINGS = {
    Modifier.CMD: ["cmd", "Command", "⌘", "left cmd", "lcmd", "CMD"],
    Modifier.CTRL: ["ctrl", "Control", "⌃", "rctrl"],
    Modifier.ALT: ["alt", "Option", "opt", "⌥"],
    Modifier.SHIFT: ["shift", "⇧", "left shift"],
}


def verdict(combo: str, main: Modifier, target: App = EDITOR) -> bool:
    """Whether the chord is refused."""
    try:
        refuse_system_chord(resolve(parse(combo), main), main, target, "combo")
    except Refused:
        return True
    return False


@pytest.mark.parametrize(
    ("combo", "modifiers", "key"),
    [
        ("cmd+a", {"cmd"}, "a"),
        ("Command-Q", {"cmd"}, "q"),
        ("⌘q", {"cmd"}, "q"),
        ("cmd + Q", {"cmd"}, "q"),
        ("cmd shift 4", {"cmd", "shift"}, "4"),
        ("⇧⌘4", {"cmd", "shift"}, "4"),
        ("cmd++", {"cmd"}, "+"),
        ("cmd--", {"cmd"}, "-"),
        ("cmd+-", {"cmd"}, "-"),
        ("+", set(), "+"),
        ("ctrl＋alt＋delete", {"ctrl", "alt"}, "delete"),
        ("page up", set(), "pageup"),
        ("forward-delete", set(), "delete"),
        ("shift+left", {"shift"}, "left"),
        ("cmd+left arrow", {"cmd"}, "left"),
        ("Return", set(), "return"),
        ("enter", set(), "return"),
        ("esc", set(), "escape"),
        ("backspace", set(), "backspace"),
        ("b", set(), "b"),
        ("ü", set(), "ü"),
        ("cmd+c", {"cmd"}, "c"),
        ("-", set(), "-"),
        ("left shift", {"shift"}, "left"),
        ("left shift left", {"shift"}, "left"),
    ],
)
def test_spellings(combo: str, modifiers: set[str], key: str) -> None:
    assert parse(combo) == Chord(frozenset(Modifier(m) for m in modifiers), key)


@pytest.mark.parametrize(
    "combo",
    [
        "",
        " ",
        "cmd",
        "cmd+shift",
        "a+b",
        "cmd+bak",
        "hyper+x",
        "x" * 65,
        "cmd+entr",
        "keycode 12",
        "12",
        "0x0c",
        "cmd+12",
        "cmd+",
        "left+a+shift",
        "\u200b",
        "cmd+" + " " * 64 + "a",
    ],
)
def test_what_is_no_chord_is_refused(combo: str) -> None:
    with pytest.raises(InvalidArgument, match=r"^combo: "):
        parse(combo)


@pytest.mark.parametrize(("combo", "seen"), [(" ", "empty text"), ("a" * 65, "65 characters")])
def test_what_is_refused_unread_is_told_by_its_length(combo: str, seen: str) -> None:
    with pytest.raises(InvalidArgument, match=f"; got {seen}$"):
        parse(combo)


@pytest.mark.parametrize(("combo", "seen"), [("cmd", "no key besides modifiers"), ("a+b", "2 keys")])
def test_how_many_keys_there_were_is_told(combo: str, seen: str) -> None:
    with pytest.raises(InvalidArgument, match=f"; got {seen}$"):
        parse(combo)


def test_a_key_name_is_never_matched_by_part() -> None:
    with pytest.raises(InvalidArgument, match="backspace"):
        parse("backspac")


@pytest.mark.parametrize(
    ("modifiers", "key"),
    [
        ({Modifier.CMD}, "space"), ({Modifier.CMD, Modifier.ALT}, "space"), ({Modifier.CMD}, "tab"),
        ({Modifier.CMD, Modifier.SHIFT}, "q"), ({Modifier.CMD, Modifier.CTRL}, "q"),
        ({Modifier.CMD, Modifier.ALT}, "escape"), ({Modifier.CMD, Modifier.ALT, Modifier.SHIFT}, "escape"),
        ({Modifier.CTRL}, "up"), ({Modifier.CMD, Modifier.SHIFT}, "/"), ({Modifier.CMD}, "?"), ({Modifier.CMD}, "f5"),
        ({Modifier.CMD, Modifier.ALT}, "f5"),
    ],
)  # fmt: skip
def test_every_spelling_of_a_system_chord_is_refused_on_a_mac(modifiers: set[Modifier], key: str) -> None:
    for order in permutations(sorted(modifiers)):
        for separator in ("+", "-", " ", " + ", "＋"):
            for variant in range(3):
                words = [SPELLINGS[m][variant] for m in order]
                assert verdict(separator.join([*words, key]), MAC), (order, separator, variant)


@given(st.sets(st.sampled_from([Modifier.CMD, Modifier.CTRL, Modifier.ALT, Modifier.SHIFT])))
def test_supersets_of_a_refused_chord_are_refused(more: set[Modifier]) -> None:
    for base in ("cmd+space", "cmd+tab", "ctrl+cmd+q", "cmd+shift+q", "cmd+opt+esc"):
        assert verdict("+".join([*more, base]), MAC)


@pytest.mark.parametrize(
    "combo",
    ["alt+tab", "alt+shift+tab", "alt+f4", "alt+f2", "ctrl+alt+f1", "ctrl+alt+f12", "ctrl+alt+delete", "super+l", "win",
     "meta+d", "ctrl+alt+backspace", "printscreen", "cmd+alt+delete"],
)  # fmt: skip
def test_system_chords_of_linux_are_refused(combo: str) -> None:
    assert verdict(combo if combo != "win" else "win+x", LINUX)


@pytest.mark.parametrize("main", [MAC, LINUX])
@pytest.mark.parametrize(
    "combo",
    ["cmd+a", "cmd+c", "cmd+v", "cmd+s", "cmd+shift+s", "cmd+z", "cmd+q", "cmd+w", "cmd+n", "cmd+t", "cmd+shift+3",
     "cmd+shift+4", "cmd+shift+5", "cmd+left", "shift+home", "return", "tab", "escape", "a", "f5", "alt+left",
     "cmd+alt+i", "cmd+,", "cmd+f", "cmd+b", "backspace", "delete", "cmd+backspace", "pageup"],
)  # fmt: skip
def test_ordinary_chords_are_allowed(combo: str, main: Modifier) -> None:
    assert not verdict(combo, main)


def test_finder_is_not_made_to_trash_things() -> None:
    for combo in ("cmd+backspace", "cmd+shift+backspace", "alt+cmd+shift+⌫"):
        with pytest.raises(Refused, match="throws the user's files away"):
            refuse_system_chord(resolve(parse(combo), MAC), MAC, FINDER, "combo")
        assert not verdict(combo, MAC, EDITOR)
    assert not verdict("cmd+n", MAC, FINDER)


@pytest.mark.parametrize("main", [MAC, LINUX])
@pytest.mark.parametrize(
    ("combo", "fills"),
    [("a", True), ("shift+a", True), ("space", True), ("cmd+v", True), ("ctrl+y", True), ("shift+insert", True),
     ("insert", False), ("fn+v", False), ("cmd+a", False), ("left", False), ("shift+left", False)],
)  # fmt: skip
def test_what_may_fill_a_field(combo: str, fills: bool, main: Modifier) -> None:
    assert fills_a_field(resolve(parse(combo), main), main) is fills


def test_option_writes_on_a_mac_alone() -> None:
    assert fills_a_field(parse("alt+x"), MAC)
    assert not fills_a_field(parse("alt+x"), LINUX)


def test_cmd_is_the_main_modifier_of_the_desktop() -> None:
    assert resolve(parse("cmd+c"), LINUX) == Chord(frozenset({Modifier.CTRL}), "c")
    assert resolve(parse("win+c"), MAC) == Chord(frozenset({Modifier.CMD}), "c")


def test_the_log_counts_keys_that_write() -> None:
    assert count_or_name(parse("a")) == "1 char"
    assert count_or_name(parse("shift+a")) == "1 char"
    assert count_or_name(parse("cmd+a")) == "cmd+a"
    assert count_or_name(parse("return")) == "return"


def test_all_key_names_are_words() -> None:
    assert {"return", "tab", "escape", "f1", "f20"} <= NAMED_KEYS
    assert all(parse(name).key == name for name in NAMED_KEYS)

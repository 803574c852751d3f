from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mac_commander.core.graphemes import clusters, groups, utf16_units
from mac_commander.desktops.base import TEXT_GROUP_UTF16


@given(st.text(max_size=200))
def test_groups_lose_nothing_and_fit_one_event(text: str) -> None:
    parts = list(groups(text))
    assert "".join(parts) == text
    assert all(0 < utf16_units(p) <= TEXT_GROUP_UTF16 for p in parts)


@given(st.text(alphabet="ab\n\té🙂", max_size=60))
def test_newline_and_tab_stand_alone(text: str) -> None:
    assert all(p in ("\n", "\t") or not set(p) & {"\n", "\t"} for p in groups(text))


@pytest.mark.parametrize(
    "cluster",
    [
        "é",
        "e\u0301",
        "👨\u200d👩\u200d👧",
        "🇫🇷",
        "👍🏽",
        "각",
        "ก็",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "❤️",
    ],
)
def test_one_character_to_a_person_stays_whole(cluster: str) -> None:
    assert list(clusters(f"x{cluster}y")) == ["x", cluster, "y"]


def test_no_cut_falls_inside_a_pair_or_a_family() -> None:
    family = "👨\u200d👩\u200d👧"
    text = "a" * 19 + family + "b" * 5
    assert list(groups(text)) == ["a" * 19, family + "b" * 5]


def test_two_flags_are_two_characters() -> None:
    assert list(clusters("🇫🇷🇩🇪")) == ["🇫🇷", "🇩🇪"]


def test_the_length_of_an_emoji_is_in_utf16_units() -> None:
    assert utf16_units("a😁𐂀") == 5


def test_forty_five_letters_are_three_groups() -> None:
    assert [len(g) for g in groups("x" * 45)] == [20, 20, 5]

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mac_commander.core.names import check_app_name, matches, near, normal, stem
from mac_commander.errors import InvalidArgument


@given(st.text(max_size=40))
def test_normal_is_idempotent(text: str) -> None:
    assert normal(normal(text)) == normal(text)


@given(st.text(max_size=40))
def test_stem_is_idempotent(text: str) -> None:
    assert stem(stem(text)) == stem(text)


@given(st.text(st.characters(codec="utf-8"), max_size=20))
def test_composed_and_decomposed_are_equal(text: str) -> None:
    assert normal(unicodedata.normalize("NFD", text)) == normal(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize(
    "spelling",
    [
        "1PASSWORD",
        "１Ｐａｓｓｗｏｒｄ",
        "𝟏𝐏𝐚𝐬𝐬𝐰𝐨𝐫𝐝",
        "1Paſſword",
        "1Pass\u200bword",
        "1Pa\u00adssword",
        "\u20601Password\ufeff",
        "  1Password\u00a0",
        "1Password.app",
        "1Password.APP.app",
    ],
)
def test_disguises_of_a_name_are_the_name(spelling: str) -> None:
    assert stem(spelling) == "1password"


def test_homoglyphs_are_other_names() -> None:
    assert normal("1Раssword") != normal("1Password")  # Cyrillic Р and а


@pytest.mark.parametrize(
    "name",
    ["", "  ", "/Applications/1Password.app", "file:///Applications/X.app", "~/x.app", "../x", "-a Terminal", "--args",
     "pid:123", "https://example.org", "shortcuts:x", "a\nb", "a\0b", "\ud800", "x" * 257, "C:\\x", "a\\b"],
)  # fmt: skip
def test_what_is_no_name_is_refused_by_argument(name: str) -> None:
    with pytest.raises(InvalidArgument, match=r"^target: wanted an app's name"):
        check_app_name(name, "target")


@pytest.mark.parametrize(
    "name", ["TextEdit", "com.apple.TextEdit", "Réglages Système", "zoom.us", "程序坞", "1Password 7"]
)
def test_names_pass_unchanged(name: str) -> None:
    assert check_app_name(name, "target") == name


def test_matching_is_exact_and_never_by_path() -> None:
    assert matches("textedit", ["TextEdit"])
    assert matches("TextEdit.app", ["TextEdit"])
    assert not matches("Text", ["TextEdit", "Text Editor"])
    assert not matches("x", ["/usr/bin/x"])


def test_near_names_are_shown_for_a_miss() -> None:
    assert near("Code", ["Visual Studio Code Insiders", "Finder"]) == ["Visual Studio Code Insiders"]
    assert near("Visual Studio Code Insiders", ["Code", "Finder"]) == ["Code"]
    assert near("TextEdti", ["TextEdit", "Finder", "Calculator"]) == ["TextEdit"]
    assert near("edit", ["TextEdit", "gedit", "Finder"])[0] in ("TextEdit", "gedit")

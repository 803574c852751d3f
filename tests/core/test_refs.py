from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mac_commander.core import refs as refs_module
from mac_commander.core.refs import RefTable, candidates, check_same
from mac_commander.errors import Refused, Stale
from mac_commander.model import App, Element

EDITOR = App(412, 1.0, "TextEdit")
CHAT = App(99, 1.0, "Chat")


def element(key: str, role: str = "button", name: str = "Save") -> Element:
    return Element(key, role, name)


def test_an_element_keeps_its_ref_over_snapshots() -> None:
    table = RefTable()
    assert table.ref(EDITOR, element("a")) == "e1"
    assert table.ref(EDITOR, element("b")) == "e2"
    assert table.ref(EDITOR, element("a")) == "e1"


def test_a_renamed_or_recycled_element_gets_a_new_ref() -> None:
    table = RefTable()
    table.ref(EDITOR, element("row", "row", "Alice"))
    assert table.ref(EDITOR, element("row", "row", "Bob")) == "e2"
    assert table.ref(EDITOR, element("row", "cell", "Bob")) == "e3"
    with pytest.raises(Stale, match=r'e1 was row "Alice"; its place is taken by row "Bob"'):
        check_same(table.find("e1", EDITOR), element("row", "row", "Bob"))


def test_the_same_object_of_another_process_is_another_element() -> None:
    table = RefTable()
    assert table.ref(EDITOR, element("a")) != table.ref(CHAT, element("a"))


def test_a_ref_goes_with_its_target_only() -> None:
    table = RefTable()
    ref = table.ref(CHAT, element("a"))
    with pytest.raises(Refused, match=r'e1 is button "Save" of Chat, not of the target TextEdit'):
        table.find(ref, EDITOR)


def test_a_ref_ends_with_its_process() -> None:
    table = RefTable()
    ref = table.ref(EDITOR, element("a"))
    with pytest.raises(Stale, match="earlier TextEdit"):
        table.find(ref, App(500, 2.0, "TextEdit"))


def test_gone_is_told_as_gone() -> None:
    table = RefTable()
    with pytest.raises(Stale, match=r'e1 was button "Save"; it is gone'):
        check_same(table.find(table.ref(EDITOR, element("a")), EDITOR), None)


def test_the_table_is_bounded_and_numbers_are_never_reused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refs_module, "REFS_MOST", 3)
    table = RefTable()
    given_out = [table.ref(EDITOR, element(str(i))) for i in range(10)]
    assert len(set(given_out)) == 10
    for old in given_out[:7]:
        with pytest.raises(Stale, match="not known"):
            table.find(old, EDITOR)
    assert table.ref(EDITOR, element("0")) == "e11"


def test_what_was_seen_last_stays_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refs_module, "REFS_MOST", 2)
    table = RefTable()
    for key in ("a", "b", "a", "c"):
        table.ref(EDITOR, element(key))
    assert table.ref(EDITOR, element("a")) == "e1"


def test_an_old_ref_takes_no_new_one_of_its_element_along(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refs_module, "REFS_MOST", 2)
    table = RefTable()
    for name in ("Save", "Saved"):
        table.ref(EDITOR, element("a", name=name))
    table.ref(EDITOR, element("b"))  # e1 goes
    assert table.ref(EDITOR, element("a", name="Saved")) == "e2"


def test_an_element_whose_ref_went_gets_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refs_module, "REFS_MOST", 1)
    table = RefTable()
    assert [table.ref(EDITOR, element(key)) for key in "aba"] == ["e1", "e2", "e3"]
    assert len(table._by_element) == 1, "nothing is kept of what went"


@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(["row", "cell"]), st.sampled_from("xy")), max_size=60)
)
def test_a_ref_never_changes_its_meaning(looks: list[tuple[str, str, str]]) -> None:
    table = RefTable()
    meaning: dict[str, tuple[str, str, str]] = {}
    for look in looks:
        ref = table.ref(EDITOR, element(*look))
        assert meaning.setdefault(ref, look) == look


def test_candidates_are_alike_and_few() -> None:
    table = RefTable()
    ref = table.find(table.ref(EDITOR, element("a", "button", "Save file")), EDITOR)
    live = [element("1", "button", "Save files"), element("2", "button", "Quit"), element("3", "link", "Save file"),
            *(element(str(i), "button", "Save file") for i in range(4, 9))]  # fmt: skip
    assert [e.name for e in candidates(ref, live)] == ["Save file"] * 3
    assert [e.name for e in candidates(ref, live[:3])] == ["Save files"]

"""Eight properties of the comparison of names: what looks the same is the same, and neighbours are not."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mac_commander.core.blocklist import Blocklist, always_blocked
from mac_commander.core.config import default_blocklist
from mac_commander.core.names import matches, normal, stem
from mac_commander.model import App
from tests.attack.size import many

EXAMPLES = many(150, 10_000)
TERMS = sorted({*default_blocklist("darwin"), *default_blocklist("linux")})
terms = st.sampled_from(TERMS)
anything = st.one_of(st.text(max_size=40), st.text("aAﬁſKİıß\u0301\u200b .app", max_size=12))
ignorable = st.sampled_from(["\u200b", "\u00ad", "\u2060", "\ufeff", "\u200d", "\ufe0f", "\u034f"])


def blocks(name: str, app_id: str = "") -> bool:
    return Blocklist(TERMS).blocks(App(1, 1.0, name, app_id))


@EXAMPLES
@given(anything)
def test_the_normal_form_is_its_own_normal_form(text: str) -> None:
    assert normal(normal(text)) == normal(text)
    assert stem(stem(text)) == stem(text)
    assert stem(text + ".app.app") == stem(text)


@EXAMPLES
@given(terms, st.data())
def test_case_does_not_unblock(term: str, data: st.DataObject) -> None:
    flips = data.draw(st.lists(st.booleans(), min_size=len(term), max_size=len(term)))
    assert blocks("".join(c.swapcase() if f else c for c, f in zip(term, flips, strict=True)))


@EXAMPLES
@given(terms, st.data())
def test_width_does_not_unblock(term: str, data: st.DataObject) -> None:
    flips = data.draw(st.lists(st.booleans(), min_size=len(term), max_size=len(term)))
    wide = "".join(chr(ord(c) + 0xFEE0) if f and "!" <= c <= "~" else c for c, f in zip(term, flips, strict=True))
    assert blocks(wide)


@EXAMPLES
@given(terms, ignorable, st.data())
def test_invisible_characters_do_not_unblock(term: str, hidden: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(term)))
    assert blocks(term[:at] + hidden + term[at:])


@EXAMPLES
@given(terms, st.characters(categories=["Cc", "Cf"]).filter(lambda c: not c.isspace()), st.data())
def test_control_characters_do_not_unblock(term: str, hidden: str, data: st.DataObject) -> None:
    """In the name of a process, where nothing refuses them."""
    at = data.draw(st.integers(0, len(term)))
    assert blocks(term[:at] + hidden + term[at:])


@EXAMPLES
@given(terms, anything, anything)
def test_a_name_that_contains_a_term_is_blocked(term: str, before: str, after: str) -> None:
    assert blocks(before + " " + term + " " + after)


@EXAMPLES
@given(anything)
def test_composed_and_decomposed_are_one_name(text: str) -> None:
    assert normal(unicodedata.normalize("NFD", text)) == normal(unicodedata.normalize("NFC", text))


@EXAMPLES
@given(terms, st.integers(0, 60), st.sampled_from("хqz7é"))
def test_no_term_matches_its_neighbour(term: str, at: int, other: str) -> None:
    """A name with one letter changed is another name: resolution is exact, never near."""
    at %= len(term)
    if normal(term[at]) != normal(other) and term[at] not in ". ":
        changed = term[:at] + other + term[at + 1 :]
        assert not matches(changed, [term])
        assert not Blocklist([term]).blocks(App(1, 1.0, changed))


@pytest.mark.parametrize("app_id", ["com.apple.Term", "com.apple.dockside", "org.example.loginwindows", "com.apple"])
def test_a_family_ends_at_a_dot(app_id: str) -> None:
    assert not always_blocked(App(1, 1.0, "x", app_id))
    assert always_blocked(App(1, 1.0, "x", "com.apple.dock.extra"))

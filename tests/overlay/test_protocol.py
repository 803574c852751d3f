"""Words however the pipe cut them; nothing but the two words counts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mac_commander.overlay.protocol import EXPLANATIONS, HIDE, PING, Ending, WordReader


@given(st.lists(st.booleans(), max_size=30), st.lists(st.integers(1, 7), min_size=1))
def test_words_survive_any_cut(words: list[bool], cuts: list[int]) -> None:
    data = b"".join(PING if lit else HIDE for lit in words)
    reader, seen, at = WordReader(), [], 0
    while at < len(data):
        size = cuts[at % len(cuts)]
        seen += reader.feed(data[at : at + size])
        at += size
    assert seen == words


@given(st.binary(max_size=200))
def test_anything_else_is_ignored(noise: bytes) -> None:
    reader = WordReader()
    reader.feed(noise.replace(b"ping", b"").replace(b"hide", b""))
    assert reader.feed(b"\n") == []
    assert reader.feed(PING) == [True]


def test_a_line_without_end_is_not_kept() -> None:
    reader = WordReader()
    for _ in range(1000):
        reader.feed(b"x" * 1000)
    assert len(reader._rest) <= WordReader.LONGEST


def test_every_ending_is_explained() -> None:
    assert set(EXPLANATIONS) == set(Ending)

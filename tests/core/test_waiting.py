"""What counts as shown, for a whole look and for a part of it alike."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mac_commander.core.waiting import holders, shows
from mac_commander.model import App, Element, Rect, Snapshot, State, Window

WINDOW = Window(7, 1, "Letter – Draft", Rect(0, 0, 100, 100))
LABEL = Element("key", "label", "All Saved", window=7)


def seen(*elements: Element) -> Snapshot:
    return Snapshot(App(1, 1.0, "Editor"), (WINDOW,), elements)


@pytest.mark.parametrize("text", ["saved", "all s", "draft"])
def test_names_values_and_titles_whatever_the_case(text: str) -> None:
    assert shows(seen(LABEL), text)
    assert shows(seen(replace(LABEL, name="", value="All SAVED")), text)


@pytest.mark.parametrize(
    "element",
    [
        replace(LABEL, name="Sav", value="ed"),
        replace(LABEL, states=frozenset({State.OFFSCREEN})),
        replace(LABEL, window=8),
        replace(LABEL, window=0),
        replace(LABEL, name="Password", value="saved", states=frozenset({State.SECURE})),
    ],
)
def test_what_no_look_would_show_does_not_count(element: Element) -> None:
    """Two halves, what is scrolled away, another app's window or none, and what a password field may hold."""
    assert not shows(seen(element), "saved")


def test_what_is_scrolled_away_is_watched() -> None:
    away = replace(LABEL, states=frozenset({State.OFFSCREEN}))
    assert holders(seen(away, replace(LABEL, name="Other")), "saved") == [away]

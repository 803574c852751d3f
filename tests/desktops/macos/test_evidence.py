"""What the guard is shown: the front by three sources, focus, the point, the person, locks and secure input."""

from __future__ import annotations

from typing import Any

import pytest

from mac_commander.events import ClickAt, TypeText
from mac_commander.model import Modifier, Point, Rect
from simulated_mac.scene import perform
from tests.desktops.macos.conftest import Raise
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, Scene, app, window

OVER_BOTH = {"title": "Over", "bounds": [0, 0, 1440, 900], "elements": []}


def test_the_front_follows_at_once(scene: Scene) -> None:
    assert scene.desktop.evidence().frontmost == scene.app("TextEdit")
    perform(scene.machine, {"do": "activate", "app": "Chat"})
    evidence = scene.desktop.evidence()
    assert evidence.frontmost == scene.app("Chat")
    assert evidence.focus is not None
    assert evidence.focus.pid == 5_000_099


@pytest.mark.parametrize("code", [-25200, -25204, -25211])
def test_a_source_that_fails_makes_it_unknown(raised: Raise, code: int) -> None:
    faults = [{"call": "AXUIElementCopyAttributeValue", "code": code, "attribute": "AXFocusedApplication"}]
    evidence = raised(faults=faults).desktop.evidence()
    assert evidence.frontmost is None
    assert "accessibility says nothing" in evidence.disagreement
    assert "NSWorkspace says TextEdit" in evidence.disagreement


def test_without_the_grant_the_front_can_be_looked_at_and_not_typed_into(raised: Raise) -> None:
    desktop = raised(grants={"accessibility": False}).desktop
    assert desktop.evidence().frontmost is None
    front = desktop.frontmost()
    assert front is not None
    assert front.name == "TextEdit"


def test_a_window_of_another_app_on_top_is_a_disagreement(scene: Scene) -> None:
    chat = scene.machine.app_named("Chat")
    scene.machine.windows.raise_app(chat)
    evidence = scene.desktop.evidence()
    assert evidence.frontmost is None
    assert "the window list says Chat" in evidence.disagreement


def test_an_app_without_windows_can_be_in_front(raised: Raise) -> None:
    scene = raised(app(TEXTEDIT, windows=[]), CHAT)
    front = scene.desktop.evidence().frontmost
    assert front is not None
    assert front.pid == 5_000_412


@pytest.mark.parametrize(
    ("over", "owner"),
    [
        ({}, 5_000_099),
        ({"click_through": True, "layer": 25}, 5_000_412),
        ({"alpha": 0.0, "layer": 25}, 5_000_412),
        ({"layer": 3}, 5_000_099),
    ],
)
def test_the_owner_of_a_point(raised: Raise, over: dict[str, Any], owner: int) -> None:
    scene = raised(TEXTEDIT, app(CHAT, windows=[]))
    scene.machine.windows.add(scene.machine.app_named("Chat"), {**OVER_BOTH, **over}, on_top=True)
    point = scene.desktop.evidence(Point(300, 300)).point
    assert point is not None
    assert point.pid == owner


def test_no_window_at_a_point_is_unknown(raised: Raise) -> None:
    scene = raised(app(TEXTEDIT, windows=[window(bounds=[100, 80, 100, 100])]))
    assert scene.desktop.evidence(Point(1000, 800)).point is None


def test_click_through_windows_are_not_in_the_stack(raised: Raise) -> None:
    halo = window(title="Halo", bounds=[0, 0, 1440, 900], layer=1000, click_through=True)
    menu = window(title="Menu", bounds=[0, 100, 100, 100], layer=101)
    scene = raised(TEXTEDIT, app(CHAT, windows=[halo, menu]))
    assert [w.title for w in scene.desktop.stack()] == ["Menu", "Untitled"]


def test_what_lets_clicks_through_is_still_seen_in_a_picture(raised: Raise) -> None:
    badge = window(title="Badge", bounds=[900, 700, 100, 100], layer=25, click_through=True)
    scene = raised(TEXTEDIT, app(CHAT, windows=[badge]))
    shown = [(owner.name, box) for owner, box in scene.desktop.shown() if owner is not None]
    assert ("Chat", Rect(900, 700, 100, 100)) in shown
    assert "TextEdit" in dict(shown)


@pytest.mark.parametrize(
    ("held", "seen"),
    [(["cmd"], {Modifier.CMD}), (["shift", "alt"], {Modifier.SHIFT, Modifier.ALT}), (["capslock"], set())],
)
def test_modifiers_that_a_person_holds(raised: Raise, held: list[str], seen: set[Modifier]) -> None:
    assert raised(human_holds=held).desktop.evidence().modifiers_held == seen


def test_our_own_events_are_no_person(scene: Scene) -> None:
    scene.desktop.watch_human()
    scene.send(TypeText("a"), ClickAt(Point(300, 300)))
    assert scene.desktop.evidence().human is None


@pytest.mark.parametrize(
    ("deed", "seen"), [({"do": "human_key", "text": "x"}, "key"), ({"do": "human_mouse", "to": [5, 5]}, "mouse")]
)
@pytest.mark.parametrize("busy", [False, True])
def test_a_person_is_seen(scene: Scene, deed: dict[str, Any], seen: str, busy: bool) -> None:
    scene.desktop.watch_human()
    if busy:
        scene.send(TypeText("a"), ClickAt(Point(300, 300)))
        assert scene.desktop.evidence().human is None
    perform(scene.machine, deed)
    assert scene.desktop.evidence().human == seen
    scene.desktop.watch_human()
    assert scene.desktop.evidence().human is None


def test_a_locked_screen(scene: Scene) -> None:
    assert not scene.desktop.evidence().locked
    perform(scene.machine, {"do": "lock_screen"})
    assert scene.desktop.evidence().locked


def test_a_display_that_sleeps_is_a_locked_screen(raised: Raise) -> None:
    assert raised(faults=[{"call": "CGDisplayIsAsleep", "code": 1}]).desktop.evidence().locked


def test_secure_input_of_another_process(raised: Raise) -> None:
    scene = raised(secure_input="Chat")
    holder = scene.desktop.evidence().secure_input
    assert holder is not None
    assert holder.pid == 5_000_099


def test_secure_input_of_the_front_app_is_its_own(raised: Raise) -> None:
    assert raised(secure_input="TextEdit").desktop.evidence().secure_input is None

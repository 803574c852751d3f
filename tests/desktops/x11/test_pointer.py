"""Clicks, scrolls and drags land on what was proven, also under window managers that replay a press."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from Xlib.display import Display

from mac_commander.desktops.x11.desktop import X11Desktop
from mac_commander.desktops.x11.environment import find_session
from mac_commander.errors import Refused
from mac_commander.events import ClickAt, DragEnd, DragMove, DragStart, MovePointer, ScrollAt
from mac_commander.model import Button, Point
from tests.conftest import not_run
from tests.desktops.x11.conftest import Hands, in_front, keys_down, wait
from tests.lab import Lab, missing_programs
from tests.witness import Thief, Witness


def test_clicks_land_in_every_toolkit(desktop: X11Desktop, witness: Witness) -> None:
    hands = in_front(desktop, witness)
    save = witness.bounds("Save").centre
    hands.send(ClickAt(save))
    witness.wait("activate", "Save")
    witness.forget()
    hands.send(ClickAt(save, clicks=3))
    releases = _settled(hands, witness, "mouse_up")
    assert [e["button"] for e in releases] == [1, 1, 1]
    witness.forget()
    hands.send(ClickAt(save, Button.RIGHT))
    assert [e["button"] for e in _settled(hands, witness, "mouse_down")] == [3]


def _settled(hands: Hands, witness: Witness, event: str) -> list[dict[str, Any]]:
    assert hands.desktop.barrier(hands.target, 5)
    assert wait(lambda: witness.events(event))
    return witness.events(event)


def test_scrolling_moves_the_list_and_not_its_selection(hands: Hands, editor: Witness) -> None:
    area = editor.bounds("Scroll area").centre
    hands.send(ScrollAt(area, 0, -120))
    down = _settled(hands, editor, "value")[-1]["value"]
    assert down > 0
    editor.forget()
    hands.send(ScrollAt(area, 0, 40))
    assert _settled(hands, editor, "value")[-1]["value"] < down
    assert not editor.events("value", "Rows")


def test_a_covered_point_is_refused(hands: Hands, editor: Witness, thief: Thief, lab: Lab) -> None:
    hands.desktop.activate(hands.target)
    assert wait(lambda: hands.desktop.frontmost() == hands.target)
    box = editor.bounds("Save")
    thief.ask("cover", int(box.x), int(box.y), int(box.width), int(box.height))
    assert wait(lambda: _owner_at(hands, box.centre) == thief.pid)
    before = _pointer(lab)
    for group in (ClickAt(box.centre), ScrollAt(box.centre, 0, -40), MovePointer(box.centre), DragStart(box.centre)):
        with pytest.raises(Refused, match="covered by a window of Thief"):
            hands.send(group)
    assert _pointer(lab) == before, "what is refused does not even move the pointer"
    thief.ask("uncover")
    assert wait(lambda: _owner_at(hands, box.centre) == hands.target.pid)
    hands.send(ClickAt(box.centre))
    editor.wait("activate", "Save")
    assert thief.took == []


def _pointer(lab: Lab) -> tuple[int, int]:
    display = Display(lab.display)
    try:
        at = display.screen().root.query_pointer()
        return at.root_x, at.root_y
    finally:
        display.close()


def _owner_at(hands: Hands, point: Point) -> int:
    """Whose window is there: a pop-up asked for is there only once the server got to it."""
    found = hands.desktop.evidence(point).point
    return found.pid if found else 0


def test_a_point_on_the_title_bar_belongs_to_the_window_manager(hands: Hands, editor: Witness) -> None:
    window = hands.desktop.windows(hands.target)[0]
    with pytest.raises(Refused, match="covered by a window of"):
        hands.send(ClickAt(Point(window.bounds.x + window.bounds.width / 2, window.bounds.y - 8)))


def test_a_drag_drops_where_it_should_and_tells_what_is_held(hands: Hands, editor: Witness, lab: Lab) -> None:
    held: list[tuple[str, ...]] = []
    hands.desktop.on_hold = held.append
    _drag(hands, editor)
    assert editor.wait("drop", "Drop here")["text"] == "dragged text"
    at = editor.bounds("Drag me").centre
    assert held == [(f"button:1@{round(at.x)},{round(at.y)}",), ()]
    assert keys_down(lab) == 0


def _drag(hands: Hands, witness: Witness) -> None:
    start, end = witness.bounds("Drag me").centre, witness.bounds("Drop here").centre
    hands.send(DragStart(start))
    for i in range(1, 13):
        hands.desktop.idle(0.02)
        hands.send(DragMove(Point(start.x + (end.x - start.x) * i / 12, start.y + (end.y - start.y) * i / 12)))
    hands.desktop.idle(0.1)
    hands.send(DragEnd(end))


def test_a_broken_drag_drops_nothing(hands: Hands, editor: Witness, thief: Thief, lab: Lab) -> None:
    hands.desktop.activate(hands.target)
    assert wait(lambda: hands.desktop.frontmost() == hands.target)
    start, end = editor.bounds("Drag me").centre, editor.bounds("Drop here").centre
    held: list[tuple[str, ...]] = []
    hands.desktop.on_hold = held.append
    hands.send(DragStart(start))
    hands.send(DragMove(Point(start.x + 5, start.y)))
    thief.ask("cover", int(end.x) - 30, int(end.y) - 10, 60, 20)
    assert wait(lambda: _owner_at(hands, end) == thief.pid)
    with pytest.raises(Refused):
        hands.send(DragMove(end))
    hands.desktop.release_all()
    assert keys_down(lab) == 0
    assert held[-1] == ()
    thief.ask("uncover")
    assert hands.desktop.barrier(hands.target, 5)
    assert not editor.events("drop")
    assert thief.took == []


def test_no_click_lands_in_a_thief_that_covers_the_point(hands: Hands, editor: Witness, thief: Thief) -> None:
    clicked, refused = _clicks_under_cover(hands, editor, thief, 150)
    assert refused > 5
    assert thief.took == []
    assert wait(lambda: len(editor.events("activate", "Save")) == clicked)


def _clicks_under_cover(hands: Hands, witness: Witness, thief: Thief, count: int) -> tuple[int, int]:
    """How many clicks were sent, and how many refused, while the thief comes and goes over the button."""
    hands.desktop.activate(hands.target)
    assert wait(lambda: hands.desktop.frontmost() == hands.target)
    box = [int(v) for v in witness.bounds("Save")]
    centre = witness.bounds("Save").centre
    thief.tell("cover_storm", box, 3.0, 0.003, 0.003)
    clicked = refused = 0
    while clicked < count and not thief.events("answer", "cover_storm"):
        try:
            hands.send(ClickAt(centre))
            clicked += 1
        except Refused:
            refused += 1
        witness.events()
    assert thief.wait("answer", "cover_storm", seconds=60)["value"] > 50
    return clicked, refused


@pytest.fixture(params=["openbox", "xfwm4"])
def other_lab(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    lacking = missing_programs(request.param)
    if lacking:
        not_run(f"needs {', '.join(lacking)}")
    with Lab(tmp_path_factory.mktemp("lab"), window_manager=request.param) as lab:
        yield lab


def test_window_managers_that_replay_a_press(other_lab: Lab) -> None:
    """openbox holds button 1: shielded by another button, no click leaks. xfwm4 holds every button: it is said.
    A drag cannot be shielded (GTK would take the other button for it), so under both it is said."""
    desktop = X11Desktop(find_session(other_lab.env))
    try:
        with Witness(other_lab, "gtk3") as witness, Thief(other_lab) as thief:
            hands = in_front(desktop, witness)
            manager = desktop.evidence(witness.bounds("Save").centre)
            assert manager.disagreement == ""
            if _refused_as_replayed(hands, witness):
                return
            clicked, refused = _clicks_under_cover(hands, witness, thief, 150)
            assert refused > 5
            assert thief.took == []
            assert wait(lambda: len(witness.events("activate", "Save")) == clicked + 1)
            with pytest.raises(Refused, match="replays clicks"):
                _drag(hands, witness)
            assert not witness.events("mouse_down", "Drag me")
    finally:
        desktop.close()


def _refused_as_replayed(hands: Hands, witness: Witness) -> bool:
    try:
        hands.send(ClickAt(witness.bounds("Save").centre))
    except Refused as refused:
        assert "Xfwm4 replays clicks" in str(refused)  # noqa: PT017
        return True
    return False

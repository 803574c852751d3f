"""Each check of how a step is done, by itself: what it keeps from happening, by the journal and by what was asked of
the simulated Mac."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from mac_commander.core.perform import stands_inside
from mac_commander.errors import DesktopError, Refused
from mac_commander.model import Element, Rect
from simulated_mac import scene as scenes
from simulated_mac.geometry import Bounds
from simulated_mac.then import Schedule
from tests.core.test_batch_proofs import KEY, NOTES, SECRET, TYPE, Open, Stage, failed
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, app, window

SAVE = {"role": "AXButton", "title": "Save", "bounds": [660, 90, 60, 24]}
UNASKABLE = [{"call": "AXUIElementSetAttributeValue", "attribute": "AXFocused", "code": -25206}]


def editor(*elements: dict[str, Any], **more: Any) -> dict[str, Any]:
    return app(TEXTEDIT, windows=[window(*elements, **more)])


def points(there: Stage, *events: str) -> list[list[float]]:
    return [e["at"] for e in there.scene.events(*events)]


# --- places -----------------------------------------------------------------------------------------------------


def scrolled_away(stage: Open, **more: Any) -> tuple[Stage, str]:
    """A button that was in view when it got its ref."""
    far = {**SAVE, "title": "Far", "bounds": [120, 140, 60, 24]}
    there = stage(editor({"role": "AXScrollArea", "bounds": [100, 120, 640, 200], "children": [far]}), **more)
    ref = there.ref("Far")
    shown = there.scene.machine.app_named("TextEdit").windows[0]
    next(node for node in shown.walk() if node.title == "Far").bounds = Bounds(120, 900, 60, 24)
    return there, ref


def test_what_is_scrolled_away_is_brought_in_and_met_where_it_is_then(stage: Open) -> None:
    there, ref = scrolled_away(stage)
    begun = there.scene.machine.journal.milliseconds
    outcome = there.act({"kind": "hover", "ref": ref})
    assert outcome["ok"] is True, outcome
    (moved,) = there.scene.events("mouse_move")
    assert moved["ms"] - begun >= 100, "scrolling takes its time"
    x, y = moved["at"]
    assert 100 <= x <= 740
    assert 120 <= y <= 320


@pytest.mark.parametrize("fault", [{"code": -25206}, {"code": 0}])
def test_what_cannot_be_brought_in_gets_no_pointer(stage: Open, fault: dict[str, Any]) -> None:
    """Because the app refuses, or because nothing comes of it."""
    reveal = {"call": "AXUIElementPerformAction", "attribute": "AXScrollToVisible", **fault}
    there, ref = scrolled_away(stage, faults=[reveal])
    assert "out of view" in failed(there.act({"kind": "hover", "ref": ref}))["reason"]
    assert points(there, "mouse_move") == []


@pytest.mark.parametrize("bounds", [[300, 300, 0, 24], [300, 300, 60, 0], None])
def test_what_has_no_place_gets_no_pointer(stage: Open, bounds: list[int] | None) -> None:
    placed = {"bounds": bounds} if bounds else {}
    there = stage(editor(NOTES, {"role": "AXButton", "title": "Save", **placed}))
    ref = next(
        (line.split("[")[1].split("]")[0] for line in there.see(app="TextEdit").splitlines() if "Save" in line), "e2"
    )
    assert "no place on the screen" in failed(there.act({"kind": "hover", "ref": ref}))["reason"]
    assert points(there, "mouse_move") == []


def sliding(there: Stage, moves: int) -> None:
    """The window goes to the right, ten points each ten milliseconds."""
    machine = there.scene.machine
    begun, move = machine.journal.milliseconds, {"do": "move_window", "app": "TextEdit", "window": 0}
    places = [{"after_ms": begun + 10 * n, **move, "to": [100 + 10 * n, 80]} for n in range(1, moves + 1)]
    machine.schedule = Schedule(places)


@pytest.mark.parametrize("step", [{"kind": "click", "clicks": 2}, {"kind": "click", "button": "right"}])
def test_what_slides_is_clicked_where_it_comes_to_rest(stage: Open, step: dict[str, Any]) -> None:
    there = stage(editor(NOTES, SAVE))
    ref = there.ref("Save")
    sliding(there, 20)
    outcome = there.act({**step, "ref": ref})
    assert outcome["ok"] is True, outcome
    assert {tuple(at) for at in points(there, "mouse_down")} == {(890, 102)}


def test_what_does_not_come_to_rest_gets_no_pointer(stage: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mac_commander.core.perform.STILL_LOOKS_MOST", 3)
    there = stage(editor(NOTES, SAVE))
    ref = there.ref("Save")
    sliding(there, 60)
    step = failed(there.act({"kind": "click", "ref": ref, "clicks": 2}))
    assert ("does not stay in one place" in step["reason"], step["retry"]) == (True, "safe")
    assert points(there, "mouse_move", "mouse_down") == []


def in_two_windows(**back: Any) -> tuple[dict[str, Any], ...]:
    """Both show a button at one place."""
    button = {"role": "AXButton", "bounds": [120, 120, 60, 30]}
    return (
        window({**button, "title": "Front"}, title="Over"),
        window({**button, "title": "Back"}, title="Under", **back),
    )


@pytest.mark.parametrize("more", [{"clicks": 2}, {"button": "right"}])
def test_what_is_in_a_minimised_window_gets_no_pointer(stage: Open, more: dict[str, Any]) -> None:
    there = stage(app(TEXTEDIT, windows=list(in_two_windows())))
    ref = there.ref("Back")
    there.scene.machine.app_named("TextEdit").windows[1].minimised = True
    step = failed(there.act({"kind": "click", "ref": ref, **more}))
    assert "minimised window" in step["reason"]
    assert there.received() == []


def standing_out(stage: Open, over: dict[str, Any]) -> str:
    """Why a button whose centre lies beside its window gets no pointer."""
    under = window({**SAVE, "bounds": [1080, 90, 60, 24]}, bounds=[900, 80, 200, 480])
    there = stage(app(TEXTEDIT, windows=[over, under]))
    reason: str = failed(there.act({"kind": "hover", "ref": there.ref("Save")}))["reason"]
    return reason


def test_what_stands_out_of_its_window_is_for_the_guard_to_judge(stage: Open) -> None:
    beside = window(NOTES, title="Over")
    assert "what is under the point before step is unknown" in standing_out(stage, beside)


def test_a_minimised_window_lies_over_nothing(stage: Open) -> None:
    away = window(NOTES, title="Over", bounds=[1100, 80, 200, 480])
    assert "covered by another window" in standing_out(stage, away)
    assert "what is under the point before step is unknown" in standing_out(stage, {**away, "minimised": True})


def test_whose_window_is_not_told_is_for_the_guard_to_judge(stage: Open) -> None:
    """Not all that a desktop shows is in a window of its list, and one may close between two looks."""
    there = stage()
    ref = there.ref("Save")
    there.scene.desktop.windows = lambda _: ()  # type: ignore[method-assign]
    assert there.act({"kind": "hover", "ref": ref})["ok"] is True
    scenes.perform(there.scene.machine, {"do": "open_window", "app": "Chat", "window": {
        "title": "Over", "bounds": [600, 80, 200, 100], "layer": 3, "elements": []}})  # fmt: skip
    assert "covered by a window of Chat" in failed(there.act({"kind": "hover", "ref": ref}))["reason"]


@pytest.mark.parametrize("at", [{"xy": [300, 300]}, {"ref": "Text"}])
def test_a_scroll_turns_the_wheel_over_its_place(stage: Open, at: dict[str, Any]) -> None:
    there = stage()
    place = {"ref": there.ref(at["ref"])} if "ref" in at else at
    assert there.act({"kind": "scroll", **place, "dx": 20, "dy": -40})["ok"] is True
    turned = there.scene.events("scroll")
    assert {tuple(e["at"]) for e in turned} == {(300, 300) if "xy" in at else (420, 270)}
    assert (sum(e["dx"] for e in turned), sum(e["dy"] for e in turned)) == (20, -40)


# --- clicks and drags -------------------------------------------------------------------------------------------


def test_what_has_no_press_is_clicked(stage: Open) -> None:
    there = stage(editor({**NOTES, "focused": True}, {**SAVE, "actions": []}))
    for label in ("Text", "Save"):
        assert there.act({"kind": "click", "ref": there.ref(label)})["ok"] is True
    assert "press" not in there.received()
    assert points(there, "mouse_down") == [[420, 270], [690, 102]]


def test_one_that_has_no_press_is_not_asked_for_it(stage: Open) -> None:
    """An app may answer that in a way that leaves open whether it pressed something."""
    fault = {"call": "AXUIElementPerformAction", "code": -25200}
    there = stage(editor({**SAVE, "actions": []}), faults=[fault])
    assert there.act({"kind": "click", "ref": there.ref("Save")})["ok"] is True
    assert points(there, "mouse_down") == [[690, 102]]


@pytest.mark.parametrize("works_anyway", [True, False])
@pytest.mark.parametrize("code", [-25200, -25204, -25205, -25206])
def test_a_press_that_may_have_worked_is_not_made_again_with_the_mouse(
    stage: Open,
    code: int,
    works_anyway: bool,
) -> None:
    fault = {"call": "AXUIElementPerformAction", "code": code, "works_anyway": works_anyway}
    there = stage(editor(SAVE), faults=[fault])
    step = failed(there.act({"kind": "click", "ref": there.ref("Save")}))
    assert step["retry"] == "unsafe"
    assert there.received().count("press") == works_anyway
    assert points(there, "mouse_down") == []


def test_a_drag_never_begins_whose_end_lies_under_another_app(stage: Open) -> None:
    panel = {"title": "Over", "bounds": [300, 300, 200, 100], "layer": 3, "elements": []}
    there = stage(TEXTEDIT, app(CHAT, windows=[panel]))
    step = failed(there.act({"kind": "drag", "from_xy": [150, 200], "to_xy": [350, 350]}))
    assert step["retry"] == "safe"
    assert points(there, "mouse_down", "mouse_drag", "mouse_up") == []


def test_a_drag_takes_the_time_that_apps_need(stage: Open) -> None:
    there = stage()
    assert there.act({"kind": "drag", "from_xy": [150, 200], "to_xy": [350, 300]})["ok"] is True
    down, *moves, up = (e["ms"] for e in there.scene.events("mouse_down", "mouse_drag", "mouse_up"))
    assert moves[0] - down >= 100
    assert moves[-1] - moves[-2] >= 100
    assert up > moves[-1]
    assert all(later - earlier >= 30 for earlier, later in pairwise(moves[:-1])), "the desktop's pause and ours"


# --- text -------------------------------------------------------------------------------------------------------


def test_a_field_that_has_the_keyboard_is_not_asked_to_take_it(stage: Open) -> None:
    there = stage(editor({**NOTES, "focused": True}))
    ref = there.ref("Text")
    asked = there.scene.machine.calls["AXUIElementSetAttributeValue"]
    assert there.act({**TYPE, "ref": ref})["ok"] is True
    assert there.scene.machine.calls["AXUIElementSetAttributeValue"] == asked


def test_a_field_that_cannot_be_asked_is_clicked(stage: Open) -> None:
    other = {**NOTES, "title": "Other", "bounds": [100, 430, 640, 40]}
    there = stage(editor({**NOTES, "focused": True}, other), faults=UNASKABLE)
    outcome = there.act({**TYPE, "ref": there.ref("Other")})
    assert outcome["ok"] is True, outcome
    assert points(there, "mouse_down") == [[420, 450]]
    assert there.scene.value("Other") == "x"


@pytest.mark.parametrize("faults", [[], UNASKABLE])
def test_a_field_that_does_not_take_the_keyboard_gets_no_text(stage: Open, faults: list[dict[str, Any]]) -> None:
    """Whether it is asked or clicked."""
    other = {**NOTES, "title": "Other", "bounds": [100, 430, 640, 40], "focusable": False}
    there = stage(editor({**NOTES, "focused": True}, other), faults=faults)
    step = failed(there.act({**TYPE, "ref": there.ref("Other")}))
    assert ("did not take the keyboard" in step["reason"]) is bool(faults)
    assert there.typed() == ""


def test_a_field_may_take_its_time_to_take_the_keyboard(stage: Open) -> None:
    other = {**NOTES, "title": "Other", "bounds": [100, 430, 640, 40], "focusable": False}
    there = stage(editor({**NOTES, "focused": True}, other), faults=UNASKABLE)
    ref = there.ref("Other")
    shown = there.scene.machine.app_named("TextEdit").windows[0]
    idle, passed = there.scene.desktop.idle, list[float]()

    def takes_it_later(seconds: float) -> None:
        passed.append(seconds)
        if sum(passed) > 0.5:
            shown.focus = shown.children[1]
        idle(seconds)

    there.scene.desktop.idle = takes_it_later  # type: ignore[method-assign]
    outcome = there.act({**TYPE, "ref": ref})
    assert outcome["ok"] is True, outcome
    assert there.scene.value("Other") == "x"


def test_the_entry_of_a_combo_box_has_its_keyboard(stage: Open) -> None:
    entry = {**NOTES, "role": "AXTextField", "title": "Entry", "bounds": [112, 432, 100, 20]}
    combo = {"role": "AXComboBox", "title": "Font", "bounds": [110, 430, 200, 24], "children": [entry]}
    there = stage(editor({**NOTES, "focused": True}, combo))
    ref = there.ref("Font")
    shown = there.scene.machine.app_named("TextEdit").windows[0]
    shown.focus = shown.children[1].children[0]
    assert there.act({**TYPE, "ref": ref})["ok"] is True
    assert there.scene.value("Entry") == "x"


COMBO = Element(1, "combobox", "Font", bounds=Rect(0, 0, 100, 20), window=7)
ENTRY = Element(2, "textfield", "", bounds=Rect(5, 5, 50, 10), window=7)


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        (replace(ENTRY, bounds=None), COMBO),
        (ENTRY, replace(COMBO, bounds=None)),
        (replace(ENTRY, window=0), replace(COMBO, window=0)),
        (replace(ENTRY, window=8), COMBO),
        (replace(ENTRY, role="combobox"), COMBO),
        (replace(ENTRY, bounds=Rect(90, 5, 50, 10)), COMBO),
    ],
)
def test_what_stands_elsewhere_is_no_part_of_a_field(inner: Element, outer: Element) -> None:
    assert stands_inside(ENTRY, COMBO)
    assert not stands_inside(inner, outer)


def test_text_follows_its_field_into_another_window(stage: Open) -> None:
    back = window(
        {**NOTES, "title": "Behind", "bounds": [760, 400, 200, 100]}, title="Back", bounds=[750, 380, 300, 200]
    )
    there = stage(app(TEXTEDIT, windows=[window({**NOTES, "focused": True}), back]), faults=UNASKABLE)
    outcome = there.act({"kind": "type", "ref": there.ref("Behind"), "text": "x" * 30})
    assert outcome["ok"] is True, outcome
    assert there.scene.value("Behind") == "x" * 30


def test_the_target_has_taken_each_piece_before_the_next(stage: Open) -> None:
    there = stage()
    desktop, asked = there.scene.desktop, list[str]()
    desktop.barrier = lambda *_: asked.append(there.typed())  # type: ignore[method-assign, func-returns-value]
    assert there.act({"kind": "type", "text": "a\tb", "submit": True})["ok"] is True
    assert asked[:3] == ["a", "a\t", "a\tb"]


def test_a_target_that_lost_the_front_in_mid_text_is_not_called_hung(stage: Open) -> None:
    there = stage()

    def barrier(*_: object) -> bool:
        scenes.perform(there.scene.machine, {"do": "activate", "app": "Chat"})
        return False

    there.scene.desktop.barrier = barrier  # type: ignore[method-assign]
    step = failed(there.act({"kind": "type", "text": "x" * 40}))
    assert (step["cause"], step["phase"]) == ("focus", "during")
    assert there.typed() == "x" * 20


def test_return_waits_for_what_completes_words(stage: Open) -> None:
    there = stage()
    assert there.act({"kind": "type", "text": "a", "submit": True})["ok"] is True
    first, second = (e["ms"] for e in there.scene.events("key_down"))
    assert second - first >= 150


@pytest.mark.parametrize("steps", [[{"kind": "type", "text": "x"}], [{"kind": "set", "value": "x"}]])
def test_a_password_field_is_refused_by_its_ref(stage: Open, steps: list[dict[str, Any]]) -> None:
    there = stage(editor({**NOTES, "focused": True}, SECRET))
    ref = there.ref("P")
    for step in steps:
        assert "password field" in failed(there.act({**step, "ref": ref}))["reason"]
    assert there.received() == []
    assert there.scene.machine.calls["AXUIElementSetAttributeValue"] == 0


def test_a_value_that_cannot_be_set_says_what_to_do(stage: Open) -> None:
    there = stage(editor(SAVE))
    assert "takes no value" in failed(there.act({"kind": "set", "ref": there.ref("Save"), "value": "x"}))["reason"]


def test_a_list_that_takes_no_value_is_opened_and_clicked(stage: Open) -> None:
    there = stage(editor({"role": "AXPopUpButton", "title": "Font", "bounds": [660, 90, 60, 24]}))
    reason = failed(there.act({"kind": "set", "ref": there.ref("Font"), "value": "x"}))["reason"]
    assert reason.endswith("Click it, then the item wanted: see lists what pops up")


def test_a_wait_proves_ten_times_a_second_and_not_at_each_look(stage: Open) -> None:
    there = stage()
    evidence, asked = there.scene.desktop.evidence, list[object]()
    there.scene.desktop.evidence = lambda *at: asked.append(at) or evidence(*at)  # type: ignore[method-assign, func-returns-value]
    failed(there.act({"kind": "wait", "until": "never", "ms": 2000}))
    assert 12 <= len(asked) <= 25


# --- which app, and its front -----------------------------------------------------------------------------------


def test_nobody_is_meant_while_the_front_is_unknown(stage: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    there = stage(TEXTEDIT, app(TEXTEDIT, pid=5_000_413, frontmost=False))
    monkeypatch.setattr(there.scene.desktop, "frontmost", lambda: None)
    assert "2 running apps answer" in failed(there.act(TYPE))["reason"]


def test_one_id_from_two_places_is_two_programs(stage: Open) -> None:
    there = stage(TEXTEDIT, app(TEXTEDIT, pid=5_000_413, frontmost=False, path="/Users/x/Downloads/TextEdit.app"))
    assert "name one by its id, or close the others" in failed(there.act(TYPE))["reason"]
    assert there.received() == []


def test_without_an_id_all_names_make_a_program(stage: Open) -> None:
    plain = {key: value for key, value in TEXTEDIT.items() if key != "bundle_id"}
    there = stage(plain, {**plain, "pid": 5_000_413, "frontmost": False})
    assert there.act(TYPE)["target"]["pid"] == 5_000_412
    other = stage(plain, {**plain, "pid": 5_000_413, "frontmost": False, "path": "/Users/x/TextEdit.app"})
    assert "2 running apps answer" in failed(other.act(TYPE))["reason"]


def test_who_is_in_front_is_not_asked_to_come(stage: Open) -> None:
    there = stage()
    asked = list[object]()
    there.scene.desktop.activate = lambda *given: asked.append(given)  # type: ignore[method-assign]
    assert there.act(KEY)["ok"] is True
    assert asked == []


def test_one_look_that_finds_it_in_front_is_not_enough(stage: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    there = stage(app(TEXTEDIT, frontmost=False), app(CHAT, frontmost=True))
    target, other = there.scene.app(), there.scene.app("Chat")
    looks = iter([other] + [target, other] * 500)
    monkeypatch.setattr(there.scene.desktop, "frontmost", lambda: next(looks))
    monkeypatch.setattr(there.scene.desktop, "activate", lambda *_: None)
    assert "did not come to the front" in failed(there.act(TYPE))["reason"]


@pytest.mark.parametrize(("front", "said"), [("Chat", "Chat is frontmost"), (None, "no known app is frontmost")])
def test_who_is_in_front_instead_is_told(
    stage: Open,
    monkeypatch: pytest.MonkeyPatch,
    front: str | None,
    said: str,
) -> None:
    there = stage(app(TEXTEDIT, frontmost=False), app(CHAT, frontmost=True))
    found = there.scene.app(front) if front else None
    monkeypatch.setattr(there.scene.desktop, "frontmost", lambda: found)
    monkeypatch.setattr(there.scene.desktop, "activate", lambda *_: None)
    assert said in failed(there.act(TYPE))["reason"]


# --- pictures ---------------------------------------------------------------------------------------------------


def test_each_ground_for_no_picture_by_itself(stage: Open) -> None:
    vault = app(CHAT, name="1Password", bundle_id="com.1password.1password")
    agent = app(CHAT, name="SecurityAgent", bundle_id="com.apple.SecurityAgent", pid=5_000_204)
    there = stage(app(TEXTEDIT, windows=[]), vault, agent)
    session = there.session
    for name, said in (("1Password", "input blocklist"), ("SecurityAgent", "system dialog or locker")):
        with pytest.raises(Refused, match=said):
            session.window_picture(there.scene.app(name))
    with pytest.raises(DesktopError, match="shows no window"):
        session.window_picture(there.scene.app())
    assert there.scene.events("capture") == []

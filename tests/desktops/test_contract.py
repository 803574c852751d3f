"""The contract of `desktops/base.py`, held against every desktop that is there; witnesses tell what really happened."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from mac_commander.desktops.base import CALL_SECONDS
from mac_commander.errors import DesktopError, Refused, Stale, Unsupported
from mac_commander.events import (
    ClickAt,
    DragEnd,
    DragMove,
    DragStart,
    Evidence,
    FocusElement,
    Group,
    MovePointer,
    PickMenu,
    PressChord,
    PressElement,
    RevealElement,
    ScrollAt,
    SetValue,
    TypeText,
)
from mac_commander.model import App, Button, Chord, Limits, Modifier, Point, Rect, State, WindowKind
from mac_commander.roles import ROLES
from tests.desktops.stages import Stage

CLOSE_ENOUGH = 3
"""Points: a border more or less is no other place."""


def allow(_: Evidence) -> None:
    """The judge who lets everything pass."""


def send(stage: Stage, *groups: Group) -> None:
    for group in groups:
        stage.desktop.deliver(group, stage.app, allow)
        stage.desktop.barrier(stage.app, 2.0)


def refused(stage: Stage, way: str, group: Group) -> bool:
    """Send the group, or see it refused in words where the toolkit has no way for it."""
    if way not in stage.lacks:
        send(stage, group)
        return False
    with pytest.raises(Unsupported, match=r"\w+ \w+ \w+"):
        send(stage, group)
    assert not stage.events("mouse_down") + stage.events("key_down")
    return True


def near(a: Rect, b: Rect) -> bool:
    return all(abs(x - y) <= CLOSE_ENOUGH for x, y in zip(a, b, strict=True))


def chord(key: str, *modifiers: Modifier) -> PressChord:
    return PressChord(Chord(frozenset(modifiers), key))


# --- looking -----------------------------------------------------------------------------------------------


def test_a_good_desktop_is_ready(stage: Stage) -> None:
    ready = stage.desktop.readiness()
    assert (ready.accessibility, ready.screenshots, ready.input) == ("", "", "")


def test_screens_main_first(stage: Stage) -> None:
    screens = stage.desktop.screens()
    assert [s.main for s in screens] == [True] + [False] * (len(screens) - 1)
    assert all(s.bounds.width > 0 and s.scale >= 1 for s in screens)


def test_apps_are_known_by_identity_and_names(stage: Stage) -> None:
    app = stage.app
    assert app.name
    assert Path(app.executable).is_absolute()
    assert app == stage.app, "two looks at one process differ"
    assert stage.app_of(stage.other_pid).identity != app.identity


def test_frontmost_follows_at_once(stage: Stage) -> None:
    stage.until(lambda: stage.desktop.frontmost() == stage.app)
    stage.steal()
    stage.until(lambda: (stage.desktop.frontmost() or stage.app).pid == stage.other_pid)


def test_a_process_runs_by_pid_and_start(stage: Stage) -> None:
    app = stage.app
    assert stage.desktop.is_running(app)
    recycled = App(app.pid, app.started + 1, app.name)
    assert not stage.desktop.is_running(recycled)
    stage.desktop.request_quit(app)
    stage.until(lambda: not stage.desktop.is_running(app))


def test_windows(stage: Stage) -> None:
    (window,) = stage.desktop.windows(stage.app)
    assert window.main
    assert window.pid == stage.pid
    assert "Witness" in window.title
    assert window.kind is WindowKind.WINDOW
    assert window.bounds.contains(stage.bounds("Save").centre)


def test_a_dialog_is_a_window_in_front(stage: Stage) -> None:
    stage.open_dialog()
    stage.until(lambda: len(stage.desktop.windows(stage.app)) == 2)
    dialog, window = stage.desktop.windows(stage.app)
    assert (dialog.kind, window.kind) == (WindowKind.DIALOG, WindowKind.WINDOW)
    assert dialog.title == "Witness dialog"
    stage.until(lambda: stage.desktop.windows(stage.app)[0].main)


def test_the_stack_is_front_to_back(stage: Stage) -> None:
    assert [w.pid for w in stage.desktop.stack()][:2] == [stage.pid, stage.other_pid]
    stage.steal()
    stage.until(lambda: next(w.pid for w in stage.desktop.stack()) == stage.other_pid)


EXPECTED = {
    "Name": "textfield",
    "Password": "textfield",
    "Notes": "textarea",
    "Save": "button",
    "Publish": "button",
    "Wrap lines": "checkbox",
    "Left": "radio",
    "Right": "radio",
    "Colour": "combobox",
    "Volume": "slider",
    "Count": "spinbutton",
}


def test_a_snapshot_has_every_element_with_its_role(stage: Stage) -> None:
    snapshot = stage.desktop.snapshot(stage.app, Limits())
    seen = {(e.name, e.role) for e in snapshot.elements}
    missing = {
        name for name, role in EXPECTED.items() if not seen & {(name, role), (name, stage.other_roles.get(name))}
    }
    assert not missing, f"seen instead: {sorted(e for e in seen if e[0] in EXPECTED)}"
    assert snapshot.complete, snapshot.notes
    assert {e.role for e in snapshot.elements} <= ROLES
    assert {e.window for e in snapshot.elements} <= {w.id for w in snapshot.windows}


def test_a_snapshot_tells_states(stage: Stage) -> None:
    stage.focus("Name")
    stage.until(lambda: State.FOCUSED in stage.element("Name", "textfield").states)
    assert State.DISABLED in stage.element("Publish", "button").states
    assert State.DISABLED not in stage.element("Save", "button").states
    assert State.CHECKED in stage.element("Left").states
    assert State.CHECKED not in stage.element("Right").states
    assert State.CHECKED not in stage.element("Wrap lines", "checkbox").states


def test_a_snapshot_tells_values_and_ranges(stage: Stage) -> None:
    stage.focus("Notes")
    send(stage, TypeText("x" * 20))
    stage.until(lambda: stage.text("Notes") == "x" * 20)
    notes = stage.element("Notes", "textarea")
    assert (notes.value, notes.value_length) == ("x" * 20, 20)
    assert stage.element("Volume", "slider").range == (0, 100)
    cut = stage.desktop.snapshot(stage.app, Limits(value_chars=5)).elements
    (short,) = [e for e in cut if e.role == "textarea" and e.name == "Notes"]
    assert (short.value, short.value_length) == ("xxxxx", 20)


def test_elements_are_where_the_toolkit_says(stage: Stage) -> None:
    for name in ("Name", "Save", "Wrap lines", "Volume"):
        bounds = stage.element(name, EXPECTED[name]).bounds
        assert bounds is not None
        aim, centre = bounds.centre, stage.bounds(name).centre
        assert abs(aim.x - centre.x) <= CLOSE_ENOUGH, f"{name}: {bounds} for {stage.bounds(name)}"
        assert abs(aim.y - centre.y) <= CLOSE_ENOUGH, f"{name}: {bounds} for {stage.bounds(name)}"


def test_a_secure_value_is_never_read(stage: Stage) -> None:
    stage.focus("Password")
    send(stage, TypeText("hunter2"))
    stage.until(lambda: stage.text("Password") == "hunter2")
    password = stage.element("Password", "textfield")
    assert password.secure
    assert password.value is None
    assert "hunter2" not in repr(stage.elements())
    described = stage.desktop.describe(password.key)
    assert described is not None
    assert (described.secure, described.value) == (True, None)


def test_rows_out_of_sight_say_so(stage: Stage) -> None:
    rows = [e for e in stage.elements() if e.name in ("Row 0", "Row 90")]
    states = {e.name: State.OFFSCREEN in e.states for e in rows if e.role in ("listitem", "option", "label", "row")}
    assert states.get("Row 0") is False
    assert states.get("Row 90", True) is True


def test_closed_menus_are_left_out(stage: Stage) -> None:
    assert not [e for e in stage.elements() if e.name in ("Save As…", "PDF", "Paste")]


def test_a_limit_is_told(stage: Stage) -> None:
    snapshot = stage.desktop.snapshot(stage.app, Limits(nodes=5))
    assert not snapshot.complete
    assert snapshot.notes
    assert len(snapshot.elements) <= 5


def test_equal_keys_are_the_same_object(stage: Stage) -> None:
    first, second = stage.element("Save", "button"), stage.element("Save", "button")
    assert first.key == second.key
    assert len({e.key for e in stage.elements()}) == len(stage.elements())
    stage.replace("Save")
    stage.until(lambda: [e for e in stage.elements() if e.name == "Save" and e.key != first.key])


def test_describe_follows_the_live_object(stage: Stage) -> None:
    save = stage.element("Save", "button")
    again = stage.desktop.describe(save.key)
    assert again is not None
    assert (again.role, again.name) == ("button", "Save")
    stage.rename("Save", "Keep")
    stage.until(lambda: (stage.desktop.describe(save.key) or save).name == "Keep")
    stage.replace("Save")
    stage.until(lambda: (gone := stage.desktop.describe(save.key)) is None or gone.name != "Keep")


def test_what_the_app_told_of_is_read_by_itself(stage: Stage) -> None:
    save, told = stage.element("Save"), []
    assert not stage.desktop.changed(stage.app, Limits()).complete, "nobody listened"
    stage.rename("Save", "Save all")

    def comes() -> bool:
        told.extend(stage.desktop.changed(stage.app, Limits()).elements)
        return any(e.key == save.key for e in told)

    stage.until(comes)
    whole = [e for e in stage.elements() if e.key == save.key]
    assert [replace(e, depth=0) for e in told if e.key == save.key][-1:] == [replace(e, depth=0) for e in whole]
    assert whole[0].name == "Save all"


def test_what_is_asked_for_is_read_as_in_the_whole(stage: Stage) -> None:
    asked = [e for e in stage.elements() if e.name in ("Save", "Password", "Volume") and e.role != "label"]
    stage.desktop.changed(stage.app, Limits())
    seen = stage.desktop.changed(stage.app, Limits(), asked)
    assert {replace(e, depth=0) for e in asked} <= {replace(e, depth=0) for e in seen.elements}
    assert all(e.value is None for e in seen.elements if e.secure)
    assert {w.id for w in seen.windows} == {w.id for w in stage.desktop.windows(stage.app)}
    stage.desktop.idle(0.0)
    assert not stage.desktop.changed(stage.app, Limits(), asked).complete, "nobody listened since"


def test_focused_is_the_element_that_gets_the_keys(stage: Stage) -> None:
    for name in ("Name", "Notes"):
        stage.focus(name)
        stage.until(lambda name=name: (e := stage.desktop.focused(stage.app)) is not None and e.name == name)


def test_a_password_field_that_gets_the_keys_is_told(stage: Stage) -> None:
    for name, secret in (("Name", False), ("Password", True), ("Notes", False)):
        stage.focus(name)
        stage.until(lambda secret=secret: stage.desktop.types_secretly(stage.app) is secret)


def test_a_picture_is_the_window_and_nothing_else(stage: Stage) -> None:
    before = stage.desktop.capture(stage.window)
    scale = before.width / before.bounds.width
    assert len(before.rgb) == before.width * before.height * 3
    assert near(before.bounds, stage.window.bounds)
    assert scale in (1, 2)
    stage.steal()
    covered = stage.desktop.capture(stage.window)
    assert (covered.width, covered.height) == (before.width, before.height)
    assert b"\xff\x44\x44" not in _pixels(covered.rgb)


def _pixels(rgb: bytes) -> set[bytes]:
    return {rgb[i : i + 3] for i in range(0, len(rgb), 3)}


def test_a_hidden_window_has_no_picture(stage: Stage) -> None:
    window = stage.window
    stage.desktop.hide(stage.app)
    stage.until(lambda: stage.desktop.is_hidden(stage.app))
    with pytest.raises(DesktopError):
        stage.desktop.capture(window)


def test_a_picture_of_the_desktop_has_all_screens(stage: Stage) -> None:
    picture = stage.desktop.capture_desktop()
    for screen in stage.desktop.screens():
        assert picture.bounds.intersects(screen.bounds)
    assert len(picture.rgb) == picture.width * picture.height * 3


def test_ancestors_nearest_first(stage: Stage) -> None:
    ancestors = stage.desktop.ancestors()
    assert "parents" in stage.lacks or ancestors[0] == os.getppid()
    assert 1 not in ancestors


# --- apps --------------------------------------------------------------------------------------------------


def test_activate_brings_to_the_front(stage: Stage) -> None:
    stage.steal()
    stage.desktop.activate(stage.app)
    stage.until(lambda: stage.desktop.frontmost() == stage.app)


def test_hide_and_back(stage: Stage) -> None:
    assert not stage.desktop.is_hidden(stage.app)
    stage.desktop.hide(stage.app)
    stage.until(lambda: stage.desktop.is_hidden(stage.app))
    assert all(w.minimised for w in stage.desktop.windows(stage.app)) or not stage.desktop.windows(stage.app)
    stage.desktop.activate(stage.app)
    stage.until(lambda: not stage.desktop.is_hidden(stage.app))
    stage.until(lambda: (stage.desktop.frontmost() or stage.app_of(stage.other_pid)).pid == stage.pid)


def test_place_reads_back(stage: Stage) -> None:
    save = stage.bounds("Save")
    at = stage.window.bounds
    placed = stage.desktop.place(stage.window, Point(at.x - 60, at.y - 20), None)
    assert near(placed, Rect(at.x - 60, at.y - 20, at.width, at.height))
    assert near(stage.bounds("Save"), Rect(save.x - 60, save.y - 20, save.width, save.height))
    sized = stage.desktop.place(stage.window, None, (at.width + 40, at.height + 30))
    assert near(sized, Rect(at.x - 60, at.y - 20, at.width + 40, at.height + 30))


# --- input -------------------------------------------------------------------------------------------------


def test_evidence_names_the_owners(stage: Stage) -> None:
    evidence = stage.desktop.evidence(stage.bounds("Save").centre)
    assert evidence.frontmost == stage.app
    assert evidence.focus is not None
    assert evidence.point is not None
    assert (evidence.focus.pid, evidence.point.pid) == (stage.pid, stage.pid)
    assert not any((evidence.keyboard_grabbed, evidence.pointer_grabbed, evidence.locked, evidence.modifiers_held))
    assert evidence.point.app == stage.app
    assert stage.desktop.evidence().point is None


def test_the_judge_sees_what_is_and_may_forbid(stage: Stage) -> None:
    stage.focus("Name")
    seen = []

    def judge(evidence: Evidence) -> None:
        seen.append(evidence)
        raise Refused("no")

    with pytest.raises(Refused, match="no"):
        stage.desktop.deliver(TypeText("abc"), stage.app, judge)
    with pytest.raises(Refused, match="no"):
        stage.desktop.deliver(ClickAt(stage.bounds("Save").centre), stage.app, judge)
    with pytest.raises(Refused, match="no"):
        stage.desktop.deliver(PressElement(stage.element("Save", "button").key), stage.app, judge)
    stage.desktop.barrier(stage.app, 2.0)
    assert [e.frontmost for e in seen] == [stage.app] * 3
    assert stage.text("Name") == ""
    assert stage.activations("Save") == 0
    assert not stage.events("key_down")
    assert not stage.events("mouse_down")


def test_after_a_theft_the_judge_sees_the_thief(stage: Stage) -> None:
    app = stage.app
    stage.focus("Name")
    stage.steal()
    seen = []

    def judge(evidence: Evidence) -> None:
        seen.append(evidence)
        raise Refused("no")

    with pytest.raises(Refused):
        stage.desktop.deliver(TypeText("abc"), app, judge)
    assert seen[0].focus is not None
    assert seen[0].focus.pid == stage.other_pid
    assert not stage.events("key_down")


@pytest.mark.parametrize("text", ["plain", "Ligne — \"é\" 'ok'", "🙂 字 ß Ω", "e\u0301 👩‍👩‍👧", "_<>?{}|~"])
def test_any_text_arrives(stage: Stage, text: str) -> None:
    assert stage.desktop.untypable(text) == ""
    stage.focus("Name")
    send(stage, TypeText(text))
    stage.until(lambda: stage.text("Name") == text)


def test_return_and_tab_are_keys(stage: Stage) -> None:
    stage.focus("Notes")
    send(stage, TypeText("a"), TypeText("\n"), TypeText("b"))
    stage.until(lambda: stage.text("Notes") == "a\nb")


def test_chords(stage: Stage) -> None:
    stage.focus("Name")
    send(stage, TypeText("old"), chord("a", stage.desktop.main_modifier), TypeText("New"))
    stage.until(lambda: stage.text("Name") == "New")
    send(stage, chord("home"), chord("delete") if stage.desktop.name == "macos" else chord("end"))
    assert not stage.desktop.evidence().modifiers_held


def test_a_click_lands_where_it_was_aimed(stage: Stage) -> None:
    at = stage.bounds("Save").centre
    send(stage, ClickAt(at))
    stage.until(lambda: stage.activations("Save") == 1)
    (down,) = stage.events("mouse_down", "Save")
    assert abs(down["at"][0] - at.x) <= 1
    assert abs(down["at"][1] - at.y) <= 1


def test_buttons_clicks_and_modifiers(stage: Stage) -> None:
    at = stage.bounds("Drop here").centre
    send(stage, ClickAt(at, Button.RIGHT), ClickAt(at, Button.LEFT, 1, frozenset({Modifier.SHIFT})))
    stage.until(lambda: len(stage.events("mouse_up", "Drop here")) >= 2)
    assert {e["button"] for e in stage.events("mouse_down")} == {1, 3}
    assert [e for e in stage.events("mouse_down") if e["modifiers"] == ["shift"]]
    assert not stage.desktop.evidence().modifiers_held


def test_a_double_click_counts(stage: Stage) -> None:
    send(stage, ClickAt(stage.bounds("Name").centre, Button.LEFT, 2))
    stage.until(lambda: [e["clicks"] for e in stage.events("mouse_down", "Name")][-1:] == [2])


def test_scrolling_goes_the_way_it_says(stage: Stage) -> None:
    at = stage.bounds("Scroll area").centre
    send(stage, ScrollAt(at, 0, -120))
    stage.until(lambda: stage.value("Scroll area") > 0)
    low = stage.value("Scroll area")
    send(stage, ScrollAt(at, 0, 80))
    stage.until(lambda: stage.value("Scroll area") < low)


def test_a_drag_drops(stage: Stage) -> None:
    start, end = stage.bounds("Drag me").centre, stage.bounds("Drop here").centre
    told: list[tuple[str, ...]] = []
    stage.desktop.on_hold = told.append
    stage.desktop.deliver(DragStart(start), stage.app, allow)
    assert told, "a held button must be told before it goes down"
    assert told[-1]
    for part in range(1, 11):
        at = Point(start.x + (end.x - start.x) * part / 10, start.y + (end.y - start.y) * part / 10)
        stage.desktop.deliver(DragMove(at), stage.app, allow)
        stage.desktop.idle(0.02)
    stage.until(lambda: stage.events("drag"))
    stage.desktop.deliver(DragMove(Point(end.x + 1, end.y)), stage.app, allow)
    stage.desktop.idle(0.1)
    stage.desktop.deliver(DragEnd(end), stage.app, allow)
    if "drop" not in stage.lacks:
        stage.until(lambda: [e["text"] for e in stage.events("drop")] == ["dragged text"])
    assert told[-1] == ()


def test_release_all_lets_go(stage: Stage) -> None:
    stage.desktop.release_all()
    told: list[tuple[str, ...]] = []
    stage.desktop.on_hold = told.append
    stage.desktop.deliver(DragStart(stage.bounds("Save").centre), stage.app, allow)
    stage.until(lambda: stage.events("mouse_down", "Save"))
    stage.desktop.release_all()
    stage.until(lambda: stage.events("mouse_up"))
    assert told[-1] == ()
    stage.desktop.release_all()
    assert len(stage.events("mouse_up")) == 1


def test_moving_the_pointer_clicks_nothing(stage: Stage) -> None:
    send(stage, MovePointer(stage.bounds("Save").centre))
    assert not stage.events("mouse_down")


def test_press_needs_no_pointer(stage: Stage) -> None:
    save = stage.element("Save", "button")
    assert save.pressable
    send(stage, PressElement(save.key))
    stage.until(lambda: stage.activations("Save") == 1)
    assert not stage.events("mouse_down")


def test_focus_by_accessibility(stage: Stage) -> None:
    stage.focus("Name")
    if refused(stage, "focus", FocusElement(stage.element("Notes", "textarea").key)):
        return
    stage.until(lambda: (e := stage.desktop.focused(stage.app)) is not None and e.name == "Notes")


@pytest.mark.parametrize(("name", "value", "becomes"), [("Name", "é — 🙂", "é — 🙂"), ("Volume", "42", 42)])
def test_set_value(stage: Stage, name: str, value: str, becomes: object) -> None:
    element = stage.element(name, EXPECTED[name])
    assert element.settable
    send(stage, SetValue(element.key, value))
    stage.until(lambda: stage.value(name) == becomes)
    assert not stage.events("key_down")


def test_reveal_scrolls_into_view(stage: Stage) -> None:
    rows = [e for e in stage.elements() if e.name == "Row 90"]
    if not rows:  # a list that makes rows only when they are seen has nothing to reveal
        assert not [e for e in stage.elements() if e.name == "Row 99"]
        return
    if refused(stage, "reveal", RevealElement(rows[0].key)):
        return
    stage.until(lambda: stage.value("Scroll area") > 0)


def test_a_menu_item_is_picked(stage: Stage) -> None:
    if refused(stage, "menu", PickMenu(("File", "Save As…"))):
        return
    stage.until(lambda: stage.activations("Save As…") == 1)


def test_a_missing_menu_item_lists_what_there_is(stage: Stage) -> None:
    with pytest.raises(Unsupported) as refused:
        send(stage, PickMenu(("Nowhere", "Nothing")))
    assert "File" in str(refused.value) or "menu" in stage.lacks
    assert stage.activations("New") == 0


def test_a_gone_element_gets_nothing(stage: Stage) -> None:
    key = stage.element("Save", "button").key
    stage.replace("Save")
    stage.until(lambda: [e for e in stage.elements() if e.name == "Save" and e.key != key])
    with pytest.raises((Stale, DesktopError)):
        send(stage, PressElement(key))
    assert stage.activations("Save") == 0


def test_the_barrier_waits_for_the_app(stage: Stage) -> None:
    stage.focus("Name")
    stage.desktop.deliver(TypeText("abc"), stage.app, allow)
    answer = stage.desktop.barrier(stage.app, 2.0)
    assert answer in (True, None)
    if answer:
        assert stage.text("Name") == "abc"


# --- others ------------------------------------------------------------------------------------------------


def test_interpreters_are_real_programs(stage: Stage) -> None:
    interpreters = stage.desktop.interpreters()
    assert interpreters
    for interpreter in interpreters:
        assert interpreter.suffix.startswith(".")
        assert Path(interpreter.argv[0]).is_absolute()
        assert interpreter.comment


def test_script_help_is_a_sentence_or_nothing(stage: Stage) -> None:
    assert stage.desktop.script_help(0, "") == ""


def test_idle_is_bounded(stage: Stage) -> None:
    begun = time.monotonic()
    stage.desktop.idle(0.05)
    assert time.monotonic() - begun < CALL_SECONDS

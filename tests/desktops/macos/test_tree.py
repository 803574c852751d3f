"""Snapshots: what is read, in how many calls, and what is never read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mac_commander import roles
from mac_commander.core.config import Config
from mac_commander.core.session import Session
from mac_commander.core.stop import Stop
from mac_commander.errors import DesktopError, Hung, Stale
from mac_commander.model import Limits, State, WindowKind
from simulated_mac.faults import Faults
from tests.desktops.macos.conftest import Raise
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, Scene, app, window

AX_CALLS = (
    "CopyMultiple CopyAttributeValue CopyParameterized CopyAction IsAttribute GetAttribute Perform SetAttribute".split()
)


def ax_calls(scene: Scene) -> int:
    """Calls that an app has to answer."""
    return sum(n for name, n in scene.machine.calls.items() if any(part in name for part in AX_CALLS))


def many(count: int) -> list[dict[str, Any]]:
    """A window of a thousand widgets as real ones are mixed: a quarter of them show a value."""
    kinds = ("AXButton", "AXImage", "AXStaticText", "AXButton")
    shown = [{"role": kinds[n % 4], "title": f"Item {n}", "bounds": [110, 90, 50, 10]} for n in range(count)]
    return [{**e, "value": e["title"]} if e["role"] == "AXStaticText" else e for e in shown]


def test_roles_states_and_values(scene: Scene) -> None:
    scene.machine.apps[0].windows[0].children[2].value = 2
    snapshot = scene.look()
    seen = {(e.role, e.name, e.value) for e in snapshot.elements}
    assert seen == {
        ("textarea", "Text", ""), ("button", "Save", None), ("checkbox", "Wrap", None), ("textfield", "Password", None)
    }  # fmt: skip
    states = {e.name: e.states for e in snapshot.elements}
    assert states["Wrap"] == {State.MIXED}
    assert states["Password"] == {State.SECURE}
    assert states["Text"] == {State.FOCUSED}
    assert snapshot.complete


def test_a_secure_value_is_never_asked_for(scene: Scene) -> None:
    elements = scene.look().elements
    password = next(e for e in elements if e.name == "Password")
    scene.desktop.describe(password.key)
    scene.machine.windows.focus(scene.machine.apps[0].windows[0].children[3])
    focused = scene.desktop.focused(scene.app())
    assert focused is not None
    assert focused.secure
    assert scene.machine.calls["a secure value was read"] == 0
    assert "hunter2" not in repr(elements)


@pytest.mark.parametrize("count", [100, 1000])
def test_calls_for_each_element(raised: Raise, count: int) -> None:
    scene = raised(app(TEXTEDIT, windows=[window(*many(count))]), CHAT)
    target = scene.app()
    before = ax_calls(scene)
    snapshot = scene.desktop.snapshot(target, Limits())
    assert len(snapshot.elements) == count
    assert (ax_calls(scene) - before) / count <= 1.3


def test_a_long_list_costs_no_more_than_what_shows_of_it(raised: Raise) -> None:
    rows = [{"role": "AXStaticText", "value": f"Row {n}", "bounds": [110, 100 + 20 * n, 50, 20]} for n in range(1000)]
    table = {"role": "AXTable", "bounds": [110, 100, 100, 20_000], "children": rows}
    area = {"role": "AXScrollArea", "bounds": [110, 100, 100, 400], "children": [table]}
    scene = raised(app(TEXTEDIT, windows=[window(area)]), CHAT)
    target = scene.app()
    before = ax_calls(scene)
    elements = scene.desktop.snapshot(target, Limits()).elements
    assert len(elements) == 1002
    assert (ax_calls(scene) - before) / len(elements) <= 1.1
    assert [e.name for e in elements if e.name.startswith("Row")] == [f"Row {n}" for n in range(20)]
    assert sum(State.OFFSCREEN in e.states for e in elements) == 980


def test_long_lists_come_in_ranges(raised: Raise) -> None:
    rows = [{"role": "AXRow", "title": f"Row {n}", "bounds": [110, 100 + n, 50, 1]} for n in range(700)]
    table = {"role": "AXTable", "bounds": [110, 90, 100, 700], "children": rows}
    area = {"role": "AXScrollArea", "bounds": [110, 90, 100, 300], "children": [table]}
    scene = raised(app(TEXTEDIT, windows=[window(area)]), CHAT)
    elements = scene.look().elements
    assert [e.name for e in elements if e.role == "row"] == [f"Row {n}" for n in range(700)]
    assert State.OFFSCREEN not in next(e for e in elements if e.name == "Row 5").states
    below = next(e for e in elements if e.name == "Row 600")
    assert State.OFFSCREEN in below.states
    described = scene.desktop.describe(below.key)
    assert described is not None
    assert State.OFFSCREEN in described.states
    assert scene.machine.calls["AXUIElementCopyAttributeValues"] >= 3


def test_depth_is_bounded_without_recursion(raised: Raise) -> None:
    deepest: dict[str, Any] = {"role": "AXButton", "title": "deepest", "bounds": [110, 90, 5, 5]}
    for _ in range(100):
        deepest = {"role": "AXGroup", "bounds": [110, 90, 5, 5], "children": [deepest]}
    scene = raised(app(TEXTEDIT, windows=[window(deepest)]), CHAT)
    snapshot = scene.look(depth=50)
    assert not snapshot.complete
    assert "deeper than 50" in snapshot.notes[0]
    assert max(e.depth for e in snapshot.elements) == 49


def test_a_cycle_ends(scene: Scene) -> None:
    shown = scene.machine.apps[0].windows[0]
    shown.children[1].role = "AXGroup"
    shown.children[1].spec["cycle"] = True
    shown.children[1].children = [shown.children[0]]
    assert len(scene.look().elements) == 4


def test_a_node_limit_is_told(raised: Raise) -> None:
    scene = raised(app(TEXTEDIT, windows=[window(*many(100))]), CHAT)
    snapshot = scene.look(nodes=20)
    assert not snapshot.complete
    assert len(snapshot.elements) <= 20
    assert snapshot.notes


def test_megabytes_do_not_cross(scene: Scene) -> None:
    scene.machine.apps[0].windows[0].children[0].value = "x" * 2_000_000
    text = scene.element("Text")
    assert (text.value, text.value_length) == ("x" * 200, 2_000_000)


def test_elements_that_die_while_read_are_left_out(raised: Raise) -> None:
    scene = raised(faults=[{"call": "AXUIElementCopyMultipleAttributeValues", "code": -25202, "nth": 4, "times": 1}])
    snapshot = scene.look()
    assert len(snapshot.elements) == 3
    assert snapshot.complete


def test_an_app_that_stops_answering_half_way(raised: Raise) -> None:
    fault = {"call": "AXUIElementCopyMultipleAttributeValues", "code": -25204, "nth": 4, "delay_ms": 200}
    snapshot = raised(faults=[fault]).look()
    assert not snapshot.complete
    assert "did not answer" in snapshot.notes[0]
    assert 0 < len(snapshot.elements) < 4


def test_one_element_that_cannot_be_reached_does_not_end_the_walk(raised: Raise) -> None:
    fault = {"call": "AXUIElementCopyMultipleAttributeValues", "code": -25204, "nth": 4, "times": 1}
    snapshot = raised(faults=[fault]).look()
    assert len(snapshot.elements) == 3
    assert snapshot.notes == ("1 elements could not be read: the app answered with errors.",)


def test_of_siblings_without_end_those_are_read_that_there_is_time_for(raised: Raise) -> None:
    button = {"role": "AXButton", "title": "Button", "bounds": [110, 90, 5, 5], "copies": 100_000}
    scene = raised(app(TEXTEDIT, windows=[window(button)]), CHAT)
    snapshot = scene.look(seconds=1.0)
    assert not snapshot.complete
    assert "stopped after" in snapshot.notes[0]
    assert [e.name for e in snapshot.elements[:2]] == ["Button 1", "Button 2"]
    assert len(snapshot.elements) >= 20


@pytest.mark.parametrize("code", [-25200, -25201, -25208])
def test_an_app_that_tells_no_ranges(raised: Raise, code: int) -> None:
    snapshot = raised(faults=[{"call": "AXUIElementCopyAttributeValues", "code": code}]).look()
    assert [e.name for e in snapshot.elements] == ["Text", "Save", "Wrap", "Password"]
    assert snapshot.complete


def test_a_window_that_does_not_tell_what_is_in_it_hides_no_other(raised: Raise) -> None:
    other = window({"role": "AXButton", "title": "Here", "bounds": [310, 90, 60, 24]}, title="Other")
    scene = raised(app(TEXTEDIT, windows=[*TEXTEDIT["windows"], other]), CHAT)
    calls = ("AXUIElementCopyAttributeValues", "AXUIElementCopyAttributeValue")
    scene.machine.faults = Faults(
        [{"call": call, "code": -25200, "times": 1, "nth": 1, "attribute": "AXChildren"} for call in calls]
    )
    snapshot = scene.look()
    assert [e.name for e in snapshot.elements] == ["Here"]
    assert not snapshot.complete


def test_chromium_builds_its_pages_once_it_is_asked_for_its_role(raised: Raise) -> None:
    link = {"role": "AXLink", "title": "More", "bounds": [110, 170, 60, 20]}
    page = {"role": "AXWebArea", "title": "Page", "bounds": [100, 120, 640, 440], "children": [link]}
    reload = {"role": "AXButton", "title": "Reload", "bounds": [110, 90, 60, 24]}
    scene = raised(app(TEXTEDIT, windows=[window(reload, page)], chromium=True, tree_after_ms=0), CHAT)
    assert [e.name for e in scene.look().elements] == ["Reload", "Page", "More"]


def test_flags_that_are_told_as_numbers(raised: Raise) -> None:
    told = {"AXEnabled": 0, "AXSelected": 1, "AXElementBusy": 0}
    button = {"role": "AXButton", "title": "Grey", "bounds": [110, 90, 60, 24], "attributes": told}
    scene = raised(app(TEXTEDIT, windows=[window(button)]), CHAT)
    assert scene.element("Grey").states == {State.DISABLED, State.SELECTED}


def test_an_app_that_never_answers(raised: Raise) -> None:
    scene = raised(app(TEXTEDIT, hung=True), CHAT)
    with pytest.raises(Hung):
        scene.look()
    assert scene.look("Chat").elements, "one hung app must not touch another"


def test_no_accessibility_is_an_error_and_no_empty_tree(raised: Raise) -> None:
    scene = raised(grants={"accessibility": False})
    with pytest.raises(DesktopError, match="Privacy & Security > Accessibility"):
        scene.look()
    assert [w.pid for w in scene.desktop.windows(scene.app())] == [5_000_412]


def test_a_timeout_that_cannot_be_set_refuses_the_read(raised: Raise) -> None:
    scene = raised(faults=[{"call": "AXUIElementSetMessagingTimeout", "code": -25200}])
    with pytest.raises(DesktopError, match="block for ever"):
        scene.look()


def test_windows_that_accessibility_does_not_tell(raised: Raise) -> None:
    scene = raised(app(TEXTEDIT, windows=[window(accessible=False)]), CHAT)
    snapshot = scene.look()
    assert [w.title for w in snapshot.windows] == ["Window"]
    assert "tells accessibility of none" in snapshot.notes[0]


@pytest.mark.parametrize(
    "refusal", [[], [{"call": "AXUIElementSetAttributeValue", "code": -25205, "works_anyway": True}]]
)
def test_electron_is_woken(raised: Raise, refusal: list[dict[str, Any]]) -> None:
    code = app(TEXTEDIT, name="Code", electron=True, tree_after_ms=300)
    scene = raised(code, CHAT, faults=refusal)
    names = {e.name for e in scene.look("Code").elements}
    assert {"Text", "Save", "Wrap"} <= names


def test_an_app_of_buttons_alone_is_no_empty_one(raised: Raise) -> None:
    buttons = [{"role": "AXButton", "title": name, "bounds": [110, 90, 50, 10]} for name in ("Yes", "No")]
    scene = raised(app(TEXTEDIT, windows=[window(*buttons)]), CHAT)
    snapshot = scene.look()
    assert [e.name for e in snapshot.elements if e.role == "button"] == ["Yes", "No"]
    assert snapshot.notes == ()
    assert scene.machine.calls["AXUIElementSetAttributeValue"] == 0, "nothing was asked, and no time lost"


def test_an_app_that_never_fills_says_so(raised: Raise) -> None:
    scene = raised(app(TEXTEDIT, name="Code", electron=True, tree_after_ms=600_000), CHAT)
    first = scene.look("Code", seconds=0.5)
    assert len(first.elements) < 4


def test_a_sheet_is_a_window_with_its_elements(raised: Raise) -> None:
    sheet = window({"role": "AXButton", "title": "Replace", "bounds": [210, 210, 50, 20]}, title="Really?",
                   bounds=[200, 200, 300, 150], sheet=True)  # fmt: skip
    scene = raised(app(TEXTEDIT, windows=[sheet, *TEXTEDIT["windows"]]), CHAT)
    snapshot = scene.look()
    found = next(w for w in snapshot.windows if w.kind is WindowKind.SHEET)
    assert [e.name for e in snapshot.elements if e.window == found.id] == ["Replace"]
    assert {e.name for e in snapshot.elements if e.window != found.id} == {"Text", "Save", "Wrap", "Password"}


def test_keys_are_identities(scene: Scene) -> None:
    first, second = scene.look().elements, scene.look().elements
    assert [e.key for e in first] == [e.key for e in second]
    assert len({e.key for e in first}) == len(first)
    scene.machine.windows.close(scene.machine.apps[0].windows[0])
    assert scene.desktop.describe(first[0].key) is None


def test_a_label_names_the_field_beside_it(raised: Raise) -> None:
    label = {"role": "AXStaticText", "value": "City", "bounds": [110, 90, 50, 10]}
    scene = raised(app(TEXTEDIT, windows=[window(label)]), CHAT)
    (told,) = scene.look().elements
    assert (told.role, told.name, told.value) == ("label", "City", None)


def test_every_role_and_subrole_of_the_headers_is_in_a_table() -> None:
    from mac_commander.desktops.macos import ax_roles

    constants = json.loads((Path(__file__).parents[3] / "src/simulated_mac/facts.json").read_text())["constants"]
    found = {n: c["value"] for n, c in constants.items() if n.startswith("kAX") and n.endswith("Role")}
    below = {n: c["value"] for n, c in constants.items() if n.startswith("kAX") and n.endswith("Subrole")}
    assert set(found.values()) <= set(ax_roles.ROLES)
    assert set(below.values()) <= set(ax_roles.SUBROLES) | ax_roles.SAYS_NO_MORE
    assert set(ax_roles.ROLES.values()) | set(ax_roles.SUBROLES.values()) <= roles.ROLES


def test_an_open_menu_is_read(raised: Raise) -> None:
    item = {"role": "AXMenuItem", "title": "Copy", "bounds": [200, 200, 100, 30]}
    menu = window(item, title="", bounds=[200, 200, 100, 30], layer=101)
    scene = raised(app(TEXTEDIT, windows=[*TEXTEDIT["windows"], menu]), CHAT)
    snapshot = scene.look()
    popup = next(w for w in snapshot.windows if w.kind is WindowKind.POPUP)
    assert [(e.role, e.name) for e in snapshot.elements if e.window == popup.id] == [("menuitem", "Copy")]


def row(y: int, *texts: str) -> dict[str, Any]:
    """A row as AppKit has it: neither row nor cell has a name."""
    cells = [
        {"role": "AXCell", "bounds": [110 + 100 * n, y, 100, 20], "children": [
            {"role": "AXTextField", "value": text, "bounds": [112 + 100 * n, y + 2, 90, 16]}
        ]}
        for n, text in enumerate(texts)
    ]  # fmt: skip
    return {"role": "AXRow", "subrole": "AXTableRow", "bounds": [110, y, 300, 20], "children": cells}


def test_a_row_is_named_by_its_cells_in_the_tree_and_alone(raised: Raise) -> None:
    rows = [row(100, "report.txt", "12 kB"), row(120, "notes.txt", ""), row(190, "half in sight", "1 kB")]
    table = {"role": "AXTable", "bounds": [110, 100, 300, 200], "children": rows}
    area = {"role": "AXScrollArea", "bounds": [110, 100, 300, 92], "children": [table]}
    scene = raised(app(TEXTEDIT, windows=[window(area)]), CHAT)
    found = [e for e in scene.look().elements if e.role == "row"]
    assert [e.name for e in found] == ["report.txt | 12 kB", "notes.txt | ", "half in sight | 1 kB"]
    described = [scene.desktop.describe(e.key) for e in found]
    assert [e.name for e in described if e] == [e.name for e in found]


def test_a_view_used_again_for_another_row_is_another_row(raised: Raise) -> None:
    table = {"role": "AXTable", "bounds": [110, 100, 300, 200], "children": [row(100, "Alice"), row(120, "Bob")]}
    scene = raised(app(TEXTEDIT, windows=[window(table)]), CHAT)
    session = Session(scene.desktop, Config(Path("/absent"), input_blocklist=()), Stop())
    target = scene.app()
    alice = next(e for e in scene.look().elements if e.name == "Alice")
    ref = session.refs.ref(target, alice)
    texts = [n for n in scene.machine.apps[0].windows[0].walk() if n.role == "AXTextField"]
    texts[0].value, texts[1].value = "Bob", "Alice"
    with pytest.raises(Stale, match='was row "Alice"; its place is taken by row "Bob"'):
        session.element(ref, target)


def test_a_cell_says_its_row_and_column(raised: Raise) -> None:
    """Ranges, counted from 0: ``AXRowIndexRange`` of AXAttributeConstants.h."""
    cell = {"role": "AXCell", "bounds": [110, 100, 100, 20], "description": "12 kB"}
    placed = {"attributes": {"AXRowIndexRange": [4, 1], "AXColumnIndexRange": [1, 2]}}
    nonsense = {"attributes": {"AXRowIndexRange": "4", "AXColumnIndexRange": [1]}}
    scene = raised(app(TEXTEDIT, windows=[window({**cell, **placed}, cell, {**cell, **nonsense})]), CHAT)
    assert [e.cell for e in scene.look().elements] == [(5, 2), None, None]


def test_a_tables_cells_say_where_they_are(raised: Raise) -> None:
    rows = [row(100, "report.txt", "12 kB"), row(120, "notes.txt", "1 kB")]
    table = {"role": "AXTable", "bounds": [110, 100, 300, 200], "children": [{"role": "AXColumn"}, *rows]}
    scene = raised(app(TEXTEDIT, windows=[window(table)]), CHAT)
    cells = [e for e in scene.look().elements if e.role == "cell"]
    assert {e.name: e.cell for e in cells} == {
        "report.txt": (1, 1), "12 kB": (1, 2), "notes.txt": (2, 1), "1 kB": (2, 2),
    }  # fmt: skip

"""Trees, focus and actions of real apps in three toolkits; the apps tell where things are and what came."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from mac_commander.core.waiting import TextWatch
from mac_commander.desktops.x11.desktop import X11Desktop
from mac_commander.desktops.x11.environment import find_session
from mac_commander.errors import Hung, Stale, Unsupported
from mac_commander.events import ClickAt, FocusElement, PickMenu, PressElement, SetValue
from mac_commander.model import App, Element, Limits, Point, Snapshot, State
from mac_commander.roles import ROLES
from tests.desktops.x11.conftest import app_of, wait
from tests.lab import Lab
from tests.witness import Witness

UNICODE = "é — \" ' 🙂 漢字 é"


def allow(_evidence: object) -> None:
    """A judge that lets all through: what the guard says is not what these tests are about."""


def look(desktop: X11Desktop, app: App, limits: Limits | None = None) -> Snapshot:
    return desktop.snapshot(app, limits or Limits())


def one(snapshot: Snapshot, name: str, *roles: str) -> Element:
    found = [e for e in snapshot.elements if e.name == name and (not roles or e.role in roles)]
    assert len(found) == 1, f"{name}: {found} among {[(e.role, e.name) for e in snapshot.elements]}"
    return found[0]


@pytest.fixture
def app(desktop: X11Desktop, witness: Witness) -> App:
    return app_of(desktop, witness.pid)


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def test_every_part_of_the_form_is_there_with_role_state_and_value(desktop: X11Desktop, app: App) -> None:
    seen = look(desktop, app)
    assert seen.complete
    assert not seen.notes
    assert {e.role for e in seen.elements} <= ROLES
    assert one(seen, "Save", "button").pressable
    assert State.DISABLED in one(seen, "Publish", "button").states
    assert State.CHECKED in one(seen, "Left", "radio", "checkbox").states
    assert State.CHECKED not in one(seen, "Right", "radio", "checkbox").states
    assert one(seen, "Notes", "textarea").value == ""
    assert one(seen, "Colour", "combobox").value == "Red"
    volume, count = one(seen, "Volume", "slider"), one(seen, "Count", "spinbutton")
    assert (volume.value, volume.range, volume.settable) == ("0", (0.0, 100.0), True)
    assert (count.value, count.range, count.settable) == ("0", (0.0, 100.0), True)
    assert {e.name for e in seen.elements if e.role == "menuitem"} == {"File", "Edit"}
    assert not [e for e in seen.elements if e.name in ("PDF", "Paste")], "closed menus are left out"


@pytest.mark.parametrize("place", [(173, 119), (0, 0), (401, 57)])
def test_centres_are_where_the_app_says(
    desktop: X11Desktop, app: App, witness: Witness, place: tuple[int, int]
) -> None:
    desktop.place(desktop.windows(app)[0], Point(*place), None)
    seen = look(desktop, app)
    for name in ("Name", "Password", "Save", "Publish", "Wrap lines", "Colour", "Volume", "Count"):
        element = next(e for e in seen.elements if e.name == name and e.role != "label")
        assert element.bounds is not None
        assert witness.bounds(name).contains(element.bounds.centre), name


def test_clicks_at_the_centres_land(desktop: X11Desktop, app: App, witness: Witness) -> None:
    seen = look(desktop, app)
    for name in ("Save", "Wrap lines"):
        bounds = one(seen, name, "button", "checkbox").bounds
        assert bounds is not None
        desktop.deliver(ClickAt(bounds.centre), app, allow)
    witness.wait("activate", "Save")
    witness.wait("value", "Wrap lines", value=True)


def test_a_password_is_secure_and_never_read(desktop: X11Desktop, app: App, witness: Witness) -> None:
    secret = "hunter2-canary"
    desktop.deliver(SetValue(one(look(desktop, app), "Password").key, secret), app, allow)
    assert wait(lambda: witness.values["Password"] == secret)
    seen = look(desktop, app)
    field = one(seen, "Password", "textfield")
    assert field.secure
    assert (field.value, field.value_length) == (None, 0)
    described = desktop.describe(field.key)
    assert described is not None
    assert described.value is None
    assert secret not in repr(seen)
    assert "•••" not in repr(seen)


def test_a_value_is_set_and_read_back(desktop: X11Desktop, app: App, witness: Witness) -> None:
    seen = look(desktop, app)
    for name in ("Name", "Notes"):
        desktop.deliver(SetValue(one(seen, name, "textfield", "textarea").key, UNICODE), app, allow)
    desktop.deliver(SetValue(one(seen, "Volume", "slider").key, "42"), app, allow)
    desktop.deliver(SetValue(one(seen, "Count", "spinbutton").key, "7"), app, allow)
    expected = {"Name": UNICODE, "Notes": UNICODE, "Volume": 42, "Count": 7}
    assert wait(lambda: {name: witness.values[name] for name in expected} == expected)
    after = look(desktop, app)
    assert one(after, "Name", "textfield").value == UNICODE
    assert one(after, "Name", "textfield").value_length == len(UNICODE)
    assert one(after, "Volume", "slider").value == "42"


@pytest.mark.parametrize("value", ["101", "-1", "nan", "much", ""])
def test_a_number_out_of_range_is_not_set(desktop: X11Desktop, app: App, witness: Witness, value: str) -> None:
    with pytest.raises(Unsupported) as refused:
        desktop.deliver(SetValue(one(look(desktop, app), "Volume", "slider").key, value), app, allow)
    assert "nothing happened" in str(refused.value)
    assert witness.values["Volume"] == 0


def test_a_long_value_is_cut_and_its_length_told(desktop: X11Desktop, app: App, witness: Witness) -> None:
    text = "a line of some forty characters, no more\n" * 500  # one endless line makes GTK 3 quadratic
    desktop.deliver(SetValue(one(look(desktop, app), "Notes", "textarea").key, text), app, allow)
    assert wait(lambda: len(witness.values["Notes"]) == len(text))
    notes = one(look(desktop, app, Limits(value_chars=50)), "Notes", "textarea")
    assert notes.value == text[:50]
    assert notes.value_length == len(text)


def test_a_press_reaches_the_element(desktop: X11Desktop, app: App, witness: Witness) -> None:
    desktop.deliver(PressElement(one(look(desktop, app), "Save").key), app, allow)
    witness.wait("activate", "Save")


def test_return_is_no_press(desktop: X11Desktop, app: App, witness: Witness) -> None:
    """The "activate" action of an entry submits its form."""
    name = one(look(desktop, app), "Name", "textfield")
    assert not name.pressable
    with pytest.raises(Unsupported):
        desktop.deliver(PressElement(name.key), app, allow)
    assert not witness.events("activate")


def test_the_focus_is_found_and_followed(desktop: X11Desktop, app: App, witness: Witness) -> None:
    desktop.activate(app)
    for name in ("Notes", "Name", "Password", "Name"):
        witness.ask("focus", name)
        assert wait(lambda name=name: (found := desktop.focused(app)) is not None and found.name == name), name
        focused = [e.name for e in look(desktop, app).elements if State.FOCUSED in e.states]
        assert focused == [name]


def test_focus_through_accessibility(desktop: X11Desktop, app: App, witness: Witness) -> None:
    """GTK 4 (4.8) has no such call; there it says so, and nothing happens."""
    desktop.activate(app)
    notes = one(look(desktop, app), "Notes", "textarea")
    witness.forget()
    try:
        desktop.deliver(FocusElement(notes.key), app, allow)
    except Unsupported:
        assert witness.toolkit == "gtk4"
        assert not witness.events("focus_in", "Notes")
    else:
        witness.wait("focus_in", "Notes")


def test_describe_says_what_the_snapshot_said(desktop: X11Desktop, app: App) -> None:
    last: list[Element] = []

    def as_it_was() -> bool:
        """Twice, so that a window that is still moving (scroll bars fade in) is looked at again."""
        last[:] = [replace(e, depth=0) for e in look(desktop, app).elements]
        return list(map(desktop.describe, [e.key for e in last])) == last

    assert wait(as_it_was, 30), [(e, d) for e in last if (d := desktop.describe(e.key)) != e]


def test_a_renamed_element_keeps_its_key_and_a_replaced_one_does_not(
    desktop: X11Desktop, app: App, witness: Witness
) -> None:
    key = one(look(desktop, app), "Save", "button").key
    witness.ask("rename", "Save", "Saved")
    renamed = desktop.describe(key)
    assert renamed is not None
    assert renamed.name == "Saved"
    witness.ask("replace", "Publish")
    old = [e.key for e in look(desktop, app).elements]
    assert key in old
    assert len(set(old)) == len(old)


def test_a_gone_element_is_stale(desktop: X11Desktop, app: App, witness: Witness) -> None:
    key = one(look(desktop, app), "Open dialog", "button").key
    witness.ask("replace", "Open dialog")
    assert wait(lambda: desktop.describe(key) is None)
    with pytest.raises(Stale):
        desktop.deliver(PressElement(key), app, allow)
    assert not witness.events("opened")


def test_an_open_menu_is_listed_and_its_items_can_be_clicked(desktop: X11Desktop, app: App, witness: Witness) -> None:
    desktop.activate(app)
    bar = one(look(desktop, app), "File", "menuitem").bounds
    assert bar is not None
    desktop.deliver(ClickAt(bar.centre), app, allow)

    def item() -> Element | None:
        seen = [e for e in look(desktop, app).elements if e.name == "New" and e.role == "menuitem" and e.bounds]
        return seen[0] if seen else None

    assert wait(item), [(e.role, e.name, e.bounds) for e in look(desktop, app).elements]
    found = item()
    assert found is not None
    assert found.bounds is not None
    desktop.deliver(ClickAt(found.bounds.centre), app, allow)
    witness.wait("menu", "New")


def test_menu_items_are_picked_by_path(desktop: X11Desktop, app: App, witness: Witness) -> None:
    if witness.toolkit == "gtk4":  # its menu items (4.8) have no press action: a click opens them
        with pytest.raises(Unsupported, match="no press action"):
            desktop.deliver(PickMenu(("File", "New")), app, allow)
        assert not witness.events("menu")
        return
    for path, label in ((("File", "save as..."), "Save As…"), (("File", "Export", "PDF"), "PDF")):
        desktop.deliver(PickMenu(path), app, allow)
        witness.wait("menu", label)
    with pytest.raises(Unsupported, match="there is: 'Copy', 'Paste'"):
        desktop.deliver(PickMenu(("Edit", "Undo")), app, allow)
    with pytest.raises(Unsupported, match="is a menu: pick one of its items, 'PDF'"):
        desktop.deliver(PickMenu(("File", "Export")), app, allow)


def test_a_dialog_comes_first(desktop: X11Desktop, app: App, witness: Witness) -> None:
    desktop.deliver(PressElement(one(look(desktop, app), "Open dialog").key), app, allow)
    witness.wait("opened", "dialog")
    assert wait(lambda: any(e.name == "OK" and e.window for e in look(desktop, app).elements))  # its window is up
    seen = look(desktop, app)
    names = [e.name for e in seen.elements]
    assert names.index("OK") < names.index("Save")
    ok = one(seen, "OK", "button")
    assert ok.window == next(w.id for w in seen.windows if w.title == "Witness dialog")
    desktop.deliver(PressElement(ok.key), app, allow)
    witness.wait("activate", "OK")


def test_a_hung_app_is_told_in_time_and_harms_no_other(
    desktop: X11Desktop, lab: Lab, app: App, witness: Witness
) -> None:
    save = one(look(desktop, app), "Save").key
    other = lab.spawn(["zenity", "--info", "--text=unharmed"])
    lab.wait_window(pid=other.pid)
    with stopped(witness.pid):
        seen = look(desktop, app)
        assert not seen.complete
        assert "does not answer" in seen.notes[0]
        for ask in (lambda: desktop.describe(save), lambda: desktop.deliver(PressElement(save), app, allow)):
            with pytest.raises(Hung):
                ask()
        assert any("unharmed" in e.name for e in look(desktop, app_of(desktop, other.pid)).elements)
    assert wait(lambda: look(desktop, app).complete)
    assert not witness.events("activate"), "a press that was never sent must not come later"


def test_limits_are_said(desktop: X11Desktop, app: App) -> None:
    few = look(desktop, app, Limits(nodes=20))
    assert not few.complete
    assert "more than 20" in few.notes[0]
    flat = look(desktop, app, Limits(depth=2))
    assert not flat.complete
    assert "deeper than 2" in flat.notes[0]
    late = look(desktop, app, Limits(seconds=0.001))
    assert not late.complete


def test_a_wait_ends_when_something_changes(desktop: X11Desktop, app: App, witness: Witness) -> None:
    look(desktop, app)
    witness.tell("rename", "Status", "Status: changed")
    for _slice in range(250):
        desktop.idle(0.02)
        if any(e.name == "Status: changed" for e in look(desktop, app).elements):
            return
    raise AssertionError("the change was never seen")


def test_what_is_told_during_a_look_ends_the_next_wait(desktop: X11Desktop, app: App, witness: Witness) -> None:
    look(desktop, app)
    for _slice in range(10):  # one that takes in what the X server has told asks nobody else
        desktop.idle(0.02)
    witness.ask("rename", "Status", "Status: changed")
    look(desktop, app)
    start = time.monotonic()
    desktop.idle(60.0)
    assert time.monotonic() - start < 30


def test_an_app_without_a_tree_says_so(desktop: X11Desktop, lab: Lab) -> None:
    terminal = lab.spawn(["xterm"])
    lab.wait_window(pid=terminal.pid)
    seen = look(desktop, app_of(desktop, terminal.pid))
    assert seen.windows
    assert not seen.elements
    assert "no accessibility tree" in seen.notes[0]
    assert TextWatch(desktop, seen.app, "whatever it prints").holds() is None


def test_the_bus_may_come_back() -> None:
    """Its own desktop: the accessibility bus of the shared one must live."""
    with Lab() as own:
        desktop = X11Desktop(find_session(own.env))
        editor = own.spawn(["mousepad"])
        own.wait_window(pid=editor.pid)
        assert look(desktop, app_of(desktop, editor.pid)).elements
        before = _bus_pids(own)
        assert before
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        launcher = "/usr/libexec/at-spi-bus-launcher"
        own.spawn([launcher, "--launch-immediately"])
        assert wait(lambda: not desktop.readiness().accessibility, 10)
        again = own.spawn(["zenity", "--info", "--text=after"])
        own.wait_window(pid=again.pid)
        assert wait(lambda: any("after" in e.name for e in look(desktop, app_of(desktop, again.pid)).elements))
        desktop.close()


def _bus_pids(lab: Lab) -> list[int]:
    """The launcher and the bus it started, by the lab's own runtime folder."""
    listed = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 1) for line in listed.splitlines() if "at-spi" in line]
    return [int(pid) for pid, _args in rows if _environment(int(pid)).get("DISPLAY") == lab.display]


def _environment(pid: int) -> dict[str, str]:
    try:
        pairs = Path(f"/proc/{pid}/environ").read_bytes().decode("utf-8", "replace").split("\0")
    except OSError:
        return {}
    return dict(pair.split("=", 1) for pair in pairs if "=" in pair)

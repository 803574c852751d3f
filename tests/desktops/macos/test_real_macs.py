"""What public reports say that real Macs answer, and no simple simulation does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mac_commander.errors import Cause, Hung, Refused, Uncertain
from mac_commander.events import ClickAt, PressElement, SetValue, TypeText
from mac_commander.model import Limits, Point
from tests.desktops.macos.conftest import Raise
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, Scene, World, app, window
from tests.desktops.macos.test_sweep import Client

PAGE_PID = 5_000_777
PAGE: World = {
    "name": "Web Content",
    "bundle_id": "com.apple.WebKit.WebContent",
    "pid": PAGE_PID,
    "background": True,
    "windows": [],
}
FIELD: World = {"role": "AXTextField", "title": "Search", "bounds": [110, 130, 300, 24], "value": ""}
LINK: World = {"role": "AXLink", "title": "More", "bounds": [110, 170, 60, 20]}


def browser(*inside: World, drawn_by: int = PAGE_PID) -> World:
    page = {"role": "AXWebArea", "bounds": [100, 120, 640, 440], "drawn_by": drawn_by, "children": list(inside)}
    return app(TEXTEDIT, windows=[window(page)])


def front(scene: Scene) -> str | None:
    seen = scene.desktop.evidence().frontmost
    return seen and seen.name


# --- who is in front -----------------------------------------------------------------------------------------


def test_chromium_that_the_system_wide_element_does_not_name_says_itself_that_it_is_in_front(raised: Raise) -> None:
    scene = raised(app(TEXTEDIT, electron=True), CHAT)
    assert front(scene) == "TextEdit"
    scene.send(TypeText("a"))
    assert scene.value() == "a"


def test_an_app_that_does_not_say_so_is_not_in_front(raised: Raise) -> None:
    faults = [{"call": "AXUIElementCopyAttributeValue", "code": -25205, "attribute": "AXFrontmost"}]
    scene = raised(app(TEXTEDIT, electron=True), CHAT, faults=faults)
    assert front(scene) is None


@pytest.mark.parametrize("more", [{}, {"click_through": True}])
def test_what_an_agent_draws_over_windows_is_not_in_front(raised: Raise, more: dict[str, Any]) -> None:
    border = window(title="border", bounds=[95, 75, 650, 490], **more)
    agent = {"name": "yabai", "pid": 5_000_778, "background": True, "windows": []}
    scene = raised(TEXTEDIT, CHAT, agent)
    scene.machine.windows.add(scene.machine.app_named("yabai"), border, on_top=True)
    assert front(scene) == "TextEdit"


def test_a_click_through_window_of_an_app_is_not_in_front(scene: Scene) -> None:
    halo = window(title="halo", bounds=[95, 75, 650, 490], click_through=True)
    scene.machine.windows.add(scene.machine.app_named("Chat"), halo, on_top=True)
    assert front(scene) == "TextEdit"


# --- an app that hangs ---------------------------------------------------------------------------------------


def test_an_app_in_front_that_hangs_is_told_as_hung(scene: Scene) -> None:
    from mac_commander.core import guard

    target = scene.app()
    scene.machine.app_named("TextEdit").hung = True
    evidence = scene.desktop.evidence()
    assert evidence.frontmost is None
    assert evidence.hung == target
    with pytest.raises(Refused) as refused:
        guard.judge(target, evidence, None, "during")
    assert refused.value.cause is Cause.HUNG
    seen = scene.desktop.frontmost()
    assert seen is not None, "good enough to look at"


def test_another_app_in_front_that_hangs_is_a_lost_focus(scene: Scene) -> None:
    from mac_commander.core import guard

    target = scene.app("TextEdit")
    scene.machine.life.activate(scene.machine.app_named("Chat"))
    scene.machine.app_named("Chat").hung = True
    with pytest.raises(Refused) as refused:
        guard.judge(target, scene.desktop.evidence(), None, "during")
    assert refused.value.cause is Cause.FOCUS


def test_an_app_that_hangs_is_asked_for_one_notice_only(scene: Scene) -> None:
    """Each that it is asked for takes its whole time again, before anything is read."""
    target = scene.app()
    scene.machine.app_named("TextEdit").hung = True
    with pytest.raises(Hung):
        scene.desktop.snapshot(target, Limits())
    assert scene.machine.calls["AXObserverAddNotification"] == 1


# --- what another process draws in an app's window -------------------------------------------------------------


def test_the_keys_of_a_page_are_its_browsers(raised: Raise) -> None:
    scene = raised(browser(FIELD), PAGE, CHAT)
    evidence = scene.desktop.evidence()
    assert evidence.focus is not None
    assert evidence.focus.app == scene.app("TextEdit")
    assert evidence.drawn_by is not None
    assert evidence.drawn_by.app_id == "com.apple.WebKit.WebContent"
    scene.send(TypeText("ab"))
    assert scene.value("Search") == "ab"


def test_elements_of_a_page_are_its_browsers(raised: Raise) -> None:
    scene = raised(browser(FIELD, LINK), PAGE, CHAT)
    scene.send(PressElement(scene.element("More").key), SetValue(scene.element("Search").key, "set"))
    assert [e["title"] for e in scene.events("press")] == ["More"]
    assert scene.value("Search") == "set"


def test_who_draws_an_element_is_shown_to_the_judge(raised: Raise) -> None:
    passwords = {"name": "Passwords", "bundle_id": "com.apple.Passwords", "pid": PAGE_PID, "background": True}
    scene = raised(browser(LINK), passwords, CHAT)
    seen = []
    scene.send(PressElement(scene.element("More").key), judge=seen.append)
    assert [evidence.drawn_by and evidence.drawn_by.name for evidence in seen] == ["Passwords"]


def test_what_a_blocked_app_draws_in_an_allowed_apps_window_gets_no_input(raised: Raise, tmp_path: Path) -> None:
    passwords = {"name": "Passwords", "bundle_id": "com.apple.Passwords", "pid": PAGE_PID, "background": True}
    client = Client(raised(browser(FIELD, LINK), passwords, CHAT), tmp_path, ("More", "Search"))
    at = list(client.scene.element("More").bounds.centre)
    steps: list[dict[str, Any]] = [
        {"kind": "click", "ref": "More"},
        {"kind": "click", "ref": "More", "clicks": 2},
        {"kind": "click", "ref": "More", "button": "right"},
        {"kind": "click", "xy": at},
        {"kind": "hover", "xy": at},
        {"kind": "scroll", "xy": at, "dy": 40},
        {"kind": "drag", "from_xy": at, "to_xy": [300, 400]},
        {"kind": "drag", "from_xy": [300, 400], "to_xy": at},
        {"kind": "type", "text": "x"},
        {"kind": "key", "combo": "return"},
    ]
    for step in steps:
        (reply,) = client.call((("act", {"target": "TextEdit", "steps": [step]}),))
        assert "Passwords is on the user's input blocklist" in reply.text, step
    assert not client.scene.events("press", "key_down", "mouse_down", "scroll", "mouse_move")


def test_a_point_in_a_page_that_an_allowed_process_draws_is_clicked(raised: Raise) -> None:
    scene = raised(browser(FIELD, LINK), PAGE, CHAT)
    scene.send(ClickAt(scene.element("More").bounds.centre))
    assert scene.events("mouse_down")


def test_an_element_in_another_apps_window_is_not_the_targets(raised: Raise) -> None:
    scene = raised(app(TEXTEDIT), app(CHAT, windows=[window(FIELD, title="Chat")]))
    failure = scene.failure(PressElement(scene.element("Search", "Chat").key))
    assert failure is not None
    assert failure.cause is Cause.STALE


@pytest.mark.parametrize(("serves", "owner"), [("TextEdit", "TextEdit"), ("Chat", "Chat")])
def test_a_panel_in_a_window_of_the_panel_service_is_its_apps(raised: Raise, serves: str, owner: str) -> None:
    panel = {**PAGE, "bundle_id": "com.apple.appkit.xpc.openAndSavePanelService", "name": "Panel", "serves": serves}
    scene = raised(TEXTEDIT, CHAT, panel)
    shown = window(title="Open", bounds=[200, 200, 300, 200])
    scene.machine.windows.add(scene.machine.app_named("Panel"), shown, on_top=True)
    point = scene.desktop.evidence(Point(300, 300)).point
    assert point is not None
    assert point.app == scene.app(owner)
    assert front(scene) == "TextEdit"
    failure = scene.failure(ClickAt(Point(300, 300)))
    assert (failure is None) == (serves == "TextEdit")
    assert bool(scene.events("mouse_down")) == (serves == "TextEdit")


def test_a_window_of_another_program_that_the_app_started_is_not_the_apps(raised: Raise) -> None:
    started = {**PAGE, "bundle_id": "org.python.python", "name": "Script", "serves": "TextEdit"}
    scene = raised(TEXTEDIT, CHAT, started)
    shown = window(title="Script", bounds=[200, 200, 300, 200])
    scene.machine.windows.add(scene.machine.app_named("Script"), shown, on_top=True)
    point = scene.desktop.evidence(Point(300, 300)).point
    assert point is not None
    assert point.pid == PAGE_PID


# --- presses that open something -------------------------------------------------------------------------------

POPUP: World = {
    "role": "AXPopUpButton",
    "title": "Colour",
    "bounds": [110, 130, 120, 24],
    "value": "Red",
    "children": [{"role": "AXMenu", "children": [{"role": "AXMenuItem", "title": t} for t in ("Red", "Green")]}],
}


def test_a_press_that_opened_a_menu_is_done_though_it_was_not_answered(raised: Raise) -> None:
    scene = raised(app(TEXTEDIT, windows=[window(POPUP)]), CHAT)
    scene.send(PressElement(scene.element("Colour").key))
    assert [e["title"] for e in scene.events("press")] == ["Colour"]
    scene.send(PressElement(next(e for e in scene.look().elements if e.name == "Green").key))
    assert scene.value("Colour") == "Green"


def test_a_press_that_was_not_answered_and_opened_nothing_stays_uncertain(raised: Raise) -> None:
    faults = [{"call": "AXUIElementPerformAction", "code": -25204, "works_anyway": True}]
    scene = raised(TEXTEDIT, CHAT, faults=faults)
    assert isinstance(scene.failure(PressElement(scene.element("Save").key)), Uncertain)

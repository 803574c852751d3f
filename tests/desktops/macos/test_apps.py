"""Apps and windows: found by any of their names, started, ended, hidden, brought forward, placed."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mac_commander.core.config import Config
from mac_commander.core.session import Session
from mac_commander.core.stop import Stop
from mac_commander.errors import DesktopError, NoSuchApp, Stale
from mac_commander.model import App, Identity, Installed, Point, Progress, Rect
from simulated_mac.scene import perform
from tests.desktops.macos.conftest import Raise
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, Scene, app, window

NAMES = {"de": "Schlüsselbundverwaltung", "zh": "钥匙串访问", "fr": "Trousseaux d’accès"}
KEYCHAIN = app(
    CHAT, name="Keychain Access", names=NAMES, bundle_id="com.apple.keychainaccess", pid=5_000_077,
    executable="/System/Applications/Utilities/Keychain Access.app/Contents/MacOS/kca",
)  # fmt: skip
NOTES = {"name": "Notes", "bundle_id": "com.apple.Notes", "running": False, "windows": [window(title="All")]}


def until(scene: Scene, done: Callable[[], Any], seconds: float = 4.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it did not happen"
        scene.desktop.idle(0.02)


@pytest.mark.parametrize("locale", ["en", "de", "zh", "fr"])
def test_an_app_is_known_by_all_its_names(raised: Raise, locale: str) -> None:
    scene = raised(TEXTEDIT, KEYCHAIN, locale=locale)
    found = scene.app("com.apple.keychainaccess")
    assert found.name == NAMES.get(locale, "Keychain Access")
    assert {"Keychain Access", "kca", *NAMES.values()} <= set(found.every_name)
    (installed,) = [i for i in scene.desktop.installed() if i.app_id == found.app_id]
    assert {"Keychain Access", *NAMES.values()} <= set(installed.every_name)


def test_apps_that_start_later_are_found(scene: Scene, raised: Raise) -> None:
    scene = raised(TEXTEDIT, NOTES)
    assert [a.name for a in scene.desktop.apps()] == ["TextEdit"]
    perform(scene.machine, {"do": "launch", "app": "Notes"})
    until(scene, lambda: any(a.name == "Notes" for a in scene.desktop.apps()))


def test_identity_outlives_no_restart(scene: Scene) -> None:
    first = scene.app("Chat")
    assert scene.desktop.is_running(first)
    assert not scene.desktop.is_running(App(first.pid, first.started + 1, "Chat"))
    perform(scene.machine, {"do": "die", "app": "Chat"})
    assert not scene.desktop.is_running(first)
    perform(scene.machine, {"do": "launch", "app": "Chat"})
    until(scene, lambda: any(a.name == "Chat" for a in scene.desktop.apps()))
    assert scene.app("Chat").identity != first.identity


@pytest.mark.parametrize("launch_ms", [0, 300])
def test_launch_until_ready(raised: Raise, launch_ms: int) -> None:
    scene = raised(TEXTEDIT, app(NOTES, launch_ms=launch_ms))
    what = next(i for i in scene.desktop.installed() if i.name == "Notes")
    ticket = scene.desktop.launch(what)
    seen: list[Progress] = []
    until(scene, lambda: seen.append(scene.desktop.launch_progress(ticket)) or seen[-1].ready)
    assert seen[-1].app is not None
    assert seen[-1].app.app_id == "com.apple.Notes"
    assert launch_ms == 0 or not seen[0].ready
    assert [e["app"] for e in scene.events("launch")] == ["Notes"]


def test_launching_what_runs_brings_it_forward(scene: Scene) -> None:
    what = next(i for i in scene.desktop.installed() if i.name == "Chat")
    ticket = scene.desktop.launch(what)
    until(scene, lambda: scene.desktop.launch_progress(ticket).ready)
    until(scene, lambda: scene.desktop.frontmost() == scene.app("Chat"))
    assert len([a for a in scene.desktop.apps() if a.name == "Chat"]) == 1


def test_what_cannot_be_launched_says_so(scene: Scene) -> None:
    ticket = scene.desktop.launch(Installed("Ghost", "com.example.ghost", location="/Applications/Ghost.app"))
    with pytest.raises(DesktopError, match="could not launch Ghost"):
        until(scene, lambda: scene.desktop.launch_progress(ticket).ready, 1.0)


@pytest.mark.parametrize(("quits", "ends"), [(True, True), (False, False), ("asks", False)])
def test_quit_asks_and_never_ends(raised: Raise, quits: Any, ends: bool) -> None:
    scene = raised(TEXTEDIT, app(CHAT, quits=quits))
    chat = scene.app("Chat")
    scene.desktop.request_quit(chat)
    scene.desktop.idle(0.1)
    assert scene.desktop.is_running(chat) is not ends
    if quits == "asks":
        assert len(scene.desktop.windows(chat)) == 2


def test_hide_is_judged_by_the_state(scene: Scene) -> None:
    target = scene.app()
    scene.desktop.hide(target)
    until(scene, lambda: scene.desktop.is_hidden(target))
    assert all(w.minimised for w in scene.desktop.windows(target))
    scene.desktop.activate(target)
    until(scene, lambda: not scene.desktop.is_hidden(target))
    assert scene.desktop.frontmost() == scene.app()


def test_a_no_from_hide_is_not_believed(raised: Raise) -> None:
    scene = raised(faults=[{"call": "hide", "code": 0, "works_anyway": True}])
    scene.desktop.hide(scene.app())
    until(scene, lambda: scene.desktop.is_hidden(scene.app()))


# --- the front -----------------------------------------------------------------------------------------------


def test_activate(scene: Scene) -> None:
    scene.desktop.activate(scene.app("Chat"))
    assert scene.desktop.frontmost() == scene.app("Chat")


WAYS = ("activateWithOptions_", "activateFromApplication_options_", "AXUIElementSetAttributeValue")


@pytest.mark.parametrize("broken", range(len(WAYS) + 1))
def test_the_ladder_goes_on_where_a_way_lies(raised: Raise, broken: int) -> None:
    scene = raised(faults=[{"call": call, "code": 1 if call in WAYS[:2] else 0} for call in WAYS[:broken]])
    scene.desktop.activate(scene.app("Chat"))
    assert scene.desktop.frontmost() == scene.app("Chat")


def test_an_app_that_will_not_come_is_no_error_and_not_in_front(raised: Raise) -> None:
    scene = raised(TEXTEDIT, app(CHAT, activates=False))
    scene.desktop.activate(scene.app("Chat"))
    assert scene.desktop.frontmost() == scene.app("TextEdit")


def test_the_asked_window_is_raised_alone(raised: Raise) -> None:
    two = [window(title="One"), window(title="Two")]
    scene = raised(TEXTEDIT, app(CHAT, windows=two))
    second = next(w for w in scene.desktop.windows(scene.app("Chat")) if w.title == "Two")
    scene.desktop.activate(scene.app("Chat"), second)
    front = scene.desktop.windows(scene.app("Chat"))
    assert (front[0].title, front[0].main) == ("Two", True)


def test_a_minimised_only_window_comes_back(raised: Raise) -> None:
    scene = raised(TEXTEDIT, app(CHAT, windows=[window(title="Gone", minimised=True)]))
    chat = scene.app("Chat")
    assert [w.minimised for w in scene.desktop.windows(chat)] == [True]
    scene.desktop.activate(chat)
    assert [w.minimised for w in scene.desktop.windows(chat)] == [False]


def test_nothing_is_asked_of_a_process_that_ended(scene: Scene) -> None:
    chat = scene.app("Chat")
    perform(scene.machine, {"do": "die", "app": "Chat"})
    for ask in (scene.desktop.activate, scene.desktop.hide, scene.desktop.request_quit):
        with pytest.raises(NoSuchApp):
            ask(chat)
    recycled = App(5_000_412, Identity(5_000_412, 1.0).started, "Impostor")
    with pytest.raises(NoSuchApp):
        scene.desktop.request_quit(recycled)


# --- places --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("takes", [1, 2, 3])
def test_a_window_is_placed_until_it_stays(raised: Raise, takes: int) -> None:
    scene = raised(app(TEXTEDIT, windows=[window(place_takes=takes)]), CHAT)
    (before,) = scene.desktop.windows(scene.app())
    assert scene.desktop.place(before, Point(-50, 60), (500, 300)) == Rect(-50, 60, 500, 300)
    (after,) = scene.desktop.windows(scene.app())
    assert after.bounds == Rect(-50, 60, 500, 300)


def test_only_what_is_asked_changes(scene: Scene) -> None:
    (before,) = scene.desktop.windows(scene.app())
    assert scene.desktop.place(before, Point(10, 20), None) == Rect(10, 20, 640, 480)
    assert scene.desktop.place(before, None, (300, 200)) == Rect(10, 20, 300, 200)


@pytest.mark.parametrize("failing", [False, True])
def test_the_enhanced_interface_is_put_aside_and_back(raised: Raise, failing: bool) -> None:
    faults = [{"call": "AXUIElementSetAttributeValue", "code": -25200, "attribute": "AXSize"}] if failing else []
    scene = raised(faults=faults)
    scene.machine.app_named("TextEdit").enhanced = True
    (before,) = scene.desktop.windows(scene.app())
    if failing:
        with pytest.raises(DesktopError):
            scene.desktop.place(before, Point(10, 20), (300, 200))
    else:
        assert scene.desktop.place(before, Point(10, 20), (300, 200)) == Rect(10, 20, 300, 200)
    assert scene.machine.app_named("TextEdit").enhanced is True


def test_a_window_that_closed_cannot_be_placed(scene: Scene) -> None:
    (before,) = scene.desktop.windows(scene.app())
    perform(scene.machine, {"do": "close_window", "app": "TextEdit", "window": 0})
    with pytest.raises(Stale):
        scene.desktop.place(before, Point(10, 20), None)


def test_windows_are_matched_without_the_private_call(raised: Raise, monkeypatch: pytest.MonkeyPatch) -> None:
    two = [window(title="One"), window(title="Two"), window(title="Three", bounds=[0, 0, 300, 200])]
    scene = raised(app(TEXTEDIT, windows=two), CHAT)
    with_call = scene.desktop.windows(scene.app())
    from mac_commander.desktops.macos.private import PrivateCalls

    monkeypatch.setattr(PrivateCalls, "window_number", lambda *_: None)
    assert scene.desktop.windows(scene.app()) == with_call


def test_a_status_item_is_no_window_of_its_app(raised: Raise) -> None:
    item = window(title="Item", bounds=[1200, 0, 30, 24], layer=25)
    scene = raised(app(TEXTEDIT, windows=[*TEXTEDIT["windows"], item]), CHAT)
    assert [w.title for w in scene.desktop.windows(scene.app())] == ["Untitled"]


def test_twins_without_the_private_call_are_not_guessed(raised: Raise, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = raised(app(TEXTEDIT, windows=[window(title="Twin"), window(title="Twin")]), CHAT)
    from mac_commander.desktops.macos.private import PrivateCalls

    monkeypatch.setattr(PrivateCalls, "window_number", lambda *_: None)
    told = [w for w in scene.desktop.windows(scene.app()) if w.id < 0]
    assert len(told) == 2
    with pytest.raises(DesktopError):
        scene.desktop.capture(told[0])


def test_a_wait_ends_when_the_watched_app_says_something(scene: Scene) -> None:
    scene.look()
    scene.desktop.idle(0.0)
    from mac_commander.desktops.macos import runloop

    scene.machine.windows.focus(scene.machine.apps[0].windows[0].children[3])
    assert runloop.turn_for(60.0)
    assert not runloop.turn_for(0.05)


def test_a_barrier_knows_an_app_that_hangs(scene: Scene) -> None:
    assert scene.desktop.barrier(scene.app(), 1.0) is True
    perform(scene.machine, {"do": "hang", "app": "TextEdit"})
    assert scene.desktop.barrier(scene.app(), 0.3) is False


def test_safari_is_found_where_it_lives(raised: Raise) -> None:
    path = "/System/Cryptexes/App/System/Applications/Safari.app"
    safari = {"name": "Safari", "bundle_id": "com.apple.Safari", "path": path, "running": False}
    scene = raised(TEXTEDIT, safari)
    assert ("Safari", path) in [(found.name, found.location) for found in scene.desktop.installed()]


def test_an_app_that_is_in_front_without_a_window_to_be_seen_is_brought_back(scene: Scene) -> None:
    session = Session(scene.desktop, Config(Path("/absent"), input_blocklist=()), Stop())
    target = scene.app()
    scene.machine.windows.minimise(scene.machine.app_named("TextEdit").windows[0], True)
    assert scene.desktop.frontmost() == target
    session.bring_to_front(target)
    assert [w.minimised for w in scene.desktop.windows(target)] == [False]

"""What a world has happen later: right after a line, or after a time, and before anything else is delivered."""

from __future__ import annotations

import time
from typing import Any

import pytest

from simulated_mac import Machine
from simulated_mac.keyboard import KeyEvent
from tests.simulated_mac.conftest import CHAT, TEXTEDIT, Start, events, value, world


def strike(machine: Machine, text: str) -> None:
    for down in (True, False):
        machine.keyboard.post(KeyEvent(down, 0, 0, text))


def after(line: int, **entry: Any) -> dict[str, Any]:
    return world(TEXTEDIT, CHAT, then=[{"after_events": line, **entry}])


@pytest.mark.parametrize("line", [1, 2, 3, 7])
def test_a_theft_takes_everything_after_its_line(start: Start, line: int) -> None:
    mac = start(after(line, do="activate", app="Chat"))
    for _ in range(5):
        strike(mac, "x")
    keys = [entry for entry in mac.journal.lines if entry["event"].startswith("key")]
    assert [entry["app"] for entry in keys] == ["TextEdit"] * line + ["Chat"] * (10 - line)
    assert mac.journal.lines[line]["event"] == "activate"


def test_what_was_delivered_with_that_line_takes_effect(start: Start) -> None:
    mac = start(after(1, do="activate", app="Chat"))
    strike(mac, "x")
    assert (value(mac, "Text"), value(mac, "Message")) == ("x", "")


def test_after_no_events_is_before_everything(start: Start) -> None:
    mac = start(after(0, do="activate", app="Chat"))
    strike(mac, "x")
    assert events(mac) == [("activate", "Chat"), ("key_down", "Chat"), ("key_up", "Chat")]


def test_entries_happen_once_and_in_order(start: Start) -> None:
    entries = [
        {"after_events": 1, "do": "activate", "app": "Chat"},
        {"after_events": 1, "do": "activate", "app": "TextEdit"},
        {"after_events": 2, "do": "lock_screen"},
    ]
    mac = start(world(then=entries))
    strike(mac, "x")
    assert events(mac)[:3] == [("key_down", "TextEdit"), ("activate", "Chat"), ("activate", "TextEdit")]
    assert mac.locked


def test_timed_entries_happen_while_nobody_calls(start: Start) -> None:
    mac = start(world(then=[{"after_ms": 60, "do": "activate", "app": "Chat"}]))
    assert mac.front is mac.app_named("TextEdit")
    deadline = time.monotonic() + 5
    while mac.front is not mac.app_named("Chat"):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert mac.journal.lines[0]["ms"] >= 60


def test_an_element_is_replaced(start: Start) -> None:
    new = {"role": "AXButton", "title": "Send all", "bounds": [660, 90, 60, 24]}
    mac = start(after(1, do="replace", app="TextEdit", window=0, element=1, **{"with": new}))
    old = mac.app_named("TextEdit").windows[0].children[1]
    strike(mac, "x")
    assert mac.app_named("TextEdit").windows[0].children[1].title == "Send all"
    assert not old.alive


def test_the_other_deeds(start: Start) -> None:
    entries: list[dict[str, Any]] = [
        {"do": "open_window", "app": "Chat", "window": {"title": "Call", "bounds": [0, 0, 90, 90]}},
        {"do": "move_window", "app": "TextEdit", "window": 0, "to": [5, 6]},
        {"do": "human_hold", "modifier": "cmd"},
        {"do": "human_mouse", "to": [3, 4]},
        {"do": "revoke", "grant": "accessibility"},
        {"do": "hang", "app": "Chat"},
        {"do": "secure_input", "app": "Chat"},
        {"do": "layout", "layout": "fr"},
        {"do": "set_value", "app": "TextEdit", "window": 0, "element": [0], "value": "new"},
        {"do": "set_title", "app": "TextEdit", "window": 0, "element": 1, "title": "Store"},
    ]
    mac = start(world(then=[{"after_events": 1, **entry} for entry in entries]))
    strike(mac, "x")
    assert mac.stack[0].title == "Call"
    assert mac.app_named("TextEdit").windows[0].frame[:2] == (5, 6)
    assert mac.keyboard.human_flags == 0x100000
    assert mac.pointer.at == (3, 4)
    assert not mac.grants["accessibility"]
    assert mac.app_named("Chat").hung
    assert mac.keyboard.secure_owner is mac.app_named("Chat")
    assert mac.keyboard.layout == "fr"
    assert value(mac, "Store") is None


def test_windows_and_apps_go(start: Start) -> None:
    entries = [
        {"after_events": 1, "do": "close_window", "app": "TextEdit", "window": 0},
        {"after_events": 2, "do": "die", "app": "TextEdit"},
        {"after_events": 2, "do": "die", "app": "Chat"},
    ]
    mac = start(world(then=entries))
    window = mac.stack[0]
    strike(mac, "x")
    assert not window.alive
    assert mac.running() == []
    assert mac.front is None

"""The journal: one line for each thing that reaches an app, in the documented shape, about the real receiver."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from simulated_mac import Machine
from simulated_mac.geometry import Point
from simulated_mac.keyboard import KeyEvent
from simulated_mac.pointer import PointerEvent
from tests.simulated_mac.conftest import Start, events, world


def typed(machine: Machine, text: str, flags: int = 0) -> None:
    for down in (True, False):
        machine.keyboard.post(KeyEvent(down, 0, flags, text))


def pointer(machine: Machine, kind: str, x: float, y: float, **more: Any) -> None:
    machine.pointer.post(PointerEvent(kind, Point(x, y), **more))


def without_time(line: dict[str, Any]) -> dict[str, Any]:
    assert isinstance(line["ms"], int)
    return {key: found for key, found in line.items() if key != "ms"}


def test_a_key_carries_the_whole_text_of_its_event(mac: Machine) -> None:
    typed(mac, "été 🙂")
    down = {"n": 1, "event": "key_down", "app": "TextEdit", "text": "été 🙂", "keycode": 0, "flags": 0}
    assert [without_time(line) for line in mac.journal.lines] == [down, {**down, "n": 2, "event": "key_up"}]


def test_the_receiver_is_named_whoever_was_meant(mac: Machine) -> None:
    mac.life.activate(mac.app_named("Chat"))
    typed(mac, "secret")
    assert ("key_down", "Chat") in events(mac)
    assert ("key_down", "TextEdit") not in events(mac)


def test_pointer_lines(mac: Machine) -> None:
    pointer(mac, "move", 690, 100)
    pointer(mac, "down", 690, 100, clicks=1)
    pointer(mac, "drag", 600, 100, clicks=1)
    pointer(mac, "up", 600, 100, clicks=1)
    pointer(mac, "scroll", 850, 300, dx=-3, dy=40)
    lines = [without_time(line) for line in mac.journal.lines]
    assert lines == [
        {"n": 1, "event": "mouse_move", "app": "TextEdit", "at": [690, 100], "flags": 0},
        {"n": 2, "event": "mouse_down", "app": "TextEdit", "at": [690, 100], "button": "left", "clicks": 1, "flags": 0},
        {"n": 3, "event": "mouse_drag", "app": "TextEdit", "at": [600, 100], "button": "left", "clicks": 1, "flags": 0},
        {"n": 4, "event": "mouse_up", "app": "TextEdit", "at": [600, 100], "button": "left", "clicks": 1, "flags": 0},
        {"n": 5, "event": "scroll", "app": "Chat", "at": [850, 300], "dx": -3, "dy": 40, "flags": 0},
    ]


def test_a_click_reaches_the_window_that_is_on_top(mac: Machine) -> None:
    mac.windows.add(mac.app_named("Chat"), {"title": "Over", "bounds": [650, 80, 100, 100]}, on_top=True)
    pointer(mac, "down", 690, 100, clicks=1)
    assert events(mac)[0] == ("mouse_down", "Chat")


def test_a_button_goes_up_where_it_went_down(mac: Machine) -> None:
    pointer(mac, "down", 300, 300, clicks=1)
    pointer(mac, "up", 900, 300, clicks=1)
    assert events(mac) == [("mouse_down", "TextEdit"), ("mouse_up", "TextEdit")]


def test_the_life_of_apps_is_told(mac: Machine) -> None:
    chat, textedit = mac.app_named("Chat"), mac.app_named("TextEdit")
    mac.life.hide(textedit)
    mac.life.quit(chat)
    mac.life.launch(chat)
    mac.windows.move(chat.windows[0], 10, 20)
    assert events(mac) == [
        ("hide", "TextEdit"),
        ("activate", "Chat"),
        ("quit", "Chat"),
        ("launch", "Chat"),
        ("activate", "Chat"),
        ("place", "Chat"),
    ]
    assert mac.journal.lines[-1]["bounds"] == [10, 20, 400, 480]


def test_what_a_person_does_says_so(mac: Machine) -> None:
    mac.keyboard.human_types("é")
    mac.pointer.human_moves((5, 5))
    assert [line.get("source") for line in mac.journal.lines] == ["human"] * 3
    typed(mac, "x")
    assert "source" not in mac.journal.lines[-1]


def test_a_locked_screen_gets_everything(start: Start) -> None:
    mac = start(world(locked=True))
    typed(mac, "x")
    pointer(mac, "down", 690, 100, clicks=1)
    assert {app for _, app in events(mac)} == {"loginwindow"}


@pytest.mark.parametrize("text", ["é", "line\nbreak", "\u2028", '"', "\ud83d"])
def test_the_file_has_one_line_for_each_event_at_once(start: Start, tmp_path: Path, text: str) -> None:
    journal = tmp_path / "journal.jsonl"
    mac = start(journal=journal)
    for count in range(1, 4):
        typed(mac, text)
        lines = journal.read_bytes().splitlines()
        assert len(lines) == 2 * count
        assert json.loads(lines[-1])["n"] == 2 * count
        assert json.loads(lines[-1])["text"] == text

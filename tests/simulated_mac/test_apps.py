"""What the apps of the simulated Mac do: text is edited, the Calculator adds, menus work, areas scroll."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulated_mac import Machine, layouts, pressing
from simulated_mac.calculator import Calculator
from simulated_mac.editing import Editor
from simulated_mac.geometry import Point
from simulated_mac.keyboard import FLAGS, KeyEvent
from simulated_mac.pointer import PointerEvent
from tests.simulated_mac.conftest import CHAT, TEXTEDIT, Start, events, value, world

KEYS = {"return": 36, "tab": 48, "delete": 51, "escape": 53, "left": 123, "right": 124, "down": 125, "up": 126}


def strike(mac: Machine, key: str, *modifiers: str) -> None:
    keycode = KEYS[key] if key in KEYS else (layouts.key_for(mac.keyboard.layout, key) or (0,))[0]
    flags = sum(FLAGS[m] for m in modifiers)
    for code in (55, 56):
        if FLAGS[{55: "cmd", 56: "shift"}[code]] & flags:
            mac.keyboard.post(KeyEvent(True, code, flags))
    for down in (True, False):
        mac.keyboard.post(KeyEvent(down, keycode, flags))
    if flags:
        mac.keyboard.post(KeyEvent(False, 55, 0))


def type_text(mac: Machine, text: str) -> None:
    for down in (True, False):
        mac.keyboard.post(KeyEvent(down, 0, 0, text))


def click(mac: Machine, x: float, y: float, button: str = "left", clicks: int = 1) -> None:
    for kind in ("down", "up"):
        mac.pointer.post(PointerEvent(kind, Point(x, y), button, clicks))


def test_text_is_selected_copied_cut_and_pasted(mac: Machine) -> None:
    type_text(mac, 'Ligne — "été" 🙂')
    strike(mac, "a", "cmd")
    strike(mac, "c", "cmd")
    assert mac.pasteboard.text == 'Ligne — "été" 🙂'
    strike(mac, "x", "cmd")
    assert value(mac, "Text") == ""
    strike(mac, "v", "cmd")
    strike(mac, "v", "cmd")
    assert value(mac, "Text") == 'Ligne — "été" 🙂' * 2
    strike(mac, "z", "cmd")
    assert value(mac, "Text") == 'Ligne — "été" 🙂'
    strike(mac, "z", "cmd", "shift")
    assert value(mac, "Text") == 'Ligne — "été" 🙂' * 2


def test_keys_move_and_delete(mac: Machine) -> None:
    type_text(mac, "one two")
    strike(mac, "return")
    strike(mac, "tab")
    type_text(mac, "three")
    strike(mac, "delete")
    strike(mac, "up")
    strike(mac, "left", "cmd")
    type_text(mac, ">")
    assert value(mac, "Text") == ">one two\n\tthre"


@pytest.mark.parametrize("layout", ["us", "de", "fr", "dvorak", "ru"])
def test_keys_give_what_the_layout_has(start: Start, layout: str) -> None:
    mac = start(world(layout=layout))
    text = {"ru": "привет", "de": "zürich", "fr": "à zéro"}.get(layout, "hello")
    mac.keyboard.human_types(text)
    assert value(mac, "Text") == text
    strike(mac, "ф" if layout == "ru" else "a", "cmd")
    strike(mac, "с" if layout == "ru" else "c", "cmd")
    assert mac.pasteboard.text == text


def test_return_presses_the_default_button_and_escape_cancels(mac: Machine) -> None:
    button = {"role": "AXButton", "title": "OK", "bounds": [210, 300, 60, 24], "default": True, "closes": True}
    sheet = {"sheet": True, "bounds": [200, 200, 300, 150], "elements": [button]}
    for key in ("return", "escape"):
        window = mac.windows.add(mac.app_named("TextEdit"), sheet, on_top=True)
        strike(mac, key)
        assert not window.alive


def test_a_modal_window_keeps_clicks_from_the_others(mac: Machine) -> None:
    mac.windows.add(mac.app_named("TextEdit"), {"sheet": True, "bounds": [200, 200, 100, 100]}, on_top=True)
    click(mac, 140, 540)
    assert value(mac, "Wrap") == 0


def test_a_sheet_is_modal_to_its_window_alone(mac: Machine) -> None:
    textedit = mac.app_named("TextEdit")
    first = textedit.windows[0]
    sheet = mac.windows.add(textedit, {"role": "AXSheet", "bounds": [200, 200, 100, 100]}, on_top=True)
    field = {"role": "AXTextField", "title": "Other", "bounds": [780, 620, 100, 20]}
    other = mac.windows.add(textedit, {"bounds": [770, 600, 200, 100], "elements": [field]}, on_top=True)
    click(mac, 790, 630)
    type_text(mac, "b")
    assert (mac.key_window(textedit), value(mac, "Other")) == (other, "b")
    click(mac, 140, 540)
    assert (mac.key_window(textedit), value(mac, "Wrap")) == (sheet, 0)
    assert mac.window_at((250, 250)) is sheet, "it stays over the window that it belongs to"
    mac.windows.close(first)
    assert not sheet.alive
    assert mac.key_window(textedit) is other


def test_what_a_pop_up_button_offers_is_chosen_and_shown(start: Start) -> None:
    items = [{"role": "AXMenuItem", "title": title} for title in ("Red", "Blue")]
    pop_up = {"role": "AXPopUpButton", "title": "Colour", "value": "Red", "bounds": [20, 60, 80, 20],
              "children": [{"role": "AXMenu", "children": items}]}  # fmt: skip
    mac = start(world({"name": "A", "windows": [{"bounds": [0, 30, 300, 300], "elements": [pop_up]}]}))
    button = mac.app_named("A").windows[0].children[0]
    pressing.press(mac, button.children[0].children[1])
    assert value(mac, "Colour") == "Blue"
    click(mac, 30, 70)
    menu = mac.stack[0]
    red = menu.children[0].bounds
    assert red is not None
    click(mac, red.x + 1, red.y + 1)
    assert (value(mac, "Colour"), menu.alive) == ("Red", False)


def test_menus_of_its_own_do_not_cost_an_app_the_usual_shortcuts(start: Start) -> None:
    mac = start(world({**TEXTEDIT, "menus": [{"title": "Format", "items": [{"title": "Bold"}]}]}, CHAT))
    type_text(mac, "text")
    strike(mac, "a", "cmd")
    strike(mac, "x", "cmd")
    assert (value(mac, "Text"), mac.pasteboard.text) == ("", "text")
    strike(mac, "w", "cmd")
    assert mac.app_named("TextEdit").windows == []


@pytest.mark.parametrize(("button", "runs"), [("Delete", False), ("Save", False), ("Cancel", True)])
def test_an_answer_to_the_question_at_quitting_is_obeyed(start: Start, button: str, runs: bool) -> None:
    mac = start(world({**TEXTEDIT, "quits": "asks"}, CHAT))
    textedit = mac.app_named("TextEdit")
    mac.life.quit(textedit)
    sheet = mac.key_window(textedit)
    assert sheet is not None
    pressing.press(mac, next(node for node in sheet.children if node.title == button))
    assert (textedit.running, sheet.alive) == (runs, False)


def test_quit_may_be_refused_or_asked_about(start: Start) -> None:
    mac = start(world({**TEXTEDIT, "quits": "asks"}, {**CHAT, "quits": False}))
    strike(mac, "q", "cmd")
    assert mac.app_named("TextEdit").running
    sheet = mac.key_window(mac.app_named("TextEdit"))
    assert sheet is not None
    assert sheet.role == "AXSheet"
    mac.life.quit(mac.app_named("Chat"))
    assert mac.app_named("Chat").running
    assert [event for event, _ in events(mac)].count("quit") == 2


def test_menus_open_close_and_choose_by_mouse(mac: Machine) -> None:
    type_text(mac, "text")
    bar = mac.app_named("TextEdit").menu_bar
    assert bar is not None
    edit = next(item for item in bar.children if item.title == "Edit")
    assert edit.bounds is not None
    click(mac, edit.bounds.x + 2, edit.bounds.y + 2)
    menu = mac.stack[0]
    assert [item.title for item in menu.children][-1] == "Select All"
    last = menu.children[-1].bounds
    assert last is not None
    click(mac, last.x + 2, last.y + 2)
    assert not menu.alive
    strike(mac, "delete")
    assert value(mac, "Text") == ""
    click(mac, edit.bounds.x + 2, edit.bounds.y + 2)
    click(mac, 400, 300)
    assert mac.stack[0].title == "Untitled"


def test_a_context_menu_pastes(mac: Machine) -> None:
    mac.pasteboard.copy("copied")
    click(mac, 300, 300, button="right")
    paste = mac.stack[0].children[-1]
    assert paste.title == "Paste"
    assert paste.bounds is not None
    click(mac, paste.bounds.x + 1, paste.bounds.y + 1)
    assert value(mac, "Text") == "copied"


def scrolled(mac: Machine, dy: float) -> float:
    mac.pointer.post(PointerEvent("scroll", Point(60, 60), dy=dy))
    bounds = mac.stack[0].children[0].children[0].bounds
    assert bounds is not None
    return bounds.y


def test_areas_scroll_as_far_as_there_is_more(start: Start) -> None:
    content = {"role": "AXList", "bounds": [50, 50, 100, 300]}
    area = {"role": "AXScrollArea", "bounds": [50, 50, 100, 100], "children": [content]}
    mac = start(world({"name": "A", "windows": [{"bounds": [0, 0, 300, 300], "elements": [area]}]}))
    assert [scrolled(mac, dy) for dy in (-30, -500, 60, 500)] == [20, -150, -90, 50]


def test_a_double_click_on_a_rows_text_opens_the_row(start: Start) -> None:
    label = {"role": "AXStaticText", "value": "Folder", "bounds": [20, 60, 80, 20]}
    opens = {"title": "Inside", "bounds": [40, 40, 90, 90]}
    row = {"role": "AXRow", "bounds": [10, 60, 200, 20], "children": [label], "opens": opens}
    mac = start(world({"name": "A", "windows": [{"title": "W", "bounds": [0, 30, 300, 300], "elements": [row]}]}))
    click(mac, 30, 70)
    assert mac.stack[0].children[0].selected
    assert mac.stack[0].title == "W"
    click(mac, 30, 70, clicks=2)
    assert mac.stack[0].title == "Inside"


def test_a_chat_client_sends(start: Start) -> None:
    chat: dict[str, Any] = {**CHAT, "behaves": "chat", "frontmost": True}
    mac = start(world(chat))
    type_text(mac, "hello")
    strike(mac, "return")
    assert value(mac, "Message") == ""
    assert mac.stack[0].children[-1].value == "hello"


# --- pure parts ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        ("12+30=", "42"),
        ("0.1+0.2=", "0.3"),
        ("7÷0=", "Not a number"),
        ("5±", "-5"),
        ("50%", "0.5"),
        ("2×3×4=", "24"),
        ("9−", "9"),
        ("1..5", "1.5"),
        ("007", "7"),
    ],
)
def test_the_calculator_adds(keys: str, shown: str) -> None:
    calculator = Calculator()
    for key in keys:
        calculator.press(key)
    assert calculator.shown == shown


@given(st.integers(0, 99_999), st.integers(0, 99_999))
def test_the_calculator_adds_any_numbers(first: int, second: int) -> None:
    calculator = Calculator()
    for key in f"{first}+{second}=":
        calculator.press(key)
    assert calculator.shown == str(first + second)


@given(
    st.text(), st.lists(st.sampled_from("insert back forward left right up down home end all word undo redo".split()))
)
def test_an_editor_never_loses_its_place(text: str, moves: list[str]) -> None:
    editor = Editor(text)
    deeds = {
        "insert": lambda: editor.insert("é\n"),
        "back": editor.delete_backward,
        "forward": editor.delete_forward,
        "left": lambda: editor.step(-1, True),
        "right": lambda: editor.step(1, False),
        "up": lambda: editor.line(-1, False),
        "down": lambda: editor.line(1, True),
        "home": lambda: editor.line_edge(-1, False),
        "end": lambda: editor.line_edge(1, True),
        "all": editor.select_all,
        "word": lambda: editor.word(-1, False),
        "undo": editor.undo,
        "redo": editor.redo,
    }
    for move in moves:
        deeds[move]()
        assert 0 <= editor.selection[0] <= editor.selection[1] <= len(editor.text)


@given(st.text(), st.text())
def test_undo_takes_back_what_was_typed(before: str, typed: str) -> None:
    editor = Editor(before, len(before), len(before))
    editor.insert(typed)
    assert editor.text == before + typed
    editor.undo()
    assert editor.text == before


@pytest.mark.parametrize("layout", ["us", "de", "fr", "dvorak", "ru"])
def test_each_key_of_a_layout_gives_one_character(layout: str) -> None:
    for keycode in layouts.TOP_ROW:
        assert len(layouts.character(layout, keycode, False, False)) == 1
    character = "й" if layout == "ru" else "q"
    assert layouts.character(layout, *(layouts.key_for(layout, character) or (-1, False, False))) == character


def test_no_second_sheet_comes_over_a_sheet_and_none_is_closed_from_outside(start: Start) -> None:
    sheet = {"title": "", "role": "AXSheet", "bounds": [200, 200, 300, 150], "elements": []}
    menus = [{"title": "File", "items": [{"title": "Save…", "shortcut": "cmd+s", "opens": sheet}]}]
    mac = start(world({**TEXTEDIT, "menus": menus}, CHAT))
    for key in ("s", "s", "w"):
        strike(mac, key, "cmd")
    assert [window.role for window in mac.app_named("TextEdit").windows] == ["AXWindow", "AXSheet"]

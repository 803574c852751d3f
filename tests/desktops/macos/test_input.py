"""What arrives in apps, by the journal: text, chords, clicks, drags, scrolls, and presses that fail strangely."""

from __future__ import annotations

from typing import Any

import pytest

from mac_commander.errors import Refused, Stale, Uncertain, Unsupported
from mac_commander.events import (
    ClickAt,
    DragEnd,
    DragMove,
    DragStart,
    Evidence,
    FocusElement,
    Group,
    PickMenu,
    PressChord,
    PressElement,
    ScrollAt,
    SetValue,
    TypeText,
)
from mac_commander.model import Button, Chord, Modifier, Point
from simulated_mac.elements import Element
from tests.desktops.macos.conftest import Raise
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, Scene, app, window

COMMAND, SHIFT, ALTERNATE, CONTROL = 0x100000, 0x20000, 0x80000, 0x40000
IN_TEXT = Point(300, 300)


def chord(key: str, *modifiers: Modifier) -> PressChord:
    return PressChord(Chord(frozenset(modifiers), key))


# --- text ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["Ligne — \"é\" 'ok'", "🙂👩‍👩‍👧", "e\u0301a\u0308", '&&|-/"', "^a~a'e\"u", "x" * 20, "🙂" * 10]
)
@pytest.mark.parametrize("layout", ["us", "de", "dvorak", "ru"])
def test_any_text_arrives_in_any_layout(raised: Raise, layout: str, text: str) -> None:
    scene = raised(layout=layout)
    scene.send(TypeText(text))
    assert scene.value() == text


@pytest.mark.parametrize(("layout", "text", "code"), [("us", "z", 6), ("de", "z", 16), ("us", "Z", 0), ("us", "é", 0)])
def test_the_key_goes_with_a_character_that_has_one(raised: Raise, layout: str, text: str, code: int) -> None:
    scene = raised(layout=layout)
    scene.send(TypeText(text))
    assert [e["keycode"] for e in scene.events("key_down", "key_up")] == [code, code]
    assert scene.value() == text


def test_return_and_tab_are_keys(scene: Scene) -> None:
    scene.send(TypeText("a"), TypeText("\n"), TypeText("b"))
    assert scene.value() == "a\nb"
    assert [(e["keycode"], e["flags"]) for e in scene.events("key_down")][1] == (36, 0)


def test_every_text_event_has_no_flags(raised: Raise) -> None:
    scene = raised(human_holds=["capslock", "shift"])
    scene.send(TypeText("plain"))
    events = scene.events("key_down", "key_up")
    assert [e["flags"] for e in events] == [0, 0]
    assert scene.value() == "plain"


def test_text_after_a_chord_is_no_shortcut(scene: Scene) -> None:
    scene.send(TypeText("old"), chord("a", Modifier.CMD), TypeText("new"))
    assert scene.value() == "new"
    for _ in range(30):
        scene.send(chord("=", Modifier.CMD))
    assert [e["flags"] for e in scene.events("key_down") if e["text"] == "="] == [COMMAND] * 30


def test_an_input_method_is_refused_before_anything_is_sent(raised: Raise) -> None:
    scene = raised(input_method=True)
    error = scene.failure(TypeText("http"))
    assert isinstance(error, Unsupported)
    assert "input method" in str(error)
    assert "http" not in str(error)
    assert not scene.events()


def test_halves_of_characters_cannot_be_typed(scene: Scene) -> None:
    assert scene.desktop.untypable("a\ud83d b\ud83d") == "\ud83d"
    assert scene.desktop.untypable("é🙂") == ""


# --- chords --------------------------------------------------------------------------------------------------


def test_modifiers_go_down_and_up_in_order_with_their_flags(scene: Scene) -> None:
    scene.send(chord("f", Modifier.CMD, Modifier.ALT))
    assert [(e["event"], e["keycode"], e["flags"]) for e in scene.events()] == [
        ("key_down", 58, ALTERNATE),
        ("key_down", 55, ALTERNATE | COMMAND),
        ("key_down", 3, ALTERNATE | COMMAND),
        ("key_up", 3, ALTERNATE | COMMAND),
        ("key_up", 55, ALTERNATE),
        ("key_up", 58, 0),
    ]


@pytest.mark.parametrize(
    ("layout", "key", "code"), [("us", "z", 6), ("de", "z", 16), ("dvorak", "v", 47), ("ru", "v", 9), ("fr", "a", 12)]
)
def test_a_letter_is_found_in_the_active_layout(raised: Raise, layout: str, key: str, code: int) -> None:
    scene = raised(layout=layout)
    scene.send(chord(key, Modifier.CMD))
    assert code in [e["keycode"] for e in scene.events("key_down")]


def test_a_character_above_another_takes_shift(scene: Scene) -> None:
    scene.send(chord("(", Modifier.CMD))
    down = [(e["keycode"], e["flags"]) for e in scene.events("key_down")]
    assert down[-1] == (25, COMMAND | SHIFT)


@pytest.mark.parametrize(
    ("layout", "key"), [("us", "/"), ("us", "?"), ("de", "ß"), ("de", "?"), ("fr", ","), ("dvorak", "/")]
)
def test_the_help_menu_gets_no_keyboard_on_whatever_key_it_lies(raised: Raise, layout: str, key: str) -> None:
    scene = raised(layout=layout)
    assert isinstance(scene.failure(chord(key, Modifier.CMD, Modifier.SHIFT)), Refused)
    assert not scene.events()
    scene.send(chord("a", Modifier.CMD, Modifier.SHIFT))
    assert scene.events("key_down")


def test_a_key_that_is_not_there_is_said(scene: Scene) -> None:
    error = scene.failure(chord("ß", Modifier.CMD))
    assert isinstance(error, Unsupported)
    assert not scene.events()


def test_what_is_held_is_told_before_it_goes_down(scene: Scene) -> None:
    told: list[tuple[int, tuple[str, ...]]] = []
    scene.desktop.on_hold = lambda names: told.append((len(scene.events()), names))
    scene.send(chord("a", Modifier.CMD))
    assert told == [(0, ("key:55", "key:0")), (4, ())]
    told.clear()
    scene.send(TypeText("x"))
    assert told == [(4, ("key:7",)), (6, ())]
    told.clear()
    scene.send(DragStart(IN_TEXT))
    assert told == [(7, ("button:1",))]
    scene.send(DragEnd(Point(310, 310)))
    assert told[-1][1] == ()


# --- pointer -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("clicks", "states"), [(1, [1, 1]), (2, [1, 1, 2, 2]), (3, [1, 1, 2, 2, 3, 3])])
def test_click_states(scene: Scene, clicks: int, states: list[int]) -> None:
    scene.send(ClickAt(IN_TEXT, clicks=clicks))
    assert [e["clicks"] for e in scene.events("mouse_down", "mouse_up")] == states
    assert {tuple(e["at"]) for e in scene.events()} == {IN_TEXT}


def test_buttons_and_modifiers(scene: Scene) -> None:
    scene.send(ClickAt(IN_TEXT, Button.RIGHT), ClickAt(IN_TEXT, Button.LEFT, 1, frozenset({Modifier.CMD})))
    downs = scene.events("mouse_down")
    assert [(e["button"], e["flags"]) for e in downs] == [("right", 0), ("left", COMMAND)]
    assert scene.events()[-1]["flags"] == 0
    assert not scene.desktop.evidence().modifiers_held


def test_a_click_presses_the_button_it_lands_on(scene: Scene) -> None:
    scene.send(ClickAt(Point(690, 102)))
    assert scene.events("mouse_down")[0]["app"] == "TextEdit"


def test_a_drag_has_events_in_between_and_ends_at_its_end(scene: Scene) -> None:
    scene.send(DragStart(IN_TEXT), DragMove(Point(310, 310)), DragMove(Point(330, 330)), DragEnd(Point(350, 350)))
    kinds = [e["event"] for e in scene.events()]
    assert kinds == ["mouse_move", "mouse_down", "mouse_drag", "mouse_drag", "mouse_drag", "mouse_up"]
    assert scene.events()[1]["at"] == [300, 300]
    assert scene.events()[-1]["at"] == [350, 350]


def test_a_drag_that_is_given_up_goes_back(scene: Scene) -> None:
    scene.send(DragStart(IN_TEXT), DragMove(Point(400, 400)))
    scene.desktop.release_all()
    last = scene.events()[-1]
    assert (last["event"], last["at"]) == ("mouse_up", [300, 300])
    scene.desktop.release_all()
    assert scene.events()[-1] == last, "releasing twice sends nothing more"


@pytest.mark.parametrize(("dx", "dy"), [(0, -120), (0, 40), (30, 0), (-7, 9)])
def test_scroll_signs_are_kept_on_both_axes(scene: Scene, dx: int, dy: int) -> None:
    scene.send(ScrollAt(IN_TEXT, dx, dy))
    (event,) = scene.events("scroll")
    assert (event["dx"], event["dy"], event["at"]) == (dx, dy, [300, 300])


def test_a_screen_to_the_left_has_negative_points(raised: Raise) -> None:
    far = app(TEXTEDIT, windows=[window(title="Far", bounds=[-1800, -150, 600, 400])])
    scene = raised(far, CHAT, screens=[{"bounds": [0, 0, 1440, 900]}, {"bounds": [-1920, -200, 1920, 1080]}])
    at = Point(-1500, -100)
    owner = scene.desktop.evidence(at).point
    assert owner is not None
    assert owner.pid == 5_000_412
    scene.send(ClickAt(at))
    assert scene.events("mouse_down")[0]["at"] == [-1500, -100]


# --- accessibility actions -----------------------------------------------------------------------------------


def fault(code: int, call: str = "AXUIElementPerformAction", works: bool = True) -> dict[str, Any]:
    return {"call": call, "code": code, "works_anyway": works}


def test_press_set_and_focus(scene: Scene) -> None:
    scene.send(PressElement(scene.element("Save").key))
    scene.send(SetValue(scene.element("Text").key, "neu 🙂"))
    scene.send(FocusElement(scene.element("Text").key))
    assert [(e["event"], e["title"]) for e in scene.events("press", "set_value")] == [
        ("press", "Save"),
        ("set_value", "Text"),
    ]
    assert scene.value() == "neu 🙂"


@pytest.mark.parametrize("code", [-25200, -25201, -25204, -25205, -25206, -25208, -25212, -25214])
def test_a_press_that_may_have_worked_is_uncertain(raised: Raise, code: int) -> None:
    scene = raised(faults=[fault(code)])
    error = scene.failure(PressElement(scene.element("Save").key))
    assert isinstance(error, Uncertain)
    assert len(scene.events("press")) == 1, "never pressed twice"


def test_a_press_that_certainly_did_not_work(raised: Raise) -> None:
    scene = raised(faults=[fault(-25202, works=False)])
    assert isinstance(scene.failure(PressElement(scene.element("Save").key)), Stale)


def test_a_dead_element_is_stale(scene: Scene) -> None:
    key = scene.element("Save").key
    scene.machine.windows.close(scene.machine.apps[0].windows[0])
    assert isinstance(scene.failure(PressElement(key)), Stale)


def test_an_element_of_another_app_is_not_pressed(scene: Scene) -> None:
    with pytest.raises(Stale, match="another process"):
        scene.send(FocusElement(scene.element("Message", "Chat").key))
    assert not scene.events()


def test_what_cannot_be_set_says_so(scene: Scene) -> None:
    assert isinstance(scene.failure(SetValue(scene.element("Save").key, "x")), Unsupported)
    assert isinstance(scene.failure(SetValue(scene.element("Wrap").key, "on")), Unsupported)
    assert not scene.events("set_value")


# --- menus ---------------------------------------------------------------------------------------------------

MENUS = [
    {"title": "File", "items": [{"title": "Save As…"}, {"title": "Export", "items": [{"title": "PDF"}]},
                                {"title": "Print", "enabled": False}, {"title": "Twin"}, {"title": "Twin"}]},
    {"title": "Edit", "items": [{"title": "AutoFill", "items": [{"title": "Passwords…"}]},
                                {"title": "Start Dictation…"}, {"title": "听写", "identifier": "startDictation:"}]},
]  # fmt: skip


@pytest.fixture
def with_menus(raised: Raise) -> Scene:
    return raised(app(TEXTEDIT, menus=MENUS), CHAT)


@pytest.mark.parametrize("path", [("File", "Save As…"), ("file", "save as..."), ("File", "Export", "PDF")])
def test_menu_items_are_picked(with_menus: Scene, path: tuple[str, ...]) -> None:
    with_menus.send(PickMenu(path))
    assert [e["title"] for e in with_menus.events("press")] == ["PDF" if "PDF" in path else "Save As…"]


@pytest.mark.parametrize(
    ("path", "said"),
    [(("File", "Nope"), "'Save As…', 'Export'"), (("File", "Export"), "is a menu: pick one of its items, 'PDF'"),
     (("Nope",), "'File'"), (("File", "Print"), "dimmed"),
     (("File", "Twin"), "2 items"), (("File", "Save As…", "More"), "none")],
)  # fmt: skip
def test_menu_items_that_cannot_be_picked(with_menus: Scene, path: tuple[str, ...], said: str) -> None:
    error = with_menus.failure(PickMenu(path))
    assert isinstance(error, Unsupported)
    assert said in str(error)
    assert not with_menus.events()


@pytest.mark.parametrize(
    "path",
    [("Apple", "Lock Screen"), ("Edit", "AutoFill", "Passwords…"), ("Edit", "AutoFill"), ("Edit", "Start Dictation…"),
     ("Edit", "听写")],
)  # fmt: skip
def test_menus_that_reach_beyond_the_app(with_menus: Scene, path: tuple[str, ...]) -> None:
    assert isinstance(with_menus.failure(PickMenu(path)), Refused)
    assert not with_menus.events()


def test_submenus_of_the_application_menu_are_refused_in_any_language(with_menus: Scene) -> None:
    target = with_menus.machine.app_named("TextEdit")
    assert target.menu_bar is not None
    own = target.menu_bar.children[1].children[0]
    services = Element({"role": "AXMenuItem", "title": "Dienste", "bounds": [0, 0, 9, 9]}, own, target)
    menu = Element({"role": "AXMenu", "bounds": [0, 0, 9, 9]}, services, target)
    menu.children = [Element({"role": "AXMenuItem", "title": "In Terminal", "bounds": [0, 0, 9, 9]}, menu, target)]
    services.children = [menu]
    own.children.append(services)
    path = (target.menu_bar.children[1].title, "Dienste", "In Terminal")
    assert isinstance(with_menus.failure(PickMenu(path)), Refused)
    assert isinstance(with_menus.failure(PickMenu(path[:2])), Refused)
    assert not with_menus.events()


# --- the judge -----------------------------------------------------------------------------------------------


def every_group(scene: Scene) -> list[Group]:
    save, text = scene.element("Save").key, scene.element("Text").key
    return [
        TypeText("a"), chord("a", Modifier.CMD), ClickAt(IN_TEXT), ScrollAt(IN_TEXT, 0, 9), DragStart(IN_TEXT),
        DragMove(IN_TEXT), DragEnd(IN_TEXT), PressElement(save), SetValue(text, "a"), FocusElement(text),
        PickMenu(("File", "Close")),
    ]  # fmt: skip


def test_what_the_judge_forbids_is_not_sent(scene: Scene) -> None:
    def forbid(_: Evidence) -> None:
        raise Refused("no")

    for group in every_group(scene):
        with pytest.raises(Refused, match="no"):
            scene.send(group, judge=forbid)
    assert not scene.events()

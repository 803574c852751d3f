"""Finder's trash: what no model may press as keys it may not pick or press under another name either."""

from __future__ import annotations

from typing import Any

import pytest

from mac_commander.core.finder import refuse_throwing_away
from mac_commander.errors import Refused
from mac_commander.events import PressElement
from mac_commander.model import App
from simulated_mac.geometry import Point
from simulated_mac.popups import ITEM_HEIGHT, open_menu
from tests.core.test_batch import Open, Stage, failed
from tests.desktops.macos.scenes import TEXTEDIT, app, window

FINDER = App(300, 1.0, "Finder", "com.apple.finder")
EDITOR = App(412, 1.0, "TextEdit", "com.apple.TextEdit")
TITLES = ["Empty Trash…", "Empty Trash", "Move to Trash", "Empty", "Delete Immediately…", "Empty Bin",
          "Papierkorb entleeren…", "In den Papierkorb legen", "Sofort löschen…", "Vider la corbeille…",
          "Trasladar a la papelera", "ゴミ箱を空にする…", "移到废纸篓", "Очистить Корзину…",
          "ＥＭＰＴＹ ＴＲＡＳＨ", "empty\u200b trash"]  # fmt: skip
ORDINARY = [
    "New Folder",
    "Open",
    "Empty Folder",
    "Copy",
    "Get Info",
    "Cabinet",
    "Combine",
    "Binary",
    "Show Package Contents",
]
MENUS = [
    {
        "title": "Ablage",
        "items": [
            {"title": "Neuer Ordner", "shortcut": "cmd+shift+n"},
            {"title": "Weg damit", "shortcut": "cmd+backspace"},
            {"title": "Ganz weg", "shortcut": "cmd+alt+shift+delete"},
            {"title": "Zurück", "shortcut": "alt+backspace"},
        ],
    }
]


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("role", ["menuitem", "button"])
def test_commands_that_throw_away_are_refused_in_finder_alone(role: str, title: str) -> None:
    with pytest.raises(Refused, match="throws the user's files away"):
        refuse_throwing_away(FINDER, role, title)
    refuse_throwing_away(EDITOR, role, title)
    refuse_throwing_away(FINDER, "cell", title)


@pytest.mark.parametrize("title", ORDINARY)
def test_other_commands_are_not(title: str) -> None:
    refuse_throwing_away(FINDER, "menuitem", title)
    refuse_throwing_away(FINDER, "button", title)


@pytest.fixture
def finder(stage: Open) -> Stage:
    buttons = [
        {"role": "AXButton", "title": title, "bounds": [120, y, 80, 24]}
        for title, y in (("Entleeren", 140), ("Öffnen", 180))
    ]
    shown = {**app(TEXTEDIT, name="TextEdit", bundle_id="com.apple.finder", menus=MENUS), "windows": [window(*buttons)]}
    return stage(shown)


@pytest.mark.parametrize("item", ["Weg damit", "Ganz weg", "Empty Trash…"])
def test_menu_items_are_known_by_their_keys_in_any_language(finder: Stage, item: str) -> None:
    step = failed(finder.act({"kind": "menu", "path": f"Ablage > {item}"}))
    assert (step["cause"], step["retry"]) == ("refused", "safe")
    assert "files away" in step["reason"]
    assert finder.received() == []


@pytest.mark.parametrize("item", ["Neuer Ordner", "Zurück"])
def test_others_are_picked(finder: Stage, item: str) -> None:
    assert finder.act({"kind": "menu", "path": f"Ablage > {item}"})["ok"] is True
    assert finder.received() == ["press"]


@pytest.mark.parametrize("more", [{}, {"clicks": 2}, {"button": "right"}])
def test_the_button_is_neither_pressed_nor_clicked_by_its_ref(finder: Stage, more: dict[str, Any]) -> None:
    ref = finder.ref("Entleeren")
    assert "files away" in failed(finder.act({"kind": "click", "ref": ref, **more}))["reason"]
    assert finder.received() == []
    assert finder.act({"kind": "click", "ref": finder.ref("Öffnen")})["ok"] is True


def test_an_open_menu_is_no_way_round(finder: Stage) -> None:
    """Its items have refs, and a press of their own."""
    from mac_commander.desktops.macos import ax, menu_bar  # the scene's, which are loaded anew for each
    from mac_commander.desktops.macos.element_key import ElementKey

    item = menu_bar.find(ax.application(finder.scene.app().pid), ("Ablage", "Weg damit"))
    with pytest.raises(Refused, match="files away"):
        finder.scene.send(PressElement(ElementKey(item.element)))
    assert finder.received() == []


def test_neither_is_a_click_into_it(finder: Stage) -> None:
    items = [{"title": "Weg damit", "shortcut": "cmd+backspace"}, {"title": "Neuer Ordner", "shortcut": "cmd+shift+n"}]
    _opened(finder, items)
    assert "files away" in failed(finder.act({"kind": "click", "xy": [310, 310]}))["reason"]
    assert "mouse_down" not in finder.received()
    assert finder.act({"kind": "click", "xy": [310, 310 + ITEM_HEIGHT]})["ok"] is True
    assert "mouse_down" in finder.received()


@pytest.mark.parametrize("title", ["Services", "Dienste", "AutoFill", "サービス", "Start Dictation…"])
def test_a_context_menu_hands_over_to_no_other_program(stage: Open, title: str) -> None:
    there = stage()
    _opened(there, [{"title": title}])
    assert "refused" in failed(there.act({"kind": "click", "xy": [310, 310]}))["cause"]
    assert "mouse_down" not in there.received()


def _opened(there: Stage, items: list[dict[str, Any]]) -> None:
    machine = there.scene.machine
    open_menu(machine, machine.app_named("TextEdit"), items, Point(300, 300))

"""Inputs from public reports about tools of this kind that no other test has. docs/macos.md lists all of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mac_commander.core.reply import Reply
from simulated_mac.faults import Faults
from tests.desktops.macos.conftest import Raise
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, Scene, app, window
from tests.desktops.macos.test_sweep import Client, hurry

ROOT = Path(__file__).parents[3]
Act = Callable[..., Reply]


@pytest.fixture
def act(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Act:
    hurry(monkeypatch)

    def run(scene: Scene, *steps: dict[str, Any], labels: tuple[str, ...] = ()) -> Reply:
        client = Client(scene, tmp_path, labels)
        (reply,) = client.call((("act", {"target": "TextEdit", "steps": list(steps)}),))
        return reply

    return run


@pytest.mark.parametrize("text", ["∀∀∀", "ひら", "a😁𐂀", "x" * 19 + "🙂" + "y" * 5, "z" * 45])
def test_few_and_many_characters_beyond_ascii(scene: Scene, act: Act, text: str) -> None:
    """koekeishiya/khd#62, ronaldoussoren/pyobjc#162, qmk/qmk_firmware#981, enigo-rs/enigo#68."""
    assert not act(scene, {"kind": "type", "text": text}).is_error
    assert scene.value() == text
    assert all(len(e["text"].encode("utf-16-le")) <= 40 for e in scene.events("key_down"))


def test_lines_end_where_they_should(scene: Scene, act: Act) -> None:
    """Hammerspoon#3365: a Return sent after a line landed in the middle of it."""
    lines = [f"{number:02} " + "abcdefghi " * 6 for number in range(20)]
    steps = [step for line in lines for step in ({"kind": "type", "text": line}, {"kind": "key", "combo": "return"})]
    assert not act(scene, *steps).is_error
    assert scene.value() == "".join(line + "\n" for line in lines)


def test_typing_touches_neither_clipboard_nor_layout(raised: Raise, act: Act) -> None:
    """openwhispr#1740, openstream#432: text went by way of the clipboard, and what was on it was lost."""
    scene = raised(pasteboard="the user's own", layout="fr")
    assert not act(scene, {"kind": "type", "text": "a — 🙂"}).is_error
    assert scene.machine.pasteboard.text == "the user's own"
    assert scene.machine.keyboard.layout == "fr"


def test_a_chord_repeated_keeps_its_modifier(scene: Scene, act: Act) -> None:
    """Fast repeats of cmd+= lost the Command."""
    assert not act(scene, {"kind": "key", "combo": "cmd+=", "repeat": 30}).is_error
    keys = [e["flags"] for e in scene.events("key_down") if e["text"] == "="]
    assert keys == [0x100000] * 30


def test_a_move_that_is_lost_is_made_again(raised: Raise, act: Act) -> None:
    """cliclick#168: apps that follow the pointer must have seen it come before it presses."""
    scene = raised()
    scene.machine.faults = Faults([{"call": "CGEventPost", "code": 0, "times": 1}])
    assert not act(scene, {"kind": "click", "xy": [300, 300]}).is_error
    assert [e["at"] for e in scene.events("mouse_move")] == [[300, 300]]


def test_an_app_without_windows_is_told_in_words(raised: Raise, act: Act) -> None:
    """jcode#397: "Can't get window 1" came through."""
    scene = raised(app(TEXTEDIT, windows=[]), CHAT)
    reply = act(scene, {"kind": "click", "xy": [300, 300]})
    assert reply.is_error
    assert json.loads(reply.text)["failed_step"]["retry"] == "safe"
    assert "window" in reply.text
    assert not scene.events("mouse_down", "key_down")


def test_a_list_sorted_anew_keeps_its_refs(raised: Raise, act: Act, tmp_path: Path) -> None:
    """chrome-bridge#22: a message went to whoever had moved to the old place."""
    rows = [{"role": "AXButton", "title": name, "bounds": [110, 120 + 30 * n, 200, 24]} for n, name in enumerate("ABC")]
    scene = raised(app(TEXTEDIT, windows=[window(*rows)]), CHAT)
    client = Client(scene, tmp_path, ("A",))
    nodes = scene.machine.apps[0].windows[0].children
    first, last = nodes[0], nodes[-1]
    first.bounds, last.bounds = last.bounds, first.bounds
    nodes.reverse()
    (reply,) = client.call((("act", {"target": "TextEdit", "steps": [{"kind": "click", "ref": "A"}]}),))
    assert not reply.is_error, reply.text
    assert [e["title"] for e in scene.events("press")] == ["A"]


def test_a_screen_to_the_left_is_the_same_in_see_act_and_log(raised: Raise, act: Act, tmp_path: Path) -> None:
    """Negative points were taken as relative, as 0, or from the right edge."""
    screens = [{"bounds": [0, 0, 1440, 900]}, {"bounds": [-1920, -200, 1920, 1080]}]
    button = {"role": "AXButton", "title": "Far", "bounds": [-1810, -90, 60, 20]}
    left = window(button, title="Left", bounds=[-1900, -180, 600, 400])
    scene = raised(app(TEXTEDIT, windows=[left]), CHAT, screens=screens)
    client = Client(scene, tmp_path, ())
    steps = [{"kind": "click", "xy": [-1700, 100]}]
    see, reply = client.call((("see", {"app": "TextEdit"}), ("act", {"target": "TextEdit", "steps": steps})))
    assert 'button "Far" [e1] -1780,-80' in see.text
    assert not reply.is_error, reply.text
    assert scene.events("mouse_down")[0]["at"] == [-1700, 100]
    assert "-1700,100" in client.log.read_text()


def test_every_report_that_is_listed_has_its_test() -> None:
    document = (ROOT / "docs/macos.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", document)
    assert len(named) > 50
    for file, test in named:
        assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), f"{file} has no {test}"

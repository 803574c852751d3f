"""World files: the documented one is taken, wrong ones are refused with the place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import simulated_mac
from simulated_mac import WorldError
from simulated_mac import world as worlds
from simulated_mac.installation import DEFAULT_WORLD
from simulated_mac.machine import Machine
from tests.simulated_mac.conftest import CHAT, TEXTEDIT, world

DOCUMENTED = """
{"locale": "fr",
 "screens": [{"bounds": [0, 0, 1440, 900], "scale": 2}],
 "grants": {"accessibility": true, "screen_recording": true},
 "apps": [
  {"name": "TextEdit", "bundle_id": "com.apple.TextEdit", "pid": 412, "frontmost": true,
   "windows": [{"title": "Untitled", "bounds": [100, 80, 640, 480], "elements": [
     {"role": "AXTextArea", "bounds": [100, 120, 640, 440], "value": ""},
     {"role": "AXButton", "title": "Save", "bounds": [660, 90, 60, 24], "opens": {"title": "Save As", "bounds": [200, 200, 300, 150], "elements": []}}]}]},
  {"name": "Chat", "bundle_id": "com.example.chat", "pid": 99,
   "windows": [{"title": "Chat", "bounds": [800, 80, 400, 480], "elements": [{"role": "AXTextField", "bounds": [800, 500, 400, 40]}]}]}],
 "then": [{"after_events": 12, "do": "activate", "app": "Chat"}],
 "faults": [{"call": "AXUIElementPerformAction", "code": -25205, "works_anyway": true}]}
"""  # noqa: E501 - as it stands in the documentation


def element(**more: Any) -> dict[str, Any]:
    return world({"name": "A", "windows": [{"bounds": [0, 0, 9, 9], "elements": [more]}]})


def then(**entry: Any) -> dict[str, Any]:
    return world(TEXTEDIT, CHAT, then=[entry])


WRONG = [
    ({}, "apps: missing"),
    ([], "the world: wanted an object, found a list"),
    ({"apps": {}}, "apps: wanted a list, found an object"),
    ({"apps": [{}]}, "apps[0].name: missing"),
    ({"apps": [{"name": ""}]}, 'apps[0].name: wanted a name, found ""'),
    ({"apps": [{"name": 3}]}, "apps[0].name: wanted a text, found 3"),
    ({"apps": [], "aps": []}, "aps: no such key, did you mean 'apps'?"),
    (world({"name": "A", "pid": True}), "apps[0].pid: wanted a whole number of at least 1, found true"),
    (world({"name": "A", "pid": 5}, {"name": "B", "pid": 5}), "apps[1].pid: 5 is the pid of apps[0] already"),
    (world({"name": "A", "quits": "never"}), 'apps[0].quits: wanted one of true, false, "asks", found "never"'),
    (world({"name": "A", "quits": 1}), 'apps[0].quits: wanted one of true, false, "asks", found 1'),
    (world(TEXTEDIT, {**CHAT, "frontmost": True}), "apps[1].frontmost: apps[0] is frontmost already"),
    (world({"name": "A", "frontmost": True, "running": False}), "apps[0].frontmost: an app that is not running"),
    (world({"name": "A", "windows": [{"title": "W"}]}), "apps[0].windows[0].bounds: missing"),
    (
        world({"name": "A", "windows": [{"bounds": [1, 2, 3]}]}),
        "apps[0].windows[0].bounds: wanted [x, y, width, height]",
    ),
    (world({"name": "A", "windows": [{"bounds": [1, 2, 3, "4"]}]}), "apps[0].windows[0].bounds[3]: wanted a number"),
    (world({"name": "A", "windows": [{"bounds": [1, 2, -3, 4]}]}), "apps[0].windows[0].bounds: wanted a width"),
    (element(title="B"), "apps[0].windows[0].elements[0].role: missing"),
    (element(role="AXButton", opens={}), "apps[0].windows[0].elements[0].opens.bounds: missing"),
    (
        element(role="AXGroup", children=[{"role": "AXButton", "enabled": "no"}]),
        'apps[0].windows[0].elements[0].children[0].enabled: wanted true or false, found "no"',
    ),
    (world(grants={"accessibility": 1}), "grants.accessibility: wanted true or false, found 1"),
    (world(grants={"accessability": True}), "grants.accessability: no such key, did you mean 'accessibility'?"),
    (world(screens=[]), "screens: wanted at least one"),
    (world(layout="xx"), 'layout: wanted one of "us", "de"'),
    (then(do="activate", app="Chat"), "then[0]: wanted either after_events or after_ms"),
    (then(do="activate", app="Chat", after_ms=1, after_events=1), "then[0]: wanted either after_events or after_ms"),
    (then(do="activate", after_ms=1), "then[0].app: missing, activate needs it"),
    (then(do="activate", app="Chatt", after_ms=1), "then[0].app: no app 'Chatt' in apps"),
    (then(do="explode", after_ms=1), 'then[0].do: wanted one of "activate"'),
    (then(do="open_window", app="Chat", window={"titel": ""}, after_ms=1), "then[0].window.titel: no such key"),
    (then(do="open_window", app="Chat", window=1, after_ms=1), "then[0].window: wanted a window, found 1"),
    (then(do="human_hold", modifier="meta", after_ms=1), 'then[0].modifier: wanted one of "cmd"'),
    (then(do="lock_screen", after_ms=-1), "then[0].after_ms: wanted a number that is not negative, found -1"),
    (world(screens=[{"bounds": [0, 0, 9, 9], "scale": 0}]), "screens[0].scale: wanted a number above 0, found 0"),
    (world(faults=[{"call": "X"}]), "faults[0].code: missing"),
]


@pytest.mark.parametrize(("wrong", "message"), WRONG, ids=[message[:50] for _, message in WRONG])
def test_a_wrong_world_is_refused_with_the_place(wrong: Any, message: str) -> None:
    with pytest.raises(WorldError) as refused:
        worlds.parse(json.dumps(wrong).encode())
    assert str(refused.value).startswith(message)


def test_broken_json_is_refused_with_line_and_column() -> None:
    with pytest.raises(WorldError, match="line 2 column 1"):
        worlds.parse(b'{"apps": [\n')


def test_a_key_given_twice_is_refused() -> None:
    with pytest.raises(WorldError, match="name: given twice"):
        worlds.parse(b'{"apps": [{"name": "A", "name": "B"}]}')


def test_not_a_number_is_refused() -> None:
    with pytest.raises(WorldError, match=r"screens\[0\].bounds\[0\]: wanted a number"):
        worlds.parse(b'{"apps": [], "screens": [{"bounds": [NaN, 0, 1, 1]}]}')


def test_a_document_nested_too_deeply_is_refused() -> None:
    with pytest.raises(WorldError, match="nested too deeply"):
        worlds.parse(b"[" * 100_000)


def test_a_refused_world_leaves_no_journal(tmp_path: Path) -> None:
    file = tmp_path / "world.json"
    file.write_text("{}")
    with pytest.raises(WorldError):
        simulated_mac.install(file, tmp_path / "journal")
    assert not (tmp_path / "journal").exists()


def test_the_documented_world_is_taken() -> None:
    machine = Machine(worlds.parse(DOCUMENTED.encode()))
    assert [app.name for app in machine.running()] == ["TextEdit", "Chat"]
    assert machine.front is machine.app_named("TextEdit")
    assert machine.focused is machine.app_named("TextEdit").windows[0].children[0]


def test_the_default_world_is_a_pleasant_one() -> None:
    machine = Machine(worlds.read(DEFAULT_WORLD))
    names = {app.name for app in machine.running()}
    assert names == {"TextEdit", "Finder", "Calculator", "Chat", "System Settings", "1Password"}
    assert len(machine.screens) == 2
    assert machine.front is machine.app_named("TextEdit")


def test_apps_are_named_in_the_language_of_the_world() -> None:
    settings = {"name": "System Settings", "names": {"fr": "Réglages Système"}, "pid": 3}
    machine = Machine(worlds.check(world(settings, locale="fr")))
    assert machine.apps[0].local_name == "Réglages Système"
    assert machine.app_named("Réglages Système") is machine.app_named("System Settings")


def test_a_process_that_comes_back_has_another_pid() -> None:
    machine = Machine(worlds.check(world()))
    chat = machine.app_named("Chat")
    machine.life.end(chat)
    machine.life.launch(chat)
    assert chat.pid not in (99, 412)
    assert machine.front is chat


def test_trees_of_thousands_are_made_without_recursion() -> None:
    deep = element(role="AXGroup", nested=5000)
    wide = element(role="AXRow", title="Row", copies=2000)
    assert sum(1 for _ in Machine(worlds.check(deep)).stack[0].walk()) == 5001
    rows = Machine(worlds.check(wide)).stack[0].children
    assert [rows[0].title, rows[-1].title] == ["Row 1", "Row 2000"]

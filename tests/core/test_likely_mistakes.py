"""What the user most likely did not mean is told on stderr, once and after the first call; it holds all the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mac_commander.core.config import Config, default_blocklist
from mac_commander.core.likely_mistakes import TOLD_MOST, likely_mistakes
from mac_commander.core.session import Session
from mac_commander.core.stop import Stop
from tests.desktops.macos.scenes import Scene, raise_scene, world
from tests.server.raw_client import RawClient, own_mac

RISKY = 'on run argv\n\tdo shell script "open " & item 1 of argv\nend run\n'


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    raised = raise_scene(tmp_path, world())
    yield raised
    raised.desktop.close()
    raised.machine.close()


def told(scene: Scene, home: Path, *terms: str) -> list[str]:
    return likely_mistakes(Session(scene.desktop, Config(home, tuple(terms)), Stop()))


def test_an_entry_that_no_app_has_is_told_with_near_names(scene: Scene, tmp_path: Path) -> None:
    (line,) = told(scene, tmp_path, "TextEdti", "chat", "com.apple.textedit")
    assert "'TextEdti'" in line
    assert "near: TextEdit" in line


def test_the_entries_of_the_default_list_are_not_the_users(scene: Scene, tmp_path: Path) -> None:
    scene.desktop.installed = None  # type: ignore[assignment] - not even looked at
    assert told(scene, tmp_path, *default_blocklist()) == []


def test_a_list_of_ten_thousand_is_told_in_few_lines(scene: Scene, tmp_path: Path) -> None:
    assert len(told(scene, tmp_path, *(f"nothing {n}" for n in range(10_000)))) == TOLD_MOST


def test_scripts_that_run_a_value_are_told_by_line(scene: Scene, tmp_path: Path) -> None:
    folder = tmp_path / "scripts"
    folder.mkdir(mode=0o700)
    for name in ("open it.applescript", "of another desktop.sh"):
        (folder / name).write_text(RISKY if name.endswith("applescript") else 'eval "$1"')
        (folder / name).chmod(0o600)
    (line,) = told(scene, tmp_path)
    assert line.startswith("scripts/open it.applescript line 2 ")
    folder.chmod(0o777)
    assert told(scene, tmp_path) == [], "a folder that is not read has nothing to tell of"


def test_a_server_tells_it_once_and_after_its_first_answer(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / "config.json").write_text(json.dumps({"input_blocklist": ["TextEdti"]}))
    (home / "config.json").chmod(0o600)
    with RawClient(home, own_mac(tmp_path)) as client:
        client.add_script("open.applescript", RISKY)
        client.initialize()
        assert not client.call("see", app="TextEdit").get("isError")
        assert client.process.stderr is not None
        first, second = (client.process.stderr.readline().decode() for _ in range(2))
        refused: dict[str, Any] = client.call_json("act", target="TextEdti", steps=[{"kind": "wait", "ms": 1}])
        client.close_input()
        client.ended()
        assert client.errors() == ""
    assert "'TextEdti'" in first
    assert "scripts/open.applescript line 2" in second
    assert "blocklist" in refused["failed_step"]["reason"]

"""The server's own code on the simulated Mac, where only the two together can go wrong."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from mac_commander.errors import Locked
from tests.simulated_mac.conftest import CHAT, TEXTEDIT, Start, world


def opened(tmp_path: Path, given: object) -> tuple[int, ...]:
    for name in [name for name in sys.modules if name.startswith("mac_commander.desktops.macos")]:
        del sys.modules[name]
    from mac_commander.desktops import open_desktop

    file = tmp_path / "world.json"
    file.write_text(json.dumps(given), encoding="utf-8")
    desktop = open_desktop("simulated", file, tmp_path / "journal")
    try:
        return desktop.ancestors()
    finally:
        desktop.close()


def test_pids_of_the_world_are_not_those_of_this_machine(start: Start, tmp_path: Path) -> None:
    ours = {**TEXTEDIT, "pid": os.getppid()}
    assert opened(tmp_path, world(ours, CHAT)) == ()
    assert opened(tmp_path, world(TEXTEDIT, {**CHAT, "hosts_us": True})) == (99,)


def test_a_wrong_world_locks_the_desktop_and_names_the_place(tmp_path: Path) -> None:
    with pytest.raises(Locked, match=r"apps\[0\]\.windows\[0\]\.bounds: missing"):
        opened(tmp_path, world({"name": "A", "windows": [{}]}))

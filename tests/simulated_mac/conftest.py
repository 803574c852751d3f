"""Simulated Macs with small worlds, one for each test."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import simulated_mac
from simulated_mac import Machine

World = dict[str, Any]
Start = Callable[..., Machine]

TEXTEDIT: World = {
    "name": "TextEdit",
    "bundle_id": "com.apple.TextEdit",
    "pid": 412,
    "frontmost": True,
    "windows": [
        {
            "title": "Untitled",
            "bounds": [100, 80, 640, 480],
            "elements": [
                {"role": "AXTextArea", "title": "Text", "bounds": [100, 120, 640, 400], "value": ""},
                {
                    "role": "AXButton",
                    "title": "Save",
                    "bounds": [660, 90, 60, 24],
                    "opens": {"title": "Save As", "bounds": [200, 200, 300, 150], "elements": []},
                },
                {"role": "AXCheckBox", "title": "Wrap", "bounds": [120, 530, 80, 20], "value": 0},
            ],
        }
    ],
}
CHAT: World = {
    "name": "Chat",
    "bundle_id": "com.example.chat",
    "pid": 99,
    "windows": [
        {
            "title": "Chat",
            "bounds": [800, 80, 400, 480],
            "elements": [{"role": "AXTextField", "title": "Message", "bounds": [800, 500, 400, 40]}],
        }
    ],
}


def world(*apps: World, **more: Any) -> World:
    return {"apps": list(apps or (TEXTEDIT, CHAT)), **more}


def events(machine: Machine) -> list[tuple[str, str]]:
    """What happened, and to whom."""
    return [(line["event"], line["app"]) for line in machine.journal.lines]


def value(machine: Machine, title: str) -> Any:
    """What the element holds, asked of the machine and not of accessibility."""
    nodes = (node for app in machine.apps for window in app.windows for node in window.walk())
    return next(node.value for node in nodes if node.title == title)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Call it with a world to have it installed."""
    started: list[Machine] = []

    def make(given: World | None = None, journal: Path | None = None) -> Machine:
        file = tmp_path / "world.json"
        file.write_text(json.dumps(given or world()), encoding="utf-8")
        started.append(simulated_mac.install(file, journal))
        return started[-1]

    yield make
    for machine in started:
        machine.close()


@pytest.fixture
def mac(start: Start) -> Machine:
    """TextEdit in front of a chat client."""
    return start()

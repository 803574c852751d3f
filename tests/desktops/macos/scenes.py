"""Scenes on the simulated Mac: a world, the macOS desktop's own code over it, and the journal as the witness."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import simulated_mac
from mac_commander.desktops.base import Desktop
from mac_commander.errors import CommanderError
from mac_commander.events import Evidence, Group
from mac_commander.model import App, Element, Limits, Snapshot
from simulated_mac import Machine

World = dict[str, Any]

TEXTEDIT: World = {  # pids that no process of a Linux machine has: our own ancestors are looked up there
    "name": "TextEdit",
    "bundle_id": "com.apple.TextEdit",
    "pid": 5_000_412,
    "frontmost": True,
    "windows": [
        {
            "title": "Untitled",
            "bounds": [100, 80, 640, 480],
            "elements": [
                {"role": "AXTextArea", "title": "Text", "bounds": [100, 120, 640, 300], "value": ""},
                {"role": "AXButton", "title": "Save", "bounds": [660, 90, 60, 24]},
                {"role": "AXCheckBox", "title": "Wrap", "bounds": [110, 430, 80, 20], "value": 0},
                {
                    "role": "AXTextField",
                    "subrole": "AXSecureTextField",
                    "title": "Password",
                    "bounds": [110, 460, 200, 20],
                    "value": "hunter2",
                },
            ],
        }
    ],
}
CHAT: World = {
    "name": "Chat",
    "bundle_id": "com.example.chat",
    "pid": 5_000_099,
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


def app(base: World, **changed: Any) -> World:
    return {**base, **changed}


def window(*elements: World, **more: Any) -> World:
    return {"title": "Window", "bounds": [100, 80, 640, 480], "elements": list(elements), **more}


def allow(_: Evidence) -> None:
    """The judge who lets everything pass."""


@dataclass
class Scene:
    machine: Machine
    desktop: Desktop

    def app(self, name: str = "TextEdit") -> App:
        return next(found for found in self.desktop.apps() if name in found.every_name)

    def look(self, name: str = "TextEdit", **limits: Any) -> Snapshot:
        return self.desktop.snapshot(self.app(name), Limits(**limits))

    def element(self, label: str, name: str = "TextEdit") -> Element:
        return next(e for e in self.look(name).elements if e.name == label)

    def send(self, *groups: Group, name: str = "TextEdit", judge: Callable[[Evidence], None] = allow) -> None:
        target = self.app(name)
        for group in groups:
            self.desktop.deliver(group, target, judge)

    def failure(self, group: Group) -> CommanderError | None:
        try:
            self.send(group)
        except CommanderError as error:
            return error
        return None

    def events(self, *kinds: str) -> list[dict[str, Any]]:
        return [line for line in self.machine.journal.lines if not kinds or line["event"] in kinds]

    def value(self, label: str = "Text") -> Any:
        """What the element holds, asked of the machine and not of accessibility."""
        nodes = (node for found in self.machine.apps for shown in found.windows for node in shown.walk())
        return next(node.value for node in nodes if node.title == label)


def raise_scene(folder: Path, given: World) -> Scene:
    """Open the macOS desktop anew on this world: its modules are bound to the frameworks that they imported."""
    file = folder / "world.json"
    file.write_text(json.dumps(given), encoding="utf-8")
    machine = simulated_mac.install(file, None)
    for name in [name for name in sys.modules if name.startswith("mac_commander.desktops.macos")]:
        del sys.modules[name]
    from mac_commander.desktops.macos.desktop import open_macos

    programs = (getattr(machine, "osascript", "/absent"), getattr(machine, "screencapture", "/absent"))
    return Scene(machine, open_macos(*programs, f"scene {folder}", machine.ancestors))

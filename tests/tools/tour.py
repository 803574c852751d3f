"""A walk through the macOS desktop on a simulated Mac, with one of its files replaced by another.

`python -m tests.tools.tour FILE.json`: the file says for each number which module is replaced by which path. Each walk
is a process of its own; one line of JSON tells what became of all of them: "" for a walk that went as it should.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest

from mac_commander.errors import DesktopError
from mac_commander.events import ClickAt, PressChord, PressElement, ScrollAt, SetValue, TypeText
from mac_commander.model import Chord, Installed, Modifier, Point, Readiness, Rect
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, Scene, raise_scene, world

SEEN_SECONDS = 3.0
"""How long the walk waits for a state that comes by itself."""
NOTES = {"name": "Notes", "bundle_id": "com.apple.Notes", "running": False, "path": "/Applications/Notes.app"}
SCREENS = [{"bounds": [0, 0, 1440, 900], "scale": 2}, {"bounds": [1440, 0, 800, 600], "scale": 1}]


class Replacing(MetaPathFinder):
    """Finds one module elsewhere than where it is."""

    def __init__(self, name: str, path: str) -> None:
        self.name, self.path = name, path

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        return importlib.util.spec_from_file_location(name, self.path) if name == self.name else None


def walk(folder: Path) -> None:
    """Everything that the planted mistakes touch, asked of the desktop and looked up on the machine."""
    scene = raise_scene(folder, world(TEXTEDIT, CHAT, NOTES, screens=SCREENS))
    try:
        look(scene)
        send(scene)
        handle_apps(scene)
    finally:
        scene.desktop.close()


def look(scene: Scene) -> None:
    desktop, target = scene.desktop, scene.app()
    assert desktop.readiness() == Readiness()
    assert [s.scale for s in desktop.screens()] == [2.0, 1.0]
    assert in_front(scene) == "TextEdit"
    assert [w.title for w in desktop.windows(target)] == ["Untitled"]
    assert desktop.stack()[0].title == "Untitled"
    snapshot = scene.look()
    assert {"Text", "Save", "Wrap", "Password"} <= {e.name for e in snapshot.elements}
    assert scene.element("Save").bounds == Rect(660, 90, 60, 24)
    focused = desktop.focused(target)
    assert focused is not None
    assert focused.name == "Text"
    assert not desktop.is_hidden(target)
    desktop.idle(0.05)


def send(scene: Scene) -> None:
    scene.send(TypeText("é — 🙂"))
    assert scene.value() == "é — 🙂"
    scene.send(PressChord(Chord(frozenset({Modifier.CMD}), "a")))
    scene.send(ClickAt(Point(300, 300)), ScrollAt(Point(300, 300), 7, -40))
    assert [e["flags"] & 0x100000 for e in scene.events("key_down") if e["keycode"] == 0][-1]
    assert [(e["dx"], e["dy"]) for e in scene.events("scroll")] == [(7, -40)]
    scene.send(PressElement(scene.element("Save").key))
    assert len(scene.events("press")) == 1
    scene.send(SetValue(scene.element("Text").key, "neu"))
    assert scene.value() == "neu"


def handle_apps(scene: Scene) -> None:
    desktop = scene.desktop
    ticket = desktop.launch(Installed("Notes", "com.apple.Notes", location="/Applications/Notes.app"))
    until(scene, lambda: desktop.launch_progress(ticket).ready)
    desktop.activate(scene.app("Chat"))
    until(scene, lambda: in_front(scene) == "Chat")
    desktop.hide(scene.app())
    until(scene, lambda: desktop.is_hidden(scene.app()))
    desktop.activate(scene.app())
    until(scene, lambda: not desktop.is_hidden(scene.app()))
    refused(scene)


def in_front(scene: Scene) -> str:
    front = scene.desktop.frontmost()
    return front.name if front is not None else ""


def refused(scene: Scene) -> None:
    ticket = scene.desktop.launch(Installed("Ghost", "com.example.ghost", location="/Applications/Ghost.app"))
    with pytest.raises(DesktopError, match="could not launch Ghost"):
        until(scene, lambda: scene.desktop.launch_progress(ticket).ready)


def until(scene: Scene, condition: Callable[[], bool]) -> None:
    end = time.monotonic() + SEEN_SECONDS
    while not condition():
        assert time.monotonic() < end, "a state never came"
        scene.desktop.idle(0.02)


def one(module: str, path: str, folder: Path) -> str:
    """What became of a walk; run in a process of its own, where a failed thread counts too."""
    threading.excepthook = lambda failed: None  # the walk itself tells that what the thread was to do never came
    sys.meta_path.insert(0, Replacing(module, path))
    try:
        walk(folder)
    except Exception as error:  # noqa: BLE001 - any failure at all is what is being looked for
        return f"{type(error).__name__}: {error}"[:200]
    return ""


def in_child(module: str, path: str) -> str:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with tempfile.TemporaryDirectory() as folder:
            said = one(module, path, Path(folder))
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        said = answer.read().decode()
    _, status = os.waitpid(child, 0)
    return said if status == 0 else f"the process ended with status {status}"


def main(plan: Path) -> None:
    wanted = json.loads(plan.read_text(encoding="utf-8"))
    print(json.dumps({number: in_child(*each) for number, each in wanted.items()}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

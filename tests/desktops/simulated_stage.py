"""The form of `tests/witness` as a world of the simulated Mac; the machine itself is the witness."""

from __future__ import annotations

from typing import Any

from mac_commander.model import Rect
from simulated_mac.elements import App, Element
from tests.desktops.macos.scenes import Scene, World
from tests.desktops.stages import Stage

ROW_HEIGHT = 20
BUTTONS = {"left": 1, "right": 3, "center": 2}
"""The journal's words, and the numbers of the X11 witnesses."""
MODIFIERS = {"shift": 1 << 17, "ctrl": 1 << 18, "alt": 1 << 19, "cmd": 1 << 20}
"""CGEventFlags (CGEventTypes.h)."""

DIALOG: World = {
    "title": "Witness dialog",
    "subrole": "AXDialog",
    "modal": True,
    "bounds": [300, 300, 300, 120],
    "elements": [{"role": "AXTextField", "title": "Dialog entry", "bounds": [320, 340, 200, 24], "value": ""}],
}


def _element(role: str, title: str, y: float, **more: Any) -> World:
    return {"role": role, "title": title, "bounds": [120, y, 200, 24], **more}


ROWS = [
    {"role": "AXRow", "title": f"Row {n}", "bounds": [480, 160 + ROW_HEIGHT * n, 200, ROW_HEIGHT]} for n in range(100)
]

FORM: World = {
    "name": "Witness",
    "bundle_id": "org.example.Witness",
    "pid": 501,
    "frontmost": True,
    "menus": [
        {"title": "File", "items": [{"title": "New"}, {"title": "Save As…"}, {"title": "Quit"}]},
        {"title": "Edit", "items": [{"title": "Paste"}, {"title": "Select All", "shortcut": "cmd+a"}]},
    ],
    "windows": [
        {
            "title": "Witness",
            "bounds": [100, 100, 640, 500],
            "elements": [
                _element("AXTextField", "Name", 140, value=""),
                _element("AXTextField", "Password", 170, subrole="AXSecureTextField", value=""),
                _element("AXTextArea", "Notes", 200, value=""),
                _element("AXButton", "Save", 230),
                _element("AXButton", "Publish", 260, enabled=False),
                _element("AXCheckBox", "Wrap lines", 290, value=0),
                _element("AXRadioButton", "Left", 320, value=1),
                _element("AXRadioButton", "Right", 350, value=0),
                _element("AXPopUpButton", "Colour", 380, value="Red"),
                _element("AXSlider", "Volume", 410, value=0, minimum=0, maximum=100),
                _element("AXIncrementor", "Count", 440, value=0, minimum=0, maximum=100),
                _element("AXStaticText", "Drag me", 470),
                _element("AXStaticText", "Drop here", 500),
                {
                    "role": "AXScrollArea",
                    "title": "Scroll area",
                    "bounds": [480, 160, 200, 400],
                    "children": ROWS,
                },
            ],
        }
    ],
}
OTHER: World = {
    "name": "Other",
    "bundle_id": "org.example.Other",
    "pid": 502,
    "windows": [{"title": "Other", "bounds": [700, 100, 300, 300], "elements": []}],
}


class SimulatedStage(Stage):
    """Nothing is dropped on the simulated Mac: a drag there moves the pointer and selects text. Its world says who
    started us, nobody here."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene.desktop)
        self._scene = scene
        self._machine = scene.machine
        self.pid, self.other_pid = FORM["pid"], OTHER["pid"]
        self.lacks = frozenset({"drop", "parents"})

    @property
    def _form(self) -> App:
        return self._machine.app_named("Witness")

    def _node(self, name: str) -> Element:
        nodes = (node for window in self._form.windows for node in window.walk())
        return next(node for node in nodes if node.title == name)

    def text(self, name: str) -> str:
        return str(self._node(name).value)

    def value(self, name: str) -> Any:
        if name == "Scroll area":
            return -(self.bounds("Row 0").y - ROWS[0]["bounds"][1])
        return self._node(name).value

    def activations(self, name: str) -> int:
        pressed = [line for line in self._lines("press") if line["title"] == name]
        return len(pressed) + len(self.events("mouse_up", name))

    def _lines(self, event: str) -> list[dict[str, Any]]:
        return [line for line in self._scene.events(event) if line["app"] == "Witness"]

    def events(self, event: str, name: str | None = None) -> list[dict[str, Any]]:
        if event == "drag":
            return self._lines("mouse_drag")
        return [self._translated(line) for line in self._lines(event) if name is None or self._is_over(line, name)]

    def _is_over(self, line: dict[str, Any], name: str) -> bool:
        x, y, width, height = self.bounds(name)
        at_x, at_y = line.get("at", (-1, -1))
        return x <= at_x < x + width and y <= at_y < y + height

    def _translated(self, line: dict[str, Any]) -> dict[str, Any]:
        held = [word for word, flag in MODIFIERS.items() if line.get("flags", 0) & flag]
        return {**line, "modifiers": held, "button": BUTTONS.get(line.get("button", ""))}

    def bounds(self, name: str) -> Rect:
        found = self._node(name).bounds
        assert found is not None
        return Rect(*found)

    def focus(self, name: str) -> None:
        self._machine.windows.focus(self._node(name))

    def come_forward(self) -> None:
        self._machine.life.activate(self._form)

    def steal(self) -> None:
        self._machine.life.activate(self._machine.app_named("Other"))

    def open_dialog(self) -> None:
        self._machine.windows.add(self._form, DIALOG, on_top=True)

    def rename(self, name: str, label: str) -> None:
        node = self._node(name)
        node.title = label
        self._machine.notices.post("AXTitleChanged", node.app.pid, node)

    def replace(self, name: str) -> None:
        old = next(n for n in self._form.windows[0].walk() if n.spec.get("title") == name and n.alive)
        assert old.parent is not None
        new = Element(old.spec, old.parent, old.app)
        old.parent.children = [new if child is old else child for child in old.parent.children]
        old.end()

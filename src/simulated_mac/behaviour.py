"""Apps that do more than show elements: the Calculator adds, the chat client sends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulated_mac.calculator import Calculator
from simulated_mac.elements import App, Element, Window

if TYPE_CHECKING:
    from simulated_mac.machine import Machine

_BUBBLE_HEIGHT = 24


def pressed(machine: Machine, element: Element) -> None:
    """A button of such an app was pressed."""
    if element.app.spec.get("behaves") == "calculator":
        _calculate(element.app, element.title)
    elif element.app.spec.get("behaves") == "chat" and element.title == "Send":
        window = element.window
        field = next((node for node in window.walk() if node.editor), None) if window else None
        if field is not None:
            submitted(machine, field)


def key(machine: Machine, app: App, character: str) -> bool:
    """A character was typed with no field to take it."""
    if app.spec.get("behaves") != "calculator":
        return False
    return _calculate(app, {"*": "×", "/": "÷", "-": "−", "\x1b": "AC", ",": "."}.get(character, character))


def submitted(machine: Machine, field: Element) -> bool:
    """Return was pressed in a one-line field: a chat client sends what is in it."""
    window = field.window
    if field.app.spec.get("behaves") != "chat" or window is None or not field.value:
        return False
    _say(window, str(field.value))
    field.value = ""
    machine.notices.post("AXValueChanged", field.app.pid, field)
    return True


def _say(window: Window, text: str) -> None:
    shown = next((node for node in window.children if node.role in ("AXScrollArea", "AXList", "AXGroup")), window)
    frame = shown.bounds or window.frame
    top = frame.y + 8 + _BUBBLE_HEIGHT * len(shown.children)
    spec = {"role": "AXStaticText", "value": text, "bounds": [frame.x + 8, top, frame.width - 16, _BUBBLE_HEIGHT]}
    shown.children.append(Element(spec, shown, window.app))


def _calculate(app: App, pressed_key: str) -> bool:
    window = next(iter(app.windows), None)
    nodes = list(window.walk()) if window else []
    display = next((node for node in nodes if node.spec.get("identifier") == "display"), None)
    if display is None:
        return False
    state = display.spec.setdefault("_calculator", Calculator())
    state.press(pressed_key)
    display.value = state.shown
    return True

"""What a world's ``then`` entries do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from simulated_mac.elements import Element, Window

if TYPE_CHECKING:
    from simulated_mac.machine import Machine

Entry = dict[str, Any]


def perform(machine: Machine, entry: Entry) -> None:
    _ACTIONS[entry["do"]](machine, entry)


def _window(machine: Machine, entry: Entry) -> Window | None:
    windows = machine.app_named(entry["app"]).windows
    return windows[entry["window"]] if entry["window"] < len(windows) else None


def _element(machine: Machine, entry: Entry) -> Element | None:
    """By its index in the window, or by the indexes down to it; ``None`` when the scene has changed too much."""
    node: Element | None = _window(machine, entry)
    where = entry["element"] if isinstance(entry["element"], list) else [entry["element"]]
    for index in where:
        node = node.children[index] if node and index < len(node.children) else None
    return node


def _activate(machine: Machine, entry: Entry) -> None:
    app = machine.app_named(entry["app"])
    machine.life.launch(app)


def _launch(machine: Machine, entry: Entry) -> None:
    machine.life.launch(machine.app_named(entry["app"]), activates=False)


def _die(machine: Machine, entry: Entry) -> None:
    machine.life.end(machine.app_named(entry["app"]))


def _open_window(machine: Machine, entry: Entry) -> None:
    app = machine.app_named(entry["app"])
    if app.running:
        machine.windows.add(app, entry["window"], on_top=True)


def _close_window(machine: Machine, entry: Entry) -> None:
    window = _window(machine, entry)
    if window:
        machine.windows.close(window)


def _move_window(machine: Machine, entry: Entry) -> None:
    window = _window(machine, entry)
    if window:
        window.move_to(*entry["to"])
        machine.notices.post("AXMoved", window.app.pid, window)


def _replace(machine: Machine, entry: Entry) -> None:
    old = _element(machine, entry)
    if old is None or old.parent is None:
        return
    parent, window = old.parent, old.window
    if entry["with"]["role"] == "AXSheet" and window is not None:
        parent.children.remove(old)
        new: Element = machine.windows.attach(window, entry["with"])
    else:
        new = Element(entry["with"], parent, old.app)
        parent.children = [new if child is old else child for child in parent.children]
    old.end()
    if window and window.focus is not None and not window.focus.alive:
        window.focus = new if new.focusable else None
    machine.notices.post("AXUIElementDestroyed", old.app.pid, old)


def _set_value(machine: Machine, entry: Entry) -> None:
    element = _element(machine, entry)
    if element:
        element.value = entry["value"]
        machine.notices.post("AXValueChanged", element.app.pid, element)


def _set_title(machine: Machine, entry: Entry) -> None:
    element = _element(machine, entry)
    if element:
        element.title = entry["title"]
        machine.notices.post("AXTitleChanged", element.app.pid, element)


def _human_key(machine: Machine, entry: Entry) -> None:
    machine.keyboard.human_types(entry["text"])


def _human_mouse(machine: Machine, entry: Entry) -> None:
    machine.pointer.human_moves(entry["to"])


def _human_hold(machine: Machine, entry: Entry) -> None:
    machine.keyboard.human_holds_down(entry["modifier"], True)


def _human_release(machine: Machine, entry: Entry) -> None:
    machine.keyboard.human_holds_down(entry["modifier"], False)


def _lock_screen(machine: Machine, _: Entry) -> None:
    machine.locked = True


def _unlock_screen(machine: Machine, _: Entry) -> None:
    machine.locked = False


def _revoke(machine: Machine, entry: Entry) -> None:
    machine.grants[entry["grant"]] = False


def _grant(machine: Machine, entry: Entry) -> None:
    machine.grants[entry["grant"]] = True


def _hang(machine: Machine, entry: Entry) -> None:
    machine.app_named(entry["app"]).hung = True


def _answer(machine: Machine, entry: Entry) -> None:
    machine.app_named(entry["app"]).hung = False


def _secure_input(machine: Machine, entry: Entry) -> None:
    machine.keyboard.secure_holder = machine.app_named(entry["app"])


def _layout(machine: Machine, entry: Entry) -> None:
    machine.keyboard.layout = entry["layout"]


_ACTIONS: dict[str, Callable[[Machine, Entry], None]] = {
    "activate": _activate,
    "launch": _launch,
    "die": _die,
    "open_window": _open_window,
    "close_window": _close_window,
    "move_window": _move_window,
    "replace": _replace,
    "set_value": _set_value,
    "set_title": _set_title,
    "human_key": _human_key,
    "human_mouse": _human_mouse,
    "human_hold": _human_hold,
    "human_release": _human_release,
    "lock_screen": _lock_screen,
    "unlock_screen": _unlock_screen,
    "revoke": _revoke,
    "grant": _grant,
    "hang": _hang,
    "answer": _answer,
    "secure_input": _secure_input,
    "layout": _layout,
}

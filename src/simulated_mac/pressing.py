"""What happens when something is pressed, by accessibility, by a click or by its shortcut."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from simulated_mac import behaviour, popups
from simulated_mac.editing import Editor
from simulated_mac.elements import App, Element

if TYPE_CHECKING:
    from simulated_mac.machine import Machine

SLIDER_STEP = 0.1
"""What AXIncrement moves a slider by, as a part of its range."""


def press(machine: Machine, element: Element) -> None:
    """The effect of a press; nothing when the element is gone or disabled."""
    if not element.alive or not element.enabled or not element.app.running:
        return
    if element.role in ("AXMenuItem", "AXMenuBarItem"):
        choose(machine, popups.chosen(machine, element))
        return
    if element.role in ("AXPopUpButton", "AXMenuButton"):
        popups.open_from_button(machine, element)
    _TOGGLES.get(element.role, _nothing)(element)
    behaviour.pressed(machine, element)
    machine.windows.open_from(element)
    window = element.window
    if element.spec.get("closes") and window:
        machine.windows.close(window)
    if element.spec.get("ends"):
        machine.life.end(element.app)
    machine.notices.post("AXValueChanged", element.app.pid, element)


def _nothing(element: Element) -> None:
    """A plain button has no value to change."""


def _toggle(element: Element) -> None:
    element.value = 0 if element.value in (1, True, "1") else 1


def _choose_radio(element: Element) -> None:
    for sibling in element.parent.children if element.parent else ():
        if sibling.role == "AXRadioButton":
            sibling.value = 1 if sibling is element else 0


def _disclose(element: Element) -> None:
    _toggle(element)
    element.expanded = element.value == 1


_TOGGLES: dict[str, Callable[[Element], None]] = {
    "AXCheckBox": _toggle,
    "AXSwitch": _toggle,
    "AXToggle": _toggle,
    "AXRadioButton": _choose_radio,
    "AXDisclosureTriangle": _disclose,
}


def step(element: Element, direction: int) -> None:
    """One AXIncrement or AXDecrement."""
    low, high = element.spec.get("minimum", 0), element.spec.get("maximum", 100)
    amount = (high - low) * SLIDER_STEP if element.role == "AXSlider" else 1
    element.value = max(low, min(high, element.quantity + direction * amount))


def cancel(machine: Machine, app: App) -> None:
    """Escape: open menus go, else the topmost sheet or dialog."""
    if popups.opened(machine):
        popups.close_all(machine)
        return
    window = machine.key_window(app)
    if window is not None and window.modal:
        machine.windows.close(window)


# --- menu items --------------------------------------------------------------------------------------------------


def choose(machine: Machine, item: Element) -> None:
    """Pick a menu item; one without any meaning of its own does nothing."""
    if not can_be_chosen(machine, item):
        return
    machine.windows.open_from(item)
    _show_choice(machine, item)
    carry_out(machine, item.app, _meaning(item))


def can_be_chosen(machine: Machine, item: Element) -> bool:
    """What would put a sheet over a window is dimmed while one is on it: the sheet has to be answered first."""
    window = machine.key_window(item.app)
    opens = item.spec.get("opens", {})
    opens_a_sheet = opens.get("sheet", False) or opens.get("role") == "AXSheet"
    return item.enabled and not (opens_a_sheet and window is not None and window.role == "AXSheet")


def _show_choice(machine: Machine, item: Element) -> None:
    """A pop-up button shows what was chosen in it."""
    button = item.parent
    while button is not None and button.role == "AXMenu":
        button = button.parent
    if button is not None and button.role == "AXPopUpButton":
        button.value = item.title
        machine.notices.post("AXValueChanged", button.app.pid, button)


def carry_out(machine: Machine, app: App, kind: str) -> None:
    """What a menu item of this shortcut does in every app; a shortcut that has no such meaning does nothing."""
    if kind in _EDIT_MENU:
        window = machine.key_window(app)
        focused = window.focus if window else None
        if focused is not None and focused.editor is not None:
            _EDIT_MENU[kind](machine, focused, focused.editor)
            machine.notices.post("AXValueChanged", app.pid, focused)
    elif kind in _APP_MENU:
        _APP_MENU[kind](machine, app)


def _meaning(item: Element) -> str:
    """By its shortcut, else by its English title."""
    by_title = item.title.split(" ")[0] if item.title.startswith(("Quit ", "Hide ")) else item.title.rstrip("…")
    return str(item.spec.get("shortcut") or _MEANING_OF_TITLES.get(by_title, ""))


def _copy(machine: Machine, element: Element, editor: Editor) -> None:
    if editor.selected and not element.secure:
        machine.pasteboard.copy(editor.selected)


def _cut(machine: Machine, element: Element, editor: Editor) -> None:
    if editor.selected and not element.secure:
        machine.pasteboard.copy(editor.selected)
        editor.insert("")


def _paste(machine: Machine, _: Element, editor: Editor) -> None:
    text = machine.pasteboard.text
    editor.insert(text if editor.multiline else text.replace("\n", " "))


def _close(machine: Machine, app: App) -> None:
    window = machine.key_window(app)
    if window is not None and window.role != "AXSheet":
        machine.windows.close(window)


def _minimise(machine: Machine, app: App) -> None:
    window = machine.key_window(app)
    if window is not None:
        machine.windows.minimise(window, True)


_MEANING_OF_TITLES = {
    "Undo": "cmd+z",
    "Redo": "cmd+shift+z",
    "Cut": "cmd+x",
    "Copy": "cmd+c",
    "Paste": "cmd+v",
    "Select All": "cmd+a",
    "Quit": "cmd+q",
    "Hide": "cmd+h",
    "Close": "cmd+w",
    "Minimize": "cmd+m",
}
_EDIT_MENU: dict[str, Callable[[Machine, Element, Editor], None]] = {
    "cmd+z": lambda _machine, _element, editor: editor.undo(),
    "cmd+shift+z": lambda _machine, _element, editor: editor.redo(),
    "cmd+x": _cut,
    "cmd+c": _copy,
    "cmd+v": _paste,
    "cmd+a": lambda _machine, _element, editor: editor.select_all(),
}
_APP_MENU: dict[str, Callable[[Machine, App], None]] = {
    "cmd+q": lambda machine, app: machine.life.quit(app),
    "cmd+h": lambda machine, app: machine.life.hide(app),
    "cmd+w": _close,
    "cmd+m": _minimise,
}

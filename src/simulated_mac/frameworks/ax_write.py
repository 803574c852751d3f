"""Setting accessibility attributes and performing actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from simulated_mac import popups, pressing
from simulated_mac.elements import App, Element, Window
from simulated_mac.frameworks import ax_values
from simulated_mac.frameworks.ax_errors import (
    ACTION_UNSUPPORTED,
    ATTRIBUTE_UNSUPPORTED,
    CANNOT_COMPLETE,
    ILLEGAL_ARGUMENT,
    AXFailure,
)

if TYPE_CHECKING:
    from simulated_mac.machine import Machine

Write = Callable[["Machine", Any, Any], None]


def _boxed(value: Any, value_type: int) -> Any:
    if not isinstance(value, ax_values.AXValueRef) or value.value_type != value_type:
        raise AXFailure(ILLEGAL_ARGUMENT)
    return value.value


# --- apps ----------------------------------------------------------------------------------------------------


def _set_frontmost(machine: Machine, app: App, value: Any) -> None:
    if value:
        machine.life.request_activation(app)


def _set_hidden(machine: Machine, app: App, value: Any) -> None:
    if value:
        machine.life.hide(app)
    else:
        machine.life.unhide(app)


def _set_enhanced(_: Machine, app: App, value: Any) -> None:
    app.enhanced = bool(value)


def _set_manual(machine: Machine, app: App, value: Any) -> None:
    """Older Electron answers that there is no such attribute, although it worked (electron #37465)."""
    if not app.spec.get("electron"):
        raise AXFailure(ATTRIBUTE_UNSUPPORTED)
    if value and app.manual_accessibility_at is None:
        app.manual_accessibility_at = machine.now()
    raise AXFailure(ATTRIBUTE_UNSUPPORTED)


_APP: dict[str, Write] = {
    "AXFrontmost": _set_frontmost,
    "AXHidden": _set_hidden,
    "AXEnhancedUserInterface": _set_enhanced,
    "AXManualAccessibility": _set_manual,
}


# --- elements ------------------------------------------------------------------------------------------------


def _set_value(machine: Machine, element: Element, value: Any) -> None:
    if element.editor is not None and not isinstance(value, str):
        raise AXFailure(ILLEGAL_ARGUMENT)
    if element.editor is None and (isinstance(value, str) or not isinstance(value, int | float)):
        raise AXFailure(ILLEGAL_ARGUMENT)
    element.value = value if isinstance(value, bool) else _plain(value)
    machine.notices.post("AXValueChanged", element.app.pid, element)
    shown = {} if element.secure else {"value": element.value}
    machine.record("set_value", element.app, role=element.role, title=element.label, **shown)


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, str) else float(value) if isinstance(value, float) else int(value)


def _set_focused(machine: Machine, element: Element, value: Any) -> None:
    if value and element.focusable:
        machine.windows.focus(element)


def _set_selected_text(machine: Machine, element: Element, value: Any) -> None:
    if element.editor is None or not isinstance(value, str):
        raise AXFailure(ILLEGAL_ARGUMENT)
    element.editor.insert(str(value))
    machine.notices.post("AXValueChanged", element.app.pid, element)
    machine.record("set_value", element.app, role=element.role, title=element.label, value=element.editor.text)


def _set_selected_range(_: Machine, element: Element, value: Any) -> None:
    location, length = _boxed(value, ax_values.RANGE)
    if element.editor is not None:
        text = element.editor.text
        element.editor.select(ax_values.code_points(text, location), ax_values.code_points(text, location + length))


def _set_selected(_: Machine, element: Element, value: Any) -> None:
    element.selected = bool(value)


def _set_expanded(_: Machine, element: Element, value: Any) -> None:
    element.expanded = bool(value)


def _set_position(machine: Machine, window: Window, value: Any) -> None:
    x, y = _boxed(value, ax_values.POINT)
    machine.windows.move(window, x, y)


def _set_size(machine: Machine, window: Window, value: Any) -> None:
    width, height = _boxed(value, ax_values.SIZE)
    machine.windows.resize(window, width, height)


def _set_minimised(machine: Machine, window: Window, value: Any) -> None:
    machine.windows.minimise(window, bool(value))


def _set_main(machine: Machine, window: Window, value: Any) -> None:
    if value:
        machine.windows.raise_window(window)


_WINDOW: dict[str, Write] = {
    "AXPosition": _set_position,
    "AXSize": _set_size,
    "AXMinimized": _set_minimised,
    "AXMain": _set_main,
    "AXFocused": _set_main,
}
_TEXT: dict[str, Write] = {"AXSelectedText": _set_selected_text, "AXSelectedTextRange": _set_selected_range}
_VALUED = frozenset(("AXSlider", "AXIncrementor", "AXCheckBox", "AXSwitch", "AXToggle", "AXScrollBar", "AXSplitter"))


def table(subject: Any) -> dict[str, Write]:
    """What can be set on the subject, by attribute."""
    if isinstance(subject, App):
        return _APP
    if not isinstance(subject, Element):
        return {}
    if isinstance(subject, Window):
        return _WINDOW
    found: dict[str, Write] = {"AXFocused": _set_focused} if subject.focusable else {}
    if subject.editor is not None:
        found |= _TEXT
    if subject.spec.get("settable", subject.editor is not None or subject.role in _VALUED) and subject.enabled:
        found["AXValue"] = _set_value
    if subject.role in ("AXRow", "AXCell", "AXOption"):
        found["AXSelected"] = _set_selected
    if subject.expanded is not None:
        found["AXExpanded"] = _set_expanded
    return found


def write(machine: Machine, subject: Any, name: str, value: Any) -> None:
    known = table(subject)
    if name not in known:
        raise AXFailure(ATTRIBUTE_UNSUPPORTED)
    known[name](machine, subject, value)


# --- actions -------------------------------------------------------------------------------------------------


def actions(subject: Any) -> tuple[str, ...]:
    if not isinstance(subject, Element):
        return ()
    inside_scroll_area = subject.parent is not None and subject.parent.role == "AXScrollArea"
    return subject.actions + (("AXScrollToVisible",) if inside_scroll_area else ())


def perform(machine: Machine, subject: Any, action: str) -> None:
    if action not in actions(subject):
        raise AXFailure(ACTION_UNSUPPORTED)
    _ACTIONS.get(action, _nothing)(machine, subject)


def _press(machine: Machine, element: Element) -> None:
    """A press that opens a menu, or a dialog that the app runs inside it, is not answered until that is gone: the
    caller has the error of a call that took too long (pyatom #131, logic-pro-mcp #425)."""
    machine.record("press", element.app, role=element.role, title=element.label)
    menus = popups.opened(machine)
    pressing.press(machine, element)
    if popups.opened(machine) and popups.opened(machine) != menus:
        raise AXFailure(CANNOT_COMPLETE)


def _nothing(_: Machine, __: Element) -> None:
    """Actions without an effect in this simulation succeed, as they do in apps that ignore them."""


def _raise(machine: Machine, element: Element) -> None:
    if isinstance(element, Window):
        machine.windows.minimise(element, False)


def _reveal(machine: Machine, element: Element) -> None:
    area = element.parent
    if area is None or area.bounds is None or element.bounds is None:
        return
    dy = min(0, area.bounds.y + area.bounds.height - element.bounds.y - element.bounds.height)
    dy = max(dy, area.bounds.y - element.bounds.y) if element.bounds.y < area.bounds.y else dy
    for child in area.children:
        child.shift(0, dy)


def _confirm(machine: Machine, element: Element) -> None:
    machine.record("press", element.app, role=element.role, title=element.label, action="AXConfirm")


_ACTIONS: dict[str, Callable[[Machine, Element], None]] = {
    "AXPress": _press,
    "AXPick": _press,
    "AXConfirm": _confirm,
    "AXRaise": _raise,
    "AXScrollToVisible": _reveal,
    "AXIncrement": lambda machine, element: pressing.step(element, 1),
    "AXDecrement": lambda machine, element: pressing.step(element, -1),
    "AXCancel": lambda machine, element: pressing.cancel(machine, element.app),
    "AXOpen": lambda machine, element: machine.windows.open_from(element),
}

"""What an app does with clicks, drags and scrolls that reached it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulated_mac import popups, pressing
from simulated_mac.elements import TITLE_BAR, Element, Window
from simulated_mac.geometry import Bounds, union

if TYPE_CHECKING:
    from simulated_mac.machine import Machine
    from simulated_mac.pointer import PointerEvent

CHARACTER_WIDTH = 8
LINE_HEIGHT = 16
TEXT_INSET = 4
"""How text is laid out in a field, in points; the picture draws it there."""


def title_bar(window: Window, at: tuple[float, float], element: Element) -> Window | None:
    """The window when the point is on its title bar and on nothing else."""
    frame = window.frame
    inside = Bounds(frame.x, frame.y, frame.width, TITLE_BAR).contains(at)
    return window if inside and element is window else None


def position(element: Element, at: tuple[float, float]) -> int:
    """The place in a text element's text nearest to the point."""
    if element.bounds is None or element.editor is None:
        return 0
    lines = element.editor.text.split("\n")
    row = int((at[1] - element.bounds.y - TEXT_INSET) // LINE_HEIGHT) if element.editor.multiline else 0
    if row >= len(lines):
        return len(element.editor.text)
    row = max(row, 0)
    column = round((at[0] - element.bounds.x - TEXT_INSET) / CHARACTER_WIDTH)
    return sum(len(line) + 1 for line in lines[:row]) + max(0, min(column, len(lines[row])))


def begin(machine: Machine, element: Element, event: PointerEvent) -> None:
    """The button goes down: text takes the focus and the caret."""
    if element.focusable:
        machine.windows.focus(element)
    editor = element.editor
    if editor is None or not element.enabled:
        return
    at = position(element, event.at)
    if event.clicks == 1:
        editor.move(at, extend=bool(event.flags & 0x20000))
    elif event.clicks == 2:
        editor.select_word(at)
    else:
        editor.select_line(at)


def drag(machine: Machine, element: Element, event: PointerEvent, count: int) -> None:
    if element.editor is not None and count >= 2:
        element.editor.move(position(element, event.at), extend=True)
    elif element.role == "AXSlider" and element.bounds is not None and element.enabled:
        part = min(1.0, max(0.0, (event.at.x - element.bounds.x) / max(element.bounds.width, 1)))
        low, high = element.spec.get("minimum", 0), element.spec.get("maximum", 100)
        element.value = low + part * (high - low)
        machine.notices.post("AXValueChanged", element.app.pid, element)


def end(machine: Machine, element: Element, event: PointerEvent) -> None:
    """The button comes up: a press, when it is still over what it went down on."""
    here = element.bounds is not None and element.bounds.contains(event.at)
    element = _acting(element)
    if not here or not element.enabled:
        return
    if event.button == "right":
        _context_menu(machine, element, event)
    elif event.button == "left" and element.editor is None and (event.clicks == 1 or element.role in _REPEATING):
        _select(element)
        if element.role not in ("AXWindow", "AXSheet"):
            _press_once(machine, element)
    elif event.button == "left" and event.clicks == 2:
        machine.windows.open_from(element)


def _acting(element: Element) -> Element:
    """Texts and pictures leave a click to the row or the button that they are in."""
    node = element
    while node.role in _INERT and not node.actions and node.spec.get("opens") is None:
        if node.parent is None or node.parent.role in ("AXWindow", "AXSheet"):
            return element
        node = node.parent
    return node


_INERT = frozenset(("AXStaticText", "AXImage", "AXCell", "AXGroup"))
_REPEATING = frozenset(("AXButton", "AXCheckBox", "AXIncrementor"))
_OPENED_BY_DOUBLE_CLICK = frozenset(("AXRow", "AXCell", "AXImage", "AXStaticText"))
_SELECTABLE = frozenset(("AXRow", "AXCell", "AXOption"))


def _press_once(machine: Machine, element: Element) -> None:
    if element.role == "AXMenuBarItem":
        popups.open_from_bar(machine, element)
    elif element.role == "AXMenuItem":
        pressing.choose(machine, popups.chosen(machine, element))
    elif element.role not in _OPENED_BY_DOUBLE_CLICK:
        pressing.press(machine, element)


def _select(element: Element) -> None:
    if element.role in _SELECTABLE and element.parent is not None:
        for sibling in element.parent.children:
            sibling.selected = sibling is element


def _context_menu(machine: Machine, element: Element, event: PointerEvent) -> None:
    popups.close_all(machine)
    items: list[dict[str, object]] = [{"title": title} for title in ("Cut", "Copy", "Paste")]
    popups.open_menu(machine, element.app, items, event.at)


def scroll(machine: Machine, event: PointerEvent) -> None:
    """The scroll area under the pointer moves what is in it, as far as there is more to see."""
    window = machine.window_at(event.at)
    area: Element | None = window.element_at(event.at) if window else None
    while area is not None and area.role != "AXScrollArea":
        area = area.parent
    if area is None or area.bounds is None:
        return
    content = union(child.bounds for child in area.children if child.bounds)
    dx = _within(event.dx, content.x, content.width, area.bounds.x, area.bounds.width)
    dy = _within(event.dy, content.y, content.height, area.bounds.y, area.bounds.height)
    for child in area.children:
        child.shift(dx, dy)
    area.scrolled = (area.scrolled[0] - dx, area.scrolled[1] - dy)


def _within(wanted: float, start: float, length: float, frame: float, room: float) -> float:
    """Positive moves the content down or right: never beyond where its first part shows, nor its last."""
    most = max(0.0, frame - start)
    least = min(0.0, frame + room - start - length)
    return max(least, min(most, wanted))

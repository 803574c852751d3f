"""Menus that are open: windows of the pop-up layer, gone after one choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulated_mac.elements import App, Element, Window
from simulated_mac.geometry import Point

if TYPE_CHECKING:
    from simulated_mac.machine import Machine

LAYER = 101
"""``kCGPopUpMenuWindowLevel``."""

WIDTH, ITEM_HEIGHT = 200, 22


def opened(machine: Machine) -> list[Window]:
    return [window for window in machine.stack if window.layer == LAYER]


def close_all(machine: Machine) -> None:
    for window in opened(machine):
        machine.windows.close(window)


def open_menu(machine: Machine, app: App, items: list[dict[str, object]], at: Point) -> Window:
    """``items`` are specs of menu items; ``item`` in one is the menu bar's own that it stands for."""
    rows = [
        {**spec, "role": "AXMenuItem", "bounds": [at.x, at.y + ITEM_HEIGHT * row, WIDTH, ITEM_HEIGHT], "children": []}
        for row, spec in enumerate(items)
    ]
    size = [at.x, at.y, WIDTH, ITEM_HEIGHT * len(rows)]
    spec = {"title": "", "subrole": "AXUnknown", "bounds": size, "layer": LAYER, "elements": rows}
    window = machine.windows.add(app, spec, on_top=True)
    machine.notices.post("AXMenuOpened", app.pid, window)
    return window


def open_from_bar(machine: Machine, bar_item: Element) -> None:
    """What a click on a title in the menu bar does."""
    close_all(machine)
    menu = next(iter(bar_item.children), None)
    if menu is not None and bar_item.bounds is not None:
        below = Point(bar_item.bounds.x, bar_item.bounds.y + bar_item.bounds.height)
        open_menu(machine, bar_item.app, [{**item.spec, "item": item} for item in menu.children], below)


def open_from_button(machine: Machine, button: Element) -> None:
    """What a press of a pop-up button does; one whose items the world does not tell has nothing to open."""
    items = [node for node in button.walk() if node.role == "AXMenuItem"]
    if items and button.bounds is not None:
        close_all(machine)
        rows: list[dict[str, object]] = [{**item.spec, "item": item} for item in items]
        open_menu(machine, button.app, rows, Point(button.bounds.x, button.bounds.y))


def chosen(machine: Machine, element: Element) -> Element:
    """An item or a row of an open menu was chosen: the menus close. Gives the item that it stands for."""
    close_all(machine)
    item = element.spec.get("item")
    return item if isinstance(item, Element) else element

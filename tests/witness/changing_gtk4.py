"""A GTK 4 window whose buttons and rows change on command; it tells which one was really pressed or clicked."""

from __future__ import annotations

import itertools
import random
from typing import Any

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402
from wire import Commands, report  # noqa: E402

START = 8
numbers = itertools.count(1)
touched: list[list[Any]] = []

box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
view = Gtk.ListBox(hexpand=True)
buttons: list[Gtk.Button] = []
rows: list[Gtk.ListBoxRow] = []


def things() -> list[list[Any]]:
    """Every button, then every row, in the order of the window: kind, number, label."""
    found = [["button", button.number, button.get_label()] for button in buttons]
    return found + [["row", row.number, row.get_child().get_label()] for row in rows]


def lay_out() -> None:
    before = None
    for button in buttons:
        box.reorder_child_after(button, before)
        before = button


def add(kind: str, label: str, place: int) -> None:
    if kind == "row":
        row = Gtk.ListBoxRow(child=Gtk.Label(label=label))
        row.number = next(numbers)
        rows.insert(place, row)
        view.insert(row, place)
        return
    button = Gtk.Button(label=label)
    button.number = next(numbers)
    button.connect("clicked", lambda b: touched.append([b.number, b.get_label()]))
    buttons.insert(place, button)
    box.append(button)
    lay_out()


def remove(kind: str, place: int) -> str:
    if kind == "row":
        row = rows.pop(place)
        view.remove(row)
        return str(row.get_child().get_label())
    button = buttons.pop(place)
    box.remove(button)
    return str(button.get_label())


def rename(kind: str, place: int, label: str) -> None:
    (rows[place].get_child() if kind == "row" else buttons[place]).set_label(label)


def sort(kind: str, seed: int) -> None:
    chance = random.Random(seed)
    if kind == "row":
        for row in rows:
            view.remove(row)
        chance.shuffle(rows)
        for row in rows:
            view.append(row)
    else:
        chance.shuffle(buttons)
        lay_out()


def recreate(kind: str, place: int) -> None:
    """Another object of the same label in the same place."""
    add(kind, remove(kind, place), place)


def pressed(_gesture: Gtk.GestureClick, _count: int, _x: float, y: float) -> None:
    row = view.get_row_at_y(int(y))
    touched.append([row.number, row.get_child().get_label()] if row else [0, ""])


def take_touched() -> list[list[Any]]:
    taken, touched[:] = list(touched), []
    return taken


clicks = Gtk.GestureClick(propagation_phase=Gtk.PropagationPhase.CAPTURE)
clicks.connect("pressed", pressed)
view.add_controller(clicks)
for number in range(START):
    add("button", f"button {number}", number)
    add("row", f"row {number}", number)
halves = Gtk.Box()
halves.append(box)
halves.append(view)
window = Gtk.Window(title="Changing", default_width=500, default_height=620, child=halves)
window.present()
COMMANDS = {
    "things": things, "add": add, "remove": remove, "rename": rename, "sort": sort, "recreate": recreate,
    "touched": take_touched,
}  # fmt: skip
GLib.unix_fd_add_full(0, 0, GLib.IOCondition.IN, Commands(COMMANDS).read)
GLib.timeout_add(300, lambda: report("ready", ""))
GLib.MainLoop().run()

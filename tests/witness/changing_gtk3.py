"""A GTK 3 window whose buttons and rows change on command; it tells which one was really pressed or clicked."""

from __future__ import annotations

import itertools
import random
from typing import Any

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402
from wire import Commands, report  # noqa: E402

START = 8
numbers = itertools.count(1)
touched: list[list[Any]] = []

box = Gtk.FlowBox(max_children_per_line=3, selection_mode=Gtk.SelectionMode.NONE)
store = Gtk.ListStore(int, str)
view = Gtk.TreeView(model=store, headers_visible=False, enable_search=False)


def buttons() -> list[Gtk.Button]:
    return [child.get_child() for child in box.get_children()]


def things() -> list[list[Any]]:
    """Every button, then every row, in the order of the window: kind, number, label."""
    found = [["button", button.number, button.get_label()] for button in buttons()]
    return found + [["row", row[0], row[1]] for row in store]


def add(kind: str, label: str, place: int) -> None:
    if kind == "row":
        store.insert(place, [next(numbers), label])
        return
    button = Gtk.Button(label=label)
    button.number = next(numbers)
    button.connect("clicked", lambda b: touched.append([b.number, b.get_label()]))
    box.insert(button, place)
    box.show_all()


def remove(kind: str, place: int) -> str:
    if kind == "row":
        label = str(store[place][1])
        store.remove(store[place].iter)
        return label
    child = box.get_children()[place]
    label = child.get_child().get_label()
    child.destroy()
    return label


def rename(kind: str, place: int, label: str) -> None:
    if kind == "row":
        store[place][1] = label
    else:
        buttons()[place].set_label(label)


def sort(kind: str, seed: int) -> None:
    order = list(range(len(store) if kind == "row" else len(buttons())))
    random.Random(seed).shuffle(order)
    if kind == "row":
        store.reorder(order)
        return
    place = {button: order.index(index) for index, button in enumerate(buttons())}
    box.set_sort_func(lambda a, b: place.get(a.get_child(), 99) - place.get(b.get_child(), 99))
    box.invalidate_sort()
    box.set_sort_func(None)


def recreate(kind: str, place: int) -> None:
    """Another object of the same label in the same place."""
    add(kind, remove(kind, place), place)


def clicked(_view: Gtk.TreeView, event: Any) -> bool:
    if event.type != Gdk.EventType.BUTTON_PRESS:  # two clicks in the same place are told as a double click once more
        return False
    found = view.get_path_at_pos(int(event.x), int(event.y))
    row = store[found[0]] if found else None
    touched.append([row[0], row[1]] if row else [0, ""])
    return False


def take_touched() -> list[list[Any]]:
    taken, touched[:] = list(touched), []
    return taken


view.append_column(Gtk.TreeViewColumn("Rows", Gtk.CellRendererText(), text=1))
view.connect("button-press-event", clicked)
for number in range(START):
    add("button", f"button {number}", number)
    add("row", f"row {number}", number)
column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
column.pack_start(box, False, False, 0)
column.pack_start(view, True, True, 0)
window = Gtk.Window(title="Changing")
window.set_default_size(500, 620)
window.add(column)
window.show_all()
COMMANDS = {
    "things": things, "add": add, "remove": remove, "rename": rename, "sort": sort, "recreate": recreate,
    "touched": take_touched,
}  # fmt: skip
GLib.unix_fd_add_full(0, 0, GLib.IO_IN, Commands(COMMANDS).read)
GLib.timeout_add(300, lambda: report("ready", ""))
Gtk.main()

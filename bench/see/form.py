"""A window of ``argv[2]`` widgets in the toolkit that ``argv[1]`` names: buttons, labels, boxes and fields in turn, all
on the screen. Run by the system's Python, which has the toolkits. Says "ready"."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

COLUMNS = 50
TITLE = "Bench form"


def kinds(count: int) -> Iterator[tuple[int, int, int, str]]:
    """Row, column, kind, label."""
    for n in range(count):
        yield n // COLUMNS, n % COLUMNS, n % 4, f"w{n:04d}"


def ready() -> None:
    sys.stdout.write("ready\n")
    sys.stdout.flush()


def show_gtk(version: str, title: str, content: Any) -> None:
    from gi.repository import GLib, Gtk

    window = Gtk.Window(title=title)
    if version == "4.0":
        window.set_child(content)
        window.present()
    else:
        window.add(content)
        window.show_all()
    GLib.timeout_add(500, ready)


def run(gtk: Callable[[str, int], None], qt: Callable[[int], None]) -> None:
    """As ``argv`` says: toolkit, how many widgets."""
    toolkit, wanted = sys.argv[1], int(sys.argv[2])
    if toolkit == "qt6":
        qt(wanted)
    else:
        gtk({"gtk3": "3.0", "gtk4": "4.0"}[toolkit], wanted)


def gtk(version: str, count: int) -> None:
    import gi

    gi.require_version("Gtk", version)
    from gi.repository import GLib, Gtk

    def widget(kind: int, label: str) -> Gtk.Widget:
        if kind == 3:
            return Gtk.Entry(text=label, width_chars=5, max_width_chars=5)
        return (Gtk.Button, Gtk.Label, Gtk.CheckButton)[kind](label=label)

    loop = GLib.MainLoop()
    grid = Gtk.Grid()
    for row, column, kind, label in kinds(count):
        grid.attach(widget(kind, label), column, row, 1, 1)
    show_gtk(version, TITLE, grid)
    loop.run()


def qt(count: int) -> None:
    from PyQt6.QtCore import QTimer
    from PyQt6.QtWidgets import QApplication, QCheckBox, QGridLayout, QLabel, QLineEdit, QPushButton, QWidget

    app = QApplication(["bench"])
    window = QWidget()
    window.setWindowTitle(TITLE)
    grid = QGridLayout(window)
    grid.setSpacing(0)
    for row, column, kind, label in kinds(count):
        made = (QPushButton, QLabel, QCheckBox, QLineEdit)[kind](label)
        made.setMaximumSize(80, 26)
        grid.addWidget(made, row, column)
    window.show()
    QTimer.singleShot(500, ready)
    app.exec()


def page(count: int) -> str:
    """The same as a web page."""
    tags = ("<button>{0}</button>", "<span>{0}</span>", "<label><input type=checkbox>{0}</label>", "<input value={0}>")
    cells = [tags[kind].format(label) for _row, _column, kind, label in kinds(count)]
    rows = ("<div>" + "".join(cells[at : at + COLUMNS]) + "</div>" for at in range(0, count, COLUMNS))
    style = (
        "body{margin:0;font:9px sans-serif}div{display:flex}div>*{width:75px;height:18px;font:9px sans-serif;margin:0}"
    )
    return f"<!doctype html><title>{TITLE}</title><style>{style}</style>" + "\n".join(rows)


if __name__ == "__main__":
    run(gtk, qt)

"""A table of three columns in the toolkit that ``argv[1]`` names, with ``argv[2]`` rows, scrolled to row ``argv[3]``.
Each cell says where it is: ``r4c2``, both from 1."""

from __future__ import annotations

import sys

COLUMNS = ("Name", "Age", "City")


def gtk3(rows: int, at: int) -> None:
    import gi

    gi.require_version("Gtk", "3.0")
    from gi.repository import GLib, Gtk

    store = Gtk.ListStore(str, str, str)
    for row in range(1, rows + 1):
        store.append([f"r{row}c{column}" for column in (1, 2, 3)])
    view = Gtk.TreeView(model=store)
    for place, title in enumerate(COLUMNS):
        view.append_column(Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=place))
    area = Gtk.ScrolledWindow()
    area.add(view)
    window = Gtk.Window(title="Table")
    window.set_default_size(400, 300)
    window.add(area)
    window.show_all()
    path = Gtk.TreePath(at - 1)
    GLib.timeout_add(300, lambda: view.scroll_to_cell(path, None, True, 0.5, 0) or print("ready", flush=True))
    Gtk.main()


def qt6(rows: int, at: int) -> None:
    from PyQt6.QtCore import QTimer
    from PyQt6.QtWidgets import QApplication, QTableWidget, QTableWidgetItem

    app = QApplication(["table"])
    view = QTableWidget(rows, len(COLUMNS))
    view.setHorizontalHeaderLabels(COLUMNS)
    view.setWindowTitle("Table")
    view.resize(400, 300)
    for row in range(rows):
        for column in range(len(COLUMNS)):
            view.setItem(row, column, QTableWidgetItem(f"r{row + 1}c{column + 1}"))
    view.show()
    middle = QTableWidget.ScrollHint.PositionAtCenter
    QTimer.singleShot(300, lambda: (view.scrollToItem(view.item(at - 1, 0), middle), print("ready", flush=True)))
    app.exec()


{"gtk3": gtk3, "qt6": qt6}[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3]))

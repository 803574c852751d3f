"""A list of 5,000 rows in the toolkit that ``argv[1]`` names. ``argv[2]`` is the row to scroll to."""

from __future__ import annotations

import sys

ROWS = [f"row {number}" for number in range(5_000)]


def gtk3(row: int) -> None:
    import gi

    gi.require_version("Gtk", "3.0")
    from gi.repository import GLib, Gtk

    store = Gtk.ListStore(str)
    for text in ROWS:
        store.append([text])
    view = Gtk.TreeView(model=store)
    view.append_column(Gtk.TreeViewColumn("Rows", Gtk.CellRendererText(), text=0))
    view.get_selection().connect("changed", lambda s: report(s.get_selected()[1]))

    def report(found: Gtk.TreeIter | None) -> None:
        if found is not None:
            print(store[found][0], flush=True)

    area = Gtk.ScrolledWindow()
    area.add(view)
    window = Gtk.Window(title="Long list")
    window.set_default_size(300, 400)
    window.add(area)
    window.show_all()
    GLib.timeout_add(
        300, lambda: view.scroll_to_cell(Gtk.TreePath(row), None, True, 0.5, 0) or print("ready", flush=True)
    )
    Gtk.main()


def qt6(row: int) -> None:
    from PyQt6.QtCore import QTimer
    from PyQt6.QtWidgets import QApplication, QListWidget

    app = QApplication(["long"])
    view = QListWidget()
    view.setWindowTitle("Long list")
    view.resize(300, 400)
    view.addItems(ROWS)
    view.currentTextChanged.connect(lambda text: print(text, flush=True))
    view.show()
    QTimer.singleShot(
        300,
        lambda: (
            view.scrollToItem(view.item(row), QListWidget.ScrollHint.PositionAtCenter),
            print("ready", flush=True),
        ),
    )
    app.exec()


{"gtk3": gtk3, "qt6": qt6}[sys.argv[1]](int(sys.argv[2]))

"""Two windows of one title and size in the toolkit that ``argv[1]`` names, each with a button that prints which it is.
Where the window manager puts them is its matter."""

from __future__ import annotations

import sys

WIDTH, HEIGHT = 300, 120
BUTTONS = ("First", "Second")


def gtk(version: str) -> None:
    import gi

    gi.require_version("Gtk", version)
    from gi.repository import GLib, Gtk

    for name in BUTTONS:
        window = Gtk.Window(title="Twin")
        window.set_default_size(WIDTH, HEIGHT)
        button = Gtk.Button(label=name)
        button.connect("clicked", lambda clicked: print(clicked.get_label(), flush=True))
        if version == "3.0":
            window.add(button)
            window.show_all()
        else:
            window.set_child(button)
            window.present()
    GLib.MainLoop().run()


def qt6() -> None:
    from PyQt6.QtWidgets import QApplication, QMainWindow, QPushButton

    app = QApplication(sys.argv[:1])
    windows = [QMainWindow() for _ in BUTTONS]
    for window, name in zip(windows, BUTTONS, strict=True):
        window.setWindowTitle("Twin")
        button = QPushButton(name)
        button.clicked.connect(lambda _checked, name=name: print(name, flush=True))
        window.setCentralWidget(button)
        window.resize(WIDTH, HEIGHT)
        window.show()
    app.exec()


{"gtk3": lambda: gtk("3.0"), "gtk4": lambda: gtk("4.0"), "qt6": qt6}[sys.argv[1]]()

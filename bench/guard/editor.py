"""A window to type into and a button to click, in one of three toolkits: ``/usr/bin/python3 editor.py gtk3|gtk4|qt6``.

Answers ``read`` on standard input with one JSON line, ``{"text", "clicks"}``, and ``clear`` by forgetting both. The
button is 60 points high and as wide as the window, at its lower edge. Standard library and the toolkit only.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Protocol

SIZE = (600, 400)
BUTTON_HEIGHT = 60


class Editor(Protocol):
    def text(self) -> str: ...

    def clear(self) -> None: ...


class Counter:
    clicks = 0

    def clicked(self, *_: Any) -> None:
        self.clicks += 1


def obey(editor: Editor, counter: Counter) -> bool:
    piece = os.read(0, 4096)
    if not piece:
        os._exit(0)
    for word in piece.decode().split():
        if word == "clear":
            editor.clear()
            counter.clicks = 0
        print(json.dumps({"text": editor.text(), "clicks": counter.clicks}), flush=True)
    return True


def gtk3() -> None:
    import gi

    gi.require_version("Gtk", "3.0")
    from gi.repository import GLib, Gtk

    counter = Counter()
    window, box = Gtk.Window(title="Target"), Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    view, button = Gtk.TextView(wrap_mode=Gtk.WrapMode.CHAR), Gtk.Button(label="Press")
    area = Gtk.ScrolledWindow()
    area.add(view)
    box.pack_start(area, True, True, 0)
    box.pack_start(button, False, False, 0)
    button.set_size_request(-1, BUTTON_HEIGHT)
    button.connect("clicked", counter.clicked)
    window.add(box)
    window.set_default_size(*SIZE)
    window.show_all()
    view.grab_focus()
    GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, lambda *_: obey(GtkEditor(view), counter))
    Gtk.main()


class GtkEditor:
    def __init__(self, view: Any) -> None:
        self.view, self.buffer = view, view.get_buffer()

    def text(self) -> str:
        text: str = self.buffer.get_text(self.buffer.get_start_iter(), self.buffer.get_end_iter(), True)
        return text

    def clear(self) -> None:
        self.buffer.set_text("", 0)
        self.view.grab_focus()


def gtk4() -> None:
    import gi

    gi.require_version("Gtk", "4.0")
    from gi.repository import GLib, Gtk

    counter, loop = Counter(), GLib.MainLoop()
    window, box = Gtk.Window(title="Target"), Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    view, button = Gtk.TextView(wrap_mode=Gtk.WrapMode.CHAR), Gtk.Button(label="Press")
    area = Gtk.ScrolledWindow(vexpand=True)
    area.set_child(view)
    box.append(area)
    box.append(button)
    button.set_size_request(-1, BUTTON_HEIGHT)
    button.connect("clicked", counter.clicked)
    window.set_child(box)
    window.set_default_size(*SIZE)
    window.present()
    view.grab_focus()
    GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, lambda *_: obey(GtkEditor(view), counter))
    loop.run()


def qt6() -> None:
    from PyQt6.QtCore import QSocketNotifier
    from PyQt6.QtWidgets import QApplication, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

    application, counter = QApplication(sys.argv), Counter()
    window, view, button = QWidget(), QPlainTextEdit(), QPushButton("Press")
    window.setWindowTitle("Target")
    layout = QVBoxLayout(window)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    layout.addWidget(view)
    layout.addWidget(button)
    button.setFixedHeight(BUTTON_HEIGHT)
    button.clicked.connect(counter.clicked)
    window.resize(*SIZE)
    window.show()
    view.setFocus()

    class QtEditor:
        def text(self) -> str:
            return str(view.toPlainText())

        def clear(self) -> None:
            view.clear()
            view.setFocus()

    notifier = QSocketNotifier(0, QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda *_: obey(QtEditor(), counter))
    application.exec()


if __name__ == "__main__":
    {"gtk3": gtk3, "gtk4": gtk4, "qt6": qt6}[sys.argv[1]]()

"""A window to type into and a button to click, in one of three toolkits: ``/usr/bin/python3 editor.py gtk3|gtk4|qt6``.

Answers ``read`` on standard input with one JSON line, ``{"text", "clicks"}``, and ``clear`` by forgetting both. The
button is 60 points high and as wide as the window, at its lower edge. Standard library and the toolkit only.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any, Protocol

SIZE = (600, 400)
BUTTON_HEIGHT = 60

LONGEST = 200
"""Characters that stay in the widget; what is longer is put aside when it has time. GTK lays a whole paragraph out for
each key, 8 ms at 3,000 characters, and the typists are to be measured, not that."""


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
    editor = GtkEditor(view, GLib.idle_add)
    GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, lambda *_: obey(editor, counter))
    Gtk.main()


class GtkEditor:
    def __init__(self, view: Any, when_idle: Callable[..., Any]) -> None:
        self.view, self.buffer, self.aside = view, view.get_buffer(), ""
        self.buffer.connect("changed", lambda *_: when_idle(self._put_aside))

    def _put_aside(self) -> None:
        if self.buffer.get_char_count() > LONGEST:
            self.aside = self.text()
            self.buffer.set_text("", 0)

    def text(self) -> str:
        held: str = self.buffer.get_text(self.buffer.get_start_iter(), self.buffer.get_end_iter(), True)
        return self.aside + held

    def clear(self) -> None:
        self.aside = ""
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
    editor = GtkEditor(view, GLib.idle_add)
    GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, lambda *_: obey(editor, counter))
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

"""A window whose label changes every few seconds, and says when it did: ``c3=123456`` is the third change, in
milliseconds of the clock. ``argv``: toolkit, how many other widgets stand beside it."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # the system's Python runs this file by itself

from bench.see.form import COLUMNS, kinds, ready, run, show_gtk

TITLE = "Bench changing"
EVERY_MS, CHANGES = 2500, 8
CLOCK = 1_000_000
"""The label's numbers are the milliseconds of the clock, modulo this."""


class Told:
    """The text so far: as many changes as fit in a label that is listed whole."""

    def __init__(self) -> None:
        self.parts = ["c0"]

    def next(self) -> str:
        self.parts.append(f"c{len(self.parts)}={int(time.time() * 1000) % CLOCK}")
        return " ".join(self.parts)

    @property
    def over(self) -> bool:
        return len(self.parts) > CHANGES


def gtk(version: str, count: int) -> None:
    import gi

    gi.require_version("Gtk", version)
    from gi.repository import GLib, Gtk

    told, label, grid = Told(), Gtk.Label(label="c0"), Gtk.Grid()
    grid.attach(label, 0, 0, COLUMNS, 1)
    for row, column, _kind, text in kinds(count):
        grid.attach(Gtk.Button(label=text), column, row + 1, 1, 1)
    show_gtk(version, TITLE, grid)

    def change() -> bool:
        label.set_text(told.next())
        return not told.over

    GLib.timeout_add(EVERY_MS * 2, lambda: GLib.timeout_add(EVERY_MS, change) and False)
    GLib.MainLoop().run()


def qt(count: int) -> None:
    from PyQt6.QtCore import QTimer
    from PyQt6.QtWidgets import QApplication, QGridLayout, QLabel, QPushButton, QWidget

    app = QApplication(["bench"])
    window, told, label = QWidget(), Told(), QLabel("c0")
    window.setWindowTitle(TITLE)
    grid = QGridLayout(window)
    grid.addWidget(label, 0, 0, 1, COLUMNS)
    for row, column, _kind, text in kinds(count):
        grid.addWidget(QPushButton(text), row + 1, column)
    window.show()
    timer = QTimer()

    def change() -> None:
        label.setText(told.next())
        if told.over:
            timer.stop()

    timer.timeout.connect(change)
    QTimer.singleShot(500, ready)
    QTimer.singleShot(EVERY_MS * 2, lambda: timer.start(EVERY_MS))
    app.exec()


def page(count: int) -> str:
    buttons = "".join(f"<button>{text}</button>" for _row, _column, _kind, text in kinds(count))
    script = (
        f"let parts=['c0'],change=()=>{{parts.push('c'+parts.length+'='+Date.now()%{CLOCK});"
        f"p.textContent=parts.join(' ');if(parts.length<={CHANGES})setTimeout(change,{EVERY_MS})}};"
        f"setTimeout(change,{EVERY_MS * 3})"
    )
    return f"<!doctype html><title>{TITLE}</title><p id=p>c0</p>{buttons}<script>{script}</script>"


if __name__ == "__main__":
    run(gtk, qt)

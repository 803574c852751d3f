"""A Qt 6 window whose buttons and rows change on command; it tells which one was really pressed or clicked."""

from __future__ import annotations

import itertools
import random
import sys
from typing import Any

from PyQt6.QtCore import QEvent, QObject, QSocketNotifier, Qt, QTimer
from PyQt6.QtWidgets import QApplication, QHBoxLayout, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout, QWidget
from wire import Commands, report

START = 8
NUMBER = Qt.ItemDataRole.UserRole
numbers = itertools.count(1)
touched: list[list[Any]] = []

app = QApplication(["changing"])
window, box, view = QWidget(), QWidget(), QListWidget()
column, buttons = QVBoxLayout(box), []  # in the order of the window, which is that of the tree


class Clicks(QObject):
    """Sees every press on the list, also one that selects nothing new."""

    def eventFilter(self, _watched: QObject | None, event: QEvent | None) -> bool:
        if event is not None and event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            item = view.itemAt(event.position().toPoint())
            touched.append([item.data(NUMBER), item.text()] if item else [0, ""])
        return False


def items() -> list[QListWidgetItem]:
    return [view.item(place) for place in range(view.count())]


def things() -> list[list[Any]]:
    """Every button, then every row, in the order of the window: kind, number, label."""
    found = [["button", button.number, button.text()] for button in buttons]
    return found + [["row", item.data(NUMBER), item.text()] for item in items()]


def lay_out() -> None:
    """The tree has children in the order in which they came to their parent."""
    for button in buttons:
        column.removeWidget(button)
        button.setParent(None)
    for button in buttons:
        column.addWidget(button)
        button.show()


def add(kind: str, label: str, place: int) -> None:
    if kind == "row":
        item = QListWidgetItem(label)
        item.setData(NUMBER, next(numbers))
        view.insertItem(place, item)
        return
    button = QPushButton(label)
    button.number = next(numbers)
    button.clicked.connect(lambda: touched.append([button.number, button.text()]))
    buttons.insert(place, button)
    lay_out()


def remove(kind: str, place: int) -> str:
    if kind == "row":
        return str(view.takeItem(place).text())
    button = buttons.pop(place)
    label = button.text()
    column.removeWidget(button)
    button.setParent(None)
    button.deleteLater()
    return str(label)


def rename(kind: str, place: int, label: str) -> None:
    (view.item(place) if kind == "row" else buttons[place]).setText(label)


def sort(kind: str, seed: int) -> None:
    chance = random.Random(seed)
    if kind == "row":
        there = [view.takeItem(0) for _ in range(view.count())]
        chance.shuffle(there)
        for item in there:
            view.addItem(item)
    else:
        chance.shuffle(buttons)
        lay_out()


def recreate(kind: str, place: int) -> None:
    """Another object of the same label in the same place."""
    add(kind, remove(kind, place), place)


def take_touched() -> list[list[Any]]:
    taken, touched[:] = list(touched), []
    return taken


clicks = Clicks()
view.viewport().installEventFilter(clicks)
for number in range(START):
    add("button", f"button {number}", number)
    add("row", f"row {number}", number)
halves = QHBoxLayout(window)
halves.addWidget(box)
halves.addWidget(view)
window.setWindowTitle("Changing")
window.resize(500, 620)
window.show()
COMMANDS = {
    "things": things, "add": add, "remove": remove, "rename": rename, "sort": sort, "recreate": recreate,
    "touched": take_touched,
}  # fmt: skip
commands = Commands(COMMANDS)
notifier = QSocketNotifier(0, QSocketNotifier.Type.Read)
notifier.activated.connect(lambda: commands.read())
QTimer.singleShot(300, lambda: report("ready", ""))
sys.exit(app.exec())

"""The Qt 6 witness."""

from __future__ import annotations

import os
import sys
from typing import Any

from PyQt6.QtCore import QEvent, QMimeData, QObject, QPoint, QSocketNotifier, Qt, QTimer
from PyQt6.QtGui import QAction, QDrag
from PyQt6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)
from wire import COLOURS, ROWS, Commands, report

MODIFIERS = {
    Qt.KeyboardModifier.ShiftModifier: "shift",
    Qt.KeyboardModifier.ControlModifier: "ctrl",
    Qt.KeyboardModifier.AltModifier: "alt",
    Qt.KeyboardModifier.MetaModifier: "super",
}
BUTTONS = {Qt.MouseButton.LeftButton: 1, Qt.MouseButton.MiddleButton: 2, Qt.MouseButton.RightButton: 3}
MOUSE = {
    QEvent.Type.MouseButtonPress: ("mouse_down", 1),
    QEvent.Type.MouseButtonDblClick: ("mouse_down", 2),
    QEvent.Type.MouseButtonRelease: ("mouse_up", 1),
}
NOTCH = 120
"""Qt counts a wheel in eighths of a degree, 15 degrees a notch."""


def modifiers(event: Any) -> list[str]:
    return [word for flag, word in MODIFIERS.items() if event.modifiers() & flag]


def named(widget: QObject | None) -> str:
    while widget is not None:
        if widget.objectName() and not widget.objectName().startswith("qt_"):
            return widget.objectName()
        widget = widget.parent()
    return ""


class Seeing(QObject):
    """Sees every event before its widget does. Qt passes an unused one up to the parents: the repeat is left out."""

    def __init__(self) -> None:
        super().__init__()
        self.last: tuple[Any, ...] = ()

    def eventFilter(self, target: QObject, event: QEvent) -> bool:
        if not isinstance(target, QWidget):
            return False
        kind = event.type()
        if kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            word = "key_down" if kind == QEvent.Type.KeyPress else "key_up"
            self.once(word, target, event, text=event.text(), key=event.key(), modifiers=modifiers(event))
        elif kind in MOUSE:
            word, clicks = MOUSE[kind]
            at = event.globalPosition().toPoint()
            button = BUTTONS.get(event.button(), 0)
            self.once(
                word, target, event, button=button, clicks=clicks, at=[at.x(), at.y()], modifiers=modifiers(event)
            )
        elif kind == QEvent.Type.Wheel:
            delta = event.angleDelta()
            self.once("scroll", target, event, dx=-delta.x() / NOTCH, dy=-delta.y() / NOTCH)
        elif kind == QEvent.Type.FocusIn and named(target):
            report("focus_in", named(target))
        elif kind in (QEvent.Type.WindowActivate, QEvent.Type.WindowDeactivate) and target.isWindow():
            report("focus_in" if kind == QEvent.Type.WindowActivate else "focus_out", named(target))
        return False

    def once(self, word: str, target: QObject, event: Any, **more: Any) -> None:
        this = (word, event.timestamp(), tuple(map(str, more.values())))
        if this != self.last:
            report(word, named(target), **more)
        self.last = this


class Source(QLabel):
    def mouseMoveEvent(self, event: Any) -> None:
        report("drag", "Drag me")
        data = QMimeData()
        data.setText("dragged text")
        drag = QDrag(self)
        drag.setMimeData(data)
        drag.exec(Qt.DropAction.CopyAction)


class Target(QLabel):
    def dragEnterEvent(self, event: Any) -> None:
        event.acceptProposedAction()

    def dropEvent(self, event: Any) -> None:
        report("drop", "Drop here", text=event.mimeData().text())
        event.acceptProposedAction()


class App:
    def __init__(self) -> None:
        self.widgets: dict[str, QWidget] = {}
        self.window = QMainWindow()
        self.window.setObjectName("window")
        self.window.setWindowTitle("Witness Qt 6")
        self.window.resize(760, 560)
        self.menu("File", ["New", "Save As…", ("Export", ["PDF", "Text"]), "Quit"], self.window.menuBar())
        self.menu("Edit", ["Copy", "Paste"], self.window.menuBar())
        page = QWidget()
        columns = QHBoxLayout(page)
        columns.addLayout(self.form())
        columns.addWidget(self.rows())
        self.window.setCentralWidget(page)
        self.window.show()
        self.window.activateWindow()

    def keep(self, name: str, widget: QWidget) -> QWidget:
        self.widgets[name] = widget
        widget.setObjectName(name)
        widget.setAccessibleName(name)
        return widget

    def form(self) -> QVBoxLayout:
        box = QVBoxLayout()
        box.addWidget(self.entry("Name"))
        box.addWidget(self.entry("Password"))
        self.widgets["Password"].setEchoMode(QLineEdit.EchoMode.Password)
        notes = self.keep("Notes", QPlainTextEdit())
        notes.textChanged.connect(lambda: report("value", "Notes", value=notes.toPlainText()))
        box.addWidget(notes)
        for row in (self.buttons(), self.choices(), self.numbers(), self.drag()):
            box.addLayout(row)
        box.addWidget(self.keep("Status", QLabel("Status: ready")))
        self.widgets["Status"].setAccessibleName("")
        return box

    def entry(self, name: str) -> QWidget:
        entry = self.keep(name, QLineEdit())
        entry.setPlaceholderText(name)
        entry.textChanged.connect(lambda text: report("value", name, value=text))
        entry.returnPressed.connect(lambda: report("activate", name))
        return entry

    def buttons(self) -> QHBoxLayout:
        self.button_row = QHBoxLayout()
        for name in ("Save", "Publish", "Open dialog"):
            self.button_row.addWidget(self.button(name))
        self.widgets["Publish"].setEnabled(False)
        self.widgets["Open dialog"].clicked.connect(self.dialog)
        return self.button_row

    def button(self, name: str) -> QWidget:
        button = self.keep(name, QPushButton(name))
        button.setAccessibleName("")
        button.clicked.connect(lambda: report("activate", name))
        return button

    def choices(self) -> QHBoxLayout:
        row = QHBoxLayout()
        for kind, name in ((QCheckBox, "Wrap lines"), (QRadioButton, "Left"), (QRadioButton, "Right")):
            box = self.keep(name, kind(name))
            box.setChecked(name == "Left")
            box.toggled.connect(lambda on, name=name: report("value", name, value=on))
            row.addWidget(box)
        combo = self.keep("Colour", QComboBox())
        combo.addItems(COLOURS)
        combo.currentTextChanged.connect(lambda text: report("value", "Colour", value=text))
        label = QLabel("Colour")  # on Linux Qt names a combo box after its label alone
        label.setBuddy(combo)
        row.addWidget(label)
        row.addWidget(combo)
        return row

    def numbers(self) -> QHBoxLayout:
        row = QHBoxLayout()
        for kind, name in ((lambda: QSlider(Qt.Orientation.Horizontal), "Volume"), (QSpinBox, "Count")):
            number = self.keep(name, kind())
            number.setRange(0, 100)
            number.valueChanged.connect(lambda value, name=name: report("value", name, value=value))
            row.addWidget(number)
        return row

    def drag(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addWidget(self.keep("Drag me", Source("Drag me")))
        row.addWidget(self.keep("Drop here", Target("Drop here")))
        self.widgets["Drop here"].setAcceptDrops(True)
        return row

    def rows(self) -> QWidget:
        rows = self.keep("Rows", QListWidget())
        rows.addItems([f"Row {number}" for number in range(ROWS)])
        rows.currentRowChanged.connect(lambda row: report("value", "Rows", value=row))
        self.widgets["Scroll area"] = rows
        rows.verticalScrollBar().valueChanged.connect(lambda value: report("value", "Scroll area", value=value))
        return rows

    def menu(self, name: str, items: list[Any], parent: Any) -> None:
        menu: QMenu = parent.addMenu(name)
        for item in items:
            if isinstance(item, tuple):
                self.menu(*item, menu)
                continue
            action = QAction(item, menu)
            action.triggered.connect(lambda _on, label=item: report("menu", label))
            menu.addAction(action)

    def dialog(self) -> None:
        dialog = QDialog(self.window, objectName="dialog")
        dialog.setWindowTitle("Witness dialog")
        layout = QVBoxLayout(dialog)
        layout.addWidget(self.entry("Dialog entry"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(dialog.accept)
        buttons.rejected.connect(dialog.reject)
        layout.addWidget(buttons)
        dialog.accepted.connect(lambda: report("activate", "OK"))
        dialog.rejected.connect(lambda: report("activate", "Cancel"))
        dialog.finished.connect(lambda _code: report("closed", "dialog"))
        dialog.open()
        report("opened", "dialog")

    # --- commands ----------------------------------------------------------------------------------------

    def values(self) -> dict[str, Any]:
        get = self.widgets.__getitem__
        checks = {name: get(name).isChecked() for name in ("Wrap lines", "Left", "Right")}
        numbers = {name: get(name).value() for name in ("Volume", "Count")}
        return {
            **{name: get(name).text() for name in ("Name", "Password", "Status")},
            "Notes": get("Notes").toPlainText(),
            **checks,
            "Colour": get("Colour").currentText(),
            **numbers,
            "Scroll area": get("Rows").verticalScrollBar().value(),
        }

    def bounds(self, name: str) -> list[float]:
        widget = self.widgets[name]
        at = widget.mapTo(widget.window(), QPoint(0, 0))
        return [at.x(), at.y(), widget.width(), widget.height(), int(widget.window().winId())]

    def focus(self, name: str) -> str:
        self.widgets[name].setFocus()
        return named(QApplication.focusWidget())

    def clear(self) -> None:
        for name in ("Name", "Password", "Notes"):
            self.widgets[name].clear()

    def rename(self, name: str, label: str) -> None:
        self.widgets[name].setText(label)

    def replace(self, name: str) -> None:
        old = self.widgets[name]
        self.button_row.replaceWidget(old, self.button(name))
        old.deleteLater()

    def commands(self) -> Commands:
        names = ("values", "bounds", "focus", "clear", "rename", "replace", "dialog")
        return Commands({name: getattr(self, name) for name in names})


def main() -> None:
    qt = QApplication(["witness-qt6"])
    seeing = Seeing()
    qt.installEventFilter(seeing)
    app = App()
    commands = app.commands()
    notifier = QSocketNotifier(0, QSocketNotifier.Type.Read)
    notifier.activated.connect(commands.read)
    QTimer.singleShot(0, lambda: report("ready", "window", pid=os.getpid()))
    sys.exit(qt.exec())


if __name__ == "__main__":
    main()

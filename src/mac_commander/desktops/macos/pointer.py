"""Clicks, scrolls and drags as CGEvents, with the pauses and click counts that real apps need."""

from __future__ import annotations

import time
from collections.abc import Mapping

from Quartz import (
    kCGEventLeftMouseDown,
    kCGEventLeftMouseDragged,
    kCGEventLeftMouseUp,
    kCGEventMouseMoved,
    kCGEventOtherMouseDown,
    kCGEventOtherMouseUp,
    kCGEventRightMouseDown,
    kCGEventRightMouseUp,
    kCGMouseButtonCenter,
    kCGMouseButtonLeft,
    kCGMouseButtonRight,
)

from mac_commander.desktops.macos import event_source, held
from mac_commander.desktops.macos.event_source import EventSource
from mac_commander.desktops.macos.held import Held
from mac_commander.desktops.macos.keyboard import MODIFIERS, Keyboard
from mac_commander.events import ClickAt
from mac_commander.model import Button, Point

HOVER_SECONDS = 0.02
"""Between arriving and pressing: apps that track the pointer must have seen it come."""

PRESS_SECONDS = 0.03
"""Between down and up; shorter presses are ignored by some apps (cliclick #13)."""

REPEAT_SECONDS = 0.05
"""Between the clicks of a double click; well below the system's 0.5 s."""

DROP_SECONDS = 0.1
"""At the drag's end before letting go, so that the drop lands where the pointer is (pyautogui #72)."""

ARRIVED = 1.0
"""How near, in points, the pointer must be to where it was sent."""

_BUTTONS: Mapping[Button, tuple[int, int, int]] = {
    Button.LEFT: (kCGMouseButtonLeft, kCGEventLeftMouseDown, kCGEventLeftMouseUp),
    Button.RIGHT: (kCGMouseButtonRight, kCGEventRightMouseDown, kCGEventRightMouseUp),
    Button.MIDDLE: (kCGMouseButtonCenter, kCGEventOtherMouseDown, kCGEventOtherMouseUp),
}
_LEFT = held.button(1)
_NUMBERS = {Button.LEFT: 1, Button.MIDDLE: 2, Button.RIGHT: 3}


class Pointer:
    def __init__(self, source: EventSource, down: Held, keyboard: Keyboard) -> None:
        self._source = source
        self._down = down
        self._keyboard = keyboard
        self._drag_from: Point | None = None

    def move(self, at: Point) -> None:
        """A second try when the pointer did not arrive: a first move has been seen to be lost (cliclick #168)."""
        self._source.mouse(kCGEventMouseMoved, at, kCGMouseButtonLeft, 0)
        time.sleep(HOVER_SECONDS)
        there = event_source.pointer()
        if abs(there.x - at.x) > ARRIVED or abs(there.y - at.y) > ARRIVED:
            self._source.mouse(kCGEventMouseMoved, at, kCGMouseButtonLeft, 0)
            time.sleep(HOVER_SECONDS)

    def click(self, click: ClickAt) -> None:
        self.move(click.at)
        modifier_keys = [held.key(MODIFIERS[m][0]) for m in click.modifiers]
        with self._down.while_down(*modifier_keys, held.button(_NUMBERS[click.button])):
            flags = self._keyboard.hold(click.modifiers)
            for count in range(1, click.clicks + 1):
                self._press(click, count, flags)
            self._keyboard.let_go(click.modifiers)

    def _press(self, click: ClickAt, count: int, flags: int) -> None:
        number, down, up = _BUTTONS[click.button]
        if count > 1:
            time.sleep(REPEAT_SECONDS)
        self._source.mouse(down, click.at, number, count, flags)
        time.sleep(PRESS_SECONDS)
        self._source.mouse(up, click.at, number, count, flags)

    def scroll(self, at: Point, dx: int, dy: int) -> None:
        """The pointer goes there first: a scroll reaches what is under the pointer."""
        self.move(at)
        self._source.scroll(at, dx, dy)

    def start_drag(self, at: Point) -> None:
        self.move(at)
        self._down.down(_LEFT)
        self._drag_from = at
        self._source.mouse(kCGEventLeftMouseDown, at, kCGMouseButtonLeft, 1)
        time.sleep(PRESS_SECONDS)

    def drag(self, to: Point) -> None:
        self._source.mouse(kCGEventLeftMouseDragged, to, kCGMouseButtonLeft, 1)
        time.sleep(HOVER_SECONDS)

    def end_drag(self, at: Point) -> None:
        self.drag(at)
        time.sleep(DROP_SECONDS)
        self._source.check(at)
        self._source.mouse(kCGEventLeftMouseUp, at, kCGMouseButtonLeft, 1)
        self._drag_from = None
        self._down.up(_LEFT)

    def release(self) -> None:
        """Let go of every button. A drag that was given up goes back to where it began, so that nothing is
        dropped half-way."""
        for button, number in _NUMBERS.items():
            name = held.button(number)
            if self._source.is_down(name):
                self._release(button)
            if name in self._down.names:
                self._down.up(name)
        self._drag_from = None

    def _release(self, button: Button) -> None:
        number, _down, up = _BUTTONS[button]
        at = self._drag_from or event_source.pointer()
        if button is Button.LEFT and self._drag_from:
            self._source.mouse(kCGEventLeftMouseDragged, at, number, 1)
        self._source.mouse(up, at, number, 1)
        self._drag_from = None

"""The X11 desktop opened on the private one, with the guard's own verdict as judge."""

from __future__ import annotations

import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from Xlib.display import Display
from Xlib.ext import xtest

from mac_commander.core import guard
from mac_commander.core.graphemes import groups
from mac_commander.desktops.x11 import grab
from mac_commander.desktops.x11.desktop import X11Desktop
from mac_commander.desktops.x11.environment import find_session
from mac_commander.errors import Refused
from mac_commander.events import Evidence, Group, TypeText
from mac_commander.model import App
from tests.desktops.conftest import LONGEST_HOLD_SECONDS
from tests.lab import Lab
from tests.witness import Reporting, Witness

PHYSICAL_MOUSE, PHYSICAL_KEYBOARD = 6, 7
"""Xvfb's own devices: what is sent through them counts as a person's doing."""


PATIENCE = 60.0
"""Seconds for an app to handle a page of text: the witnesses tell their whole text at each key, on a busy machine."""


def wait(done: Callable[[], object], seconds: float = 5.0) -> bool:
    """Whether it came true in time."""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


@contextmanager
def drained(witness: Reporting | None) -> Iterator[None]:
    """Read what the app reports all the while: an app whose pipe is full stands still."""
    done = threading.Event()

    def read() -> None:
        while witness is not None and not done.wait(0.005):
            witness.events()

    reader = threading.Thread(target=read)
    reader.start()
    try:
        yield
    finally:
        done.set()
        reader.join()


@dataclass
class Hands:
    """Types and clicks into one app as the batch does: the guard judges each group."""

    desktop: X11Desktop
    target: App
    witness: Reporting | None = None
    judged: list[Evidence] = field(default_factory=list)

    def send(self, group: Group) -> None:
        def judge(seen: Evidence) -> None:
            self.judged.append(seen)
            guard.judge(self.target, seen, group, "during")

        self.desktop.deliver(group, self.target, judge)

    def type(self, text: str) -> None:
        with drained(self.witness):
            for piece in groups(text):
                self.send(TypeText(piece))
            assert self.desktop.barrier(self.target, PATIENCE) is not False

    def back_in_front(self) -> None:
        """The theft is over: in front again, and everything handled."""
        with drained(self.witness):
            self.desktop.activate(self.target)
            assert wait(lambda: self.desktop.frontmost() == self.target)
            assert self.desktop.barrier(self.target, PATIENCE)

    def type_through_theft(self, text: str, seconds: float = 60.0) -> int:
        """Type all of it, waiting for the focus whenever it is lost; how often it was refused."""
        with drained(self.witness):
            return self._type_through_theft(text, time.monotonic() + seconds)

    def _type_through_theft(self, text: str, end: float) -> int:
        refusals = 0
        for piece in groups(text):
            while True:
                try:
                    self.send(TypeText(piece))
                    break
                except Refused:
                    refusals += 1
                    assert time.monotonic() < end, "the focus never came back"
                    time.sleep(0.0005)
                    if refusals % 200 == 0:
                        self.desktop.activate(self.target)
        return refusals


@dataclass(frozen=True)
class Human:
    """A person at the real keyboard and mouse, through Xvfb's physical devices."""

    display: Display

    def key(self, keycode: int, *, down: bool) -> None:
        self._send(self._base + (1 if down else 2), keycode, PHYSICAL_KEYBOARD)

    def tap(self, keycode: int) -> None:
        self.key(keycode, down=True)
        self.key(keycode, down=False)

    def click(self) -> None:
        self._send(self._base + 3, 1, PHYSICAL_MOUSE)
        self._send(self._base + 4, 1, PHYSICAL_MOUSE)

    def move(self, x: int, y: int) -> None:
        """To a point of the screen; the place comes in a second event, as for every device with axes."""
        place = struct.pack("=BBHHBB6i", self._base, PHYSICAL_MOUSE, 0, 0, 2, 0, x, y, 0, 0, 0, 0)
        self._send(self._base + 5, 0, PHYSICAL_MOUSE, place)

    @property
    def _base(self) -> int:
        return self.display.query_extension("XInputExtension").first_event

    def _send(self, kind: int, detail: int, device: int, axes: bytes = b"") -> None:
        """XTestFakeInput with an extension event type and the device in its last byte (XTEST protocol 2.2)."""
        opcode = self.display.query_extension("XTEST").major_opcode
        head = struct.pack("=BBHBBxx27xB", opcode, 2, 9 + len(axes) // 4, kind, detail, device)
        request = xtest.FakeInput.__new__(xtest.FakeInput)
        request._binary, request._serial, request._errorhandler = head + axes, None, None
        self.display.display.send_request(request, False)
        self.display.sync()


@pytest.fixture
def longest_hold() -> float:
    return LONGEST_HOLD_SECONDS


@pytest.fixture
def desktop(lab: Lab, longest_hold: float, monkeypatch: pytest.MonkeyPatch) -> Iterator[X11Desktop]:
    monkeypatch.setattr(grab, "LONGEST_SECONDS", longest_hold)
    opened = X11Desktop(find_session(lab.env))
    yield opened
    opened.close()


@pytest.fixture
def human(lab: Lab) -> Iterator[Human]:
    display = Display(lab.display)
    yield Human(display)
    display.close()


@pytest.fixture
def hands(desktop: X11Desktop, editor: Witness) -> Hands:
    return in_front(desktop, editor)


def in_front(desktop: X11Desktop, witness: Witness) -> Hands:
    target = app_of(desktop, witness.pid)
    desktop.activate(target)
    assert wait(lambda: desktop.frontmost() == target)
    desktop.watch_human()
    return Hands(desktop, target, witness)


def app_of(desktop: X11Desktop, pid: int) -> App:
    return next(a for a in desktop.apps() if a.pid == pid)


@pytest.fixture
def layout(lab: Lab) -> Iterator[Callable[..., None]]:
    """Set the keyboard layout; the US one comes back at the end."""

    def use(*options: str) -> None:
        subprocess.run(["setxkbmap", *options], env=lab.env, check=True)

    yield use
    use("-layout", "us", "-variant", "", "-option", "")


def keymap(lab: Lab) -> list[tuple[int, ...]]:
    """What the X server says of its keys, asked apart from the code under test."""
    display = Display(lab.display)
    try:
        return [tuple(row) for row in display.get_keyboard_mapping(8, 248)]
    finally:
        display.close()


def keys_down(lab: Lab) -> int:
    """How many keys and buttons are down on the desktop."""
    display = Display(lab.display)
    try:
        held = sum(bin(byte).count("1") for byte in display.query_keymap())
        buttons = display.screen().root.query_pointer().mask >> 8 & 0x1F
        return held + bin(buttons).count("1")
    finally:
        display.close()

"""The vocabulary: frozen values that every layer speaks. Imports nothing of ours.

Units, once for all modules: positions and sizes are **screen points** with the origin at the top left of the
main screen (on X11 a point is a pixel); they may be negative on a second screen. Times are **seconds** as
floats where a name says nothing, and **milliseconds** as ints where it ends in ``_ms``. Text lengths are
Unicode code points unless a name says UTF-16.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class Point(NamedTuple):
    """A place on the desktop, in screen points."""

    x: float
    y: float


class Rect(NamedTuple):
    """A rectangle on the desktop, in screen points. ``contains`` excludes the right and bottom edges."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> Point:
        return Point(self.x + self.width / 2, self.y + self.height / 2)

    def contains(self, point: Point) -> bool:
        inside_x = self.x <= point.x < self.x + self.width
        return inside_x and self.y <= point.y < self.y + self.height

    def intersects(self, other: Rect) -> bool:
        apart_x = self.x + self.width <= other.x or other.x + other.width <= self.x
        apart_y = self.y + self.height <= other.y or other.y + other.height <= self.y
        return not (apart_x or apart_y)


class Identity(NamedTuple):
    """One process, for ever: pids are re-used, a pid with its start time is not."""

    pid: int
    started: float
    """Start time in the platform's own unit; only ever compared for equality."""


NAME_MOST = 256
"""Characters of an app's name that are shown; any real one is shorter."""

_PLAIN = re.compile(r"[\w .&'+-]*")
"""Names that cannot be taken for anything else in a line of ours."""


def one_line(text: str) -> str:
    """The text without what could make a second line or hide: apps choose their names, and may forge them.

    Dropped and not replaced, so that a hidden character in the middle of a blocked name does not unblock it.
    """
    return "".join(" " if c.isspace() else c if c.isprintable() or c == "\u200d" else "" for c in text).strip()


@dataclass(frozen=True, slots=True)
class App:
    """A running process with a face on the desktop."""

    pid: int
    started: float
    name: str
    """The name a person would call it by, in the desktop's language."""
    app_id: str = ""
    """Bundle id on macOS, desktop-file id (without ``.desktop``) on Linux; empty when it has none."""
    aliases: tuple[str, ...] = ()
    """Every other name it answers to: other languages, file stem, window class, executable's base name."""
    executable: str = ""
    """Absolute path of the program, empty when unknown."""
    hidden: bool = False

    def __post_init__(self) -> None:
        whole = one_line(self.name)
        if len(whole) > NAME_MOST:
            object.__setattr__(self, "aliases", (*self.aliases, whole))  # policy looks at all of it
        object.__setattr__(self, "name", whole[:NAME_MOST])
        object.__setattr__(self, "app_id", one_line(self.app_id)[:NAME_MOST])

    @property
    def identity(self) -> Identity:
        return Identity(self.pid, self.started)

    @property
    def every_name(self) -> tuple[str, ...]:
        """All that policy must look at: names, id, executable path."""
        return tuple(n for n in (self.name, self.app_id, *self.aliases, self.executable) if n)

    def __str__(self) -> str:
        """In quotes when the name could be read as a line about something else."""
        name = self.name if _PLAIN.fullmatch(self.name) else '"{}"'.format(self.name.replace('"', "'"))
        return f"{name} ({self.app_id}, pid {self.pid})" if self.app_id else f"{name} (pid {self.pid})"


@dataclass(frozen=True, slots=True)
class Installed:
    """An app that can be launched, as found among the installed ones."""

    name: str
    app_id: str
    aliases: tuple[str, ...] = ()
    location: str = ""
    """Bundle or desktop file; for the desktop alone, never shown as a way to launch."""

    @property
    def every_name(self) -> tuple[str, ...]:
        return tuple(n for n in (self.name, self.app_id, *self.aliases, self.location) if n)


class WindowKind(StrEnum):
    WINDOW = "window"
    DIALOG = "dialog"
    SHEET = "sheet"
    POPUP = "popup"
    """A menu, combo list or tooltip: no frame of its own."""


@dataclass(frozen=True, slots=True)
class Window:
    """One window of one app."""

    id: int
    """The window server's number (CGWindowID, XID); re-used by it, so never a proof of identity."""
    pid: int
    title: str
    bounds: Rect
    """On X11 the client area; on macOS the whole frame."""
    kind: WindowKind = WindowKind.WINDOW
    main: bool = False
    """The window that has, or would get, the keyboard in its app."""
    minimised: bool = False


class State(StrEnum):
    """What `see` prints behind an element. ARIA's words where ARIA has one."""

    FOCUSED = "focused"
    DISABLED = "disabled"
    CHECKED = "checked"
    MIXED = "mixed"
    SELECTED = "selected"
    EXPANDED = "expanded"
    COLLAPSED = "collapsed"
    PRESSED = "pressed"
    SECURE = "secure"
    BUSY = "busy"
    REQUIRED = "required"
    INVALID = "invalid"
    READONLY = "readonly"
    MODAL = "modal"
    OFFSCREEN = "offscreen"
    """Exists in its scroll area but cannot be seen at the moment."""


@dataclass(frozen=True, slots=True)
class Element:
    """One node of an app's accessibility tree at one moment."""

    key: Hashable
    """The desktop's identity of the live object: equal keys are the same object, while it lives."""
    role: str
    """One of ``roles.ROLES``, ARIA's vocabulary, the same for all desktops."""
    name: str = ""
    value: str | None = None
    """Text or number shown; ``None`` when it has none, and always ``None`` for a secure field.
    Cut by the desktop to ``Limits.value_chars``."""
    value_length: int = 0
    """Length of the whole value before it was cut."""
    states: frozenset[State] = frozenset()
    bounds: Rect | None = None
    """``None`` when the desktop cannot say."""
    depth: int = 0
    """0 for a direct child of the window."""
    window: int = 0
    """``Window.id`` of the window it is in."""
    pressable: bool = False
    """It has a press action of its own (AXPress, Action.DoAction)."""
    settable: bool = False
    """Its value can be set through accessibility."""
    range: tuple[float, float] | None = None
    """Least and greatest value of a slider, spin button or progress bar."""
    cell: tuple[int, int] | None = None
    """Row and column of a cell in a table of several columns, from 1, headings not counted."""

    @property
    def secure(self) -> bool:
        return State.SECURE in self.states


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a tree to read before stopping and saying so."""

    nodes: int = 20_000
    """More than any window measured (Chromium's largest: 6,741); stops a runaway tree."""
    depth: int = 200
    """Deeper than any real tree; stops cycles that identity does not."""
    seconds: float = 5.0
    """`see` must answer within 8 s even when an app hangs."""
    value_chars: int = 200
    """Beyond this a value is read by scrolling, not by paying for it."""
    until_told: bool = False
    """Stop as soon as the app tells of a change, which `Desktop.changed` then gives: what was read is older."""


OLD = "The app told of a change while it was read; what was read is older."
"""The note of a look that ended for `Limits.until_told`."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An app's windows and elements, in reading order (depth first, focused window first)."""

    app: App
    windows: tuple[Window, ...]
    elements: tuple[Element, ...]
    complete: bool = True
    """False when a limit, a deadline or a hang cut the reading short; ``notes`` says which."""
    notes: tuple[str, ...] = ()
    """Whole sentences of ours; never text from the screen."""
    mute: bool = False
    """The app tells nothing, or next to nothing, of what its windows hold: what is not here may still show."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Pixels of one window or of the whole desktop, 8-bit RGB, rows top to bottom, no padding."""

    width: int
    height: int
    rgb: bytes = field(repr=False)
    bounds: Rect
    """What it shows, in screen points; ``width / bounds.width`` is the scale."""


class Modifier(StrEnum):
    """Physical modifiers; ``cmd`` in a chord means the desktop's main one (see ``Desktop.main_modifier``)."""

    CMD = "cmd"
    CTRL = "ctrl"
    ALT = "alt"
    SHIFT = "shift"
    FN = "fn"
    SUPER = "super"


class Button(StrEnum):
    LEFT = "left"
    RIGHT = "right"
    MIDDLE = "middle"


@dataclass(frozen=True, slots=True)
class Chord:
    """One key with its modifiers, canonical: see ``core/chords.py`` for the spellings it came from."""

    modifiers: frozenset[Modifier]
    key: str
    """A single lower-case character as printed on the key, or a name of ``core/chords.py`` (``return``, ``f5``)."""

    def __str__(self) -> str:
        order = [m.value for m in Modifier if m in self.modifiers]
        return "+".join([*order, self.key])


@dataclass(frozen=True, slots=True)
class Screen:
    """One display."""

    bounds: Rect
    scale: float = 1.0
    """Pixels for each point."""
    main: bool = False


@dataclass(frozen=True, slots=True)
class Readiness:
    """What the desktop may do for us. Empty text is *ready*; else a sentence that names what is missing, the
    program to grant it to, and where."""

    accessibility: str = ""
    screenshots: str = ""
    input: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a launch has come. ``app`` is ``None`` until its process is known."""

    app: App | None = None
    ready: bool = False
    """Finished launching, and its window is there when it is an app with windows."""


@dataclass(frozen=True, slots=True)
class Notification:
    title: str
    message: str
    subtitle: str = ""
    sound: str = ""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """How the scripts of one file suffix run: absolute program, then arguments; the text goes in on stdin."""

    suffix: str
    argv: tuple[str, ...]
    comment: str
    """What starts a comment line in that language."""

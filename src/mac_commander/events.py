"""What one delivery is: the event groups that a desktop sends after one proof, and the evidence of that moment."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import NamedTuple

from mac_commander.model import App, Button, Chord, Modifier, Point

POINTS_PER_NOTCH = 40
"""What one wheel notch scrolls, about three lines of text: GTK, Qt and Chromium scroll 38 to 57 points."""


@dataclass(frozen=True, slots=True)
class TypeText:
    """Characters for the focused element: at most 20 UTF-16 units (CGEvent keeps no more; enigo #68), whole
    grapheme clusters. May hold ``\\n`` and ``\\t``, each alone in its group: they are sent as keys."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class PressChord:
    """Modifiers down, key down, key up, modifiers up in reverse order."""

    chord: Chord


@dataclass(frozen=True, slots=True)
class MovePointer:
    at: Point


@dataclass(frozen=True, slots=True)
class ClickAt:
    """Pointer to the point, then ``clicks`` times down and up with rising click counts."""

    at: Point
    button: Button = Button.LEFT
    clicks: int = 1
    modifiers: frozenset[Modifier] = frozenset()


@dataclass(frozen=True, slots=True)
class ScrollAt:
    """``dx``, ``dy`` in points with CGEvent's signs, kept on every desktop: positive ``dy`` scrolls towards the
    top, positive ``dx`` towards the left (CGEventCreateScrollWheelEvent, pixel units). A desktop with wheel
    notches only (X11) sends one notch for each `POINTS_PER_NOTCH`, at least one."""

    at: Point
    dx: int
    dy: int


@dataclass(frozen=True, slots=True)
class DragStart:
    """Pointer to the point and left button down. Only a ``DragEnd`` or ``release_all`` may follow the moves."""

    at: Point


@dataclass(frozen=True, slots=True)
class DragMove:
    at: Point


@dataclass(frozen=True, slots=True)
class DragEnd:
    """Left button up at the point."""

    at: Point


@dataclass(frozen=True, slots=True)
class PressElement:
    """The element's own press action: addressed to it, so no pointer and no focus is involved."""

    key: Hashable


@dataclass(frozen=True, slots=True)
class FocusElement:
    """Give the element the keyboard through accessibility."""

    key: Hashable


@dataclass(frozen=True, slots=True)
class SetValue:
    """Replace the element's value through accessibility; no keyboard. Numbers travel as text."""

    key: Hashable
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class RevealElement:
    """Scroll the element into view through accessibility."""

    key: Hashable


@dataclass(frozen=True, slots=True)
class PickMenu:
    """Open the app's menu bar along ``path`` and press the last item, all through accessibility."""

    path: tuple[str, ...]


KeyboardGroup = TypeText | PressChord
PointerGroup = MovePointer | ClickAt | ScrollAt | DragStart | DragMove | DragEnd
SemanticGroup = PressElement | FocusElement | SetValue | RevealElement | PickMenu
Group = KeyboardGroup | PointerGroup | SemanticGroup


class Owner(NamedTuple):
    """Who owns a window, focus or point. ``app`` is ``None`` for a process that is no app of the desktop."""

    pid: int
    app: App | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a desktop saw at the moment of delivery, for the guard to judge. ``None`` is *unknown*, never *no*."""

    frontmost: App | None
    """The app in front, only when every live source of the platform agrees."""
    focus: Owner | None = None
    """Who owns the focused window: gets the keys."""
    focus_window: int | None = None
    """``Window.id`` of the focused window, when it can be told cheaply: a change in mid-typing is a new window."""
    drawn_by: App | None = None
    """The app that draws what has the focus, what the group is addressed to or what is at its point, inside the
    frontmost app's window, when it is another one (macOS: pages, open panels)."""
    hung: App | None = None
    """The app in front, when it is known by its not answering: `frontmost` or `focus` is unknown because of that."""
    point: Owner | None = None
    """Who owns the topmost window at the group's point; set only for pointer groups. Click-through windows
    (our halo) do not count."""
    disagreement: str = ""
    """When ``frontmost`` is unknown: what each source said, for the reason."""
    keyboard_grabbed: bool = False
    """Another client would get the keys although it has no focus."""
    pointer_grabbed: bool = False
    hotkey: bool = False
    """The group's chord belongs to a global hotkey: it would never reach the target."""
    modifiers_held: frozenset[Modifier] = frozenset()
    """Modifiers that a person holds down right now."""
    human: str | None = None
    """Physical input since ``Desktop.watch_human``: ``key``, ``escape``, ``mouse``; ``None`` when there was none."""
    locked: bool = False
    """Session locked, or another user's session in front."""
    secure_input: Owner | None = None
    """Another process holds secure event input (macOS)."""
    replayed: str = ""
    """Names the window manager that would replay this click after the proof, so that it could land elsewhere."""

"""CGEvents of ours: made from a private source, stamped, flagged explicitly, posted at the HID tap, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from Quartz import (
    CGEventCreate,
    CGEventCreateKeyboardEvent,
    CGEventCreateMouseEvent,
    CGEventCreateScrollWheelEvent,
    CGEventGetLocation,
    CGEventGetType,
    CGEventKeyboardSetUnicodeString,
    CGEventPost,
    CGEventSetFlags,
    CGEventSetIntegerValueField,
    CGEventSetLocation,
    CGEventSourceCreate,
    CGEventSourceSetLocalEventsSuppressionInterval,
    CGEventSourceSetUserData,
    kCGEventLeftMouseDown,
    kCGEventLeftMouseUp,
    kCGEventOtherMouseDown,
    kCGEventOtherMouseUp,
    kCGEventRightMouseDown,
    kCGEventRightMouseUp,
    kCGEventSourceStatePrivate,
    kCGHIDEventTap,
    kCGMouseEventClickState,
    kCGScrollEventUnitPixel,
)

from mac_commander.desktops.macos import held
from mac_commander.errors import DesktopError
from mac_commander.model import Point

if TYPE_CHECKING:
    from Quartz import CGEventRef

USER_DATA = 0x4D61_6343
"""Stamped on every event of ours (``kCGEventSourceUserData``), so that taps can tell them from a person's."""

_BUTTONS_DOWN = {kCGEventLeftMouseDown: 1, kCGEventOtherMouseDown: 2, kCGEventRightMouseDown: 3}
_BUTTONS_UP = {kCGEventLeftMouseUp: 1, kCGEventOtherMouseUp: 2, kCGEventRightMouseUp: 3}
"""By event type, the button's number as `held` counts them."""

WHEELS = 2
"""The function takes as many numbers as it is told wheels: vertical, then horizontal."""


class EventSource:
    """A source with a state of its own: what a person holds down does not leak into its events."""

    def __init__(self) -> None:
        self._source = CGEventSourceCreate(kCGEventSourceStatePrivate)
        if self._source is None:
            raise DesktopError("macOS gives no event source: this process is not in a session with a screen")
        CGEventSourceSetUserData(self._source, USER_DATA)
        CGEventSourceSetLocalEventsSuppressionInterval(self._source, 0.0)
        self._still_allowed: Callable[[Point | None], None] | None = None
        self._pressed: set[str] = set()
        self.posted: Counter[int] = Counter()
        """How many events of each type were posted: what the human watch must not count."""

    @contextmanager
    def while_allowed(self, check: Callable[[Point | None], None]) -> Iterator[None]:
        """For the events of one group: ``check`` raises to stop before the next event that presses something, at that
        point when it is the pointer that does.
        Releases are always posted."""
        self._still_allowed = check
        try:
            yield
        finally:
            self._still_allowed = None

    def key(self, code: int, down: bool, flags: int, text: str = "") -> None:
        """One key event. Flags are set on every event, zero too: a new event takes them from what is held."""
        if down:
            self.check()
        event = _made(CGEventCreateKeyboardEvent(self._source, code, down))
        CGEventSetFlags(event, flags)
        if text:
            CGEventKeyboardSetUnicodeString(event, utf16_units(text), text)
        self._post(event)
        self._note(held.key(code), down)

    def mouse(self, kind: int, at: Point, button: int, clicks: int, flags: int = 0) -> None:
        """One pointer event; ``clicks`` is its place in a double or triple click, 0 for a mere move."""
        if kind in _BUTTONS_DOWN:
            self.check(at)
        event = _made(CGEventCreateMouseEvent(self._source, kind, (at.x, at.y), button))
        CGEventSetIntegerValueField(event, kCGMouseEventClickState, clicks)
        CGEventSetFlags(event, flags)
        self._post(event)
        if kind in _BUTTONS_DOWN or kind in _BUTTONS_UP:
            down = kind in _BUTTONS_DOWN
            self._note(held.button((_BUTTONS_DOWN if down else _BUTTONS_UP)[kind]), down)

    def is_down(self, name: str) -> bool:
        """Whether we pressed that key or button (named as in `held`) and did not let go of it."""
        return name in self._pressed

    def scroll(self, at: Point, dx: int, dy: int) -> None:
        self.check(at)
        event = _made(CGEventCreateScrollWheelEvent(self._source, kCGScrollEventUnitPixel, WHEELS, dy, dx))
        CGEventSetLocation(event, (at.x, at.y))
        CGEventSetFlags(event, 0)
        self._post(event)

    def _note(self, name: str, down: bool) -> None:
        if down:
            self._pressed.add(name)
        else:
            self._pressed.discard(name)

    def check(self, at: Point | None = None) -> None:
        """Raise what `while_allowed` was told to, when the next event may not be sent."""
        if self._still_allowed is not None:
            self._still_allowed(at)

    def _post(self, event: CGEventRef) -> None:
        self.posted[int(CGEventGetType(event))] += 1
        CGEventPost(kCGHIDEventTap, event)


def _made(event: CGEventRef | None) -> CGEventRef:
    if event is None:
        raise DesktopError("macOS makes no event: this process is not in a session with a screen")
    return event


def pointer() -> Point:
    """Where the pointer is."""
    location = CGEventGetLocation(_made(CGEventCreate(None)))
    return Point(float(location.x), float(location.y))


def utf16_units(text: str) -> int:
    """The length that CGEvent counts in; a lone surrogate counts one."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2

"""Whether a person has touched keyboard or mouse, told from our own events."""

from __future__ import annotations

from Quartz import (
    CGEventSourceCounterForEventType,
    CGEventSourceKeyState,
    kCGEventFlagsChanged,
    kCGEventKeyDown,
    kCGEventLeftMouseDown,
    kCGEventLeftMouseDragged,
    kCGEventMouseMoved,
    kCGEventOtherMouseDown,
    kCGEventRightMouseDown,
    kCGEventRightMouseDragged,
    kCGEventScrollWheel,
    kCGEventSourceStateCombinedSessionState,
    kCGEventSourceStateHIDSystemState,
)

from mac_commander.desktops.macos.event_source import EventSource
from mac_commander.desktops.macos.layout import NAMED_KEYS

_KEYS = (kCGEventKeyDown, kCGEventFlagsChanged)
_MOUSE = (
    kCGEventMouseMoved,
    kCGEventLeftMouseDown,
    kCGEventRightMouseDown,
    kCGEventOtherMouseDown,
    kCGEventLeftMouseDragged,
    kCGEventRightMouseDragged,
    kCGEventScrollWheel,
)


class HumanWatch:
    """Compares two counters of the window server with what we posted.

    The counter of the HID state is documented to count hardware alone (CGEventSource.h), yet whether events posted
    at the HID tap raise it is not known for every macOS. The counter of the combined session state counts them too,
    so that what is left of it without ours is the hardware's whichever is true. Other programs' events are in the
    second alone: the lesser of both is what a person did.
    """

    def __init__(self, source: EventSource) -> None:
        self._source = source
        self._hardware: dict[int, int] = {}
        self._everything: dict[int, int] = {}
        self._ours: dict[int, int] = {}
        self.begin()

    def begin(self) -> None:
        """Forget everything up to now."""
        for kind in (*_KEYS, *_MOUSE):
            self._hardware[kind] = _counter(kCGEventSourceStateHIDSystemState, kind)
            self._everything[kind] = _counter(kCGEventSourceStateCombinedSessionState, kind)
            self._ours[kind] = self._source.posted[kind]

    def seen(self) -> str | None:
        """``key``, ``escape`` or ``mouse`` when a person did that since `begin`."""
        if any(map(self._by_a_person, _KEYS)):
            escape = CGEventSourceKeyState(kCGEventSourceStateHIDSystemState, NAMED_KEYS["escape"])
            return "escape" if escape else "key"
        return "mouse" if any(map(self._by_a_person, _MOUSE)) else None

    def _by_a_person(self, kind: int) -> bool:
        hardware = _counter(kCGEventSourceStateHIDSystemState, kind) - self._hardware[kind]
        if hardware <= 0:
            return False
        everything = _counter(kCGEventSourceStateCombinedSessionState, kind) - self._everything[kind]
        return everything > self._source.posted[kind] - self._ours[kind]


def _counter(state: int, kind: int) -> int:
    return int(CGEventSourceCounterForEventType(state, kind))

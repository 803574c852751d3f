"""Whether a person has touched keyboard or mouse, told from our own events."""

from __future__ import annotations

from collections.abc import Sequence

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
    """Compares the hardware event counters with what we posted.

    The counters of the HID state are documented to count hardware alone (CGEventSource.h), yet whether events
    posted at the HID tap raise them is not known for every macOS. The first look after our own first event
    tells: nothing was counted, or exactly what we sent.
    """

    def __init__(self, source: EventSource) -> None:
        self._source = source
        self._counted: dict[int, int] = {}
        self._posted: dict[int, int] = {}
        self._ours_are_counted: bool | None = None
        self.begin()

    def begin(self) -> None:
        """Forget everything up to now."""
        for kind in (*_KEYS, *_MOUSE):
            self._counted[kind] = _counter(kind)
            self._posted[kind] = self._source.posted[kind]

    def seen(self) -> str | None:
        """``key``, ``escape`` or ``mouse`` when a person did that since `begin`."""
        if self._any(_KEYS):
            escape = CGEventSourceKeyState(kCGEventSourceStateHIDSystemState, NAMED_KEYS["escape"])
            return "escape" if escape else "key"
        return "mouse" if self._any(_MOUSE) else None

    def _any(self, kinds: Sequence[int]) -> bool:
        return any(self._by_others(kind) > 0 for kind in kinds)

    def _by_others(self, kind: int) -> int:
        counted = _counter(kind) - self._counted[kind]
        ours = self._source.posted[kind] - self._posted[kind]
        if ours and self._ours_are_counted is None and counted in (0, ours):
            self._ours_are_counted = counted == ours
        if self._ours_are_counted is False:
            return counted
        return max(0, counted - ours)


def _counter(kind: int) -> int:
    return int(CGEventSourceCounterForEventType(kCGEventSourceStateHIDSystemState, kind))

"""CGEventSource: where events come from, and what the system knows of keys, buttons and their times."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from simulated_mac.bridge import CFObject

if TYPE_CHECKING:
    from simulated_mac.machine import Machine

PRIVATE, COMBINED_SESSION, HID_SYSTEM = -1, 0, 1
"""``kCGEventSourceState*`` of CGEventTypes.h."""

ANY_INPUT = 0xFFFFFFFF
_KINDS = {
    1: "left_mouse_down",
    2: "left_mouse_up",
    3: "right_mouse_down",
    4: "right_mouse_up",
    5: "mouse_move",
    6: "left_mouse_drag",
    7: "right_mouse_drag",
    10: "key_down",
    11: "key_up",
    12: "flags_changed",
    22: "mouse_scroll",
    25: "middle_mouse_down",
    26: "middle_mouse_up",
    27: "middle_mouse_drag",
}


class CGEventSourceRef(CFObject):
    kind = "CGEventSourceRef"

    def __init__(self, state: int) -> None:
        super().__init__()
        self.state = state
        self.user_data = 0


class EventSources:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def CGEventSourceCreate(self, state: int) -> CGEventSourceRef | None:
        return CGEventSourceRef(state) if state in (PRIVATE, COMBINED_SESSION, HID_SYSTEM) else None

    def CGEventSourceSetUserData(self, source: CGEventSourceRef, data: int) -> None:
        source.user_data = data

    def CGEventSourceGetUserData(self, source: CGEventSourceRef) -> int:
        return source.user_data

    def CGEventSourceSetLocalEventsSuppressionInterval(self, source: CGEventSourceRef, seconds: float) -> None:
        """Accepted; the person's own events are never suppressed here."""

    def CGEventSourceSetLocalEventsFilterDuringSuppressionState(
        self, source: CGEventSourceRef, permitted: int, state: int
    ) -> None:
        """Accepted; the person's own events are never suppressed here."""

    def CGEventSourceSetPixelsPerLine(self, source: CGEventSourceRef, pixels: float) -> None:
        """Accepted; a line is always as high here."""

    def CGEventSourceSecondsSinceLastEventType(self, state: int, event_type: int) -> float:
        keyboard = self._machine.keyboard
        times = keyboard.hardware_times if state == HID_SYSTEM else keyboard.all_times
        kind = None if event_type == ANY_INPUT else _KINDS.get(event_type, "")
        last = max((when for name, when in times.items() if kind in (None, name)), default=keyboard.started)
        return time.monotonic() - last

    def CGEventSourceCounterForEventType(self, state: int, event_type: int) -> int:
        keyboard = self._machine.keyboard
        counts = keyboard.hardware_events if state == HID_SYSTEM else keyboard.all_events
        return counts.total() if event_type == ANY_INPUT else counts[_KINDS.get(event_type, "")]

    def CGEventSourceFlagsState(self, state: int) -> int:
        keyboard = self._machine.keyboard
        return {HID_SYSTEM: keyboard.human_flags, COMBINED_SESSION: keyboard.flags}.get(state, 0)

    def CGEventSourceKeyState(self, state: int, keycode: int) -> bool:
        keyboard = self._machine.keyboard
        return keycode in keyboard.human_down or (state != HID_SYSTEM and keycode in keyboard.down)

    def CGEventSourceButtonState(self, state: int, button: int) -> bool:
        names = ("left", "right", "middle")
        return state != PRIVATE and button < len(names) and names[button] in self._machine.pointer.down

"""CGEvent: made, filled in and posted."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from simulated_mac.bridge import CFObject
from simulated_mac.frameworks.cg_event_source import CGEventSourceRef
from simulated_mac.geometry import Point
from simulated_mac.keyboard import FLAGS, MODIFIER_KEYS, UNITS_PER_EVENT, KeyEvent
from simulated_mac.pointer import BUTTONS, PointerEvent

if TYPE_CHECKING:
    from simulated_mac.machine import Machine

KEY_DOWN, KEY_UP, FLAGS_CHANGED, SCROLL_WHEEL = 10, 11, 12, 22
POINTER_KINDS = {
    1: ("down", 0),
    2: ("up", 0),
    3: ("down", 1),
    4: ("up", 1),
    5: ("move", 0),
    6: ("drag", 0),
    7: ("drag", 1),
    25: ("down", 2),
    26: ("up", 2),
    27: ("drag", 2),
}
"""``kCGEvent*`` of CGEventTypes.h: what happens, and to which button when the event does not say."""

CLICK_STATE, BUTTON_NUMBER, KEYCODE, SOURCE_PID, USER_DATA = 1, 3, 9, 41, 42
LINES_AXIS_1, LINES_AXIS_2, POINTS_AXIS_1, POINTS_AXIS_2 = 11, 12, 96, 97
"""Fields, ``kCG*EventField`` of CGEventTypes.h."""

PIXELS_PER_LINE = 10
PIXEL_UNITS = 0


class CGEventRef(CFObject):
    kind = "CGEventRef"

    def __init__(self, event_type: int, source: CGEventSourceRef | None, location: Point) -> None:
        super().__init__()
        self.event_type = event_type
        self.source = source
        self.location = location
        self.flags: int | None = None
        """``None`` while nobody set them: whatever is held when it is posted leaks in."""
        self.text: str | None = None
        self.timestamp = 0
        self.fields: dict[int, float] = {SOURCE_PID: os.getpid(), USER_DATA: source.user_data if source else 0}

    def number(self, field: int) -> int:
        return int(self.fields.get(field, 0))


class Events:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    # --- making ------------------------------------------------------------------------------------------------

    def CGEventCreate(self, source: CGEventSourceRef | None) -> CGEventRef:
        return CGEventRef(0, source, self._machine.pointer.at)

    def CGEventCreateKeyboardEvent(self, source: CGEventSourceRef | None, keycode: int, down: bool) -> CGEventRef:
        kind = FLAGS_CHANGED if keycode in MODIFIER_KEYS else KEY_DOWN if down else KEY_UP
        event = CGEventRef(kind, source, self._machine.pointer.at)
        event.fields |= {KEYCODE: keycode, -1: down}
        return event

    def CGEventCreateMouseEvent(
        self, source: CGEventSourceRef | None, event_type: int, position: Any, button: int
    ) -> CGEventRef | None:
        if event_type not in POINTER_KINDS:
            return None
        event = CGEventRef(event_type, source, Point(position.x, position.y))
        _, usual = POINTER_KINDS[event_type]
        event.fields |= {BUTTON_NUMBER: button if usual == 2 else usual, CLICK_STATE: 0}
        return event

    def CGEventCreateScrollWheelEvent(  # the tail of the C function is variadic
        self, source: CGEventSourceRef | None, units: int, count: int, wheel1: int, *wheels: int
    ) -> CGEventRef:
        event = CGEventRef(SCROLL_WHEEL, source, self._machine.pointer.at)
        scale = 1 if units == PIXEL_UNITS else PIXELS_PER_LINE
        across = wheels[0] if wheels else 0
        event.fields |= {POINTS_AXIS_1: wheel1 * scale, POINTS_AXIS_2: across * scale}
        event.fields |= {
            LINES_AXIS_1: wheel1 * scale // PIXELS_PER_LINE,
            LINES_AXIS_2: across * scale // PIXELS_PER_LINE,
        }
        return event

    # --- reading and filling in --------------------------------------------------------------------------------

    def CGEventGetType(self, event: CGEventRef) -> int:
        return event.event_type

    def CGEventSetType(self, event: CGEventRef, event_type: int) -> None:
        event.event_type = event_type

    def CGEventGetLocation(self, event: CGEventRef) -> Point:
        return event.location

    def CGEventGetUnflippedLocation(self, event: CGEventRef) -> Point:
        return Point(event.location.x, self._machine.main_screen.height - event.location.y)

    def CGEventSetLocation(self, event: CGEventRef, location: Any) -> None:
        event.location = Point(location.x, location.y)

    def CGEventGetFlags(self, event: CGEventRef) -> int:
        return self._flags(event)

    def CGEventSetFlags(self, event: CGEventRef, flags: int) -> None:
        event.flags = flags

    def CGEventGetTimestamp(self, event: CGEventRef) -> int:
        return event.timestamp

    def CGEventSetTimestamp(self, event: CGEventRef, timestamp: int) -> None:
        event.timestamp = timestamp

    def CGEventGetIntegerValueField(self, event: CGEventRef, field: int) -> int:
        return event.number(field)

    def CGEventSetIntegerValueField(self, event: CGEventRef, field: int, value: int) -> None:
        event.fields[field] = value

    def CGEventGetDoubleValueField(self, event: CGEventRef, field: int) -> float:
        return float(event.fields.get(field, 0))

    def CGEventSetDoubleValueField(self, event: CGEventRef, field: int, value: float) -> None:
        event.fields[field] = value

    def CGEventKeyboardSetUnicodeString(self, event: CGEventRef, length: int, units: bytes) -> None:
        """Keeps the first 20 UTF-16 units, without a word about the rest."""
        event.text = units[: 2 * UNITS_PER_EVENT].decode("utf-16-le", "replace")

    def CGEventKeyboardGetUnicodeString(self, event: CGEventRef, most: int) -> tuple[int, str]:
        text = self._machine.keyboard.characters(self._key(event)) if event.text is None else event.text
        return len(text.encode("utf-16-le")) // 2, text[:most]

    # --- posting -----------------------------------------------------------------------------------------------

    def CGEventPost(self, tap: int, event: CGEventRef) -> None:
        """Dropped in silence when this process may not post."""
        if self._machine.grants["accessibility"]:
            self._post(event)

    def CGEventPostToPid(self, pid: int, event: CGEventRef) -> None:
        """Reaches the app only while it is in front; keys for one behind are swallowed without an error."""
        front = self._machine.keyboard_app
        if front is not None and front.pid == pid:
            self.CGEventPost(0, event)

    def _post(self, event: CGEventRef) -> None:
        if event.event_type in (KEY_DOWN, KEY_UP, FLAGS_CHANGED):
            self._machine.keyboard.post(self._key(event))
        elif event.event_type in POINTER_KINDS:
            self._machine.pointer.post(self._pointer(event))
        elif event.event_type == SCROLL_WHEEL:
            self._machine.pointer.post(self._scroll(event))

    def _flags(self, event: CGEventRef) -> int:
        if event.flags is not None:
            return event.flags
        own = FLAGS[MODIFIER_KEYS[event.number(KEYCODE)]] if event.event_type == FLAGS_CHANGED else 0
        return self._machine.keyboard.flags | (own if event.fields.get(-1) else 0)

    def _key(self, event: CGEventRef) -> KeyEvent:
        down = bool(event.fields.get(-1)) if event.event_type == FLAGS_CHANGED else event.event_type == KEY_DOWN
        data = event.number(USER_DATA)
        return KeyEvent(down, event.number(KEYCODE), self._flags(event), event.text, user_data=data)

    def _pointer(self, event: CGEventRef) -> PointerEvent:
        kind, _ = POINTER_KINDS[event.event_type]
        button = BUTTONS[min(event.number(BUTTON_NUMBER), 2)]
        clicks, data = event.number(CLICK_STATE), event.number(USER_DATA)
        return PointerEvent(kind, event.location, button, clicks, self._flags(event), user_data=data)

    def _scroll(self, event: CGEventRef) -> PointerEvent:
        dx, dy = event.number(POINTS_AXIS_2), event.number(POINTS_AXIS_1)
        data = event.number(USER_DATA)
        return PointerEvent("scroll", event.location, flags=self._flags(event), dx=dx, dy=dy, user_data=data)

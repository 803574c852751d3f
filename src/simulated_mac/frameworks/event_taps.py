"""CGEventTap: sees every event, a person's too, when the main run loop turns."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from simulated_mac.bridge import CFObject
from simulated_mac.frameworks.cg_events import CLICK_STATE, KEYCODE, SOURCE_PID, USER_DATA, CGEventRef
from simulated_mac.frameworks.run_loop import CFRunLoopSourceRef
from simulated_mac.geometry import Point
from simulated_mac.keyboard import HUMAN, MODIFIER_KEYS, KeyEvent

if TYPE_CHECKING:
    from simulated_mac.machine import Machine
    from simulated_mac.pointer import PointerEvent

BACKLOG = 1000
"""Events kept for a tap whose run loop does not turn; macOS turns such a tap off."""

_TYPES = {("down", "left"): 1, ("up", "left"): 2, ("down", "right"): 3, ("up", "right"): 4, ("drag", "left"): 6}
_TYPES |= {("drag", "right"): 7, ("down", "middle"): 25, ("up", "middle"): 26, ("drag", "middle"): 27}


class CFMachPortRef(CFObject):
    kind = "CFMachPortRef"

    def __init__(self, mask: int, callback: Any, info: Any) -> None:
        super().__init__()
        self.mask, self.callback, self.info = mask, callback, info
        self.enabled = True
        self.waiting: deque[CGEventRef] = deque(maxlen=BACKLOG)

    def see(self, event: KeyEvent | PointerEvent) -> None:
        seen = _as_event(event)
        if self.enabled and self.mask & (1 << seen.event_type):
            self.waiting.append(seen)

    def deliver(self) -> bool:
        taken = [self.waiting.popleft() for _ in range(len(self.waiting))]
        for event in taken:
            self.callback(None, event.event_type, event, self.info)
        return bool(taken)


def _as_event(event: KeyEvent | PointerEvent) -> CGEventRef:
    from_hardware = event.source == HUMAN
    if isinstance(event, KeyEvent):
        kind = 12 if event.keycode in MODIFIER_KEYS else 10 if event.down else 11
        seen = CGEventRef(kind, None, Point(0, 0))
        seen.fields[KEYCODE] = event.keycode
    else:
        kind = _TYPES.get((event.kind, event.button), 22 if event.kind == "scroll" else 5)
        seen = CGEventRef(kind, None, event.at)
        seen.fields[CLICK_STATE] = event.clicks
    seen.flags = event.flags
    seen.fields[USER_DATA] = event.user_data
    if from_hardware:
        seen.fields[SOURCE_PID] = 0
    return seen


class EventTaps:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def CGEventTapCreate(
        self, tap: int, place: int, options: int, mask: int, callback: Any, info: Any
    ) -> CFMachPortRef | None:
        if not self._machine.grants["accessibility"]:
            return None
        port = CFMachPortRef(mask, callback, info)
        self._machine.watchers.add(port.see)
        return port

    def CGEventTapEnable(self, port: CFMachPortRef, enable: bool) -> None:
        port.enabled = enable

    def CGEventTapIsEnabled(self, port: CFMachPortRef) -> bool:
        return port.enabled

    def CFMachPortCreateRunLoopSource(self, allocator: Any, port: CFMachPortRef, order: int) -> CFRunLoopSourceRef:
        return CFRunLoopSourceRef(port.deliver)

    def CFMachPortInvalidate(self, port: CFMachPortRef) -> None:
        port.enabled = False

"""An X client that hears of every key, button and motion, whoever it goes to (RECORD extension)."""

from __future__ import annotations

import threading
import time
from typing import Any, Self

from Xlib import X
from Xlib.display import Display
from Xlib.ext import record

BUTTONS = X.Button1Mask | X.Button2Mask | X.Button3Mask


class Spy:
    """Context manager. ``events`` are the time on our clock, and the X event's type."""

    def __init__(self, display: str) -> None:
        self.display = Display(display)
        self._listening = Display(display)
        self.events: list[tuple[float, int]] = []
        device_events = {
            "core_requests": (0, 0),
            "core_replies": (0, 0),
            "ext_requests": (0, 0, 0, 0),
            "ext_replies": (0, 0, 0, 0),
            "delivered_events": (0, 0),
            "device_events": (X.KeyPress, X.MotionNotify),
            "errors": (0, 0),
            "client_started": False,
            "client_died": False,
        }
        self._context = self.display.record_create_context(0, [record.AllClients], [device_events])
        self.display.sync()
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.display.record_disable_context(self._context)
        self.display.sync()
        self._thread.join(5)
        self.display.record_free_context(self._context)
        self.display.close()
        self._listening.close()

    def down(self) -> list[str]:
        """Names of the keys and buttons that are down now."""
        held = self.display.query_keymap()
        keys = [f"key:{8 * i + bit}" for i, byte in enumerate(held) for bit in range(8) if byte & 1 << bit]
        mask = self.display.screen().root.query_pointer().mask
        return keys + [f"button:{n}" for n in range(1, 6) if mask & X.Button1Mask << n - 1]

    def pointer(self) -> tuple[int, int]:
        at = self.display.screen().root.query_pointer()
        return at.root_x, at.root_y

    def last(self) -> float:
        """When the last event came."""
        return self.events[-1][0] if self.events else 0.0

    def _listen(self) -> None:
        self._listening.record_enable_context(self._context, self._heard)

    def _heard(self, reply: Any) -> None:
        now = time.monotonic()
        if reply.category == record.FromServer:
            self.events += [(now, reply.data[i] & 0x7F) for i in range(0, len(reply.data), 32)]

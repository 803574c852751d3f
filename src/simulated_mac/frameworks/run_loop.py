"""CFRunLoop: what the main thread must turn for news to arrive."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from simulated_mac.bridge import CFObject, extern

if TYPE_CHECKING:
    from simulated_mac.machine import Machine

FINISHED, STOPPED, TIMED_OUT, HANDLED_SOURCE = 1, 2, 3, 4
"""``kCFRunLoopRun*`` of CFRunLoop.h."""

SLICE = 0.02
"""How long a waiting loop sleeps before it looks for what came in without waking it."""

MODES = frozenset((extern("kCFRunLoopDefaultMode"), extern("kCFRunLoopCommonModes")))


class CFRunLoopRef(CFObject):
    kind = "CFRunLoopRef"


class CFRunLoopSourceRef(CFObject):
    kind = "CFRunLoopSourceRef"

    def __init__(self, handle: Callable[[], bool]) -> None:
        """``handle`` takes in what is waiting and says whether there was anything."""
        super().__init__()
        self.handle = handle


class CFRunLoopTimerRef(CFObject):
    kind = "CFRunLoopTimerRef"

    def __init__(self, due: float, interval: float, callback: Callable[..., Any], context: Any) -> None:
        super().__init__()
        self.due, self.interval, self.callback, self.context = due, interval, callback, context
        self.valid = True


class RunLoop:
    """The main thread's loop. Other threads have loops too, but nothing arrives there."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._main = threading.main_thread()
        self.sources: list[CFRunLoopSourceRef] = []
        self.timers: list[CFRunLoopTimerRef] = []
        self.connected = False
        """Whether AppKit's own source is there; without any source a loop returns at once."""
        self._stopped = False
        self._awake = threading.Event()
        self._later: list[Callable[[], Any]] = []

    @property
    def on_main_thread(self) -> bool:
        return threading.current_thread() is self._main

    def later(self, call: Callable[[], Any]) -> None:
        """Called in the next turn of the main loop."""
        self._later.append(call)
        self._awake.set()

    def after(self, seconds: float, interval: float, call: Callable[[], Any]) -> None:
        """Called once the time is over, and every ``interval`` from then on unless that is 0."""
        timer = CFRunLoopTimerRef(time.monotonic() + seconds, interval, lambda *_: call(), None)
        self.timers.append(timer)

    # --- C functions -------------------------------------------------------------------------------------------

    def CFRunLoopRunInMode(self, mode: str, seconds: float, return_after_source: bool) -> int:
        deadline = time.monotonic() + seconds
        if mode not in MODES or not self._has_sources() or not self.on_main_thread:
            return FINISHED
        self._stopped = False
        while True:
            handled = self._turn()
            if self._stopped:
                return STOPPED
            if handled and return_after_source:
                return HANDLED_SOURCE
            left = deadline - time.monotonic()
            if left <= 0:
                return TIMED_OUT
            self._awake.wait(min(left, SLICE))
            self._awake.clear()

    def _has_sources(self) -> bool:
        return self.connected or bool(self.sources) or bool(self.timers)

    def _turn(self) -> bool:
        """Take in everything that waits."""
        with self._machine.lock:
            self._machine.catch_up()
            news = self._machine.view.refresh()
            waiting, self._later = self._later, []
        for call in waiting:
            call()
        handled = [source.handle() for source in list(self.sources)]
        self._fire_timers()
        return news or bool(waiting) or any(handled)

    def _fire_timers(self) -> None:
        for timer in [t for t in self.timers if t.valid and t.due <= time.monotonic()]:
            timer.due += max(timer.interval, SLICE) if timer.interval else float("inf")
            timer.callback(timer, timer.context)
        self.timers = [timer for timer in self.timers if timer.valid and timer.due != float("inf")]

    def CFRunLoopRun(self) -> None:
        while self.CFRunLoopRunInMode(extern("kCFRunLoopDefaultMode"), 1e9, False) not in (STOPPED, FINISHED):
            continue

    def CFRunLoopGetMain(self) -> CFRunLoopRef:
        return CFRunLoopRef("main")

    def CFRunLoopGetCurrent(self) -> CFRunLoopRef:
        return CFRunLoopRef("main" if self.on_main_thread else threading.get_ident())

    def CFRunLoopStop(self, loop: CFRunLoopRef) -> None:
        self._stopped = True
        self._awake.set()

    def CFRunLoopWakeUp(self, loop: CFRunLoopRef) -> None:
        self._awake.set()

    def CFRunLoopIsWaiting(self, loop: CFRunLoopRef) -> bool:
        return False

    def CFRunLoopAddSource(self, loop: CFRunLoopRef, source: CFRunLoopSourceRef, mode: str) -> None:
        if loop.identity == "main" and mode in MODES and source not in self.sources:
            self.sources.append(source)

    def CFRunLoopRemoveSource(self, loop: CFRunLoopRef, source: CFRunLoopSourceRef, mode: str) -> None:
        self.sources = [other for other in self.sources if other != source]

    def CFRunLoopContainsSource(self, loop: CFRunLoopRef, source: CFRunLoopSourceRef, mode: str) -> bool:
        return loop.identity == "main" and source in self.sources

    def CFRunLoopTimerCreate(
        self, allocator: Any, fire: float, interval: float, flags: int, order: int, callback: Any, context: Any
    ) -> CFRunLoopTimerRef:
        return CFRunLoopTimerRef(time.monotonic() + max(0.0, interval), interval, callback, context)

    def CFRunLoopAddTimer(self, loop: CFRunLoopRef, timer: CFRunLoopTimerRef, mode: str) -> None:
        self.timers.append(timer)

    def CFRunLoopRemoveTimer(self, loop: CFRunLoopRef, timer: CFRunLoopTimerRef, mode: str) -> None:
        self.timers = [other for other in self.timers if other != timer]

    def CFRunLoopTimerInvalidate(self, timer: CFRunLoopTimerRef) -> None:
        timer.valid = False

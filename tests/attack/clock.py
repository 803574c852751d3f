"""Time on a hostile Mac: it passes when somebody waits for it, and nobody waits in earnest.

A hung app costs a guard seconds; two thousand machines with one each would cost a day.
"""

from __future__ import annotations

import sys
import threading
import time
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

TICK = 1e-6
"""Seconds for each look at the clock, so that what watches a deadline without waiting comes to its end."""

REAL = frozenset({"mac_commander.core.audit", "simulated_mac.programs", "simulated_mac.applescript.run"})
"""They wait for other processes."""

KEEPERS = ("simulated_mac.", "mac_commander.core.", "mac_commander.tools.", "mac_commander.desktops.macos.")


class Clock:
    """Stands in for the module ``time``."""

    def __init__(self) -> None:
        self._now = time.monotonic()

    def monotonic(self) -> float:
        self._now += TICK
        return self._now

    def sleep(self, seconds: float) -> None:
        self._now += max(0.0, seconds)

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)

    def keep(self, patches: pytest.MonkeyPatch) -> None:
        """In all modules of the server's core and of the simulation that are loaded by now."""
        for module in list(sys.modules.values()):
            if module.__name__.startswith(KEEPERS) and module.__name__ not in REAL:
                self._keep_in(module, patches)

    def _keep_in(self, module: ModuleType, patches: pytest.MonkeyPatch) -> None:
        if vars(module).get("time") is time:
            patches.setattr(module, "time", self)
        if module.__name__ == "simulated_mac.frameworks.run_loop":
            patches.setattr(module, "threading", SimpleNamespace(**{**vars(threading), "Event": self.event}))

    def event(self) -> threading.Event:
        """One that is waited for in this time."""
        return _Event(self)


class _Event(threading.Event):
    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def wait(self, timeout: float | None = None) -> bool:
        if not self.is_set() and timeout is not None:
            self._clock.sleep(timeout)
        return self.is_set()

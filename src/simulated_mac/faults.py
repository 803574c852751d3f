"""Calls that fail although nothing is wrong with them, and work all the same when the world says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class Fault:
    call: str
    code: int
    works_anyway: bool
    nth: int
    """The first call that fails, from 1."""
    times: int | None
    app: str | None
    attribute: str | None
    """Only calls about this attribute or action."""
    delay: float
    """Seconds before it answers."""
    seen: int = 0

    @classmethod
    def of(cls, spec: dict[str, Any]) -> Fault:
        nth = spec.get("nth", 1)
        times = spec.get("times", 1 if "nth" in spec else None)
        return cls(
            spec["call"],
            spec["code"],
            spec.get("works_anyway", False),
            nth,
            times,
            spec.get("app"),
            spec.get("attribute"),
            spec.get("delay_ms", 0) / 1000,
        )

    def strikes(self, call: str, names: tuple[str, ...], attribute: str | None) -> bool:
        if call != self.call or (self.app is not None and self.app not in names):
            return False
        if self.attribute is not None and attribute != self.attribute:
            return False
        self.seen += 1
        return self.seen >= self.nth and (self.times is None or self.seen < self.nth + self.times)


class Faults:
    def __init__(self, specs: list[dict[str, Any]]) -> None:
        self._faults = [Fault.of(spec) for spec in specs]

    def __bool__(self) -> bool:
        """Whether there is any fault to meet."""
        return bool(self._faults)

    def find(self, call: str, names: tuple[str, ...] = (), attribute: str | None = None) -> Fault | None:
        """The fault that this call meets; all that match count the call."""
        struck = [fault for fault in self._faults if fault.strikes(call, names, attribute)]
        return struck[0] if struck else None

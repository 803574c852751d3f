"""What a check found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Mark(StrEnum):
    PASS = "PASS"  # noqa: S105 - a verdict, not a password
    FAIL = "FAIL"
    UNVERIFIED = "UNVERIFIED"
    """A grant or an app is missing: nothing was seen that speaks for it or against it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    name: str
    mark: Mark
    detail: str
    """What was seen; for all but PASS, what to do."""

    def __str__(self) -> str:
        return f"{self.mark:<10} {self.name:<22} {self.detail}"


class Unverified(Exception):
    """Raised by a check that cannot be made here; the message says what it lacks."""

"""How a batch ended, in the shape that clients see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mac_commander.core.guard import Phase
from mac_commander.errors import Cause
from mac_commander.model import App


@dataclass(frozen=True, slots=True)
class Failure:
    """Which step failed and how far it got.

    ``index`` is -1 before any step. ``delivered`` and ``of`` count characters of a `type` step, groups of any
    other. ``sent`` tells whether anything of the step may have reached an app: then repeating it is unsafe.
    """

    index: int
    phase: Phase
    cause: Cause
    reason: str
    frontmost: App | None = None
    delivered: int = 0
    of: int = 0
    sent: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    steps: int
    completed: int
    target: App | None
    failure: Failure | None = None
    changes: tuple[str, ...] | None = None
    """``None`` when there was no earlier snapshot to compare with."""
    notes: tuple[str, ...] = ()
    secret: frozenset[int] = frozenset()
    """Indexes of the steps that were for a password field."""

    @property
    def words(self) -> str:
        """For the audit line: no text of the screen or of the batch."""
        if self.failure is None:
            return f"ok: {self.steps} steps"
        at = f"step {self.failure.index} {self.failure.phase}" if self.failure.index >= 0 else "before any step"
        return f"{self.failure.cause}: {at}, {self.completed} of {self.steps} steps completed"

    def as_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"ok": self.failure is None, "steps_completed": self.completed}
        if self.target is not None:
            out["target"] = {"name": self.target.name, "pid": self.target.pid}
        if self.failure is not None:
            out["failed_step"] = _failed_step(self.failure)
        if self.changes is not None:
            out["changes"] = list(self.changes)
        if self.notes:
            out["notes"] = list(self.notes)
        return out


def _failed_step(failure: Failure) -> dict[str, Any]:
    front = failure.frontmost
    out: dict[str, Any] = {
        "index": failure.index,
        "phase": failure.phase,
        "cause": str(failure.cause),
        "reason": failure.reason,
        "frontmost": {"name": front.name, "pid": front.pid} if front else None,
        "delivered": failure.delivered,
        "of": failure.of,
        "retry": "unsafe" if failure.sent else "safe",
        "next": next_words(failure.cause, sent=failure.sent),
    }
    return out


NEXT: Mapping[Cause, str] = {
    Cause.FOCUS: "act again with the steps that are left: it brings the target to the front by itself",
    Cause.DIALOG: "look with see; answer or close what came up if the user wants that, else ask them",
    Cause.HUMAN: "let the user finish, look with see, then go on with what is left",
    Cause.STALE: "take fresh refs with see",
    Cause.REFUSED: "do not repeat it as it is: the reason says what it would take",
    Cause.HUNG: "wait a little, look with see, then send only what has not arrived",
    Cause.GONE: "start it with app(launch), or see(all=true) what runs",
    Cause.TIME: "go on with what is left, if anything, in a new call",
    Cause.CANCELLED: "nothing: the client ended this call",
    Cause.ERROR: "look with see before anything else; if it comes again, tell the user the reason",
}
"""What the model should do, for each way in which a batch ends."""


def next_words(cause: Cause, *, sent: bool) -> str:
    """``sent``: something of the step may have arrived, so that repeating it could do it twice."""
    careful = sent and cause in (Cause.FOCUS, Cause.TIME, Cause.STALE)
    return f"look with see how much of the step arrived; then {NEXT[cause]}" if careful else NEXT[cause]

"""What a step may use to do its work; `core/batch.py` makes it, with the proof that the step may start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from mac_commander.core.session import Session
from mac_commander.events import Group, PointerGroup
from mac_commander.model import App, Point


@dataclass(slots=True)
class Delivery:
    """How much of one step has gone out. Unit: characters for `type`, else groups."""

    delivered: int = 0
    of: int = 0
    sent: bool = False
    """Something of the step may have reached an app."""
    secret: bool = False
    """It was for a password field: not even its length may be told."""


class Hands(Protocol):
    """What a step may use: the session to look, and ways to act that prove first (`core/batch.py` has them)."""

    session: Session
    target: App
    delivery: Delivery

    def deliver(self, group: Group) -> None:
        """Send one group, judged at the moment of delivery."""

    def prove_point(self, group: PointerGroup, at: Point) -> None:
        """Judge a place before anything goes there."""

    def watch(self, seconds: float) -> None:
        """Let seconds pass under proof."""

    def prove(self) -> None:
        """That the target is still the one. Raises the reason when it is not."""

    def anchor(self) -> None:
        """From here on the text goes to the window that has the keyboard now, or nowhere."""

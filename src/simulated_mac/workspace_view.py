"""What NSWorkspace and NSRunningApplication believe: a copy that only a turn of the main run loop refreshes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulated_mac.elements import App
    from simulated_mac.machine import Machine


@dataclass(frozen=True)
class Belief:
    active: bool
    hidden: bool
    finished: bool


class WorkspaceView:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.front: App | None = None
        self.beliefs: dict[int, Belief] = {}
        self.apps: list[App] = []
        self.ended: set[int] = set()
        """Pids of processes that are known to have ended."""
        self.refresh()

    def refresh(self) -> bool:
        """Whether there was any news."""
        before = (self.front, self.beliefs)
        self.front = self._machine.front
        self.apps = self._machine.running()
        self.beliefs = {app.pid: Belief(app is self.front, app.hidden, app.finished_launching) for app in self.apps}
        self.ended |= set(before[1]) - set(self.beliefs)
        return before != (self.front, self.beliefs)

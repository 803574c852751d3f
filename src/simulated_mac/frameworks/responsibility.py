"""libSystem's ``responsibility_*``: whom macOS holds responsible for a process. Private, and loaded by hand."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulated_mac.machine import Machine


class Responsibility:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def responsibility_get_pid_responsible_for_pid(self, pid: int) -> int:
        """The app that started us, unless it lets what it starts answer for itself (claude-code #55169); for a service
        the app that it serves."""
        service = self._machine.app_of(pid)
        served = service.spec.get("serves") if service else None
        if served is not None:
            return next((app.pid for app in self._machine.running() if app.answers_to(served)), pid)
        hosts = [app for app in self._machine.running() if app.spec.get("hosts_us")]
        ours = pid == os.getpid() and hosts and not any(app.spec.get("disclaims") for app in hosts)
        return hosts[-1].pid if ours else pid

"""A client that calls tools as the server does, on one hostile Mac, and keeps what the oracle needs to know."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest

import mac_commander.core.batch
import mac_commander.core.perform
import mac_commander.core.waiting
import mac_commander.tools.see
from mac_commander.core.audit import AuditLog
from mac_commander.core.config import Config
from mac_commander.core.dispatch import Dispatcher, Grounds, Job
from mac_commander.core.quota import Quota
from mac_commander.core.reply import Reply
from mac_commander.core.session import Session
from mac_commander.home import prepare
from mac_commander.tools import TOOLS
from simulated_mac import hotkeys, scene
from simulated_mac.then import Schedule
from tests.attack.clock import Clock
from tests.attack.oracle import Call, achieved, paint_blocked_windows
from tests.attack.worlds import world
from tests.desktops.macos.scenes import raise_scene
from tests.desktops.macos.test_sweep import hurry

ENDLESS = 1 << 30
WATCH_SECONDS = 0.004
"""Between two proofs of a step that waits: so that the longest wait of `values` has three within it."""


class Hijacked:
    def __init__(self, layout: str, **config: Any) -> None:
        self._patches = pytest.MonkeyPatch()
        self._folder = tempfile.TemporaryDirectory(prefix="attack-")
        self.home = Path(self._folder.name)
        self.home.chmod(0o700)
        prepare(self.home)
        clock = Clock()
        clock.keep(self._patches)
        self.scene = raise_scene(self.home, world(layout))
        self.machine = self.scene.machine
        clock.keep(self._patches)
        self._hurry()
        self._log = self.home / "audit.jsonl"
        self._grounds = Grounds(Config(self.home, audit_log=self._log, **config), AuditLog(self._log))
        self.dispatcher = Dispatcher(lambda: self._grounds, self._session, pace=Quota(ENDLESS, 1.0))
        self._locked: list[bool] = []
        self._secret: list[bool] = []
        self._hotkeys = 0
        self._cancel_at, self._job = ENDLESS, None
        self.calls = 0
        self.last = Reply("", "none yet")
        self._listen()

    def _hurry(self) -> None:
        hurry(self._patches)
        for module, names in (
            (mac_commander.core.batch, ("BARRIER_SECONDS", "CHANGES_SECONDS_LEAST")),
            (mac_commander.core.perform, ("BARRIER_SECONDS",)),
            (mac_commander.core.waiting, ("LOOK_SECONDS",)),
        ):
            for name in names:
                self._patches.setattr(module, name, 0.002)
        self._patches.setattr(mac_commander.core.batch, "WATCH_SECONDS", WATCH_SECONDS)
        paint_blocked_windows(self._patches)

    def _session(self, config: Config, stop: Any) -> Session:
        return Session(self.scene.desktop, config, stop)

    def _listen(self) -> None:
        """The oracle's ears: lock and focus at each line, chords that the system takes, the time to cancel."""
        write, taken = self.machine.journal.write, hotkeys.taken

        def heard(event: str, app: str, fields: dict[str, Any]) -> int:
            self._locked.append(self.machine.locked)
            focused = self.machine.focused
            self._secret.append(focused is not None and focused.secure)
            line = write(event, app, fields)
            if line >= self._cancel_at and self._job is not None:
                self.dispatcher.cancel(self._job)
            return line

        def counted(machine: Any, event: Any) -> bool:
            was = taken(machine, event)
            self._hotkeys += was and event.down and event.source != "human"
            return was

        self._patches.setattr(self.machine.journal, "write", heard)
        self._patches.setattr(hotkeys, "taken", counted)

    def deed(self, deed: dict[str, Any], after: int | None = None) -> None:
        """At once, or right after so many more lines."""
        if after is None:
            scene.perform(self.machine, deed)
            return
        schedule = self.machine.schedule
        entry = {"after_events": len(self.machine.journal.lines) + after, **deed}
        self.machine.schedule = Schedule([*schedule._by_line, entry])

    def call_unjudged(self, tool: str, arguments: Any) -> bool:
        """Whether it was cancelled; the reply is in ``last``."""
        declared = next(t for t in TOOLS if t.name == tool)
        replies: list[Reply] = []
        job = Job(declared.call(arguments), replies.append, lambda *_: None)
        self._job, self._hotkeys = job, 0
        self.dispatcher.submit(job)
        self.dispatcher._serve(self.dispatcher._queue.get())
        self._job = None
        self.calls += 1
        self.last = replies[0] if replies else Reply("", "cancelled")
        return job.cancelled

    def call(self, tool: str, arguments: Any, cancel_after: int | None = None) -> list[str]:
        """The goals reached by it."""
        first = len(self.machine.journal.lines)
        self._cancel_at = ENDLESS if cancel_after is None else first + cancel_after
        cancelled = cancel_after if self.call_unjudged(tool, arguments) else None
        self._cancel_at = ENDLESS
        lines, reply = self.machine.journal.lines[first:], self.last
        image = reply.image.data if reply.image else None
        states = self._locked[first:], self._secret[first:]
        seen = Call(tool, reply.text, image, lines, *states, raw="script" in arguments, cancelled_at=cancelled)
        log = self._log.read_text(encoding="utf-8")
        reached = achieved(seen, self.machine, log, self.calls, self.home / "marker")
        return reached + ["a global combination"] * bool(self._hotkeys)

    def events(self) -> list[dict[str, Any]]:
        return self.machine.journal.lines

    def forget_events(self) -> None:
        """What the simulated Mac and the oracle gather is not the server's."""
        for gathered in (self.machine.journal.lines, self._locked, self._secret):
            gathered.clear()

    def close(self) -> None:
        self.scene.desktop.close()
        self.machine.close()
        self._patches.undo()
        self._folder.cleanup()

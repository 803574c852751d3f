"""Witnesses of what reached an app of our own: its own reports over a pipe, or the simulated Mac's journal.

Both tell it in one vocabulary: ``press`` and ``value`` (`widget`, `value`), ``key_down`` (`text`, `modifiers`),
``mouse_down``, ``mouse_drag``, ``mouse_up`` (`at`, `button`, `clicks`), ``scroll`` (`dx`, `dy`), ``place`` (`bounds`).
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol, Self

from mac_commander.errors import DesktopError

TITLE = "Mac-Commander witness"
COLOURS = ("Red", "Green", "Blue")
ROWS = 100
PASSWORD = "hunter2"  # noqa: S105 - nobody's: what the password field holds, and no answer may tell
BLUE = (10, 110, 250)
"""What the canvas is painted with."""

START_SECONDS = 20.0
"""Until the app has its window; a first import of PyObjC's frameworks is slow."""
REPORT_SECONDS = 3.0
"""Until what reached the app has been told."""

Report = dict[str, Any]


class Witness(Protocol):
    name: str
    """How the server finds the app."""
    canvas: list[float]
    """Left, top, width and height of the blue canvas, in screen points; where it was at the start."""
    pid: int | None
    """``None`` where no process of this machine is behind it."""
    has_widgets: bool
    """Whether there are real widgets behind it, which tell what became of them."""

    def reports(self) -> list[Report]:
        """All since the last `forget`."""
        ...

    def forget(self) -> None: ...

    def text(self, widget: str) -> str:
        """What was typed since the last `forget`."""
        ...


def awaited(witness: Witness, holds: Callable[[], bool]) -> bool:
    """Whether it came to hold before long."""
    end = time.monotonic() + REPORT_SECONDS
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def matching(witness: Witness, event: str, **fields: Any) -> Iterator[Report]:
    for report in witness.reports():
        if report["event"] == event and all(report.get(name) == value for name, value in fields.items()):
            yield report


class PipeWitness:
    """An app in a child process. Ends it when the block ends. Raises `DesktopError` when it does not come up."""

    has_widgets = True

    def __init__(self, argv: list[str]) -> None:
        self._argv = argv
        self.pid: int | None = None
        self._reports: list[Report] = []
        self._rest = b""

    @classmethod
    def on_a_mac(cls) -> Self:
        return cls([sys.executable, "-P", "-m", "mac_commander.verify.witness_macos"])

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(self._argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        end = time.monotonic() + START_SECONDS
        while not any(report["event"] == "ready" for report in self.reports()):
            if time.monotonic() > end or self._process.poll() is not None:
                self.__exit__()
                raise DesktopError(f"the witness app did not come up: {' '.join(self._argv)}")
            time.sleep(0.05)
        self.pid = self._process.pid
        ready = next(matching(self, "ready"))
        self.name, self.canvas = str(ready["name"]), list(ready["canvas"])
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            self._process.wait(REPORT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def hang(self) -> None:
        """From now on it answers nobody; until `answer`."""
        self._process.send_signal(signal.SIGSTOP)

    def answer(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def die(self) -> None:
        self._process.kill()

    def reports(self) -> list[Report]:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        while select.select([descriptor], [], [], 0)[0]:
            piece = os.read(descriptor, 1 << 16)
            if not piece:
                break
            *lines, self._rest = (self._rest + piece).split(b"\n")
            self._reports += [json.loads(line) for line in lines]
        return list(self._reports)

    def forget(self) -> None:
        self.reports()
        self._reports.clear()

    def text(self, widget: str) -> str:
        values = list(matching(self, "value", widget=widget))
        return str(values[-1]["value"]) if values else ""


class JournalWitness:
    """The simulated Mac's journal, of the app that its world has for this."""

    has_widgets = False
    MODIFIERS = ((0x100000, "cmd"), (0x20000, "shift"), (0x80000, "option"), (0x40000, "ctrl"))
    """By their bits in CGEvent's mask."""

    def __init__(self, journal: Path, canvas: list[float]) -> None:
        self._journal = journal
        self._skipped = 0
        self.name = TITLE
        self.pid: int | None = None
        self.canvas = canvas

    def reports(self) -> list[Report]:
        lines = self._journal.read_text(encoding="utf-8").splitlines() if self._journal.exists() else []
        reports = [self._worded(json.loads(line)) for line in lines[self._skipped :]]
        return [report for report in reports if report["app"] == TITLE]

    def forget(self) -> None:
        self._skipped = len(self._journal.read_text(encoding="utf-8").splitlines()) if self._journal.exists() else 0

    def text(self, widget: str) -> str:
        typed = "".join(
            report["text"] for report in matching(self, "key_down", modifiers=[]) if report["keycode"] != 51
        )
        return typed.replace("\r", "\n")

    def _worded(self, line: Report) -> Report:
        if "flags" in line:
            line["modifiers"] = [word for bit, word in self.MODIFIERS if line["flags"] & bit]
        if line["event"] == "set_value":
            return {**line, "event": "value", "widget": line.get("title", "")}
        return {**line, "widget": line.get("title", "")}

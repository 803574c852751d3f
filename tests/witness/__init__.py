"""Real apps that tell what reached them: the tests' independent witnesses.

`Witness` starts one on a lab and reads its reports. It knows nothing of Mac-Commander.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

from mac_commander.demo import x_client
from mac_commander.model import Rect
from tests.lab import Lab, end

FOLDER = Path(__file__).parent
SYSTEM_PYTHON = "/usr/bin/python3"
TOOLKITS = {
    "gtk3": "import gi; gi.require_version('Gtk', '3.0'); from gi.repository import Gtk",
    "gtk4": "import gi; gi.require_version('Gtk', '4.0'); from gi.repository import Gtk",
    "qt6": "import PyQt6.QtWidgets",
}
"""Toolkit, and the imports that show that it is installed."""

PACKAGES = {
    "gtk3": "python3-gi gir1.2-gtk-3.0",
    "gtk4": "python3-gi gir1.2-gtk-4.0",
    "qt6": "python3-pyqt6",
}

WAIT_SECONDS = 5.0
"""For an event that must come; on two busy cores they came within 50 ms."""


def missing(toolkit: str, lab: Lab) -> str:
    """The Debian packages that this toolkit's witness lacks; empty when it can run."""
    argv = [SYSTEM_PYTHON, "-c", TOOLKITS[toolkit]]
    found = Path(SYSTEM_PYTHON).exists() and not subprocess.run(argv, env=lab.env, capture_output=True).returncode
    return "" if found else PACKAGES[toolkit]


class Reporting:
    """A child process that writes JSON lines and takes commands as JSON lines."""

    def __init__(self, lab: Lab, argv: list[str]) -> None:
        self.process = lab.spawn(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.pid = self.process.pid
        self.display = lab.display
        self.logs = lab.folder / "logs"
        self.seen: list[dict[str, Any]] = []
        """All reports so far, in order."""
        self._rest = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        end(self.process)

    def events(self, event: str | None = None, widget: str | None = None) -> list[dict[str, Any]]:
        """The reports that came so far and match."""
        self._read(0)
        return [e for e in self.seen if event in (None, e["event"]) and widget in (None, e["widget"])]

    def wait(
        self, event: str, widget: str | None = None, *, seconds: float = WAIT_SECONDS, **fields: Any
    ) -> dict[str, Any]:
        """The first report that matches, waiting for it."""
        deadline = time.monotonic() + seconds
        while True:
            for report in self.events(event, widget):
                if all(report.get(k) == v for k, v in fields.items()):
                    return report
            if time.monotonic() > deadline or self.process.poll() is not None:
                wanted = {"event": event, "widget": widget, **fields}
                raise AssertionError(f"never reported {wanted}; reported: {self.seen[-20:]}; log in {self.logs}")
            self._read(0.05)

    def forget(self) -> None:
        """Drop the reports so far."""
        self._read(0)
        self.seen.clear()

    def tell(self, command: str, *arguments: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([command, *arguments]).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, command: str, *arguments: Any) -> Any:
        """Give a command and return its answer; everything that reached the app before has been reported then."""
        self.events()
        self.seen = [e for e in self.seen if (e["event"], e["widget"]) != ("answer", command)]
        self.tell(command, *arguments)
        return self.wait("answer", command)["value"]

    def answer(self, command: str, seconds: float) -> Any:
        """The answer to a command told before, taken out of the reports."""
        report = self.wait("answer", command, seconds=seconds)
        self.seen.remove(report)
        return report["value"]

    def _on_screen(self, report: dict[str, Any]) -> dict[str, Any]:
        return report

    def _read(self, seconds: float) -> None:
        assert self.process.stdout is not None
        descriptor = self.process.stdout.fileno()
        while select.select([descriptor], [], [], seconds)[0]:
            piece = os.read(descriptor, 65536)
            if not piece:
                return
            *lines, self._rest = (self._rest + piece).split(b"\n")
            self.seen += [self._on_screen(json.loads(line)) for line in lines]
            seconds = 0


class Witness(Reporting):
    """One witness app with its window on the screen and its accessibility tree up."""

    def __init__(self, lab: Lab, toolkit: str) -> None:
        super().__init__(lab, [SYSTEM_PYTHON, str(FOLDER / f"{toolkit}.py")])
        self.toolkit = toolkit
        self.wait("ready", seconds=20)
        self.window = lab.wait_window(pid=self.pid)

    @property
    def values(self) -> dict[str, Any]:
        """What every widget holds, by its name."""
        return self.ask("values")

    def bounds(self, name: str) -> Rect:
        """Where the widget is on the screen, by the toolkit and the X server, not by accessibility."""
        x, y, width, height, window = self.ask("bounds", name)
        left, top = x_client.origin(self.display, window)
        return Rect(left + x, top + y, width, height)

    def _on_screen(self, report: dict[str, Any]) -> dict[str, Any]:
        """GTK 4 knows no screen coordinates: it tells the place inside a window, and the X server where that is."""
        if "inside" in report:
            x, y, window = report.pop("inside")
            left, top = x_client.origin(self.display, window)
            report["at"] = [left + x, top + y]
        return report


class Thief(Reporting):
    """The adversary's remote control: ``ask("focus")``, ``tell("storm", "focus", window, 2.0, 0.001, 0.001)``…

    A trial proves nothing unless the theft happened: assert on `stolen` before asserting on `took`.
    """

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, [sys.executable, str(FOLDER / "thief.py")])
        self.wait("ready")
        self.window: int = self.ask("window_id")
        lab.wait_window(pid=self.pid)

    @property
    def stolen(self) -> int:
        """How often the focus really came to it."""
        self.ask("settle")
        return len(self.events("focus_in"))

    @property
    def took(self) -> list[dict[str, Any]]:
        """Every key and click that landed in it."""
        self.ask("settle")
        return [e for e in self.seen if e["event"] in ("key_down", "key_up", "mouse_down", "mouse_up")]

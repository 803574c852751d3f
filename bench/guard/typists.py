"""Who types and clicks: ours through its real server, and what a user would pick on Linux instead."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from bench.guard.stdio import Server
from bench.guard.targets import Target

from mac_commander.demo.private_desktop import PrivateDesktop

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "mac-commander-bench"
"""Where the peers are installed, each in an environment of its own."""

STEPS_AT_ONCE = 25
TRIES_MOST = 20_000
PATIENCE_SECONDS = 300


class Typist(ABC):
    """``name`` is for the table."""

    name = ""

    def __init__(self, desktop: PrivateDesktop, target: Target) -> None:
        self.desktop, self.target = desktop, target

    @abstractmethod
    def type(self, text: str) -> None:
        """Type all of it into the target, as well as it can."""

    @abstractmethod
    def click(self, x: int, y: int, times: int) -> int:
        """Click there so often; how many of them were refused."""

    def close(self) -> None:
        return


class Ours(Typist):
    name = "Mac-Commander"

    def __init__(self, desktop: PrivateDesktop, target: Target) -> None:
        super().__init__(desktop, target)
        argv = [sys.executable, "-m", "mac_commander", "--home", str(desktop.folder / "server-home")]
        self._server = Server([*argv, "--overlay", "false"], desktop.env)
        seen = self._server.call("see")
        front = re.match(r"frontmost: (.*?) \(", seen)
        if front is None:
            raise RuntimeError(f"see names no frontmost app: {seen[:300]}")
        self._app = front[1]
        self.refusals = 0
        self.reasons: Counter[str] = Counter()

    def type(self, text: str) -> None:
        """Goes on after each refusal with what was not delivered: so it also proves that ``delivered`` is right."""
        for _ in range(TRIES_MOST):
            answer = self._act([{"kind": "type", "text": text}])
            if answer["ok"]:
                return
            text = text[answer["failed_step"]["delivered"] :]
            if not text:
                return
        raise TimeoutError("the theft never let it through")

    def click(self, x: int, y: int, times: int) -> int:
        """Three in a row in each step, as people select a paragraph."""
        return 3 * self._clicks({"kind": "click", "xy": [x, y], "clicks": 3}, times // 3)

    def press(self, times: int) -> int:
        """By the accessibility action of the button."""
        found = re.search(r'button "Press" \[(e\d+)\]', self._server.call("see", app=self._app))
        assert found, "see shows no button"
        return self._clicks({"kind": "click", "ref": found[1]}, times)

    def _clicks(self, step: dict[str, Any], times: int) -> int:
        left, refused = times, 0
        while left > 0:
            answer = self._act([step] * min(left, STEPS_AT_ONCE))
            left -= answer["steps_completed"]
            if not answer["ok"]:
                failed = answer["failed_step"]
                refused, left = refused + (failed["phase"] != "after"), left - (failed["phase"] != "after")
        return refused

    def act(self, steps: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """The server's answer to one call, however it ended."""
        answer: dict[str, Any] = json.loads(
            self._server.call("act", PATIENCE_SECONDS, target=self._app, steps=list(steps), settle_ms=0)
        )
        return answer

    def _act(self, steps: Sequence[dict[str, Any]]) -> dict[str, Any]:
        answer = self.act(steps)
        if not answer["ok"]:
            self.refusals += 1
            failed = answer["failed_step"]
            self.reasons[f"{failed['phase']} {failed['cause']}: {failed['reason'][:120]}"] += 1
            if failed["cause"] == "hung":
                time.sleep(1)  # the target is slower than its typist: it is given time
            elif failed["cause"] not in ("focus", "dialog", "refused", "time"):
                raise RuntimeError(f"stopped for another reason than the theft or its own time: {failed}")
        return answer

    def close(self) -> None:
        self._server.close()


class Xdotool(Typist):
    """As a user finds it: 12 ms between keys."""

    name = "xdotool type"
    options: tuple[str, ...] = ()

    def type(self, text: str) -> None:
        self._run("type", *self.options, "--file", "-", text=text)

    def click(self, x: int, y: int, times: int) -> int:
        self._run("mousemove", str(x), str(y))
        for _ in range(times):
            self._run("click", "1")
        return 0

    def _run(self, *words: str, text: str = "") -> None:
        argv = ["xdotool", *words]
        subprocess.run(argv, env=self.desktop.env, input=text.encode(), check=True, timeout=PATIENCE_SECONDS)


class XdotoolFast(Xdotool):
    name = "xdotool type --delay 0"
    options = ("--delay", "0")


class PyAutoGui(Typist):
    name = "pyautogui 0.9.54"
    package = "pyautogui"
    pins = ("pyautogui==0.9.54",)

    def type(self, text: str) -> None:
        self._run("pyautogui.write(sys.stdin.read())", text)

    def click(self, x: int, y: int, times: int) -> int:
        self._run(f"[pyautogui.click({x}, {y}) for _ in range({times})]", "")
        return 0

    def _run(self, program: str, text: str) -> None:
        code = f"import sys, pyautogui; pyautogui.PAUSE = 0; pyautogui.FAILSAFE = False; {program}"
        (Path(self.desktop.env["HOME"]) / ".Xauthority").touch()  # it fails at import without one
        argv = [str(installed(self.package, self.pins) / "python"), "-c", code]
        subprocess.run(argv, env=self.desktop.env, input=text.encode(), check=True, timeout=PATIENCE_SECONDS)


class Peer(Typist):
    """Another MCP server."""

    package, program, pins = "", ("",), ("",)
    tool, clicking = "", ""

    def __init__(self, desktop: PrivateDesktop, target: Target) -> None:
        super().__init__(desktop, target)
        (Path(desktop.env["HOME"]) / ".Xauthority").touch()
        folder = installed(self.package, self.pins)
        self._server = Server([str(folder / self.program[0]), *self.program[1:]], desktop.env)

    def type(self, text: str) -> None:
        with suppress(TimeoutError):
            self._server.call(self.tool, text=text)

    def click(self, x: int, y: int, times: int) -> int:
        for _ in range(times):
            self._server.call(self.clicking, **self.at(x, y))
        return 0

    def at(self, x: int, y: int) -> dict[str, Any]:
        return {"x": x, "y": y}

    def close(self) -> None:
        self._server.close()


class LinuxDesktopMcp(Peer):
    name = "linux-desktop-mcp 0.1.0"
    package, program = "linux-desktop-mcp", ("linux-desktop-mcp",)
    pins = ("linux-desktop-mcp==0.1.0", "mcp<2", "PyGObject<3.51")
    tool, clicking = "desktop_type", "desktop_click"

    def at(self, x: int, y: int) -> dict[str, Any]:
        return {"coordinate": [x, y]}


class Touchpoint(Peer):
    name = "touchpoint-py 0.3.0"
    package, program, pins = "touchpoint-py", ("touchpoint-mcp",), ("touchpoint-py==0.3.0", "mcp<2", "PyGObject<3.51")
    tool, clicking = "type_text", "click"


class Xa11y(Peer):
    name = "xa11y 0.15.4"
    package, program, pins = "xa11y", ("xa11y", "mcp"), ("xa11y==0.15.4",)
    tool, clicking = "type", "click"


class ComputerControl(Peer):
    name = "computer-control-mcp 0.3.14"
    package, program = "computer-control-mcp", ("computer-control-mcp",)
    pins = ("computer-control-mcp==0.3.14", "mcp<2")
    tool, clicking = "type_text", "click_screen"


PEERS: tuple[type[Typist], ...] = (
    Xdotool,
    XdotoolFast,
    PyAutoGui,
    LinuxDesktopMcp,
    Touchpoint,
    Xa11y,
    ComputerControl,
)


def installed(package: str, pins: Sequence[str]) -> Path:
    """The folder of the package's programs, installed there when it is not.

    Raises `subprocess.CalledProcessError` when it cannot be: some want compilers and headers.
    """
    programs = CACHE / package / "v" / "bin"
    done = CACHE / package / "installed"
    if not done.exists():
        programs.parent.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", programs.parent], check=True)
        subprocess.run([programs / "python", "-m", "pip", "install", "-q", *pins], check=True, capture_output=True)
        done.touch()
    return programs

"""The servers that are compared, ours among them, each asked for one window as its own documentation says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from bench.guard.stdio import Server

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "mac-commander-bench"
SYSTEM_PYTHON = "/usr/bin/python3"
"""Has Debian's `gi`: the newest one of the package index does not build on Debian 12."""

INSTALL_SECONDS = 300
LEVELS = 60
"""Deeper than any of the windows."""


@dataclass(frozen=True)
class Shown:
    """The window that is asked for."""

    pid: int
    app: str
    title: str


class Peer(ABC):
    name: ClassVar[str]
    pins: ClassVar[tuple[str, ...]]
    program: ClassVar[tuple[str, ...]]
    without_dependencies: ClassVar[str] = ""
    """A package whose own pins cannot be installed: taken alone, with the system's `gi`."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self.server = Server([str(self.installed() / self.program[0]), *self.program[1:]], env)

    @classmethod
    def installed(cls) -> Path:
        """The folder of its programs. Raises `subprocess.SubprocessError` when it cannot be installed."""
        home = CACHE / f"see-{cls.name.replace(' ', '-')}"
        programs = home / "v" / "bin"
        if not (home / "installed").exists():
            home.mkdir(parents=True, exist_ok=True)
            _run(SYSTEM_PYTHON, "-m", "venv", "--system-site-packages", str(home / "v"))
            pip = (str(programs / "python"), "-m", "pip", "install", "-q")
            if cls.without_dependencies:
                _run(*pip, "--no-deps", cls.without_dependencies)
            _run(*pip, *cls.pins)
            (home / "installed").touch()
        return programs

    @abstractmethod
    def look(self, window: Shown) -> str:
        """The text that the model would read."""

    def close(self) -> None:
        self.server.close()


def _run(*argv: str) -> None:
    subprocess.run(argv, check=True, capture_output=True, timeout=INSTALL_SECONDS)


class Ours(Peer):
    name = "mac-commander"
    pins, program = (), ()

    def __init__(self, env: Mapping[str, str]) -> None:
        program = Path(sys.executable).with_name("mac-commander")
        self.server = Server([str(program), "--desktop", "x11", "--home", f"{env['HOME']}/bench-home"], env)

    def look(self, window: Shown) -> str:
        return self.server.call("see", app=window.app, max_elements=2000)


class CuaDriver(Peer):
    name = "cua-driver 0.37.0"
    pins, program = ("cua-driver==0.37.0",), ("cua-driver", "mcp")

    def look(self, window: Shown) -> str:
        return self.server.call(
            "get_window_state", pid=window.pid, include_screenshot=False, max_elements=20_000, timeout_ms=60_000
        )


class Xa11y(Peer):
    name = "xa11y 0.15.4"
    pins, program = ("xa11y==0.15.4",), ("xa11y", "mcp")

    def look(self, window: Shown) -> str:
        return self.server.call("tree", pid=window.pid)


class Touchpoint(Peer):
    name = "touchpoint-py 0.3.0"
    without_dependencies = "touchpoint-py==0.3.0"
    pins = ("mcp<2", "Pillow", "rapidfuzz", "screeninfo", "websocket-client")
    program = ("touchpoint-mcp",)

    def look(self, window: Shown) -> str:
        apps = self.server.call("apps")
        named = re.findall(r"[\w.-]+", apps)
        app = next((n for n in named if n.casefold() in window.app.casefold()), window.app)
        return self.server.call("snapshot", app=app, all_elements=True, max_depth=LEVELS)


class LinuxDesktopMcp(Peer):
    name = "linux-desktop-mcp 0.1.0"
    without_dependencies = "linux-desktop-mcp==0.1.0"
    pins, program = ("mcp<2",), ("linux-desktop-mcp",)

    def look(self, window: Shown) -> str:
        return self.server.call("desktop_snapshot", max_depth=LEVELS)


class BadAss(Peer):
    name = "bad-ass-mcp 1.5.1"
    pins, program = ("bad-ass-mcp==1.5.1", "mcp<2"), ("bad-ass-mcp",)

    def look(self, window: Shown) -> str:
        listed = self.server.call("list_windows")
        return self.server.call("get_tree", window_id=_window_id(listed, window), max_depth=LEVELS)


def _window_id(listed: str, window: Shown) -> str | int:
    try:
        entries = json.loads(listed)
    except ValueError:
        entries = json.loads(f"[{listed.replace('}{', '},{')}]")
    entries = entries.get("windows", []) if isinstance(entries, dict) else entries
    return next(e["id"] for e in entries if e.get("pid") == window.pid or window.title in str(e.get("name")))


PEERS: tuple[type[Peer], ...] = (Ours, CuaDriver, Xa11y, Touchpoint, LinuxDesktopMcp, BadAss)

"""A client that writes what it likes: raw lines to a real server process."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PROGRAM = Path(sys.executable).with_name("mac-commander")
PATIENCE = 60.0
"""Seconds for what must come: on a crowded machine Python with the SDK alone takes ten."""

ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "0"},
}


def own_mac(folder: Path, world: Mapping[str, Any] | None = None) -> tuple[str, ...]:
    """How the product is started on a simulated Mac of this folder's own, its ``world`` else the usual one.

    Servers of one world share its keyboard, and refuse each other's steps: tests that run at the same time must not.
    """
    usual = resources.files("simulated_mac").joinpath("default_world.json")
    given = json.loads(usual.read_text(encoding="utf-8")) if world is None else world
    file = folder / "world.json"
    file.write_text(json.dumps({**given, "name": str(folder)}), encoding="utf-8")
    return (str(PROGRAM), "--desktop", "simulated", "--world", str(file))


class RawClient:
    """One server process. Lines are sent as they are; messages are read one by one."""

    def __init__(
        self,
        home: Path,
        program: Sequence[str] = (sys.executable, "-m", "tests.server.double"),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.home = home
        self.process = subprocess.Popen(
            [*program, "--home", str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            bufsize=0,
            env={**os.environ, **(environment or {})},
        )
        self._buffer = b""
        self._next_id = 0

    def __enter__(self) -> RawClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    def send(self, message: object) -> None:
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")

    def receive(self, seconds: float = PATIENCE) -> Any:
        """The next message; ``None`` when none comes in that time, or the server closed its output."""
        assert self.process.stdout is not None
        end = time.monotonic() + seconds
        while b"\n" not in self._buffer:
            readable, _, _ = select.select([self.process.stdout], [], [], max(0.0, end - time.monotonic()))
            chunk = os.read(self.process.stdout.fileno(), 65536) if readable else b""
            if not chunk:
                return None
            self._buffer += chunk
        line, self._buffer = self._buffer.split(b"\n", 1)
        return json.loads(line)

    def start(self, method: str, params: object = None, request_id: object = None) -> int:
        """Send a request; returns its id."""
        self._next_id += 1
        message = {"jsonrpc": "2.0", "id": self._next_id if request_id is None else request_id, "method": method}
        self.send(message if params is None else message | {"params": params})
        return self._next_id

    def ask(self, method: str, params: object = None) -> Any:
        self.start(method, params)
        return self.receive()

    def tell(self, method: str, params: object = None) -> None:
        message: dict[str, object] = {"jsonrpc": "2.0", "method": method}
        self.send(message if params is None else message | {"params": params})

    def initialize(self) -> RawClient:
        info = self.ask("initialize", INITIALIZE)["result"]["serverInfo"]
        assert (info["name"], info["title"]) == ("mac-commander", "Mac-Commander")
        self.tell("notifications/initialized")
        return self

    def start_call(self, tool: str, meta: Mapping[str, object] | None = None, **arguments: object) -> int:
        params: dict[str, object] = {"name": tool, "arguments": arguments}
        return self.start("tools/call", params | ({"_meta": meta} if meta else {}))

    def call(self, tool: str, **arguments: object) -> Any:
        """The call's result: ``content`` and, for a failure, ``isError``."""
        self.start_call(tool, **arguments)
        return self.receive()["result"]

    def call_json(self, tool: str, **arguments: object) -> Any:
        return json.loads(self.call(tool, **arguments)["content"][0]["text"])

    def ended(self, seconds: float = 5.0) -> int:
        """Wait for the process to end; its return code."""
        return self.process.wait(seconds)

    def close_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def close_output(self) -> None:
        assert self.process.stdout is not None
        self.process.stdout.close()

    def errors(self) -> str:
        """All of stderr, once the process has ended."""
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()

    def audit(self) -> list[dict[str, Any]]:
        log = self.home / "audit.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def add_script(self, name: str, text: str) -> None:
        """A user's script, in a folder that is the user's own."""
        folder = self.home / "scripts"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / name).write_text(text)
        (folder / name).chmod(0o600)

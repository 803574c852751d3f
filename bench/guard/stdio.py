"""The least MCP client: one server process, one call at a time."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import Any

from mac_commander.demo.processes import end


class Server:
    """Raises `TimeoutError` when it does not answer."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            list(argv),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(env),
            bufsize=0,
            start_new_session=True,
        )
        self._rest, self._id = b"", 0
        self.bytes = 0
        """Of the last answer, as it came over the wire."""
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "0"}}
        self.ask("initialize", client)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool: str, seconds: float = 120, **arguments: Any) -> str:
        """The text of its answer."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments}, seconds)
        return "".join(part.get("text", "") for part in result.get("content", []))

    def ask(self, method: str, params: object, seconds: float = 60) -> Any:
        self._id += 1
        self._send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        deadline = time.monotonic() + seconds
        while True:
            line = self._line(deadline)
            if not line.startswith(b"{"):
                continue  # some print what they do on the wire
            message = json.loads(line)
            if message.get("id") == self._id:
                self.bytes = len(line)
                return message.get("result", message.get("error", {}))

    def close(self) -> None:
        end(self.process)

    def _send(self, message: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")

    def _line(self, deadline: float) -> bytes:
        assert self.process.stdout is not None
        if time.monotonic() >= deadline:
            raise TimeoutError("the server prints, but no answer")
        while b"\n" not in self._rest:
            if not select.select([self.process.stdout], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the server does not answer")
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            if not piece:
                raise TimeoutError("the server ended")
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        return line

"""The server as a client starts it, spoken to in MCP's own lines: what verify says is what a client would see."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from mac_commander.errors import DesktopError
from mac_commander.verify import transcript
from mac_commander.verify.bridge_calls import BridgeCalls

ANSWER_SECONDS = 60.0
"""Longer than the server's own budget for a call."""

END_SECONDS = 5.0
VERSION = "2025-06-18"
"""Of the protocol; every server of ours speaks it."""

CHUNK = 1 << 16

REASON_MOST = 300
"""Characters of a server's answer in a line of ours."""


@dataclass(frozen=True, slots=True)
class Answer:
    text: str
    is_error: bool
    image: str | None
    """In base64."""

    @property
    def value(self) -> dict[str, Any]:
        """The JSON object of the tools that answer one; empty when it is none."""
        try:
            value = json.loads(self.text)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    @property
    def reason(self) -> str:
        """Why it failed, in the server's words, short enough for a line."""
        failed: Mapping[str, Any] = self.value.get("failed_step", self.value)
        return str(failed.get("reason") or self.value.get("stderr") or self.text).strip()[:REASON_MOST]


class Client:
    """One server process. Ends it when the block ends.

    With ``calls``, an empty file, the server notes its calls of Apple's frameworks there, and the transcript has them.
    """

    def __init__(
        self, arguments: Sequence[str], environment: Mapping[str, str], calls: BridgeCalls | None = None
    ) -> None:
        self._calls = calls
        module = ["mac_commander"] if calls is None else ["mac_commander.verify.noting_server", str(calls.path)]
        self._argv = [sys.executable, "-P", "-m", *module, *arguments]
        self._environment = {**os.environ, **environment}
        self._id = 0
        self._pending = b""
        self.calls = 0
        self.transcript: list[dict[str, Any]] = []
        """The shape of every call and its answer, without their contents."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self._environment, bufsize=0
        )
        about = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "verify", "version": "1"}}
        self._request("initialize", about)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def kill(self) -> None:
        """As the system would, with no chance to clean up."""
        self._process.kill()

    def call(self, tool: str, **arguments: Any) -> Answer:
        """Raises `DesktopError` when the server does not answer, or answers with a protocol error."""
        self.calls += 1
        try:
            result = self._request("tools/call", {"name": tool, "arguments": arguments})
        except DesktopError:
            self._remember(transcript.of_call(tool, arguments, True, {}, ""))
            raise
        content: list[dict[str, Any]] = result.get("content", [])
        text = "\n".join(part["text"] for part in content if part.get("type") == "text")
        images = [str(part["data"]) for part in content if part.get("type") == "image"]
        answer = Answer(text, bool(result.get("isError")), images[0] if images else None)
        self._remember(transcript.of_call(tool, arguments, answer.is_error, answer.value, text))
        return answer

    def _remember(self, told: dict[str, Any]) -> None:
        self.transcript.append(told | ({"bridge": self._calls.since_last_time()} if self._calls else {}))

    def _request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        self._id += 1
        self._send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        end = time.monotonic() + ANSWER_SECONDS
        while True:
            message = self._line(end)
            if message.get("id") == self._id:
                break
        if "result" not in message:
            raise DesktopError(f"{method}: the server answered with an error: {message.get('error')}")
        result: dict[str, Any] = message["result"]
        return result

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")

    def _line(self, end: float) -> dict[str, Any]:
        assert self._process.stdout is not None
        while b"\n" not in self._pending:
            ready, _, _ = select.select([self._process.stdout], [], [], max(0.0, end - time.monotonic()))
            chunk = os.read(self._process.stdout.fileno(), CHUNK) if ready else b""
            if not chunk:
                raise DesktopError("the server did not answer" if not ready else "the server ended in mid-call")
            self._pending += chunk
        line, _, self._pending = self._pending.partition(b"\n")
        message: dict[str, Any] = json.loads(line)
        return message

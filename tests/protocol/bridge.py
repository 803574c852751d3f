"""A stdio server behind Streamable HTTP, for the conformance suite, which speaks nothing else. Both eras: a process for
each session of the handshake era, one for all stateless requests. Only for tests, only on this machine.

    with bridged([program, *arguments]) as url: ...
"""

from __future__ import annotations

import itertools
import json
import queue
import subprocess
import sys
import threading
import uuid
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

Message = dict[str, Any]

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
STATELESS = "2026-07-28"
LOCAL = {"localhost", "127.0.0.1", "::1"}
STATUS = {-32601: 404, -32602: 400, -32600: 400, -32020: 400, -32021: 400, -32022: 400, -32700: 400}
"""HTTP status of an error in the stateless era, by its code, as the transport's specification has it."""

ANSWER_SECONDS = 60.0
SPARE = 2
"""Processes started ahead: one scenario of the suite opens a second session right after its first."""

KEEP_ALIVE_SECONDS = 1.0
"""A comment in the event stream this often shows at once when the client has gone."""


class Child:
    """One stdio server. Ids and progress tokens of different HTTP clients are made different on its pipe."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._lock = threading.Lock()
        self._ids = itertools.count(1)
        self._waiting: dict[int, tuple[object, object, queue.Queue[Message]]] = {}
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, message: Message) -> None:
        assert self.process.stdin is not None
        with self._lock:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()

    def ask(self, message: Message) -> tuple[int, queue.Queue[Message]]:
        """Send a request under an id of ours; what comes for it arrives in the queue, under the client's own."""
        number, arriving = next(self._ids), queue.Queue[Message]()
        inner = json.loads(json.dumps(message)) | {"id": number}
        meta = (inner.get("params") or {}).get("_meta")
        token = None
        if isinstance(meta, dict) and "progressToken" in meta:
            token, meta["progressToken"] = meta["progressToken"], number
        self._waiting[number] = (message["id"], token, arriving)
        self.send(inner)
        return number, arriving

    def cancel(self, number: int) -> None:
        self.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})

    def end(self) -> None:
        """As clients do: close its input, and kill it when it has not gone after 2 s."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as stdout:
            for line in stdout:
                self._pass_on(json.loads(line))

    def _pass_on(self, message: Message) -> None:
        if "method" not in message:
            if message.get("id") in self._waiting:
                client_id, _, arriving = self._waiting.pop(message["id"])
                arriving.put(message | {"id": client_id})
        elif message["method"] == "notifications/progress":
            params = message["params"]
            if params["progressToken"] in self._waiting:
                _, token, arriving = self._waiting[params["progressToken"]]
                arriving.put(message | {"params": params | {"progressToken": token}})


class Sessions(ThreadingHTTPServer):
    """The HTTP side, and the processes behind it."""

    daemon_threads = True

    def __init__(self, command: Sequence[str]) -> None:
        super().__init__(("127.0.0.1", 0), Exchange)
        self._command = command
        self._lock = threading.Lock()
        self._children: dict[str, Child] = {}
        self._spare = deque(Child(command) for _ in range(SPARE))

    def open(self, session: str) -> Child:
        """The next ones are started ahead: the suite waits 5 s for an answer, a busy machine longer for a start."""
        with self._lock:
            if session not in self._children:
                self._children[session] = self._spare.popleft()
                self._spare.append(Child(self._command))
            return self._children[session]

    def find(self, session: str | None) -> Child | None:
        return self._children.get(session or "")

    def stateless(self) -> Child:
        return self.find(STATELESS) or self.open(STATELESS)

    def close(self, session: str | None) -> bool:
        child = self._children.pop(session or "", None)
        if child is not None:
            child.end()
        return child is not None

    def close_all(self) -> None:
        for session in list(self._children):
            self.close(session)
        for child in self._spare:
            child.end()

    def handle_error(self, request: object, client_address: object) -> None:
        """Nothing for a client that hung up, as the suite does when it has seen enough."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class Exchange(BaseHTTPRequestHandler):
    """One HTTP request."""

    protocol_version = "HTTP/1.1"
    server: Sessions

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Nothing: the suite tells what went wrong."""

    def do_GET(self) -> None:
        self._answer(405)

    def do_DELETE(self) -> None:
        self._answer(200 if self.server.close(self.headers.get("Mcp-Session-Id")) else 404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not self._from_here():
            return self._refuse(403, -32000, "only clients on this machine")
        try:
            message = json.loads(body)
        except ValueError:
            return self._refuse(400, -32700, "not JSON")
        meta = (message.get("params") or {}).get("_meta") or {}
        if VERSION_KEY in meta or self.headers.get("MCP-Protocol-Version") == STATELESS:
            return self._post_stateless(message, meta)
        return self._post_in_session(message)

    def _from_here(self) -> bool:
        """A browser that was sent here under another name is turned away (DNS rebinding)."""
        host = urlsplit(f"//{self.headers.get('Host') or ''}").hostname
        origin = self.headers.get("Origin")
        return host in LOCAL and (origin is None or urlsplit(origin).hostname in LOCAL)

    def _post_stateless(self, message: Message, meta: Mapping[str, object]) -> None:
        told = self.headers.get("MCP-Protocol-Version")
        if VERSION_KEY in meta and told and meta[VERSION_KEY] != told:
            return self._refuse(400, -32020, "the header names another version than the message", message.get("id"))
        return self._forward(self.server.stateless(), message, stateless=True)

    def _post_in_session(self, message: Message) -> None:
        session = self.headers.get("Mcp-Session-Id")
        if session is None and message.get("method") == "initialize":
            session = uuid.uuid4().hex
            return self._forward(self.server.open(session), message, session=session)
        child = self.server.find(session)
        if child is None:
            return self._refuse(404 if session else 400, -32600, "no such session", message.get("id"))
        return self._forward(child, message)

    def _forward(self, child: Child, message: Message, *, stateless: bool = False, session: str = "") -> None:
        headers = {"Mcp-Session-Id": session} if session else {}
        if "id" not in message or "method" not in message:
            child.send(message)
            return self._answer(202)
        number, arriving = child.ask(message)
        first = arriving.get(timeout=ANSWER_SECONDS)
        failed = "error" in first
        if message["method"] != "tools/call" or (failed and stateless):
            status = STATUS.get(first["error"]["code"], 200) if failed and stateless else 200
            return self._answer(status, first, headers)
        try:
            self._stream(first, arriving)
        except OSError:
            child.cancel(number)
            self.close_connection = True

    def _stream(self, first: Message, arriving: queue.Queue[Message]) -> None:
        """Server-sent events, the last of which is the answer."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        message = first
        while "method" in message:
            self._chunk(b"event: message\ndata: " + json.dumps(message).encode() + b"\n\n")
            message = self._next(arriving)
        self._chunk(b"event: message\ndata: " + json.dumps(message).encode() + b"\n\n")
        self._chunk(b"")

    def _next(self, arriving: queue.Queue[Message]) -> Message:
        while True:
            try:
                return arriving.get(timeout=KEEP_ALIVE_SECONDS)
            except queue.Empty:
                self._chunk(b":\n\n")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _refuse(self, status: int, code: int, why: str, request_id: object = None) -> None:
        self._answer(status, {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": why}})

    def _answer(self, status: int, message: Message | None = None, headers: Mapping[str, str] | None = None) -> None:
        body = b"" if message is None else json.dumps(message).encode()
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if body:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def bridged(command: Sequence[str]) -> Iterator[str]:
    """The URL under which this stdio server can be reached, until the block ends."""
    server = Sessions(command)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}/mcp"
    finally:
        server.shutdown()
        server.close_all()
        server.server_close()
        thread.join()

"""MCP on stdio: the SDK's low-level `Server`, in a second thread; the main thread is the desktop's.

The only importer of the SDK. Its faults that are mended here (seen in 2.3.0): unreadable lines get no answer,
`initialize` after `server/discover` is refused, an unknown tool is no protocol error, lone surrogates end it.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NoReturn

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.connection import Connection, NotifyOnlyOutbound
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.runner import ServerRunner, serve_one
from mcp.shared.dispatcher import DispatchContext
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import InboundLadderRejection, classify_inbound_request
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp.shared.transport_context import TransportContext
from mcp_types.jsonrpc import jsonrpc_message_adapter
from pydantic import ValidationError

from mac_commander import __version__
from mac_commander.core.arguments import schema
from mac_commander.core.dispatch import Dispatcher, Job
from mac_commander.core.reply import Reply
from mac_commander.instructions import INSTRUCTIONS
from mac_commander.stdio import End, Wire
from mac_commander.tools import TOOLS
from mac_commander.tools.declaration import Tool

SETTLE_SECONDS = 0.35
"""After the end of input: how long running calls may take to stop and be answered. The whole exit has 0.5 s."""

LAST_RESORT_SECONDS = 1.5
"""A platform call that does not return must not keep a dead client's server alive; clients send SIGTERM after 2 s."""

PROGRESS_GAP_SECONDS = 0.010
"""An answer in the same read as progress loses it, and ends the connection in one client (claude-code #47765): a
gap of 1 ms fails, 2 ms passes (measured)."""

LINES_WAITING = 64
"""Lines read and not yet looked at; the pipe holds the rest."""

Context = ServerRequestContext[Any]


def serve(dispatcher: Dispatcher, status: int = 0) -> NoReturn:
    """Serve on stdin and stdout until the client, a signal or our parent's end ends it. Main thread only.

    The process then ends with that status, or by the signal that ended it.
    """
    logging.getLogger("mcp").addHandler(logging.NullHandler())
    logging.getLogger("mcp").propagate = False
    wire = Wire.claim()
    wire.catch_signals()
    wire.start_writing()
    protocol = Protocol(wire, dispatcher)
    threads = [threading.Thread(target=run, daemon=True) for run in (protocol.run, protocol.watch)]
    for thread in threads:
        thread.start()
    dispatcher.run()
    threads[0].join(SETTLE_SECONDS)
    wire.finish(SETTLE_SECONDS)
    _exit(protocol.end, status)


def _exit(end: End, status: int) -> NoReturn:
    """At once: taking down the SDK's modules one by one would cost 300 ms or more (measured)."""
    sys.stderr.flush()
    if end.signum:
        signal.signal(end.signum, signal.SIG_DFL)
        os.kill(os.getpid(), end.signum)
    os._exit(status)


@dataclass(slots=True)
class Protocol:
    """One connection. ``run`` and ``watch`` each have a thread; the rest belongs to the event loop of ``run``."""

    wire: Wire
    dispatcher: Dispatcher
    end: End = field(default_factory=End)
    _loop: asyncio.AbstractEventLoop | None = None
    _lines: asyncio.Queue[bytes | None] = field(default_factory=asyncio.Queue)
    _taken: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(LINES_WAITING))
    _ready: threading.Event = field(default_factory=threading.Event)
    _unanswered: set[str | int | None] = field(default_factory=set)

    def run(self) -> None:
        """Until the input has ended and all calls are answered."""
        try:
            anyio.run(self._serve)
        finally:
            self._ready.set()
            self.dispatcher.stop_all("the protocol ended")
            self.dispatcher.close()

    def watch(self) -> None:
        """Pass lines to the event loop, and the end of the server to everybody."""
        self._ready.wait()
        self.end = self.wire.watch(self._hand_over)
        last_resort = threading.Timer(LAST_RESORT_SECONDS, os._exit, [128 + self.end.signum if self.end.signum else 0])
        last_resort.daemon = True
        last_resort.start()
        self.dispatcher.stop_all(self.end.reason)
        self._hand_over(None)

    def _hand_over(self, line: bytes | None) -> None:
        self._taken.acquire(timeout=LAST_RESORT_SECONDS)
        self._in_loop(self._lines.put_nowait, line)

    def _in_loop(self, call: Callable[..., object], *args: object) -> None:
        """From another thread. Nothing when the loop has ended: then there is nobody to tell."""
        assert self._loop is not None
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call, *args)

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._ready.set()
        to_sdk, from_client = anyio.create_memory_object_stream[SessionMessage | Exception]()
        to_client, from_sdk = anyio.create_memory_object_stream[SessionMessage]()
        async with anyio.create_task_group() as group:
            group.start_soon(self._read, to_sdk)
            group.start_soon(self._write, from_sdk)
            await _serve_both_eras(self._server(), from_client, to_client)

    async def _read(self, to_sdk: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        async with to_sdk:
            while (line := await self._lines.get()) is not None:
                self._taken.release()
                try:
                    await to_sdk.send(self._known(parse(line)))
                except Unreadable as error:
                    self._send(error.answer())
            with anyio.move_on_after(SETTLE_SECONDS):
                while self._unanswered:
                    await anyio.sleep(0.005)

    def _known(self, message: types.JSONRPCMessage) -> SessionMessage:
        """Raises `Unreadable` for a second request of one id: a cancellation could not tell which is meant."""
        if not isinstance(message, types.JSONRPCRequest):
            return SessionMessage(message)
        if message.id in self._unanswered:
            raise Unreadable(types.INVALID_REQUEST, "id: a request of this id is not answered yet")
        self._unanswered.add(message.id)
        return SessionMessage(message, ServerMessageMetadata(on_request_unanswered=partial(self._settled, message.id)))

    async def _settled(self, request_id: str | int | None) -> None:
        self._unanswered -= {request_id}

    async def _write(self, from_sdk: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with from_sdk:
            async for item in from_sdk:
                self._send(item.message.model_dump(by_alias=True, exclude_unset=True))
                if isinstance(item.message, types.JSONRPCResponse | types.JSONRPCError):
                    await self._settled(item.message.id)

    def _send(self, message: Mapping[str, Any]) -> None:
        """ASCII, so that a lone surrogate can travel too."""
        self.wire.send(json.dumps(message, ensure_ascii=True, separators=(",", ":")).encode())

    # --- requests ------------------------------------------------------------------------------------------

    def _server(self) -> Server[Any]:
        server: Server[Any] = Server(
            "mac-commander",
            title="Mac-Commander",
            version=__version__,
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
        )
        server.middleware.clear()  # spans would carry what a client typed to whatever exporter is installed
        return server

    async def _list_tools(self, _ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        if params is not None and params.cursor is not None:
            raise MCPError(types.INVALID_PARAMS, "unknown cursor: the whole list fits one page")
        return types.ListToolsResult(tools=[described(tool) for tool in TOOLS])

    async def _call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = next((t for t in TOOLS if t.name == params.name), None)
        if tool is None:
            known = ", ".join(t.name for t in TOOLS)
            raise MCPError(types.INVALID_PARAMS, f"unknown tool {params.name[:60]!r}; there are {known}")
        exchange = Exchange(self._in_loop)
        job = Job(tool.call(params.arguments or {}), exchange.answer, exchange.progress)
        self.dispatcher.submit(job)
        try:
            return result(await exchange.reply(ctx.session.report_progress))
        except asyncio.CancelledError:
            self.dispatcher.cancel(job)
            raise


class Exchange:
    """Between one running call on the main thread and its request in the event loop."""

    def __init__(self, in_loop: Callable[..., None]) -> None:
        self._in_loop = in_loop
        self._told: asyncio.Queue[Reply | tuple[float, float | None, str]] = asyncio.Queue()

    def answer(self, reply: Reply) -> None:
        self._in_loop(self._told.put_nowait, reply)

    def progress(self, done: float, total: float | None, message: str) -> None:
        self._in_loop(self._told.put_nowait, (done, total, message))

    async def reply(self, report: Callable[[float, float | None, str], Awaitable[None]]) -> Reply:
        """The answer, at least `PROGRESS_GAP_SECONDS` after the last progress; progress that is late is dropped."""
        reported = 0.0
        while True:
            told = await self._told.get()
            if isinstance(told, Reply):
                await anyio.sleep(max(0.0, reported + PROGRESS_GAP_SECONDS - time.monotonic()))
                return told
            if self._told.empty():
                await report(*told)
                reported = time.monotonic()


async def _serve_both_eras(server: Server[Any], incoming: Any, outgoing: Any) -> None:
    """Each request in the era that it speaks itself: with the 2026-07-28 envelope it stands alone, without it
    belongs to the handshake connection. The SDK's own loop settles on one era for good, and then refuses clients
    that probe with `server/discover` and go on with `initialize` (claude-code #96183)."""
    dispatcher = JSONRPCDispatcher[TransportContext](incoming, outgoing, inline_methods=frozenset({"initialize"}))
    handshake = ServerRunner(server, Connection.for_loop(dispatcher), {})

    async def on_request(
        context: DispatchContext[TransportContext], method: str, params: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        if not _has_envelope(params):
            if method == "server/discover":
                raise MCPError(types.INVALID_PARAMS, f"params._meta: wanted {types.PROTOCOL_VERSION_META_KEY}")
            return await handshake.on_request(context, method, params)
        if method == "initialize":
            raise MCPError(types.METHOD_NOT_FOUND, "protocol 2026-07-28 has no initialize; leave out the envelope")
        route = classify_inbound_request({"method": method, "params": params})
        if isinstance(route, InboundLadderRejection):
            raise MCPError(route.code, route.message, route.data)
        alone = Connection.from_envelope(
            route.protocol_version,
            route.client_info,
            route.client_capabilities,
            outbound=NotifyOnlyOutbound(dispatcher),
        )
        return await serve_one(server, context, method, params, connection=alone, lifespan_state={})

    await dispatcher.run(on_request, handshake.on_notify)


def _has_envelope(params: Mapping[str, Any] | None) -> bool:
    meta = (params or {}).get("_meta")
    return isinstance(meta, Mapping) and types.PROTOCOL_VERSION_META_KEY in meta


def described(tool: Tool) -> types.Tool:
    """What a client sees. The title stands twice because some clients look only at the annotations."""
    hints = types.ToolAnnotations(
        title=tool.title,
        read_only_hint=tool.read_only,
        destructive_hint=tool.destructive,
        idempotent_hint=tool.idempotent,
        open_world_hint=tool.open_world,
    )
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=schema(tool.params),
        annotations=hints,
    )


def result(reply: Reply) -> types.CallToolResult:
    """Text first, then the picture. No structured content: several clients then drop the picture."""
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=reply.text)]
    if reply.image is not None:
        data = base64.b64encode(reply.image.data).decode()
        content.append(types.ImageContent(type="image", data=data, mime_type=reply.image.mime))
    return types.CallToolResult(content=content, is_error=reply.is_error)


class Unreadable(Exception):
    """A line that is no message. It is answered without an id when none can be read."""

    def __init__(self, code: int, message: str, request_id: str | int | None = None) -> None:
        super().__init__(message)
        self._code = code
        self._id = request_id

    def answer(self) -> dict[str, Any]:
        known = {} if self._id is None else {"id": self._id}
        return {"jsonrpc": "2.0", **known, "error": {"code": self._code, "message": str(self)}}


def parse(line: bytes) -> types.JSONRPCMessage:
    """The message in a line. Raises `Unreadable`."""
    try:
        given = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        raise Unreadable(types.PARSE_ERROR, "the line is not JSON") from None
    if not isinstance(given, dict):
        raise Unreadable(types.INVALID_REQUEST, "wanted one request object in a line; batches are not served")
    request_id = given.get("id")
    known = request_id if isinstance(request_id, str | int) and not isinstance(request_id, bool) else None
    if "id" in given and known is None:
        raise Unreadable(types.INVALID_REQUEST, "id: wanted text or an integer")
    if isinstance(given.get("method"), str) and not isinstance(given.get("params", {}), dict):
        raise Unreadable(types.INVALID_PARAMS, "params: wanted an object", known)
    try:
        return jsonrpc_message_adapter.validate_python(given, by_name=False)
    except ValidationError:
        raise Unreadable(types.INVALID_REQUEST, "not a JSON-RPC 2.0 message", known) from None

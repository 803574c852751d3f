"""One D-Bus connection, its asyncio loop turned only while a caller waits.

At most `IN_FLIGHT` calls are on their way, the others wait here for their turn: more would only fill the bus's queues.
"""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Coroutine, Generator, Sequence
from functools import partial
from typing import Any, TypeVar

from dbus_fast import InvalidAddressError, Message, MessageFlag, MessageType
from dbus_fast.aio import MessageBus
from dbus_fast.errors import AuthError, DBusError

from mac_commander.desktops.base import CALL_SECONDS

IN_FLIGHT = 200
"""Calls that may be unanswered at a time: enough to keep an app busy; 300 fill the socket (measured)."""

WORKERS = 60
"""Each has four calls or so on their way: together they fill `IN_FLIGHT`."""

GONE = frozenset(
    f"org.freedesktop.DBus.Error.{name}"
    for name in ("UnknownObject", "ServiceUnknown", "NameHasNoOwner", "Disconnected", "NoReply", "UnknownMethod")
)
"""Errors that mean that the object, or the program that had it, is no longer there. `UnknownMethod` is what
at-spi2-atk (2.46) answers for an object that has been destroyed."""

NO_BUS = "no bus"
"""Name of the error of a connection that could not be made."""

PROGRAM_GONE = frozenset(
    f"org.freedesktop.DBus.Error.{name}" for name in ("ServiceUnknown", "NameHasNoOwner", "Disconnected", "NoReply")
)
"""Those of them that mean the whole program, or the bus."""

T = TypeVar("T")
Item = TypeVar("Item")


class CallError(Exception):
    """A call was answered with an error, or with another type than its interface promises."""

    def __init__(self, name: str, text: str = "") -> None:
        super().__init__(f"{name}: {text}" if text else name)
        self.name = name

    @property
    def gone(self) -> bool:
        return self.name in GONE

    @property
    def program_gone(self) -> bool:
        return self.name in PROGRAM_GONE


class GatheringSocket:
    """Stands where dbus-fast's writer has its socket, and sends what one turn of the loop brings at once.

    dbus-fast sends each message by itself, and each wakes the bus and the app: half of the time of a snapshot
    (measured). It also takes a full socket for a lost one.
    """

    def __init__(self, real: socket.socket, loop: asyncio.AbstractEventLoop) -> None:
        self._socket = real
        self._loop = loop
        self._gathered = bytearray()

    def send(self, data: bytes | memoryview) -> int:
        """Takes all of it."""
        if not self._gathered:
            self._loop.call_soon(self._flush)
        self._gathered += data
        return len(data)

    def _flush(self) -> None:
        """An error shows at the reader too, which ends the connection: here it is only given up."""
        self._loop.remove_writer(self._socket)
        try:
            sent = self._socket.send(self._gathered)
        except BlockingIOError:
            sent = 0
        except OSError:
            self._gathered.clear()
            return
        del self._gathered[:sent]
        if self._gathered:
            self._loop.add_writer(self._socket, self._flush)


class Answer:
    """What a call will give, once. Unlike a coroutine it may be left unawaited, when the one who asked was stopped."""

    __slots__ = ("_message", "_signature", "_variant")

    def __init__(self, message: asyncio.Future[Message], signature: str, variant: str = "") -> None:
        self._message = message
        self._signature = signature
        self._variant = variant

    def __await__(self) -> Generator[Any, None, Any]:
        message = yield from self._message
        _check(message, self._signature)
        if not self._variant:
            return message.body[0] if self._signature else None
        variant = message.body[0]
        if variant.signature != self._variant:
            raise CallError("type", f"property of type {variant.signature} where {self._variant} was due")
        return variant.value


class Connection:
    """A connection to one bus. Every method but `run`, `turn` and `close` needs a running `run`."""

    def __init__(self, address: str, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._address = address
        self._loop = loop or asyncio.new_event_loop()
        # A lost connection is told by the calls that wait for it; asyncio's own report of it would be a second one.
        self._loop.set_exception_handler(lambda _loop, _context: None)
        self._bus: MessageBus | None = None
        self._waiting: dict[int, asyncio.Future[Message]] = {}
        self._queued: deque[tuple[Message, asyncio.Future[Message]]] = deque()
        self.on_signal: Callable[[Message], None] = lambda _message: None

    @property
    def connected(self) -> bool:
        return self._bus is not None and self._bus.connected

    def run(self, work: Coroutine[Any, Any, T], seconds: float = CALL_SECONDS) -> T:
        """Turn the loop until ``work`` is done. Raises `TimeoutError` after ``seconds``."""
        return self._loop.run_until_complete(asyncio.wait_for(work, seconds))

    def refresh(self) -> None:
        """Take in what has arrived, so that a connection that was closed in the meantime is known to be."""
        for _turn in range(3):  # select, then the reader, then whoever waited for it
            self._loop.run_until_complete(asyncio.sleep(0))

    def turn(self, seconds: float, until: Callable[[], bool]) -> None:
        """Take in what arrives for at most this long; ends soon after ``until()`` holds."""
        self._loop.run_until_complete(_pass(seconds, until))

    async def open(self) -> None:
        """Connect. Raises `CallError` named `NO_BUS` when there is no such bus or it refuses us."""
        if not self._address:  # dbus-fast would take the one of our own environment
            raise CallError(NO_BUS, "no address")
        try:
            self._bus = await MessageBus(bus_address=self._address).connect()
        except (OSError, EOFError, AuthError, DBusError, InvalidAddressError) as error:
            raise CallError(NO_BUS, str(error)) from error
        writer: Any = self._bus._writer  # dbus-fast has no other way in
        writer.sock = GatheringSocket(writer.sock, self._loop)
        self._bus.add_message_handler(self._receive)
        self._loop.create_task(self._fail_when_lost(self._bus))

    def disconnect(self) -> None:
        """Leave the bus; calls that are not answered by then fail."""
        if self.connected and self._bus is not None:
            self._bus.disconnect()

    def close(self) -> None:
        """Disconnect and end the loop."""
        if self._loop.is_closed():
            return
        self.disconnect()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    def send(self, message: Message) -> asyncio.Future[Message]:
        """Send a call, now or in its turn; the future holds whatever answers it."""
        answer: asyncio.Future[Message] = self._loop.create_future()
        self._queued.append((message, answer))
        self._send_queued()
        return answer

    def _send_queued(self) -> None:
        while self._queued and len(self._waiting) < IN_FLIGHT:
            message, answer = self._queued.popleft()
            if answer.done():
                continue
            if self._bus is None or not self._bus.connected:
                answer.set_exception(CallError("org.freedesktop.DBus.Error.Disconnected"))
                continue
            message.serial = self._bus.next_serial()
            self._waiting[message.serial] = answer
            answer.add_done_callback(partial(self._forget, message.serial))
            self._bus.send(message)

    def _forget(self, serial: int, answer: asyncio.Future[Message]) -> None:
        """A call that was given up must not hold the place of another: a hung program may never answer it."""
        self._waiting.pop(serial, None)
        self._send_queued()

    def post(self, destination: str, path: str, interface: str, member: str, signature: str, body: list[Any]) -> None:
        """Send a call whose answer nobody waits for."""
        if self._bus is not None and self._bus.connected:
            flags = MessageFlag.NO_REPLY_EXPECTED
            self._bus.send(Message(destination, path, interface, member, flags=flags, signature=signature, body=body))

    def call(
        self,
        destination: str | None,
        path: str,
        interface: str,
        member: str,
        signature: str = "",
        body: Sequence[Any] = (),
        *,
        gives: str,
    ) -> Awaitable[Any]:
        """Send a call now; awaiting the result gives its first value. No destination where there is no bus between.

        ``gives`` is the signature that the answer must have: what other programs send is not to be trusted to
        have the shape of their interface. Raises `CallError`.
        """
        message = Message(destination, path, interface, member, signature=signature, body=list(body), validate=False)
        return Answer(self.send(message), gives)

    def get(self, destination: str, path: str, interface: str, name: str, gives: str) -> Awaitable[Any]:
        """Read a property, of D-Bus type ``gives``; otherwise like `call`."""
        body = [interface, name]
        message = Message(
            destination, path, "org.freedesktop.DBus.Properties", "Get", signature="ss", body=body, validate=False
        )
        return Answer(self.send(message), "v", gives)

    def _receive(self, message: Message) -> bool:
        if message.message_type is MessageType.SIGNAL:
            self.on_signal(message)
            return False
        answer = self._waiting.get(message.reply_serial)
        if answer is not None and not answer.done():
            answer.set_result(message)
        return answer is not None

    async def _fail_when_lost(self, bus: MessageBus) -> None:
        reason = "the bus closed the connection"
        try:
            await bus.wait_for_disconnect()  # type: ignore[no-untyped-call]
        except Exception as error:  # noqa: BLE001 - dbus-fast passes on whatever broke the socket; all mean "lost"
            reason = str(error)
        for answer in list(self._waiting.values()):
            if not answer.done():
                answer.set_exception(CallError("org.freedesktop.DBus.Error.Disconnected", reason))


def _check(message: Message, gives: str) -> None:
    if message.message_type is MessageType.ERROR:
        text = message.body[0] if message.signature.startswith("s") else ""
        raise CallError(message.error_name or "unnamed error", text)
    if message.signature != gives:
        raise CallError("type", f"answer of type {message.signature} where {gives} was due")


async def each(items: Collection[Item], work: Callable[[Item], Awaitable[None]]) -> None:
    """Do ``work`` for all items, as many at once as keep the connection busy."""
    queue = iter(items)

    async def worker() -> None:
        for item in queue:
            await work(item)

    async with asyncio.TaskGroup() as workers:
        for _ in range(min(len(items), WORKERS)):
            workers.create_task(worker())


async def _pass(seconds: float, until: Callable[[], bool]) -> None:
    """Sleep in steps that are short against what a person notices, so that ``until`` is looked at in time."""
    step = 0.005
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while not until() and loop.time() < end:
        await asyncio.sleep(min(step, max(0.0, end - loop.time())))

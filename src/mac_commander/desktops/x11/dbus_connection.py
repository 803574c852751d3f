"""One D-Bus connection, its asyncio loop turned only while a caller waits.

At most `IN_FLIGHT` calls are on their way, the others wait here for their turn: more would only fill the bus's queues.
Thousands of questions of one kind go through `Connection.ask_all`, which costs a third of as many futures (measured).
"""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from dbus_fast import InvalidAddressError, Message, MessageFlag, MessageType
from dbus_fast.aio import MessageBus
from dbus_fast.errors import AuthError, DBusError

from mac_commander.desktops.base import CALL_SECONDS
from mac_commander.desktops.x11.dbus_calls import DISCONNECTED, NO_BUS, Answer, Answers, Asker, Call, CallError

IN_FLIGHT = 200
"""Calls that may be unanswered at a time: enough to keep an app busy; 300 fill the socket (measured)."""

FEW_IN_FLIGHT = 20
"""For work that may be given up at any moment: an app answers all that was asked before it answers what comes next, and
GTK 3 takes 0.3 to 0.8 ms for a place among 1,000 (measured)."""

SILENCE_SECONDS = 1.0
"""How long `Connection.ask_all` goes on when nobody answers: one object that never answers must not hold up the rest;
1.2 s was the slowest whole app (measured)."""

T = TypeVar("T")


class GatheringSocket:
    """Stands where dbus-fast's writer has its socket, and sends what one turn of the loop brings at once.

    dbus-fast sends each message by itself, and each wakes the bus and the app: half of the time of a snapshot
    (measured). It also takes a full socket for a lost one.
    """

    def __init__(self, real: socket.socket, loop: asyncio.AbstractEventLoop) -> None:
        self._socket = real
        self._loop = loop
        self._gathered = bytearray()

    def send(self, data: bytes | bytearray | memoryview) -> int:
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


class Connection:
    """A connection to one bus. Every method but `run`, `turn` and `close` needs a running `run`."""

    def __init__(self, address: str, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._address = address
        self._loop = loop or asyncio.new_event_loop()
        # A lost connection is told by the calls that wait for it; asyncio's own report of it would be a second one.
        self._loop.set_exception_handler(lambda _loop, _context: None)
        self._bus: MessageBus | None = None
        self._socket: GatheringSocket | None = None
        self._waiting: dict[int, tuple[Asker, int]] = {}
        self._queued: deque[tuple[Message, Asker, int]] = deque()
        self._most = IN_FLIGHT
        self._refilling = False
        self.on_signal: Callable[[Message], None] = lambda _message: None

    @property
    def connected(self) -> bool:
        return self._bus is not None and self._bus.connected

    def run(self, work: Coroutine[Any, Any, T], seconds: float = CALL_SECONDS) -> T:
        """Turn the loop until ``work`` is done. Raises `TimeoutError` after ``seconds``."""
        return self._loop.run_until_complete(asyncio.wait_for(work, seconds))

    @contextmanager
    def at_leisure(self) -> Iterator[None]:
        """Few calls on their way meanwhile: what is asked after it was given up is answered soon."""
        self._most = FEW_IN_FLIGHT
        try:
            yield
        finally:
            self._most = IN_FLIGHT

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
        writer.sock = self._socket = GatheringSocket(writer.sock, self._loop)
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

    def send(self, call: Call) -> Answer:
        """Send a call, now or in its turn."""
        answer = Answer(call, self._loop)
        # A call that was given up must not hold the place of another: a hung program may never answer it.
        answer.future.add_done_callback(partial(self._tidy, answer))
        self._queued.append((call.message, answer, 0))
        self._send_queued()
        return answer

    async def ask_all(self, calls: Sequence[Call], end: float) -> list[Any]:
        """Values, errors (`CallError`, not raised) and `UNANSWERED`, in the order of the calls. Returns at ``end``
        (of the loop's clock), or when nothing came for `SILENCE_SECONDS`, with what is there."""
        if not calls:
            return []
        answers = Answers(calls, self._loop)
        self._queued.extend((call.message, answers, place) for place, call in enumerate(calls))
        self._send_queued()
        try:
            left = answers.left + 1
            while 0 < answers.left < left and self._loop.time() < end:
                left = answers.left
                await asyncio.wait([answers.done], timeout=min(SILENCE_SECONDS, end - self._loop.time()))
        finally:
            answers.give_up()
            self._tidy()
        return answers.told

    def _send_queued(self) -> None:
        while self._queued and len(self._waiting) < self._most:
            message, asker, place = self._queued.popleft()
            if asker.is_over():
                continue
            if self._bus is None or self._socket is None or not self._bus.connected:
                asker.fail(place, CallError(DISCONNECTED))
                continue
            message.serial = self._bus.next_serial()
            self._waiting[message.serial] = (asker, place)
            self._socket.send(message._marshall(False))  # dbus-fast's own `send` makes a future for each (measured)

    def _tidy(self, answer: Answer | None = None, _done: object = None) -> None:
        """Forget what nobody waits for. An answer that came is forgotten already."""
        if answer is None or answer.future.cancelled():
            over = [serial for serial, (asker, _place) in self._waiting.items() if asker.is_over()]
            for serial in over:
                del self._waiting[serial]
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
        """Send a call now; awaiting the result gives its first value. Raises `CallError`."""
        return self.send(Call.of(destination, path, interface, member, signature, body, gives=gives))

    def get(self, destination: str, path: str, interface: str, name: str, gives: str) -> Awaitable[Any]:
        """Read a property, of D-Bus type ``gives``; otherwise like `call`."""
        return self.send(Call.to_get(destination, path, interface, name, gives))

    def _receive(self, message: Message) -> bool:
        if message.message_type is MessageType.SIGNAL:
            self.on_signal(message)
            return False
        asker, place = self._waiting.pop(message.reply_serial, (None, 0))
        if asker is None:
            return False
        asker.take(place, message)
        if self._queued and not self._refilling:
            self._refilling = True
            self._loop.call_soon(self._refill)
        return True

    def _refill(self) -> None:
        """Once for all answers of one turn."""
        self._refilling = False
        self._send_queued()

    async def _fail_when_lost(self, bus: MessageBus) -> None:
        reason = "the bus closed the connection"
        try:
            await bus.wait_for_disconnect()  # type: ignore[no-untyped-call]
        except Exception as error:  # noqa: BLE001 - dbus-fast passes on whatever broke the socket; all mean "lost"
            reason = str(error)
        waiting, self._waiting = self._waiting, {}
        for asker, place in waiting.values():
            asker.fail(place, CallError(DISCONNECTED, reason))
        self._send_queued()


async def _pass(seconds: float, until: Callable[[], bool]) -> None:
    """Sleep in steps that are short against what a person notices, so that ``until`` is looked at in time."""
    step = 0.005
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while not until() and loop.time() < end:
        await asyncio.sleep(min(step, max(0.0, end - loop.time())))

"""Calls on a D-Bus connection as values: what is asked, what may answer, and who waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

from dbus_fast import Message, MessageType

PROPERTIES = "org.freedesktop.DBus.Properties"
DISCONNECTED = "org.freedesktop.DBus.Error.Disconnected"

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


class Silence(Enum):
    """Stands where no answer came."""

    UNANSWERED = "unanswered"


UNANSWERED = Silence.UNANSWERED


@dataclass(frozen=True, slots=True)
class Call:
    """A question, and the type that its answer must have: what other programs send is not to be trusted to have the
    shape of their interface."""

    message: Message
    gives: str
    """Signature of the answer."""
    variant: str = ""
    """Signature of what is in the variant that a property comes in."""

    @classmethod
    def of(
        cls,
        destination: str | None,
        path: str,
        interface: str,
        member: str,
        signature: str,
        body: Sequence[Any],
        *,
        gives: str,
    ) -> Call:
        """No destination where there is no bus between."""
        ask = Message(destination, path, interface, member, signature=signature, body=list(body), validate=False)
        return cls(ask, gives)

    @classmethod
    def to_get(cls, destination: str, path: str, interface: str, name: str, gives: str) -> Call:
        """Reading a property, of D-Bus type ``gives``."""
        body = [interface, name]
        ask = Message(destination, path, PROPERTIES, "Get", signature="ss", body=body, validate=False)
        return cls(ask, "v", gives)

    def value(self, answer: Message) -> Any:
        """What the answer holds. Raises `CallError`."""
        if answer.message_type is MessageType.ERROR:
            text = answer.body[0] if answer.signature.startswith("s") else ""
            raise CallError(answer.error_name or "unnamed error", text)
        if answer.signature != self.gives:
            raise CallError("type", f"answer of type {answer.signature} where {self.gives} was due")
        if not self.variant:
            return answer.body[0] if self.gives else None
        variant = answer.body[0]
        if variant.signature != self.variant:
            raise CallError("type", f"property of type {variant.signature} where {self.variant} was due")
        return variant.value


class Asker(Protocol):
    """Waits for answers."""

    def take(self, place: int, answer: Message) -> None:
        """The answer to its call of that place."""

    def fail(self, place: int, error: CallError) -> None:
        """There will be none."""

    def is_over(self) -> bool:
        """It waits no longer."""


class Answer:
    """What one call will give. Unlike a coroutine it may be left unawaited, when the one who asked was stopped."""

    __slots__ = ("_call", "future")

    def __init__(self, call: Call, loop: asyncio.AbstractEventLoop) -> None:
        self._call = call
        self.future: asyncio.Future[Message] = loop.create_future()

    def take(self, _place: int, answer: Message) -> None:
        if not self.future.done():
            self.future.set_result(answer)

    def fail(self, _place: int, error: CallError) -> None:
        if not self.future.done():
            self.future.set_exception(error)

    def is_over(self) -> bool:
        return self.future.done()

    def __await__(self) -> Generator[Any, None, Any]:
        return self._call.value((yield from self.future))


class Answers:
    """What many calls give, in their order: a value, a `CallError`, or `UNANSWERED`."""

    __slots__ = ("_calls", "_left", "_over", "done", "told")

    def __init__(self, calls: Sequence[Call], loop: asyncio.AbstractEventLoop) -> None:
        self._calls = calls
        self._left = len(calls)
        self._over = False
        self.told: list[Any] = [UNANSWERED] * len(calls)
        self.done: asyncio.Future[None] = loop.create_future()

    @property
    def left(self) -> int:
        """How many are not answered."""
        return self._left

    def take(self, place: int, answer: Message) -> None:
        try:
            self._put(place, self._calls[place].value(answer))
        except CallError as error:
            self._put(place, error)

    def fail(self, place: int, error: CallError) -> None:
        self._put(place, error)

    def _put(self, place: int, value: Any) -> None:
        self.told[place] = value
        self._left -= 1
        if not self._left and not self.done.done():
            self.done.set_result(None)

    def give_up(self) -> None:
        self._over = True

    def is_over(self) -> bool:
        return self._over

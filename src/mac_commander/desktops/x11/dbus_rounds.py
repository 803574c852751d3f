"""Many small pieces of work side by side, all of whose questions of one round are asked at once.

Each piece is a coroutine that awaits `Question`s and nothing else, so it needs no task of an event loop: thousands of
them cost a fifth of what tasks and futures did (measured).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable, Sequence
from typing import Any

from mac_commander.desktops.x11.dbus_calls import UNANSWERED, Call, CallError

Work = Coroutine[Call, Any, None]


class Question:
    """Awaiting it in `in_rounds` gives what the call gives. Raises `CallError`."""

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

    def __await__(self) -> Generator[Call, Any, Any]:
        answer = yield self._call
        if isinstance(answer, CallError):
            raise answer
        return answer


class Questions:
    """Asks as an `AtspiBus` does, within `in_rounds`."""

    def call(
        self, bus: str, path: str, interface: str, member: str, signature: str = "", *body: Any, gives: str
    ) -> Question:
        return Question(Call.of(bus, path, interface, member, signature, body, gives=gives))

    def get(self, bus: str, path: str, interface: str, name: str, gives: str) -> Question:
        return Question(Call.to_get(bus, path, interface, name, gives))


async def in_rounds(ask_all: Callable[[Sequence[Call]], Awaitable[Sequence[Any]]], works: Iterable[Work]) -> bool:
    """Do all of it; what is not answered is given up. Returns whether everything was."""
    going: Sequence[tuple[Work, Call | None]] = [(work, _next(work, None)) for work in works]
    answered = True
    try:
        while asked := [(work, call) for work, call in going if call is not None]:
            going = asked
            answers = await ask_all([call for _work, call in asked])
            going = [(work, _next(work, told)) for (work, _call), told in zip(asked, answers, strict=True)]
            answered = answered and UNANSWERED not in answers
    finally:
        for work, _call in going:
            work.close()
    return answered


def _next(work: Work, told: Any) -> Call | None:
    """What it wants to know next, ``None`` when it is done, or given up."""
    if told is UNANSWERED:
        work.close()
        return None
    try:
        return work.send(told)
    except StopIteration:
        return None

"""Questions of many pieces of work, asked round by round; no bus is needed for that."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from mac_commander.desktops.x11.dbus_calls import UNANSWERED, Call, CallError
from mac_commander.desktops.x11.dbus_rounds import Questions, in_rounds

ASKS = Questions()


class Bus:
    """Answers by the path that is asked."""

    def __init__(self, answer: Callable[[str], Any]) -> None:
        self._answer = answer
        self.rounds: list[list[str]] = []

    async def ask_all(self, calls: Sequence[Call]) -> list[Any]:
        paths = [str(call.message.path) for call in calls]
        self.rounds.append(paths)
        return [self._answer(path) for path in paths]


def name(path: str) -> Any:
    return ASKS.get(":1.1", path, "org.a11y.atspi.Accessible", "Name", "s")


async def follow(paths: Sequence[str], heard: list[Any]) -> None:
    for path in paths:
        try:
            heard.append(await name(path))
        except CallError as error:
            heard.append(error.name)


def do(bus: Bus, *ways: Sequence[str]) -> tuple[bool, list[list[Any]]]:
    heard: list[list[Any]] = [[] for _ in ways]
    works = [follow(way, told) for way, told in zip(ways, heard, strict=True)]
    return asyncio.run(in_rounds(bus.ask_all, works)), heard


def test_each_round_asks_for_all_what_each_wants_next() -> None:
    bus = Bus(str.upper)
    assert do(bus, ["/a", "/b", "/c"], ["/d"], [], ["/e", "/f"]) == (
        True,
        [["/A", "/B", "/C"], ["/D"], [], ["/E", "/F"]],
    )
    assert bus.rounds == [["/a", "/d", "/e"], ["/b", "/f"], ["/c"]]


def test_an_error_is_raised_where_its_question_was_asked() -> None:
    bus = Bus(lambda path: CallError("gone") if path == "/a" else path)
    assert do(bus, ["/a", "/b"], ["/c"]) == (True, [["gone", "/b"], ["/c"]])


def test_what_is_not_answered_is_given_up_and_the_others_go_on() -> None:
    bus = Bus(lambda path: UNANSWERED if path == "/a" else path)
    assert do(bus, ["/a", "/b"], ["/c", "/d"]) == (False, [[], ["/c", "/d"]])
    assert ["/d"] in bus.rounds


def test_when_asking_fails_nothing_is_left_unfinished() -> None:
    left: list[str] = []

    async def work(path: str) -> None:
        try:
            await name(path)
        finally:
            left.append(path)

    async def hang(_calls: Sequence[Call]) -> list[Any]:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        asyncio.run(in_rounds(hang, [work("/a"), work("/b")]))
    assert left == ["/a", "/b"]

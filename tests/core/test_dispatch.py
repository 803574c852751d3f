"""One funnel: every call in order, recorded once whatever its end, and nothing done that cannot be recorded."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from mac_commander.core import config
from mac_commander.core.audit import AuditLog
from mac_commander.core.config import Config
from mac_commander.core.dispatch import WAITING_MOST, Call, Dispatcher, Grounds, Hooks, Job
from mac_commander.core.progress import EVERY_SECONDS, FIRST_SECONDS, Pace, silent
from mac_commander.core.quota import Quota
from mac_commander.core.reply import Reply
from mac_commander.core.session import Session
from mac_commander.core.stop import Stop
from mac_commander.errors import Cause, InvalidArgument, Locked, NoSuchApp, Refused, Stopped
from tests.server.double import Double


class Station:
    """A dispatcher with its log in a folder, run to its end on this thread."""

    def __init__(self, home: Path, hooks: Hooks | None = None, lock: Locked | None = None) -> None:
        self.log = home / "audit.jsonl"
        self.desktop = Double()
        self.answers: list[Reply] = []
        self.openings: list[Callable[[], None]] = []

        def open_session(settings: Config, stop: Stop) -> Session:
            if self.openings:
                self.openings.pop(0)()
            return Session(self.desktop, settings, stop)

        grounds = Grounds(config.defaults(home), AuditLog(self.log), lock)
        self.dispatcher = Dispatcher(lambda: grounds, open_session, hooks or Hooks())

    def job(self, run: Callable[[Session], Reply], summary: str = "summary") -> Job:
        return Job(Call("see", "TextEdit", summary, run), self.answers.append, silent)

    def run(self, *runs: Callable[[Session], Reply]) -> list[Reply]:
        for run in runs:
            self.dispatcher.submit(self.job(run))
        self.dispatcher.close()
        self.dispatcher.run()
        return self.answers

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    def results(self) -> list[str]:
        return [str(line["result"]) for line in self.lines()]


@pytest.fixture
def station(tmp_path: Path) -> Station:
    return Station(tmp_path)


def fine(_session: Session) -> Reply:
    return Reply("seen", "ok")


def failing(error: Exception) -> Callable[[Session], Reply]:
    def fail(_session: Session) -> Reply:
        raise error

    return fail


def test_every_end_has_one_line_and_one_answer(station: Station) -> None:
    ends = [
        (InvalidArgument("text: got 'secret'"), "refused: arguments"),
        (Refused("no"), "refused"),
        (Refused("no", cause=Cause.FOCUS), "failed: focus"),
        (NoSuchApp("no 'secret'"), "failed: gone"),
        (Stopped("stop"), "cancelled"),
        (Stopped("time", Cause.TIME), "stopped: time"),
        (ValueError("secret"), "error: internal"),
        (RecursionError("secret"), "error: internal"),
    ]
    answers = station.run(fine, *(failing(error) for error, _ in ends), fine)
    assert station.results() == ["ok", *(result for _, result in ends), "ok"]
    assert [a.is_error for a in answers] == [False] + [True] * len(ends) + [False]
    assert "secret" not in station.log.read_text()
    assert "secret" not in answers[7].text


def test_the_desktop_is_opened_once_and_closed_at_the_end(station: Station) -> None:
    sessions: list[Session] = []
    station.run(*[lambda session: sessions.append(session) or fine(session)] * 2)
    assert sessions[0] is sessions[1]
    assert station.desktop.closed


def test_a_desktop_that_is_missing_refuses_and_is_looked_for_again(station: Station) -> None:
    def missing() -> None:
        raise Locked("no display")

    station.openings = [missing, missing]
    answers = station.run(fine, fine, fine)
    assert [a.text for a in answers] == ["no display", "no display", "seen"]
    assert station.results() == ["refused: locked", "refused: locked", "ok"]


def test_a_locked_config_refuses_every_call_and_says_so_in_the_log(tmp_path: Path) -> None:
    station = Station(tmp_path, lock=Locked("config.json, line 3"))
    answers = station.run(fine, fine)
    assert [a.text for a in answers] == ["config.json, line 3"] * 2
    assert station.results() == ["refused: locked"] * 2


def test_nothing_runs_when_its_line_cannot_be_written(station: Station) -> None:
    station.log.mkdir()
    ran: list[int] = []
    answers = station.run(lambda session: ran.append(1) or fine(session))
    assert ran == []
    assert "Nothing is done that cannot be recorded" in answers[0].text


def test_a_log_that_breaks_during_the_call_turns_the_answer_into_an_error(station: Station) -> None:
    def breaks(_session: Session) -> Reply:
        station.log.unlink()
        station.log.mkdir()
        return Reply("done", "ok")

    ran: list[int] = []
    answers = station.run(breaks, lambda session: ran.append(1) or fine(session))
    assert [a.is_error for a in answers] == [True, True]
    assert ran == []


def test_cancelling_a_waiting_job_leaves_its_line_and_no_answer(station: Station) -> None:
    ran: list[int] = []
    job = station.job(lambda session: ran.append(1) or fine(session))
    station.dispatcher.submit(job)
    station.dispatcher.cancel(job)
    assert [a.text for a in station.run(fine)] == ["seen"]
    assert station.results() == ["cancelled", "ok"]
    assert ran == []


def test_cancelling_reaches_the_running_job_alone(station: Station) -> None:
    def cancelled(session: Session) -> Reply:
        threading.Timer(0.05, station.dispatcher.cancel, [first]).start()
        session.wait(10)
        raise AssertionError("not stopped")

    first = station.job(cancelled)
    station.dispatcher.submit(first)
    assert [a.text for a in station.run(fine)] == ["seen"]
    assert station.results() == ["cancelled", "ok"]


def test_stop_all_stops_what_runs_and_what_waits(station: Station) -> None:
    def stopped(session: Session) -> Reply:
        threading.Timer(0.05, station.dispatcher.stop_all, ["the end"]).start()
        session.wait(10)
        raise AssertionError("not stopped")

    answers = station.run(stopped, fine)
    assert [a.text for a in answers] == ["the end", "the end"]
    assert station.results() == ["cancelled", "cancelled"]


def test_a_tool_may_say_more_in_its_line_than_the_arguments_do(station: Station) -> None:
    station.run(lambda _session: Reply("done", "ok", summary="hello sha256:0123456789abcdef"))
    assert station.lines()[0]["summary"] == "hello sha256:0123456789abcdef"


def test_too_many_waiting_calls_are_refused_each_with_its_line(station: Station) -> None:
    answers = station.run(*[fine] * (WAITING_MOST + 3))
    assert [a.is_error for a in answers].count(True) == 3
    assert station.results().count("refused: locked") == 3
    assert len(station.lines()) == WAITING_MOST + 3


def test_one_call_too_many_is_answered_at_once_and_keeps_nothing_of_what_it_carried(station: Station) -> None:
    for _ in range(WAITING_MOST):
        station.dispatcher.submit(station.job(fine))
    assert station.answers == []
    late = Job(Call("see", "x" * 1_000_000, "y" * 1_000_000, fine), station.answers.append, silent)
    station.dispatcher.submit(late)
    assert [a.is_error for a in station.answers] == [True]
    assert len(late.call.target + late.call.summary) < 10_000
    station.run()
    assert len(station.answers) == WAITING_MOST + 1
    assert station.lines()[-1]["result"] == "refused: locked"


def test_a_refusal_stays_one_in_the_log_when_the_end_comes_before_its_line(station: Station) -> None:
    for _ in range(WAITING_MOST + 2):
        station.dispatcher.submit(station.job(fine))
    station.dispatcher.stop_all("the end")
    station.run()
    assert station.results() == ["cancelled"] * WAITING_MOST + ["refused: locked"] * 2


def test_hooks_surround_each_call_and_the_guardian_owes_a_line_for_it(tmp_path: Path) -> None:
    told: list[str] = []

    class Watching:
        def owe(self, log: Path, line: bytes) -> None:
            owed = json.loads(line)
            told.append(f"owe {log.name} {owed['tool']} {owed['result'].split(':')[0]} {owed['seq']}")

        def paid(self) -> None:
            told.append("paid")

    hooks = Hooks(lambda: told.append("starts"), lambda: told.append("ends"), guardian=Watching())
    Station(tmp_path, hooks).run(fine, failing(Refused("no")))
    assert told == [
        *("owe audit.jsonl see unknown 1", "starts", "ends", "paid"),
        *("owe audit.jsonl see unknown 2", "starts", "ends", "paid"),
    ]


def test_progress_begins_late_and_is_paced() -> None:
    now = 0.0
    sent: list[float] = []
    pace = Pace(lambda done, _total, _message: sent.append(done), lambda: now)
    for tick in range(200):
        now = tick / 100
        pace.report(tick, 200, "step")
    assert sent[0] == FIRST_SECONDS * 100
    assert all(b - a >= EVERY_SECONDS * 100 for a, b in pairwise(sent))
    assert len(sent) == 4


def test_calls_beyond_the_pace_are_refused_and_each_has_its_line(station: Station) -> None:
    station.dispatcher.pace = Quota(3, 60.0)
    replies = station.run(*[fine] * 5)
    assert [reply.is_error for reply in replies] == [True, True, False, False, False]
    assert "at most 500 calls in 10 s" in replies[0].text
    assert station.results() == ["ok", "ok", "ok", "refused: locked", "refused: locked"]

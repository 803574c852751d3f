"""The one funnel for every call: queued by the protocol's thread, run in order on the main thread, recorded.

protocol thread: submit(call) ──▶ queue ──▶ main thread: run() ──▶ call.run(session) ──▶ answer(reply)
"""

from __future__ import annotations

import queue
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from mac_commander.core.audit import LINE_MOST, AuditLog, Entry
from mac_commander.core.config import Config
from mac_commander.core.progress import Pace, Progress, silent
from mac_commander.core.quota import Quota
from mac_commander.core.reply import Reply
from mac_commander.core.session import Session
from mac_commander.core.stop import Stop
from mac_commander.errors import Cause, CommanderError, InvalidArgument, Locked, Stopped

IDLE_SECONDS = 0.25
"""Between calls the desktop's events are taken in this often: enough to keep buffers short, and no more wake-ups
on a laptop than a blinking cursor. A call itself starts at once."""

WAITING_MOST = 64
"""Calls in the queue. A client that asks for more than a person could watch is told to slow down."""


CALLS_MOST = 500
CALLS_SECONDS = 10.0
"""So many calls in so many seconds: ten times what a busy model asks for, and far below what fills a log or hides a
call in it. Each refused one still has its line."""


def _pace() -> Quota:
    return Quota(CALLS_MOST, CALLS_SECONDS)


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call, ready to run on the main thread. ``target`` and ``summary`` are for the audit log, hold nothing
    secret and are no longer than a line of it."""

    tool: str
    target: str
    summary: str
    run: Callable[[Session], Reply]
    explain: Callable[[CommanderError], str] = str
    """How an error is told to the client."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "target", self.target[:LINE_MOST])
        object.__setattr__(self, "summary", self.summary[:LINE_MOST])


@dataclass(eq=False, slots=True)
class Job:
    """A call in the queue or running. ``answer`` is called at most once, on the main thread, or in `submit`."""

    call: Call
    answer: Callable[[Reply], None]
    progress: Progress
    cancelled: bool = False
    refusal: Locked | None = None
    """It was one too many, and answered so: all that is left to do is its line."""


class Guardian(Protocol):
    """The process that appends the line of a call during which the server was killed."""

    def owe(self, log: Path, line: bytes) -> None: ...

    def paid(self) -> None: ...


def _nothing() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Hooks:
    """What else happens around a call. They must return at once and never raise."""

    call_starts: Callable[[], None] = _nothing
    call_ends: Callable[[], None] = _nothing
    closing: Callable[[], None] = _nothing
    """The last call has ended, and the desktop is closed."""
    guardian: Guardian | None = None


@dataclass(frozen=True, slots=True)
class Grounds:
    """What calls stand on, made at the first one. ``lock`` refuses all of them."""

    config: Config
    log: AuditLog
    lock: Locked | None = None


@dataclass(slots=True)
class Dispatcher:
    """Owned by the main thread; `submit`, `cancel`, `stop_all` and `close` may be called from any other."""

    lay_grounds: Callable[[], Grounds]
    open_session: Callable[[Config, Stop], Session]
    """Raises `Locked` when there is no desktop; tried again at the next call."""
    hooks: Hooks = field(default_factory=Hooks)
    stop: Stop = field(default_factory=Stop)
    pace: Quota = field(default_factory=_pace)
    """Asked by one thread alone, the one that submits."""
    _queue: queue.SimpleQueue[Job | None] = field(default_factory=queue.SimpleQueue)
    _mutex: threading.Lock = field(default_factory=threading.Lock)
    _running: Job | None = None
    _told: str = ""
    _looked: bool = False
    """The user's settings were looked through for mistakes."""
    _stopping: bool = False
    _grounds: Grounds | None = None
    _session: Session | None = None

    # --- any thread ----------------------------------------------------------------------------------------

    def submit(self, job: Job) -> None:
        """Queue a job. Jobs run in the order in which they came; one too many is answered at once, and queued for its
        line alone: what it carried must not pile up behind a long call."""
        if too_many := self._too_many():
            job.refusal = Locked(too_many)
            job.answer(_failure(job.refusal, job.call))
            job.call = replace(job.call, run=_never_run)
            job.answer, job.progress = _ignored, silent
        self._queue.put(job)

    def _too_many(self) -> str:
        """Why no more calls can be taken, empty when they can."""
        if self._queue.qsize() >= WAITING_MOST:
            return f"{WAITING_MOST} calls are waiting already; wait for their answers, then call again"
        if wait := self.pace.wait():
            return f"wanted at most {CALLS_MOST} calls in {CALLS_SECONDS:.0f} s; call again in {wait:.1f} s"
        return ""

    def cancel(self, job: Job) -> None:
        """Stop exactly this job: now when it runs, before it begins when it waits."""
        with self._mutex:
            job.cancelled = True
            if job is self._running:
                self.stop.request("the client cancelled the call")

    def stop_all(self, reason: str) -> None:
        """Stop the running job, and every other as soon as it begins. They are still recorded and answered."""
        with self._mutex:
            self._stopping = True
            self.stop.request(reason)

    def close(self) -> None:
        """Let `run` return once the jobs queued so far are done."""
        self._queue.put(None)

    # --- the main thread -----------------------------------------------------------------------------------

    def run(self) -> None:
        """Serve jobs until `close`."""
        while (job := self._next()) is not None:
            self._serve(job)
        if self._session is not None:
            self._session.desktop.close()
        self.hooks.closing()

    def _next(self) -> Job | None:
        while self._session is not None:
            try:
                return self._queue.get(timeout=IDLE_SECONDS)
            except queue.Empty:
                self._turn(self._session)
        return self._queue.get()

    def _turn(self, session: Session) -> None:
        try:
            session.desktop.idle(0.0)
            self._look_for_mistakes(session)
        except CommanderError as error:
            self._tell_once(f"the desktop does not answer between calls: {type(error).__name__}")
        else:
            self._told = ""

    def _look_for_mistakes(self, session: Session) -> None:
        """Once, in the first pause: no call waits for it, and nothing is done before the first one."""
        if self._looked:
            return
        self._looked = True
        from mac_commander.core.likely_mistakes import likely_mistakes  # here, since starting need not pay for it

        try:
            for mistake in likely_mistakes(session):
                _complain(mistake)
        except Exception as error:  # noqa: BLE001 - a hint for the user must not end the server
            _complain(f"the settings could not be looked through: {type(error).__name__}")

    def _tell_once(self, trouble: str) -> None:
        """Looked at several times a second, a trouble is told when it begins."""
        if trouble != self._told:
            self._told = trouble
            _complain(trouble)

    def _serve(self, job: Job) -> None:
        with self._mutex:
            self._running = job
        reply = self._funnel(job)
        with self._mutex:
            self._running = None
            if not self._stopping:
                self.stop.clear()
        if not job.cancelled:
            job.answer(reply)

    def _funnel(self, job: Job) -> Reply:
        """No exception leaves it."""
        try:
            return self._recorded(job)
        except CommanderError as error:
            return _failure(error, job.call)
        except Exception as error:  # noqa: BLE001 - our own bug must not end the server: it is told by its kind alone
            return _internal(error)

    def _recorded(self, job: Job) -> Reply:
        """Run the call between making sure of its audit line and writing it."""
        grounds = self._ground()
        reservation = grounds.log.reserve()
        call = job.call
        self._owe(grounds.log, call)
        reply = _failure(Stopped("the call ended without a result"), call)
        try:
            reply = self._performed(job, grounds)
            return reply
        finally:
            reservation.write(Entry(call.tool, call.target, reply.summary or call.summary, reply.result))
            self._paid()

    def _performed(self, job: Job, grounds: Grounds) -> Reply:
        """The call's reply, also when it failed."""
        self.hooks.call_starts()
        try:
            if job.refusal is not None:
                raise job.refusal
            if job.cancelled:
                raise Stopped("the client cancelled the call before it began")
            self.stop.check()
            if grounds.lock is not None:
                raise grounds.lock
            session = self._opened(grounds.config)
            self.stop.begin()
            session.progress = Pace(job.progress).report
            session.desktop.idle(0.0)
            return job.call.run(session)
        except CommanderError as error:
            return _failure(error, job.call)
        except Exception as error:  # noqa: BLE001 - as in _funnel; here so that the audit line says it
            return _internal(error)
        finally:
            self.hooks.call_ends()

    def _ground(self) -> Grounds:
        if self._grounds is None:
            self._grounds = self.lay_grounds()
        return self._grounds

    def _opened(self, config: Config) -> Session:
        if self._session is None:
            self._session = self.open_session(config, self.stop)
        return self._session

    def _owe(self, log: AuditLog, call: Call) -> None:
        if self.hooks.guardian is not None and log.path is not None:
            dead = Entry(call.tool, call.target, call.summary, "unknown: the server was killed during the call")
            self.hooks.guardian.owe(log.path, log.upcoming(dead))

    def _paid(self) -> None:
        if self.hooks.guardian is not None:
            self.hooks.guardian.paid()


def _ignored(_reply: Reply) -> None:
    return None


def _never_run(_session: Session) -> Reply:
    raise AssertionError("a refused call is not run")


def _failure(error: CommanderError, call: Call) -> Reply:
    return Reply(call.explain(error), _result(error), is_error=True)


def _result(error: CommanderError) -> str:
    """For the audit line: the kind alone, since a message may quote what the client sent."""
    if isinstance(error, InvalidArgument):
        return "refused: arguments"
    if isinstance(error, Locked):
        return "refused: locked"
    if isinstance(error, Stopped):
        return "cancelled" if error.cause is Cause.CANCELLED else f"stopped: {error.cause}"
    return "refused" if error.cause is Cause.REFUSED else f"failed: {error.cause}"


def _internal(error: Exception) -> Reply:
    """The place, for whoever reads stderr; never the message, which may hold values of the call."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "unknown place"
    kind = type(error).__name__
    _complain(f"internal error {kind} at {place}")
    return Reply(f"internal error ({kind}); this is a fault of the server, not of the call", "error: internal", True)


def _complain(line: str) -> None:
    sys.stderr.write(f"mac-commander: {line}\n")

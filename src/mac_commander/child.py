"""Run one program to its end: text on stdin, values on argv, output bounded, the whole group ended in time."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO

KEPT_BYTES = 64 * 1024
"""Of each of stdout and stderr: more than a model should read at once."""

DRAINED_MOST = 16 << 20
"""A child that writes more than this is running away, and is ended."""

SLICE_SECONDS = 0.02
"""How soon a stop is noticed."""

GRACE_SECONDS = 0.2
"""Between SIGTERM and SIGKILL: time to remove a lock file, and within the 0.5 s in which the server must be gone."""

CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Completed:
    """How a child ended. Bytes that are no UTF-8 are replaced."""

    stdout: str = field(repr=False)
    stderr: str = field(repr=False)
    code: int
    """Exit status; negative for the signal that ended it."""
    timed_out: bool = False
    stopped: bool = False
    """Ended because the caller's stop flag was set."""
    truncated: bool = False
    """Some output was not kept."""
    flooded: bool = False
    """Ended because it wrote more than `DRAINED_MOST`."""


def never() -> bool:
    return False


def run(
    argv: Sequence[str],
    stdin: bytes,
    environment: Mapping[str, str],
    timeout: float,
    stop: Callable[[], bool] = never,
    folder: str = "/",
) -> Completed:
    """Run ``argv`` (an absolute program first) in a session of its own, and end whatever is left of that session.

    Raises `OSError` when it cannot be started, `ValueError` for a NUL in ``argv``.
    """
    process = subprocess.Popen(
        list(argv),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(environment),
        cwd=folder,
        start_new_session=True,
    )
    talk = _Talk(process, stdin)
    try:
        talk.until_ended(time.monotonic() + timeout, stop)
    finally:
        _end_group(process, gently=process.poll() is None)
        talk.close()
    return talk.completed()


class _Talk:
    """Feeds stdin and drains the outputs of one child, never blocking on any of them."""

    def __init__(self, process: subprocess.Popen[bytes], stdin: bytes) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._left = memoryview(stdin)
        self._kept = {process.stdout: bytearray(), process.stderr: bytearray()}
        self._drained = 0
        self._timed_out = False
        self._stopped = False
        self._pipes = selectors.DefaultSelector()
        for pipe in (process.stdin, process.stdout, process.stderr):
            os.set_blocking(pipe.fileno(), False)
        self._pipes.register(process.stdin, selectors.EVENT_WRITE)
        for output in self._kept:
            self._pipes.register(output, selectors.EVENT_READ)

    def until_ended(self, deadline: float, stop: Callable[[], bool]) -> None:
        while self._process.poll() is None:
            self._stopped = stop()
            self._timed_out = time.monotonic() >= deadline
            if self._stopped or self._timed_out or self._drained > DRAINED_MOST:
                return
            self._turn(min(SLICE_SECONDS, max(0.0, deadline - time.monotonic())))
        while self._turn(0.0) and self._drained <= DRAINED_MOST:
            pass  # what the ended child left in its pipes; a grandchild may hold them open, so not to their end

    def _turn(self, seconds: float) -> bool:
        """Move what can be moved; whether anything was."""
        if not self._pipes.get_map():
            time.sleep(seconds)
            return False
        ready = self._pipes.select(seconds)
        for key, _ in ready:
            pipe: IO[bytes] = key.fileobj  # type: ignore[assignment]  # we registered the pipes themselves
            if pipe is self._process.stdin:
                self._feed(pipe)
            else:
                self._drain(pipe)
        return bool(ready)

    def _feed(self, pipe: IO[bytes]) -> None:
        try:
            self._left = self._left[os.write(pipe.fileno(), self._left[:CHUNK]) :]
        except BrokenPipeError:  # a child need not read its input
            self._left = self._left[:0]
        if not self._left:
            self._pipes.unregister(pipe)
            pipe.close()

    def _drain(self, pipe: IO[bytes]) -> None:
        chunk = os.read(pipe.fileno(), CHUNK)
        if not chunk:
            self._pipes.unregister(pipe)
            return
        self._drained += len(chunk)
        kept = self._kept[pipe]
        kept += chunk[: KEPT_BYTES - len(kept)]

    def close(self) -> None:
        self._pipes.close()
        for pipe in (self._process.stdin, *self._kept):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()

    def completed(self) -> Completed:
        out, err = (bytes(kept).decode("utf-8", "replace") for kept in self._kept.values())
        kept = sum(map(len, self._kept.values()))
        flooded = self._drained > DRAINED_MOST
        code = self._process.returncode
        return Completed(out, err, code, self._timed_out, self._stopped, self._drained > kept, flooded)


def _end_group(process: subprocess.Popen[bytes], gently: bool) -> None:
    """End the child's whole group: when the child has ended, what it left running too."""
    if gently:
        _signal_group(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_SECONDS)
    _signal_group(process.pid, signal.SIGKILL)
    process.wait()


def _signal_group(group: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):  # macOS says EPERM for a group of zombies
        os.killpg(group, number)

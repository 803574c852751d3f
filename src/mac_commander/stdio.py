"""The wire: lines of bytes in and out, on private copies of the standard streams, and what ends a server.

The SDK's own transport hangs on SIGINT and when the client has closed its end (seen in 2.3.0), so this one
waits in one thread for all there is to wait for: input, a signal, the client's end going away, our parent's death.
"""

from __future__ import annotations

import fcntl
import os
import queue
import select
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType

LINE_MOST = 16 << 20
"""Bytes of one message. The largest valid call is far below 1 MB; the rest of a longer line is dropped, so it
cannot be parsed and is answered so."""

CHUNK = 1 << 16
PARENT_LOOK_MS = 500
"""How often to see whether the parent still lives: end of input does not always arrive when a sibling holds the
pipe open (google-docs-mcp PR#112)."""

GONE = select.POLLERR | select.POLLHUP
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class End:
    """Why the server must go."""

    reason: str = ""
    signum: int = 0


class Lines:
    """Cuts a stream of bytes into lines of at most `LINE_MOST` bytes."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that this chunk completes, without their line ends."""
        *ends, rest = chunk.split(b"\n")
        whole = [self._take(end) for end in ends]
        self._keep(rest)
        return whole

    def rest(self) -> bytes:
        """What came after the last line end."""
        return self._take(b"")

    def _take(self, end: bytes) -> bytes:
        self._keep(end)
        line = b"".join(self._parts)
        self._parts, self._size = [], 0
        return line

    def _keep(self, part: bytes) -> None:
        kept = part[: LINE_MOST - self._size]
        self._parts.append(kept)
        self._size += len(kept)


@dataclass(slots=True)
class Wire:
    """Private copies of fd 0 and 1. In their places children and stray prints find an empty input and stderr."""

    incoming: int
    outgoing: int
    _wake: tuple[int, int] = field(default_factory=os.pipe)
    _parent: int = field(default_factory=os.getppid)
    _outbox: queue.SimpleQueue[bytes | None] = field(default_factory=queue.SimpleQueue)
    _writer: threading.Thread | None = None

    @classmethod
    def claim(cls) -> Wire:
        """Raises `OSError` when a standard stream is closed."""
        wire = cls(_moved(0), _moved(1))
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        return wire

    def catch_signals(self) -> None:
        """Main thread only. Python's own handlers run there alone, between byte codes; the wake-up pipe is written
        at once, also while the main thread is in a long call."""
        os.set_blocking(self._wake[1], False)
        signal.set_wakeup_fd(self._wake[1], warn_on_full_buffer=False)
        for number in SIGNALS:
            signal.signal(number, _woken)

    def watch(self, on_line: Callable[[bytes], None]) -> End:
        """Hand over each line of input until something ends the server. Runs in a thread of its own."""
        lines = Lines()
        while True:
            happened = self._happened()
            if end := self._end(happened):
                return end
            if self.incoming in happened:
                chunk = os.read(self.incoming, CHUNK)
                for line in lines.feed(chunk) if chunk else [lines.rest()]:
                    if line.strip():
                        on_line(line)
                if not chunk:
                    return End("the client closed our input")

    def _happened(self) -> dict[int, int]:
        poll = select.poll()
        poll.register(self.incoming, select.POLLIN)
        poll.register(self._wake[0], select.POLLIN)
        poll.register(self.outgoing, 0)
        return dict(poll.poll(PARENT_LOOK_MS))

    def _end(self, happened: dict[int, int]) -> End | None:
        if self._wake[0] in happened:
            number = os.read(self._wake[0], 1)[0]
            return End(f"signal {signal.Signals(number).name}", number)
        if happened.get(self.outgoing, 0) & GONE:
            return End("the client closed our output")
        if os.getppid() != self._parent:
            return End("the process that started us is gone")
        return None

    def send(self, line: bytes) -> None:
        """Queue one line for writing. Never blocks: a client that does not read holds up nobody here."""
        self._outbox.put(line + b"\n")

    def start_writing(self) -> None:
        self._writer = threading.Thread(target=self._write, name="writer", daemon=True)
        self._writer.start()

    def finish(self, seconds: float) -> None:
        """Let the queued lines go out, for at most this long."""
        self._outbox.put(None)
        if self._writer is not None:
            self._writer.join(seconds)

    def _write(self) -> None:
        while (line := self._outbox.get()) is not None:
            try:
                _write_all(self.outgoing, line)
            except OSError:  # the client's end is gone: `watch` sees it too and ends the server
                return


def _moved(fd: int) -> int:
    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 3)


def _write_all(fd: int, line: bytes) -> None:
    left = memoryview(line)
    while left:
        left = left[os.write(fd, left) :]


def _woken(_number: int, _frame: FrameType | None) -> None:
    """The byte in the wake-up pipe is what counts."""


def complain(line: str) -> None:
    """One line for people, on stderr: stdout is the wire."""
    sys.stderr.write(f"mac-commander: {line}\n")
    sys.stderr.flush()

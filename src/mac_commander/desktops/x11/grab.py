"""Holding the X server still: between check and delivery no other client can act.

Measured: without it 16 to 20 of 100 keys went to a client that stole the focus between a check and its key; with
it none in some forty runs. Held for about a millisecond.
"""

from __future__ import annotations

import gc
import mmap
import os
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from Xlib.protocol import request

from mac_commander.desktops.x11.display import Connection
from mac_commander.desktops.x11.grab_watchdog import LAYOUT
from mac_commander.errors import DesktopError, Hung

LONGEST_SECONDS = 0.18
"""Between two answers of the server in a hold, of which there are four: a machine with ten busy processes a core
takes 100 ms for what else takes one. With the 25 ms between two looks of the watchdog, a holder that was stopped or
hangs is ended within 250 ms."""


WATCHDOG_END_SECONDS = 0.5
"""From ending the connection to its own end: it does nothing more, but a busy machine may be slow to run it."""

CUT = (
    f"the desktop stood still for over {LONGEST_SECONDS:g} s while input was proven, so the watchdog let it go: this "
    "machine is very busy, or this server was stopped. Nothing more was sent, but this piece may have been. Look with "
    "see, then call act again, which connects anew."
)


class ServerGrab:
    """The right to hold the server, under the eye of a watchdog process."""

    def __init__(self, x: Connection) -> None:
        self._x = x
        memory = _memory_without_a_file()
        os.ftruncate(memory, LAYOUT.size)
        self._shared = mmap.mmap(memory, LAYOUT.size)
        try:
            self._process, self._pipe = self._start_watchdog(memory)
        finally:
            os.close(memory)

    @contextmanager
    def held(self) -> Iterator[None]:
        """The server carries out nobody else's requests inside. What is queued at the end goes out in one write
        with the release. Nothing in here may wait for another program.

        Raises `DesktopError` when the watchdog is gone, or ended the connection because this took too long.
        """
        collecting = gc.isenabled()
        gc.disable()
        try:
            with self._watched():
                yield
        except DesktopError as error:
            if self._was_cut():
                raise DesktopError(CUT) from error
            raise
        finally:
            if collecting:
                gc.enable()

    @contextmanager
    def _watched(self) -> Iterator[None]:
        self._begin()
        self._x.while_waiting = self._x.on_answer = self._alive
        self._x.send(request.GrabServer)
        try:
            yield
        finally:
            self._x.while_waiting = self._x.on_answer = None
            self._let_go()

    def got(self) -> None:
        """The first answer under the grab has come: from now on waiting is holding."""
        self._x.while_waiting = None
        self._alive()

    def close(self) -> None:
        if self._pipe < 0:
            return
        os.close(self._pipe)
        self._pipe = -1
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._shared.close()

    def _begin(self) -> None:
        self._alive()
        if self._process.poll() is not None or not self._is_watched():
            raise DesktopError(
                "the watchdog that keeps input from freezing the desktop has ended, so nothing can be sent. "
                "Reconnect the MCP client to start a new server."
            )

    def _is_watched(self) -> bool:
        """Whether the watchdog looks; it is woken when it slept."""
        with suppress(BrokenPipeError):
            return bool(LAYOUT.unpack_from(self._shared)[1]) or os.write(self._pipe, b"+") == 1
        return False

    def _let_go(self) -> None:
        self._x.send(request.UngrabServer)
        try:
            self._x.sync()
        except Hung:
            # Another client holds the server and ours was not granted yet; the release is queued behind it.
            self._x.flush()
        finally:
            struct.pack_into("=d", self._shared, 0, 0.0)

    def _alive(self) -> None:
        struct.pack_into("=d", self._shared, 0, time.monotonic())

    def _was_cut(self) -> bool:
        """Whether it was the watchdog that ended the connection: it ends itself with it."""
        if not self._x.lost:
            return False
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(WATCHDOG_END_SECONDS)
        return self._process.returncode is not None

    def _start_watchdog(self, memory: int) -> tuple[subprocess.Popen[bytes], int]:
        """The process, and the pipe that wakes it."""
        theirs, ours = os.pipe()
        shared = (theirs, self._x.socket.fileno(), memory)
        script = Path(__file__).with_name("grab_watchdog.py")
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(script), *map(str, shared), str(LONGEST_SECONDS)],
                pass_fds=shared,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env={},
            )
        except OSError as failed:
            os.close(ours)
            raise DesktopError(f"the watchdog for input cannot be started ({failed}); nothing can be sent") from failed
        finally:
            os.close(theirs)
        return process, ours


def _memory_without_a_file() -> int:
    if sys.platform != "linux":  # tells the type checker too, which reads this for macOS as well
        raise DesktopError("the X11 desktop needs memfd_create, which only Linux has")
    return os.memfd_create("mac-commander-grab")

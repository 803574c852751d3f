"""Holding the X server still: between check and delivery no other client can act.

Measured: without it 16 to 20 of 100 keys went to a client that stole the focus between a check and its key; with
it none in some forty runs. Held for about a millisecond.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from Xlib.protocol import request

from mac_commander.desktops.x11.display import Connection
from mac_commander.errors import DesktopError, Hung

LONGEST_SECONDS = 0.2
"""The watchdog ends the connection then, so that no hold, not even by a stopped process, lasts 250 ms."""


class ServerGrab:
    """The right to hold the server, under the eye of a watchdog process."""

    def __init__(self, x: Connection) -> None:
        self._x = x
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe = -1
        self._start_watchdog()

    @contextmanager
    def held(self) -> Iterator[None]:
        """The server carries out nobody else's requests inside. What is queued at the end goes out in one write
        with the release. Nothing in here may wait for another program."""
        collecting = gc.isenabled()
        gc.disable()
        self._alive()
        self._x.while_waiting = self._alive
        self._x.send(request.GrabServer)
        try:
            yield
        finally:
            self._x.while_waiting = None
            self._let_go()
            if collecting:
                gc.enable()

    def got(self) -> None:
        """The first answer under the grab has come: from now on waiting is holding."""
        self._x.while_waiting = None
        self._alive()

    def close(self) -> None:
        if self._process is not None:
            os.close(self._pipe)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
            self._process = None

    def _let_go(self) -> None:
        self._x.send(request.UngrabServer)
        try:
            self._x.sync()
        except Hung:
            # Another client holds the server and ours was not granted yet; the release is queued behind it.
            self._x.flush()
        finally:
            self._sign(b"-")

    def _alive(self) -> None:
        self._sign(b"+")

    def _sign(self, sign: bytes) -> None:
        try:
            os.write(self._pipe, sign)
        except OSError:
            self._start_watchdog()
            os.write(self._pipe, sign)

    def _start_watchdog(self) -> None:
        if self._process is not None:
            os.close(self._pipe)
            self._process.wait()
        theirs, self._pipe = os.pipe()
        connection = self._x.socket.fileno()
        script = Path(__file__).with_name("grab_watchdog.py")
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(script), str(theirs), str(connection), str(LONGEST_SECONDS)],
                pass_fds=(theirs, connection),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env={},
            )
        except OSError as failed:
            raise DesktopError(f"the watchdog for input cannot be started ({failed}); nothing can be sent") from failed
        finally:
            os.close(theirs)

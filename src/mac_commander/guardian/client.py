"""The server's side of the guardian: spawn it at the first call, tell it what is down and what is owed."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from mac_commander.errors import Refused
from mac_commander.guardian.record import PAID_LINE, READY_LINE, desktop_line, held_line, owe_line

READY_SECONDS = 5.0
"""How long `act` waits for the guardian to listen: Python starts in 0.1 s, on a machine that swaps in several."""

CLOSE_SECONDS = 0.2
"""How long the server's exit waits for it; it goes on by itself."""

STARTS_MOST = 5
"""A guardian that dies at each start is a fault to be told, not to be retried for ever."""


class GuardianClient:
    """Spawns `python -P -m mac_commander.guardian` and writes lines to its standard input.

    The pipe is the guarantee: the kernel closes it when the server dies, however it dies.
    """

    def __init__(self) -> None:
        self._desktop = b""
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False
        self._starts = 0
        self._held: tuple[str, ...] = ()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Spawn it unless it runs; does not wait. Never raises: `require` tells what is wrong."""
        if self._alive() or self._starts >= STARTS_MOST:
            return
        self._drop()
        self._starts += 1
        self._ready = False
        with contextlib.suppress(OSError):
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "mac_commander.guardian"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_inherited(),
                start_new_session=True,
                bufsize=0,
            )
            self._write(self._desktop)

    def serve(self, kind: str, environment: Mapping[str, str]) -> None:
        """Which desktop it is to let go on: ``x11``, ``macos``, or ``none`` for the simulated Mac; and what a
        process needs to reach it (DISPLAY, XAUTHORITY)."""
        self._desktop = desktop_line(kind, environment)
        self._write(self._desktop)

    def require(self) -> None:
        """Raise `Refused` unless it listens."""
        self.start()
        if not self._alive() or not self._listens():
            raise Refused(
                "the guardian process, which lets go of keys and buttons if the server dies, cannot be started: "
                "no input is sent without it. Restart the server; `mac-commander doctor` tells more"
            )

    def hold(self, names: tuple[str, ...]) -> None:
        """For ``Desktop.on_hold``. Raises `Refused` when the guardian cannot be told what goes down."""
        releasing = len(names) < len(self._held)
        self._held = names
        if not self._write(held_line(names)) and not releasing:
            raise Refused("the guardian process died: nothing is pressed without it. Try again")

    def owe(self, log: Path, line: bytes) -> None:
        """The audit line to append if this call never ends."""
        self.start()
        self._write(owe_line(str(log), line.decode("ascii").rstrip("\n")))

    def paid(self) -> None:
        self._write(PAID_LINE)

    def close(self) -> None:
        """End it, by the end of its input; what is down or owed it then sees to."""
        process = self._process
        self._drop()
        if process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(CLOSE_SECONDS)

    def _drop(self) -> None:
        """Let go of the pipes to it."""
        for pipe in (self._process.stdin, self._process.stdout) if self._process else ():
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _listens(self) -> bool:
        if not self._ready and self._process is not None and self._process.stdout is not None:
            readable, _, _ = select.select([self._process.stdout], [], [], READY_SECONDS)
            self._ready = bool(readable) and self._process.stdout.read(len(READY_LINE)) == READY_LINE
        return self._ready

    def _write(self, line: bytes) -> bool:
        if not self._alive() or self._process is None or self._process.stdin is None:
            return False
        try:
            self._process.stdin.write(line)
        except (OSError, ValueError):  # ValueError: we closed the pipe ourselves
            return False
        return True


def _inherited() -> dict[str, str]:
    """Nothing of the client's environment but what Python needs: it may hold the client's secrets."""
    names = ("HOME", "PATH", "LANG", "LC_ALL", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV", "XDG_RUNTIME_DIR")
    return {name: os.environ[name] for name in names if name in os.environ}

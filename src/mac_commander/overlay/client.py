"""The server's side of the halo: one helper process, two words, and never a wait for it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Mapping

from mac_commander.overlay.protocol import HIDE, KINDS, PING, Ending

RESTARTS = 3
"""A helper that ended this often after its first start will not stay; trying on would flicker and cost."""

CLOSE_SECONDS = 0.5
"""How long the end of the server may wait for a helper to leave before ending it."""


class Halo:
    """Lights the halo while a call runs. No method raises, waits for the helper, or writes to our own streams.

    ``desktop_kind`` is one of `protocol.KINDS`; ``env`` the whole environment of the helper (where it finds the
    display). Nothing is started before the first `ping`, and nothing ever when ``enabled`` is false.
    """

    def __init__(self, enabled: bool, desktop_kind: str, env: Mapping[str, str]) -> None:
        if desktop_kind not in KINDS:
            raise ValueError(f"no halo for a desktop called {desktop_kind!r}; there is one for {', '.join(KINDS)}")
        self._enabled = enabled
        self._argv = [sys.executable, "-P", "-m", "mac_commander.overlay", desktop_kind]
        self._env = dict(env)
        self._child: subprocess.Popen[bytes] | None = None
        self._starts_left = 1 + RESTARTS
        self._given_up = ""
        self._note_given = False

    @property
    def pid(self) -> int | None:
        """The helper's process, while it is running."""
        return self._child.pid if self._child is not None else None

    def ping(self) -> None:
        """A call starts. Starts the helper when there is none."""
        if self._enabled and not self._given_up and self._running():
            self._write(PING)

    def hide(self) -> None:
        """It has returned. Never starts a helper: there is nothing left to show."""
        if self._child is not None:
            self._write(HIDE)

    def note(self) -> str:
        """A sentence for the user once it is certain that there will be no halo; after that, and before, empty."""
        if not self._given_up or self._note_given:
            return ""
        self._note_given = True
        return f"the halo is not shown: {self._given_up} (calls are not affected)"

    def close(self) -> None:
        """End the helper, and the halo with it."""
        child, self._child = self._child, None
        self._enabled = False
        if child is None:
            return
        _close_pipe(child)
        try:
            child.wait(CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()

    def _running(self) -> bool:
        """Whether there is a helper to write to; starts one when the last has ended and may be replaced."""
        if self._child is not None and self._child.poll() is None:
            return True
        if self._child is not None:
            self._bury(self._child)
        if not self._given_up:
            self._start()
        return self._child is not None

    def _start(self) -> None:
        # -P: the helper's modules come from where ours came from, never from the folder the client runs us in.
        self._starts_left -= 1
        try:
            child = subprocess.Popen(
                self._argv,
                env=self._env,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            self._given_up = f"its helper could not be started ({error.strerror})"
            return
        if child.stdin is not None:
            os.set_blocking(child.stdin.fileno(), False)
        self._child = child

    def _bury(self, child: subprocess.Popen[bytes]) -> None:
        """Take leave of a helper that has ended; decides whether there will be another."""
        self._child = None
        _close_pipe(child)
        code = child.returncode
        if code in {e.value for e in Ending if e is not Ending.END_OF_INPUT}:
            self._given_up = Ending(code).explanation
        elif self._starts_left == 0:
            command = f"{self._argv[0]} -m mac_commander.overlay {self._argv[-1]}"
            self._given_up = (
                f"its helper ended {1 + RESTARTS} times, last with code {code}; `{command}` shows why "
                "(type ping, then Return)"
            )

    def _write(self, word: bytes) -> None:
        """Both words are shorter than PIPE_BUF: the pipe takes one whole or not at all."""
        child = self._child
        if child is None or child.stdin is None:
            return
        try:
            os.write(child.stdin.fileno(), word)
        except BlockingIOError:
            # Thousands of words unread: it hangs, perhaps with the glow on. The next call starts another.
            child.kill()
        except OSError:
            pass  # it has just ended; the next ping sees that


def _close_pipe(child: subprocess.Popen[bytes]) -> None:
    if child.stdin is not None:
        with contextlib.suppress(OSError):  # an unread word may be lost with the helper that has ended
            child.stdin.close()

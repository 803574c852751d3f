"""Ending programs, and waiting for what they say, both within a time."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

END_SECONDS = 3.0
"""Between asking a process to end and ending it."""


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and its group: asked first, then made to, and waited for."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.returncode is not None:
            break  # waited for: its number may belong to somebody else by now
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(END_SECONDS)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(BrokenPipeError):
                pipe.close()


def is_running(pid: int) -> bool:
    """A zombie has ended; that nobody waits for it is another's affair."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def read_line(descriptor: int, seconds: float) -> str:
    """One line, or what came of it before the time or the writer ended; empty when it was not whole."""
    deadline = time.monotonic() + seconds
    text = b""
    while not text.endswith(b"\n"):
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([descriptor], [], [], left)[0]:
            return ""
        piece = os.read(descriptor, 4096)
        if not piece:
            return ""
        text += piece
    return text.decode().strip()


def until(done: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True

"""One owner of the keyboard for each machine and user: a lock that the kernel frees when its holder dies."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from mac_commander.errors import Refused

FOLDER = Path("/tmp")  # noqa: S108 - the one folder that all of a user's servers share; ours inside it is checked
"""The runtime folder of a session is not passed on by MCP clients, and differs between logins."""


@contextlib.contextmanager
def keyboard_lock(seat: str, folder: Path = FOLDER) -> Iterator[None]:
    """Hold the keyboard of a seat (``macos``, ``x11 :0``) while a batch runs.

    Raises `Refused` naming the process that holds it, or saying why the lock cannot be trusted.
    """
    path = _file(seat, folder)
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise Refused(f"the keyboard lock {path} cannot be opened: {error.strerror}. Remove it") from None
    try:
        _lock(fd)
        os.ftruncate(fd, 0)
        os.pwrite(fd, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(fd)


def _lock(fd: int) -> None:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(fd, 32, 0).decode("ascii", "replace").strip()
        raise Refused(
            f"another Mac-Commander (pid {holder or 'unknown'}) is at the keyboard: two at once would type into each "
            "other's work. Try again when its batch has ended"
        ) from None


def _file(seat: str, folder: Path) -> Path:
    """In a folder of ours that nobody else can write to."""
    ours = folder / f"mac-commander-{os.getuid()}"
    with contextlib.suppress(FileExistsError):
        ours.mkdir(0o700)
    seen = ours.lstat()
    if not stat.S_ISDIR(seen.st_mode) or seen.st_uid != os.getuid() or seen.st_mode & 0o077:
        raise Refused(
            f"{ours} is not a private folder of yours, so the keyboard lock in it cannot be trusted: remove it"
        )
    return ours / f"keyboard-{re.sub(r'[^A-Za-z0-9.]+', '-', seat)}.lock"

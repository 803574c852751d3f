"""Files that decide what this server does: opened once, never through a link, looked at before they are read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
OTHERS_TOUCH = 0o077

FLAGS = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""Not blocking: a FIFO would otherwise hang the server."""


class Distrusted(Exception):
    """``str()`` ends a sentence that begins with the file's name."""


@contextmanager
def opened(path: Path | str, flags: int, forbidden: int, *, folder: int | None = None) -> Iterator[int]:
    """The descriptor of a plain file of the user's own, without a mode bit of ``forbidden``.

    Raises `Distrusted`, and `FileNotFoundError` unless ``flags`` create it (0600).
    """
    fd = open_checked(path, flags, forbidden, folder=folder)
    try:
        yield fd
    finally:
        os.close(fd)


def open_checked(path: Path | str, flags: int, forbidden: int, *, folder: int | None = None) -> int:
    """As `opened`; the caller closes it."""
    try:
        fd = os.open(path, flags | FLAGS, 0o600, dir_fd=folder)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise Distrusted(f"cannot be opened as a plain file: {error.strerror}") from None
    seen = os.fstat(fd)
    reason = "is not a regular file" if not stat.S_ISREG(seen.st_mode) else distrust(seen, forbidden)
    if reason:
        os.close(fd)
        raise Distrusted(reason)
    return fd


def distrust(seen: os.stat_result, forbidden: int) -> str:
    """Why a file or folder cannot be trusted, empty when it can."""
    if seen.st_uid != os.getuid():
        return f"belongs to user {seen.st_uid}, not to you"
    if seen.st_mode & forbidden & OTHERS_WRITE:
        return f"can be written by others; run: chmod {'600' if forbidden == OTHERS_TOUCH else 'go-w'} on it"
    if seen.st_mode & forbidden:
        return "can be read by others; run: chmod 600 on it"
    if stat.S_ISREG(seen.st_mode) and seen.st_nlink > 1:
        return "has a second name (a hard link), so it can change from elsewhere"
    return ""


def read(fd: int, most: int) -> bytes:
    """The whole content. Raises `Distrusted` when it is longer than ``most`` bytes."""
    parts: list[bytes] = []
    left = most + 1
    while left and (part := os.read(fd, left)):
        parts.append(part)
        left -= len(part)
    if not left:
        raise Distrusted(f"has more than {most} bytes")
    return b"".join(parts)

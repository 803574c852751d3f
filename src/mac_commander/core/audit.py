"""The audit log: one JSON line for every call, appended and never read again by the server.

A call first makes sure that its line can be written, and only then does anything (R8).
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import resource
import stat
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from mac_commander.core import trusted_file
from mac_commander.core.trusted_file import Distrusted
from mac_commander.errors import Locked

LINE_MOST = 4096
"""Bytes of one line: with every field cut, a line stays one small write."""

ROOM = 4 * LINE_MOST
"""Bytes that must be free on the log's disk before a call may start: its own line, those of other servers, and
the block rounding of small file systems."""

LOCK_SECONDS = 1.0
"""How long to wait for another server's write. A line is then appended without the lock rather than not at all:
one append is one write either way, the lock is for file systems that do not keep that."""

_FIELD_MOST: Mapping[str, int] = {"tool": 64, "target": 256, "summary": 3000, "result": 300}
_CUT = "…[cut]"

DIGEST_CHARS = 16
"""Hex digits of a sha256: 64 bits, beyond finding another line that fits by chance."""
_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT


@dataclass(frozen=True, slots=True)
class Entry:
    """What one call leaves behind. Never typed text, script arguments or screen text (R9)."""

    tool: str
    target: str
    summary: str
    result: str


def digest(line: bytes) -> str:
    """How a line is named in the ``prev`` of the next one: an edited line no longer fits what follows it."""
    return hashlib.sha256(line.rstrip(b"\n")).hexdigest()[:DIGEST_CHARS]


def render(entry: Entry, seq: int, now: datetime | None = None, prev: str = "") -> bytes:
    """The entry as one ASCII line of at most `LINE_MOST` bytes, whatever is in its fields."""
    moment = (now or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
    fields = {name: _cut(getattr(entry, name), most) for name, most in _FIELD_MOST.items()}
    place: dict[str, object] = {"seq": seq} | ({"prev": prev} if prev else {})
    while True:
        line = json.dumps({"ts": moment, **fields, **place}, ensure_ascii=True).encode() + b"\n"
        if len(line) <= LINE_MOST:
            return line
        longest = max(fields, key=lambda name: len(json.dumps(fields[name])))
        fields[longest] = _cut(fields[longest], len(fields[longest]) * 2 // 3)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: max(0, most - len(_CUT))] + _CUT


class AuditLog:
    """Appends to one file, opened anew for each call. ``path`` is ``None`` when the user turned the log off."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._seq = 0
        self._prev = ""
        self._owed: list[bytes] = []

    def reserve(self) -> Reservation:
        """Make sure that a line can be written, before the call does anything.

        Raises `Locked` saying why not. A line that could not be written before is written first.
        """
        if self.path is None:
            return Reservation(self, None)
        fd = _opened(self.path)
        try:
            _check_room(self.path, fd)
            while self._owed:
                _append(self.path, fd, self._owed[0])
                self._owed.pop(0)
        except BaseException:  # whatever stopped us, the file must not stay open; it goes on up
            os.close(fd)
            raise
        return Reservation(self, fd)

    def upcoming(self, entry: Entry) -> bytes:
        """The entry as the next line of this server. A gap in the numbers is a line that was lost, a ``prev`` that
        fits no line one that was changed."""
        return render(entry, self._seq + 1, prev=self._prev)

    def take_next(self, entry: Entry) -> bytes:
        """The same, and the line after it follows it."""
        line = self.upcoming(entry)
        self._seq += 1
        self._prev = digest(line)
        return line

    def owe(self, line: bytes) -> None:
        """Remember a line that could not be written: no call runs before it is."""
        self._owed.append(line)


class Reservation:
    """The open log for the time of one call; `write` ends it."""

    def __init__(self, log: AuditLog, fd: int | None) -> None:
        self._log = log
        self._fd = fd

    def write(self, entry: Entry) -> None:
        """Append the call's line. Raises `Locked` when that failed after all; the line is then owed."""
        if self._fd is None or self._log.path is None:
            return
        line = self._log.take_next(entry)
        try:
            self._append_where_the_path_leads(self._log.path, line)
        except Locked:
            self._log.owe(line)
            raise
        finally:
            os.close(self._fd)
            self._fd = None

    def _append_where_the_path_leads(self, path: Path, line: bytes) -> None:
        """The file may have been renamed or removed since it was opened: no line goes into a dead one."""
        assert self._fd is not None
        if _same_file(path, self._fd):
            _append(path, self._fd, line)
            return
        append_line(path, line)


def append_line(path: Path, line: bytes) -> None:
    """Append one rendered line to the log at that path. Raises `Locked`."""
    fd = _opened(path)
    try:
        _append(path, fd, line)
    finally:
        os.close(fd)


def _same_file(path: Path, fd: int) -> bool:
    held = os.fstat(fd)
    try:
        there = path.lstat()
    except OSError:
        return False
    return (held.st_dev, held.st_ino) == (there.st_dev, there.st_ino)


def _opened(path: Path) -> int:
    _check_parent(path)
    try:
        return trusted_file.open_checked(path, _FLAGS, trusted_file.OTHERS_TOUCH)
    except FileNotFoundError:
        raise _locked(path, "cannot be made: its folder is not there") from None
    except Distrusted as error:
        raise _locked(path, str(error)) from None


def _check_parent(path: Path) -> None:
    try:
        seen = path.parent.stat()
    except OSError as error:
        raise _locked(path, f"cannot be reached: {error.strerror}") from None
    if seen.st_mode & stat.S_IWOTH and not seen.st_mode & stat.S_ISVTX:
        raise _locked(path, "is in a folder that everybody can write to")


def _check_room(path: Path, fd: int) -> None:
    disk = os.fstatvfs(fd)
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    if disk.f_bavail * disk.f_frsize < ROOM:
        raise _locked(path, "is on a full disk")
    if limit != resource.RLIM_INFINITY and os.fstat(fd).st_size + ROOM > limit:
        raise _locked(path, f"has reached this process's file size limit of {limit} bytes")


def _append(path: Path, fd: int, line: bytes) -> None:
    _lock(fd)
    try:
        size = os.fstat(fd).st_size
        torn = size > 0 and os.pread(fd, 1, size - 1) != b"\n"
        whole = b"\n" + line if torn else line
        if os.write(fd, whole) != len(whole):
            raise _locked(path, "took only a part of a line: the disk is full")
    except OSError as error:
        raise _locked(path, f"cannot be written: {error.strerror}") from None
    finally:
        fcntl.flock(fd, fcntl.LOCK_UN)


def _lock(fd: int) -> None:
    end = time.monotonic() + LOCK_SECONDS
    while time.monotonic() < end:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.002)
        except OSError:  # a file system without locks
            return
        else:
            return


def _locked(path: Path, reason: str) -> Locked:
    return Locked(f"the audit log {path} {reason}. Nothing is done that cannot be recorded; the user must mend it")

"""What /proc says about a process. A process that is gone, or not ours to read, gives empty answers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")

MOST_ANCESTORS = 64
"""Deeper than any real chain; ends a walk when pids are re-used under it."""


def start_time(pid: int) -> float:
    """In clock ticks since boot (field 22 of ``/proc/PID/stat``); 0.0 when there is no such process, and for
    a zombie, which has ended."""
    fields = _stat(pid)
    return float(fields[19]) if fields and fields[0] not in ("Z", "X") else 0.0


def run_state(pid: int) -> str:
    """``R`` running, ``S`` asleep, ``D`` in the kernel, ``T`` stopped, ``Z`` ended; empty when gone."""
    fields = _stat(pid)
    return fields[0] if fields else ""


def parent(pid: int) -> int:
    """0 when there is none."""
    fields = _stat(pid)
    return int(fields[1]) if fields else 0


def ancestors(pid: int) -> tuple[int, ...]:
    """Nearest first, without init."""
    found: list[int] = []
    while len(found) < MOST_ANCESTORS:
        pid = parent(pid)
        if pid <= 1 or pid in found:
            break
        found.append(pid)
    return tuple(found)


def executable(pid: int) -> str:
    """Absolute path of the running program, empty when unknown."""
    try:
        return str((PROC / str(pid) / "exe").readlink()).removesuffix(" (deleted)")
    except OSError:
        return ""


def command_line(pid: int) -> tuple[str, ...]:
    return tuple(_read(pid, "cmdline").decode("utf-8", "replace").split("\0")[:-1])


def command_name(pid: int) -> str:
    """The kernel's short name of it; readable for every process, also another user's."""
    return _read(pid, "comm").decode("utf-8", "replace").strip()


def environment(pid: int) -> dict[str, str]:
    """As it was when the program started."""
    pairs = _read(pid, "environ").decode("utf-8", "surrogateescape").split("\0")
    return dict(p.split("=", 1) for p in pairs if "=" in p)


def own() -> Iterator[int]:
    """Pids of this user's processes, without our own."""
    uid, ourselves = os.getuid(), os.getpid()
    for entry in PROC.iterdir():
        if entry.name.isdigit() and int(entry.name) != ourselves and _owner(entry) == uid:
            yield int(entry.name)


def _owner(entry: Path) -> int:
    try:
        return entry.stat().st_uid
    except OSError:
        return -1


def _stat(pid: int) -> list[str]:
    """The fields after the command name, which may itself hold spaces and brackets."""
    text = _read(pid, "stat").decode("utf-8", "replace")
    return text.rpartition(")")[2].split()


def _read(pid: int, name: str) -> bytes:
    try:
        return (PROC / str(pid) / name).read_bytes()
    except OSError:
        return b""

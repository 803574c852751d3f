"""What /proc says about a process. A process that is gone, or not ours to read, gives empty answers."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import NamedTuple

PROC = Path("/proc")

INTERPRETER = re.compile(r"^(python|perl|ruby|node|gjs|java|wish|lua)[\d.]*$")
"""Programs whose own name says nothing about the app they run."""

MULTIPLEXERS = frozenset({"tmux", "screen", "zellij", "dtach", "abduco", "dvtm"})
"""Terminal multiplexers: what runs in one has its server for a parent, and is shown by clients elsewhere."""

MOST_ANCESTORS = 64
"""Deeper than any real chain; ends a walk when pids are re-used under it."""


def start_time(pid: int) -> float:
    """In clock ticks since boot (field 22 of ``/proc/PID/stat``); 0.0 when there is no such process, and for
    a zombie, which has ended."""
    fields = _stat(pid)
    return float(fields[19]) if fields and fields[0] not in ("Z", "X") else 0.0


class Activity(NamedTuple):
    """How much a process has done so far, over all its threads."""

    asleep: bool
    switches: int
    """How often a thread of it went to sleep."""
    ticks: int
    """Processor time used."""


def activity(pid: int) -> Activity:
    """Unequal to the last one when the process ran in between. A stopped or ended process is not asleep."""
    asleep, switches, ticks = True, 0, 0
    for task in _tasks(pid):
        fields = _stat(task)
        asleep = asleep and fields[:1] == ["S"]
        ticks += sum(int(n) for n in fields[11:13])
        switches += _voluntary_switches(task)
    return Activity(asleep and ticks > 0, switches, ticks)


def _tasks(pid: int) -> list[str]:
    try:
        return [f"{pid}/task/{entry.name}" for entry in (PROC / str(pid) / "task").iterdir()]
    except OSError:
        return []


def _voluntary_switches(task: str) -> int:
    lines = _read(task, "status").decode("ascii", "replace").splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches")), 0)


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


def hosts(pid: int) -> tuple[int, ...]:
    """Whose windows may show what the process is asked by: its ancestors, and where one of them is a multiplexer's
    server also the multiplexer's other processes with theirs: the terminals that it shows in, this one or not."""
    chain = ancestors(pid)
    shells = {program(one) for one in chain} & MULTIPLEXERS
    clients = [one for one in own() if program(one) in shells] if shells else []
    return tuple(dict.fromkeys([*chain, *(above for one in clients for above in (one, *ancestors(one)))]))


def executable(pid: int) -> str:
    """Absolute path of the running program, empty when unknown."""
    try:
        return str((PROC / str(pid) / "exe").readlink()).removesuffix(" (deleted)")
    except OSError:
        return ""


def program(pid: int) -> str:
    """Base name of its program, or of the script that an interpreter runs; empty when unknown."""
    base = PurePath(executable(pid)).name
    if not INTERPRETER.match(base):
        return base
    arguments = [a for a in command_line(pid)[1:] if not a.startswith("-")]
    return PurePath(arguments[0]).name if arguments else base


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


def _stat(pid: int | str) -> list[str]:
    """The fields after the command name, which may itself hold spaces and brackets."""
    text = _read(pid, "stat").decode("utf-8", "replace")
    return text.rpartition(")")[2].split()


def _read(pid: int | str, name: str) -> bytes:
    try:
        return (PROC / str(pid) / name).read_bytes()
    except OSError:
        return b""

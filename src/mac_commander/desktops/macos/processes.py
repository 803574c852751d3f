"""The processes that we descend from, by ``ps``: PyObjC has no call for a parent's parent."""

from __future__ import annotations

import os

from mac_commander import child
from mac_commander.desktops.macos.paths import PS

PS_SECONDS = 2.0
"""It answers in milliseconds; a machine that takes longer is in no state to be driven."""

DEPTH_MOST = 64
"""No real chain is deeper; stops a chain that ``ps`` saw change under its hands."""


def ancestors() -> tuple[int, ...]:
    """Pids nearest first, without process 1. Only the direct parent when ``ps`` does not answer."""
    parents = _parents()
    chain: list[int] = []
    pid = os.getppid()
    while pid > 1 and pid not in chain and len(chain) < DEPTH_MOST:
        chain.append(pid)
        pid = parents.get(pid, 0)
    return tuple(chain)


def _parents() -> dict[int, int]:
    try:
        done = child.run([PS, "-A", "-o", "pid=,ppid="], b"", {}, PS_SECONDS)
    except OSError:
        return {}
    pairs = (line.split() for line in done.stdout.splitlines())
    return {int(pair[0]): int(pair[1]) for pair in pairs if len(pair) == 2 and all(map(str.isdigit, pair))}

"""How much of each suite runs: the quick part with all other tests, the full one with ``ATTACK=full``."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from hypothesis import HealthCheck, Phase, settings

FULL = os.environ.get("ATTACK") == "full"
SECONDS_MOST = float(os.environ.get("ATTACK_SECONDS", "inf"))
"""A suite in less time than all of it takes: its figure says how far it came."""


def of(quick: int, full: int) -> int:
    return full if FULL else quick


def rounds(count: int) -> Iterator[int]:
    """The numbers up to ``count``, or fewer when the time is over."""
    end = time.monotonic() + SECONDS_MOST
    for number in range(count):
        if time.monotonic() > end:
            return
        yield number


def many(quick: int, full: int) -> settings:
    """So many examples. A failure is told as it was found: shrinking one can take minutes. The quick part is the same
    in every run."""
    return settings(
        max_examples=of(quick, full),
        deadline=None,
        phases=(Phase.explicit, Phase.generate),
        derandomize=not FULL,
        database=None,
        suppress_health_check=list(HealthCheck),
    )

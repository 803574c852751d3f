"""How often something may happen: a sliding window over the last seconds."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable


class Quota:
    """``most`` times in ``seconds``."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._taken: deque[float] = deque(maxlen=most)
        self._most = most
        self._seconds = seconds
        self._clock = clock

    def wait(self) -> float:
        """Seconds until it may happen again; takes one when that is 0."""
        now = self._clock()
        if len(self._taken) == self._most and (left := self._taken[0] + self._seconds - now) > 0:
            return left
        self._taken.append(now)
        return 0.0

"""Programs that behave badly, each under each ending: nothing of them lives on, and what they say stays bounded."""

from __future__ import annotations

import sys
import time
import uuid
from pathlib import Path

import pytest

from mac_commander import child
from tests.attack.size import of

BEHAVIOURS = {
    "floods": "import sys\nwhile True: sys.stdout.write('x' * 65536)",
    "floods stderr": "import sys\nwhile True: sys.stderr.write('x' * 65536)",
    "writes no line end": "import sys, time\nsys.stdout.write('x' * 200000); sys.stdout.flush(); time.sleep(60)",
    "writes bytes": "import os, time\nos.write(1, bytes(range(256)) * 1000); time.sleep(60)",
    "says nothing": "import time\ntime.sleep(60)",
    "ignores signals": "import signal, time\nfor n in (1, 2, 15): signal.signal(n, 1)\ntime.sleep(60)",
    "leaves children": "import os, time\nfor _ in range(5):\n  if os.fork() == 0: time.sleep(60)\ntime.sleep(60)",
    "leaves children and goes": "import os, time\nfor _ in range(5):\n  if os.fork() == 0: time.sleep(60); os._exit(0)",
    "forks for ever": "import os, time\nfor _ in range(30):\n  if os.fork(): time.sleep(60)",
    "closes its outputs": "import os, time\nos.close(1); os.close(2); time.sleep(60)",
    "reads its input": "import sys, time\nsys.stdin.read(); time.sleep(60)",
    "kills itself": "import os\nos.kill(os.getpid(), 9)",
}
TIMEOUTS = (0.3, 1.0) if of(0, 1) else (0.3,)
RUNS = of(1, 5)


def survivors(mark: str) -> list[int]:
    alive = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "environ").read_bytes():
                alive.append(int(process.name))
        except OSError:  # it ended meanwhile, or is another user's
            continue
    return alive


GONE_SECONDS = 5.0


@pytest.mark.parametrize("timeout", TIMEOUTS)
@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_nothing_of_it_lives_on(behaviour: str, timeout: float) -> None:
    for run in range(RUNS):
        mark = uuid.uuid4().hex
        stopped_at = time.monotonic() + timeout / 2 if run % 2 else float("inf")
        done = child.run(
            [sys.executable, "-c", BEHAVIOURS[behaviour]],
            b"",
            {"MARK": mark},
            timeout,
            lambda end=stopped_at: time.monotonic() >= end,  # type: ignore[misc]
        )
        assert len(done.stdout.encode()) <= child.KEPT_BYTES * 3, "a byte that is no text becomes three"
        assert len(done.stderr.encode()) <= child.KEPT_BYTES * 3
        end = time.monotonic() + GONE_SECONDS
        while survivors(mark) and time.monotonic() < end:  # killed is not gone yet on a busy machine
            time.sleep(0.05)
        assert survivors(mark) == []

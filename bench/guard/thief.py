"""Compiles and runs `thief.c`."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mac_commander.demo.private_desktop import PrivateDesktop
from mac_commander.demo.processes import end

LEAST_US, MOST_US, HOLD_US = 20, 50_000, 5_000
"""Between two thefts, and how long one lasts at most: from far below one request's time to a slow person's pace."""


@dataclass
class Loot:
    """What the thief tells at its end."""

    tries: int = 0
    had: int = 0
    """Thefts that really happened: focus events that came to it, grabs that it got, times it was on the screen."""
    presses: int = 0
    releases: int = 0
    clicks: int = 0


def compiled(folder: Path) -> Path:
    compiler = shutil.which("cc")
    if compiler is None:
        raise SystemExit(
            "bench.guard needs a C compiler and libX11's headers: apt-get install gcc libc6-dev libx11-dev"
        )
    program = folder / "thief"
    source = Path(__file__).with_suffix(".c")
    subprocess.run([compiler, "-O2", "-o", program, source, "-lX11", "-lm"], check=True)
    return program


@contextmanager
def at_work(desktop: PrivateDesktop, mode: str, box: Sequence[int] = ()) -> Iterator[Loot]:
    """Steals while the block runs; the loot is known after it. Whatever is in front when it starts is its victim."""
    loot = Loot()
    argv = [str(compiled(desktop.folder)), mode, *map(str, (LEAST_US, MOST_US, HOLD_US)), *map(str, box)]
    process = desktop.spawn(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdout.readline()
        yield loot
        process.stdin.close()
        loot.__dict__.update(json.loads(process.stdout.readline()))
        process.wait(10)
    finally:
        end(process)

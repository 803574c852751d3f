"""How soon a wait for a text ends: ``python -m bench.see.wait [--sizes 40,1000]``.

A window changes its label every few seconds and writes into it when it did; ``act`` waits for each change. What is told
is the time from the change to the answer of the whole call, for those that had begun to wait by then. One server, real
windows on a private display, and the simulated Mac in this process, once with a change that its app tells of (``mac``)
and once with one that it keeps to itself (``mac untold``).
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.see import changing
from bench.see.__main__ import SCREEN
from bench.see.peers import SYSTEM_PYTHON, Ours

from mac_commander.demo.private_desktop import PrivateDesktop
from mac_commander.demo.processes import end

PROGRAM = str(Path(changing.__file__))
WINDOWS = ("gtk3", "gtk4", "qt6", "chromium")
MACS = ("mac", "mac untold")
WAIT_MS = 15_000
BEGINS_MS = 500
"""A change sooner than this after the call was sent is not counted: the call may not have begun to wait."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.see.wait", description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=lambda text: [int(n) for n in text.split(",")], default=[40, 1000])
    parser.add_argument("--windows", type=lambda text: text.split(","), default=[*WINDOWS, *MACS])
    options = parser.parse_args()
    print("| window | elements | median ms | most ms |\n|---|---:|---:|---:|")
    for window in options.windows:
        for size in options.sizes:
            late = simulated(size, untold=window == MACS[1]) if window in MACS else measured(window, size)
            print(f"| {window} | {size} | {statistics.median(late):.0f} | {max(late):.0f} |", flush=True)


def measured(window: str, size: int) -> list[float]:
    with PrivateDesktop(window_manager="metacity", screens=[SCREEN]) as desktop, shown(desktop, window, size):
        server = Ours(desktop.env).server
        target = {"qt6": "bench", "chromium": "chromium"}.get(window, "changing.py")
        ended, begun = [], []
        for n in range(1, changing.CHANGES + 1):
            step = {"kind": "wait", "until": f"c{n}=", "ms": WAIT_MS}
            begun.append(time.time() * 1000)
            answer = server.call("act", target=target, steps=[step], settle_ms=0)
            ended.append(time.time() * 1000)
            assert '"ok": true' in answer or '"ok":true' in answer, answer
        told = server.call("see", app=target, find="c0 c1")
        server.close()
    changed = [int(ms) for ms in re.findall(r"c[1-9]=(\d+)", told)]
    trials = zip(begun, changed, ended, strict=True)
    return [(at - ms) % changing.CLOCK for sent, ms, at in trials if at - sent - BEGINS_MS > (at - ms) % changing.CLOCK]


@contextmanager
def shown(desktop: PrivateDesktop, window: str, size: int) -> Iterator[None]:
    with TemporaryDirectory() as folder:
        page = Path(folder) / "changing.html"
        page.write_text(changing.page(size))
        flags = [
            "--no-sandbox",
            "--no-first-run",
            "--force-renderer-accessibility",
            f"--user-data-dir={folder}/profile",
        ]
        browser = ["chromium", *flags, f"--window-size={SCREEN[0]},{SCREEN[1]}", page.as_uri()]
        process = desktop.spawn(browser if window == "chromium" else [SYSTEM_PYTHON, PROGRAM, window, str(size)],
                                stdout=subprocess.DEVNULL)  # fmt: skip
        try:
            desktop.wait_window(title=changing.TITLE, seconds=60)
            yield
        finally:
            end(process)


def _replaced(how: dict[str, Any], label: dict[str, Any], text: str) -> dict[str, Any]:
    """AppKit tells of no element that comes, and of the end of one only those who asked for that one."""
    return how | {"do": "replace", "with": label | {"value": text}}


def simulated(size: int, *, untold: bool) -> list[float]:
    from mac_commander.core.config import Config
    from mac_commander.core.session import Session
    from mac_commander.core.stop import Stop
    from mac_commander.tools.act import ACT
    from tests.desktops.macos.scenes import CHAT, TEXTEDIT, app, raise_scene, window, world
    from tests.desktops.macos.test_tree import many

    label = {"role": "AXStaticText", "value": "c0", "bounds": [110, 90, 300, 20]}
    how = {"do": "set_value", "app": "TextEdit", "window": 0, "element": 0}
    changes = [
        _replaced(how, label, f"c{n}=") if untold else how | {"value": f"c{n}="} for n in range(1, changing.CHANGES + 1)
    ]
    then = [change | {"after_ms": changing.EVERY_MS * n} for n, change in enumerate(changes, 1)]
    with TemporaryDirectory() as folder:
        scene_of = world(app(TEXTEDIT, windows=[window(label, *many(size))]), CHAT, then=then)
        scene = raise_scene(Path(folder), scene_of)
        session = Session(scene.desktop, Config(Path(folder), input_blocklist=()), Stop())
        late = []
        for n in range(1, changing.CHANGES + 1):
            step = {"kind": "wait", "until": f"c{n}=", "ms": WAIT_MS}
            ACT.handler(session, {"target": "TextEdit", "steps": [step], "settle_ms": 0})
            late.append(scene.machine.journal.milliseconds - changing.EVERY_MS * n)
        scene.desktop.close()
    return late


if __name__ == "__main__":
    sys.exit(main())

"""Snapshots side by side: ``python -m bench.see [--runs 5] [--sizes 100,1000,5000] [--windows mousepad,gtk3,…]``.

Every server that installs and starts on Linux looks at the same real windows on a private display, in turn, in one run:
time of a look, its bytes on the wire, what it costs to read (characters, and tokens of o200k), how many of the window's
widgets are in it, memory. Prints a table and draws ``docs/see.svg``. Times of a machine mean little; the ratios carry
over.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.see import form
from bench.see.peers import PEERS, SYSTEM_PYTHON, Ours, Peer, Shown
from bench.see.report import Row, markdown, plot

from mac_commander.demo.private_desktop import PrivateDesktop
from mac_commander.demo.processes import end
from mac_commander.desktops.x11.launcher import family

FORM = str(Path(form.__file__))
WINDOWS = ("mousepad", "gtk3", "gtk4", "qt6", "chromium")
SCREEN = (4600, 3600)
"""Holds 5,000 widgets, so that all are in sight."""

READY_SECONDS = 90.0
PATIENCE_SECONDS = 60.0
"""A look that takes longer is given up: its server is ended, and asked no more about this window."""


def main() -> None:
    options = arguments()
    rows: list[Row] = []
    for window in options.windows:
        for size in options.sizes if window != "mousepad" else [0]:
            rows += measure(window, size, options.runs, chosen(options.peers))
            print(markdown([row for row in rows if (row.window, row.size) == (window, size)]), flush=True)
    print(markdown(rows))
    print(simulated_mac())
    options.out.mkdir(exist_ok=True)
    (options.out / "see.json").write_text(json.dumps([row.__dict__ for row in rows], indent=1) + "\n")
    (options.out / "see.svg").write_text(plot(rows))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.see", description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--sizes", type=lambda text: [int(n) for n in text.split(",")], default=[100, 1000, 5000])
    parser.add_argument("--windows", type=lambda text: text.split(","), default=list(WINDOWS))
    parser.add_argument("--peers", default="", help="only servers whose name holds one of these words")
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[2] / "docs")
    return parser.parse_args()


def chosen(words: str) -> list[type[Peer]]:
    return [peer for peer in PEERS if not words or any(word in peer.name for word in words.split(","))]


def measure(window: str, size: int, runs: int, peers: Sequence[type[Peer]]) -> list[Row]:
    """All servers at this window, each look of one followed by a look of the next."""
    screen = (1280, 800) if window == "mousepad" else SCREEN
    with PrivateDesktop(window_manager="metacity", screens=[screen]) as desktop, shown(desktop, window, size) as target:
        trials = [Trial(peer, desktop, target) for peer in peers]
        for _ in range(runs + 1):  # the first look of each warms it up, and the app too
            for trial in trials:
                trial.look()
        found = [trial.row(window, size) for trial in trials]
        for trial in trials:
            trial.close()
    return found


class Trial:
    """One server at one window."""

    def __init__(self, peer: type[Peer], desktop: PrivateDesktop, target: Shown) -> None:
        self._target = target
        self._name = peer.name
        self.failed = ""
        self.seconds: list[float] = []
        self.spent: list[float] = []
        self.text = ""
        self.bytes = 0
        try:
            self.peer: Peer | None = peer(desktop.env)
        except (OSError, TimeoutError, subprocess.SubprocessError) as error:
            self.peer = None
            self.failed = f"does not {'install' if isinstance(error, subprocess.SubprocessError) else 'start'}"

    def look(self) -> None:
        if self.failed or self.peer is None:
            return
        spent = processor_ms()
        begun = time.monotonic()
        try:
            with deadline(self.peer.server.process, PATIENCE_SECONDS):
                self.text = self.peer.look(self._target)
        except (OSError, TimeoutError, StopIteration, ValueError) as error:
            late = time.monotonic() - begun >= PATIENCE_SECONDS
            why = f"in {PATIENCE_SECONDS:g} s, ended" if late else f"({type(error).__name__})"
            self.failed = f"gave no answer {why}"
            return
        self.seconds.append(time.monotonic() - begun)
        self.spent.append(processor_ms() - spent)
        self.bytes = self.peer.server.bytes

    def row(self, window: str, size: int) -> Row:
        widgets = set(re.findall(r"\bw\d{4}\b", self.text))
        elements = self._elements() if self._name == Ours.name else 0
        return Row(
            peer=self._name,
            window=window,
            size=size,
            milliseconds=1000 * statistics.median(self.seconds[1:] or self.seconds or [0.0]),
            first=1000 * (self.seconds or [0.0])[0],
            processor=statistics.median(self.spent[1:] or self.spent or [0.0]),
            characters=len(self.text),
            bytes=self.bytes,
            tokens=count_tokens(self.text),
            widgets=len(widgets),
            elements=elements,
            megabytes=self._megabytes(),
            failed=self.failed,
        )

    def _elements(self) -> int:
        told = re.search(r"omplete: (\d+) of", self.text)
        return int(told[1]) if told else 0

    def _megabytes(self) -> float:
        if self.peer is None:
            return 0.0
        pages = 0
        for pid in family(self.peer.server.process.pid):
            with suppress(OSError):  # it ended meanwhile
                pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def close(self) -> None:
        if self.peer is not None:
            self.peer.close()


@contextmanager
def deadline(process: subprocess.Popen[bytes], seconds: float) -> Iterator[None]:
    """End the process and all that it started when this takes longer: that also frees whoever waits to write to it."""
    timer = threading.Timer(seconds, _kill, [process])
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _kill(process: subprocess.Popen[bytes]) -> None:
    for pid in family(process.pid):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def count_tokens(text: str) -> int:
    """Tokens of o200k."""
    from bpe_openai import get_encoding  # reads its table at once

    return len(get_encoding("o200k_base").encode(text))


def processor_ms() -> float:
    """What the desktop, the app and all servers have used so far. Those that are not asked sleep."""
    ticks = 0
    for pid in family(os.getpid()):
        with suppress(OSError):  # it ended meanwhile
            words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += (int(words[11]) + int(words[12])) * (pid != os.getpid())
    return 1000 * ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def shown(desktop: PrivateDesktop, window: str, size: int) -> Iterator[Shown]:
    """The window, on the screen and in front."""
    with TemporaryDirectory() as folder:
        argv, app = _program(window, size, Path(folder))
        process = desktop.spawn(argv, stdout=subprocess.PIPE if app == "form" else subprocess.DEVNULL)
        try:
            if app == "form" and process.stdout is not None:
                process.stdout.readline()
            title = "Mousepad" if window == "mousepad" else form.TITLE
            desktop.wait_window(title=title, seconds=READY_SECONDS)
            time.sleep(5 if window == "chromium" else 1)
            yield Shown(process.pid, _called(app, window), title)
        finally:
            end(process)


def _called(app: str, window: str) -> str:
    """The name by which our server knows it."""
    if app != "form":
        return app
    return "bench" if window == "qt6" else "form.py"


def _program(window: str, size: int, folder: Path) -> tuple[Sequence[str], str]:
    if window == "mousepad":
        text = folder / "letter.txt"
        text.write_text("Dear reader,\n\nthis is a letter.\n")
        return ["mousepad", str(text)], "mousepad"
    if window != "chromium":
        return [SYSTEM_PYTHON, FORM, window, str(size)], "form"
    page = folder / "form.html"
    page.write_text(form.page(size))
    size_of = f"--window-size={SCREEN[0]},{SCREEN[1]}"
    flags = ["--no-sandbox", "--no-first-run", "--force-renderer-accessibility", f"--user-data-dir={folder}/profile"]
    return ["chromium", *flags, size_of, "--window-position=0,0", page.as_uri()], "chromium"


def simulated_mac() -> str:
    """Accessibility calls for each element of the macOS desktop's own code, on the simulated Mac."""
    from mac_commander.model import Limits
    from tests.desktops.macos import test_tree as tree
    from tests.desktops.macos.scenes import CHAT, TEXTEDIT, app, raise_scene, window, world

    told = []
    for count in (100, 1000, 5000):
        with TemporaryDirectory() as folder:
            scene = raise_scene(Path(folder), world(app(TEXTEDIT, windows=[window(*tree.many(count))]), CHAT))
            target, before = scene.app(), tree.ax_calls(scene)
            elements = scene.desktop.snapshot(target, Limits(seconds=60)).elements
            told.append(f"{(tree.ax_calls(scene) - before) / len(elements):.2f} for {count}")
            scene.desktop.close()
    return f"Simulated Mac, AX calls for each element: {', '.join(told)}"


if __name__ == "__main__":
    sys.exit(main())

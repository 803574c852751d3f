"""What the halo costs and what it never touches, measured on a private X display: ``python -m bench.halo``.

Prints the time that `Halo.ping` and `Halo.hide` take from the server in every bad state of the helper, how many
clicks and characters of how many arrived through the lit halo, how soon it is gone after a SIGKILL of its
server, and the helper's processor time and memory.
"""

from __future__ import annotations

import contextlib
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from Xlib import X
from Xlib.display import Display
from Xlib.ext import xtest

from mac_commander.demo.private_desktop import PrivateDesktop
from mac_commander.overlay.client import Halo
from mac_commander.overlay.x11.panel import WM_CLASS

CLICKS, CHARACTERS, CALLS = 1000, 10_000, 2000
COST_SECONDS = 10.0
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    with PrivateDesktop(window_manager="metacity+compositor", accessibility=False) as desktop:
        time.sleep(1)
        for measure in (start_time, call_times, input_through, gone_after_kill, cost):
            measure(desktop)


@contextlib.contextmanager
def halo_on(desktop: PrivateDesktop, *, lit: bool = True) -> Iterator[Halo]:
    halo = Halo(True, "x11", desktop.env)
    halo.ping()
    wait(lambda: shown(desktop))
    if not lit:
        halo.hide()
        wait(lambda: not shown(desktop))
    yield halo
    halo.close()


def shown(desktop: PrivateDesktop) -> int:
    """How many windows of the halo are on the screen."""
    display = Display(desktop.display)
    found = 0
    for window in display.screen().root.query_tree().children:
        with contextlib.suppress(Exception):  # it went while we looked
            found += window.get_wm_class() == WM_CLASS and window.get_attributes().map_state == X.IsViewable
    display.close()
    return found


def wait(done: Callable[[], object], seconds: float = 10) -> float:
    begun = time.perf_counter()
    while not done():
        if time.perf_counter() - begun > seconds:
            raise TimeoutError
        time.sleep(0.002)
    return time.perf_counter() - begun


def start_time(desktop: PrivateDesktop) -> None:
    halo = Halo(True, "x11", desktop.env)
    begun = time.perf_counter()
    halo.ping()
    spawned = time.perf_counter() - begun
    visible = wait(lambda: shown(desktop)) + spawned
    halo.close()
    report("first ping", f"{1e3 * spawned:.1f} ms for the call that starts the helper, visible after {visible:.2f} s")


def call_times(desktop: PrivateDesktop) -> None:
    with halo_on(desktop) as halo:
        report("ping or hide, helper well", spread(timed(halo)))
        stop(halo, signal.SIGSTOP)
        report("… helper stopped", spread(timed(halo)))
        stop(halo, signal.SIGCONT)
    with halo_on(desktop) as halo:
        stop(halo, signal.SIGSTOP)
        pid = halo.pid
        times = []
        while halo.pid == pid:
            times += timed(halo, 1)
        report("… until its pipe was full", f"{len(times)} words, {spread(times)} (the last starts another)")
    with halo_on(desktop) as halo:
        stop(halo, signal.SIGKILL)
        time.sleep(0.1)
        begun = time.perf_counter()
        halo.hide()
        hide = time.perf_counter() - begun
        halo.ping()
        again = time.perf_counter() - begun - hide
        report("… killed in mid-call", f"hide {1e3 * hide:.3f} ms, next ping {1e3 * again:.1f} ms (starts another)")


def stop(halo: Halo, number: signal.Signals) -> None:
    if halo.pid is not None:
        os.kill(halo.pid, number)


def timed(halo: Halo, calls: int = CALLS) -> list[float]:
    times = []
    for _ in range(calls):
        for word in (halo.ping, halo.hide):
            begun = time.perf_counter()
            word()
            times.append(time.perf_counter() - begun)
    return times


def spread(times: list[float]) -> str:
    return f"median {1e6 * statistics.median(times):.0f} µs, worst {1e3 * max(times):.2f} ms"


def input_through(desktop: PrivateDesktop) -> None:
    """A window of our own under the whole halo counts what X delivers to it."""
    eyes = Display(desktop.display)
    root = eyes.screen().root
    mask = X.ButtonPressMask | X.KeyPressMask
    target = root.create_window(0, 0, 1280, 800, 0, X.CopyFromParent, background_pixel=0xFFFFFF, event_mask=mask)
    target.map()
    eyes.sync()
    time.sleep(0.5)
    target.configure(x=0, y=0, width=1280, height=800)
    target.set_input_focus(X.RevertToParent, X.CurrentTime)
    eyes.sync()
    with halo_on(desktop) as halo:
        time.sleep(0.5)
        code = eyes.keysym_to_keycode(ord("a"))
        clicks = keys = moved = 0
        edges = [(3, 400), (1276, 400), (640, 3), (640, 796), (640, 752), (40, 40)]
        for i in range(max(CLICKS, CHARACTERS)):
            if i < CLICKS:
                x, y = edges[i % len(edges)]
                xtest.fake_input(eyes, X.MotionNotify, x=x, y=y)
                xtest.fake_input(eyes, X.ButtonPress, 1)
                xtest.fake_input(eyes, X.ButtonRelease, 1)
                if i % 50 == 0:
                    halo.hide()
                    halo.ping()
            xtest.fake_input(eyes, X.KeyPress, code)
            xtest.fake_input(eyes, X.KeyRelease, code)
            if i % 20 == 0:
                moved += eyes.get_input_focus().focus != target
            clicks, keys = counted(eyes, clicks, keys)
        eyes.sync()
        clicks, keys = counted(eyes, clicks, keys)
        lit = shown(desktop)
    report("input through it", f"{clicks} of {CLICKS} clicks, {keys} of {CHARACTERS} keys; focus moved {moved} times")
    report("… while lit", f"{lit} windows of it at the end")
    target.destroy()
    eyes.close()


def counted(eyes: Display, clicks: int, keys: int) -> tuple[int, int]:
    while eyes.pending_events():
        event = eyes.next_event()
        clicks += event.type == X.ButtonPress
        keys += event.type == X.KeyPress
    return clicks, keys


def gone_after_kill(desktop: PrivateDesktop) -> None:
    program = (
        "import os, time; from mac_commander.overlay.client import Halo\n"
        "h = Halo(True, 'x11', os.environ); h.ping(); time.sleep(60)"
    )
    server = subprocess.Popen([sys.executable, "-c", program], env=desktop.env)
    wait(lambda: shown(desktop) == 5)
    server.kill()
    seconds = wait(lambda: not shown(desktop))
    server.wait()
    report("SIGKILL of its server", f"nothing of it on the screen after {1e3 * seconds:.0f} ms")


def cost(desktop: PrivateDesktop) -> None:
    for state in ("lit", "dark"):
        with halo_on(desktop, lit=state == "lit") as halo:
            time.sleep(1)
            used = processor(halo.pid)
            time.sleep(COST_SECONDS)
            share = (processor(halo.pid) - used) / COST_SECONDS
            report(f"cost while {state}", f"{100 * share:.2f} % of a processor, {memory(halo.pid)}")
    with halo_on(desktop) as halo:
        used, begun = processor(halo.pid), time.perf_counter()
        while time.perf_counter() - begun < COST_SECONDS:
            halo.hide()
            time.sleep(0.5)
            halo.ping()
            time.sleep(0.5)
        share = (processor(halo.pid) - used) / COST_SECONDS
        report("cost while fading", f"{100 * share:.2f} % of a processor with two fades a second")


def processor(pid: int | None) -> float:
    """Seconds of processor time so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory(pid: int | None) -> str:
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:])
    return f"{int(lines['Pss'].split()[0]) / 1024:.0f} MB (Pss), {int(lines['Rss'].split()[0]) / 1024:.0f} MB (Rss)"


def report(what: str, figures: str) -> None:
    print(f"{what:32} {figures}", flush=True)


if __name__ == "__main__":
    main()

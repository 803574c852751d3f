"""Run by test_macos: the real helper of macOS on a simulated Mac, told what to do by a thread that also looks.

``python mac_helper.py WORLD FOLDER``: writes one JSON line for each look at the window server, and what each panel
drew to FOLDER.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path

import simulated_mac
from simulated_mac.machine import Machine

WAIT_SECONDS = 10.0


def main(world: Path, folder: Path) -> None:
    machine = simulated_mac.install(world)
    reader, writer = os.pipe()
    threading.Thread(target=play, args=(machine, writer, folder), daemon=True).start()
    from mac_commander.overlay import macos

    macos.run(reader)


def play(machine: Machine, pipe: int, folder: Path) -> None:
    look(machine, "before")
    os.write(pipe, b"ping\n")
    until(machine, lambda alphas: bool(alphas) and min(alphas) == 1)
    look(machine, "lit")
    for number, window in enumerate(halo(machine)):
        window.drawn.save(folder / f"panel-{number}.png")
    os.write(pipe, b"hide\n")
    until(machine, lambda alphas: not alphas)
    look(machine, "dark")
    os.close(pipe)


def halo(machine: Machine) -> list:
    return [window for window in machine.stack if window.app.name == "python"]


def until(machine: Machine, done) -> None:
    seen = set()
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        with machine.lock:
            alphas = [window.alpha for window in halo(machine)]
        seen.update(alphas)
        if done(alphas):
            break
        time.sleep(0.005)
    print(json.dumps({"moment": "fade", "alphas": sorted(seen)}), flush=True)


def look(machine: Machine, moment: str) -> None:
    with machine.lock:
        windows = [
            {
                "bounds": list(window.frame),
                "layer": window.layer,
                "click_through": window.click_through,
                "alpha": window.alpha,
            }
            for window in halo(machine)
        ]
        front = machine.front.name if machine.front else None
        below = machine.app_at((3, 450))
        line = {"moment": moment, "windows": windows, "front": front, "takes_a_click": below.name if below else None}
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

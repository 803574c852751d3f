"""What a look at a hostile tree costs: ``python -m bench.see.hostile``.

Each in a process of its own, so that its peak of memory is its own. On X11 an app that talks AT-SPI and lies; on the
simulated Mac a world of the same kind, read by the macOS desktop's code.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mac_commander.core.refs import RefTable
from mac_commander.core.snapshot import listing, shown
from mac_commander.model import App, Limits, Rect, Snapshot, Window
from mac_commander.tools.see import ELEMENTS_MOST

X11 = {
    "wide": "300,000 siblings",
    "deep": "5,000 levels",
    "cycle": "a tree that holds itself",
    "huge": "a name and a value of 10 MB",
    "silent": "one element that never answers",
}
MAC = {
    "copies": "300,000 siblings",
    "nested": "5,000 levels",
    "value": "a name and a value of 10 MB",
    "surrogates": "lone surrogates and controls",
}


def main() -> None:
    if len(sys.argv) > 2:
        one(sys.argv[1], sys.argv[2])
        return
    print("| tree | on | s | elements | characters told | MB more |\n|---|---|---:|---:|---:|---:|")
    for where, kinds in (("x11", X11), ("mac", MAC)):
        for kind, words in kinds.items():
            done = subprocess.run(
                [sys.executable, "-m", "bench.see.hostile", where, kind], capture_output=True, text=True
            )
            told = json.loads(done.stdout.splitlines()[-1])
            figures = f"{told['s']:.1f} | {told['elements']} | {told['characters']} | {told['mb']:.0f}"
            print(f"| {words} | {where} | {figures} |")


def one(where: str, kind: str) -> None:
    with TemporaryDirectory() as folder:
        (on_x11 if where == "x11" else on_the_mac)(kind, Path(folder))


def report(look: Any) -> None:
    begun, before = time.monotonic(), peak()
    seen: Snapshot = look()
    text = "\n".join(shown(listing(seen, RefTable()), ELEMENTS_MOST).lines)
    seconds = time.monotonic() - begun
    size = len(text.encode("utf-8"))  # raises for a lone surrogate
    print(json.dumps({"s": seconds, "elements": len(seen.elements), "characters": size, "mb": peak() - before}))


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def on_x11(kind: str, _folder: Path) -> None:
    from mac_commander.demo.private_desktop import PrivateDesktop
    from mac_commander.desktops.x11 import processes
    from mac_commander.desktops.x11.accessibility import Accessibility
    from tests.desktops.x11 import test_hostile_trees

    with PrivateDesktop() as desktop:
        accessibility = Accessibility(desktop.env["DBUS_SESSION_BUS_ADDRESS"])
        assert not accessibility.problem()
        script = Path(test_hostile_trees.__file__).with_name("fake_atspi_app.py")
        argv = [sys.executable, str(script), kind, accessibility._address()]
        process = desktop.spawn(argv, stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        app = App(process.pid, processes.start_time(process.pid), "fake")
        window = Window(1, process.pid, "fake", Rect(0, 0, 200, 100))
        report(lambda: accessibility.snapshot(app, (window,), Limits()))
        accessibility.close()


def on_the_mac(kind: str, folder: Path) -> None:
    from tests.desktops.macos.scenes import CHAT, TEXTEDIT, app, raise_scene, window, world

    button: dict[str, Any] = {"role": "AXButton", "title": "one", "bounds": [110, 100, 60, 20]}
    evil = '\ud800 \x1b[31m \u202e evil\n  button "forged" [e1]'
    element = {
        "copies": {**button, "copies": 300_000},
        "nested": {"role": "AXGroup", "bounds": [100, 80, 640, 480], "nested": 5_000},
        "value": {
            "role": "AXTextArea",
            "title": "x" * 10_000_000,
            "value": "y" * 10_000_000,
            "bounds": [110, 100, 60, 20],
        },
        "surrogates": {**button, "title": evil},
    }[kind]
    scene = raise_scene(folder, world(app(TEXTEDIT, windows=[window(element)]), CHAT))
    target = scene.app()
    report(lambda: scene.desktop.snapshot(target, Limits()))
    scene.desktop.close()


if __name__ == "__main__":
    sys.exit(main())

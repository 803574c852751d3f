"""What macOS is asked beside the server, in this process: the answers are the macOS desktop's `answers`."""

from __future__ import annotations

import importlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from mac_commander.core.blocklist import ALWAYS_BLOCKED
from mac_commander.desktops import open_desktop
from mac_commander.errors import CommanderError
from mac_commander.verify.acceptance import needs, wanted
from mac_commander.verify.client import Client
from mac_commander.verify.verdict import Unverified
from mac_commander.verify.witness import TITLE, PipeWitness

ANSWERS = "mac_commander.desktops.macos.answers"

HALO_MS = 3000
HALO_SECONDS = 1.5
"""After the batch began: in the middle of its wait, when the halo has long been lit."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Whom the questions are put to, and about which app of our own."""

    answers: ModuleType
    pid: int
    kind: str
    folder: Path
    target: str

    def dialogs(self) -> str:
        ids = sorted(name for name in ALWAYS_BLOCKED if name.startswith("com.apple."))
        known, unknown = self.answers.known_ids(ids)
        needs(bool(known), "none of them is an app here")
        return f"{len(known)} of {len(ids)} are apps of this macOS; it has no {', '.join(unknown) or 'others'}"

    def languages(self) -> str:
        told = self.answers.foreign_names()
        needs(told is not None, "System Settings is not here")
        return str(told)

    def halo(self) -> str:
        """While a batch waits, over all windows of the screens."""
        needs(self.kind == "macos", "needs a Mac: the simulated one shows no halo")
        arguments = ["--home", str(self.folder / "halo"), "--desktop", self.kind]
        with Client(arguments, {}) as client:
            steps = [{"kind": "wait", "ms": HALO_MS}]
            batch = threading.Thread(target=lambda: client.call("act", target=self.target, steps=steps))
            batch.start()
            time.sleep(HALO_SECONDS)
            through = list(self.answers.over_all_windows())
            batch.join()
        needs(bool(through), "no window covers a screen while a batch runs: is the overlay turned off?")
        wanted(all(through), "a window over the whole screen takes clicks while a batch runs")
        return f"{len(through)} windows over whole screens, and clicks go through all of them"


Question = Callable[[Asked], str]

QUESTIONS: Mapping[str, Question] = {
    "responsible program": lambda asked: str(asked.answers.responsible()),
    "own events": lambda asked: str(asked.answers.own_events()),
    "secure value": lambda asked: str(asked.answers.secure_value(asked.pid)),
    "secure input": lambda asked: str(asked.answers.secure_input(asked.pid)),
    "names abroad": Asked.languages,
    "system dialogs": Asked.dialogs,
    "halo": Asked.halo,
}


@contextmanager
def asking(kind: str, folder: Path, world: Path | None) -> Iterator[Asked]:
    """``world``: of the simulated Mac. Raises `Unverified` where nothing can be asked."""
    try:
        desktop = open_desktop(kind, world)
    except CommanderError as error:
        raise Unverified(str(error)) from None
    try:
        needs(not desktop.readiness().accessibility, desktop.readiness().accessibility)
        answers = importlib.import_module(ANSWERS)
        if kind == "macos":
            with PipeWitness.on_a_mac() as app:
                assert app.pid is not None  # it runs
                yield Asked(answers, app.pid, kind, folder, app.name)
        else:
            pid = next(app.pid for app in desktop.apps() if app.name == TITLE)
            yield Asked(answers, pid, kind, folder, TITLE)
    finally:
        desktop.close()


def asked_beside(kind: str) -> ModuleType | None:
    """For checks that ask while the server works: on a Mac both see the same one."""
    return importlib.import_module(ANSWERS) if kind == "macos" else None

"""``mac-commander doctor``: what is there and what is not, one line each, with the fix. Changes nothing."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from mac_commander import __version__, home
from mac_commander.core import config
from mac_commander.core.config import Config
from mac_commander.core.likely_mistakes import likely_mistakes
from mac_commander.core.screen_text import escaped
from mac_commander.core.session import Session
from mac_commander.core.stop import Stop
from mac_commander.desktops import KINDS, open_desktop
from mac_commander.desktops.base import Desktop
from mac_commander.errors import CommanderError, Locked, Refused
from mac_commander.model import App, Limits

LOOK_SECONDS = 3.0
"""What reading the app in front may take; a slow app says nothing against the server."""

SIMULATED = "simulated"

MISSING, OK, NOTE = "MISSING", "ok", "note"


class Finding(NamedTuple):
    state: str
    what: str
    detail: str
    """For what is missing: what to do."""

    def __str__(self) -> str:
        return f"{self.state:<8} {self.what:<15} {self.detail}"


def main(argv: Sequence[str]) -> int:
    """Exit status: 0 all is there, 1 something is missing, 2 wrong usage."""
    options = _parser().parse_args(argv)
    missing = 0
    for finding in findings(options.desktop, home.locate(options.home), options.world):
        sys.stdout.write(f"{finding}\n".encode("utf-8", "replace").decode())
        sys.stdout.flush()
        missing += finding.state == MISSING
    sys.stdout.write(f"{missing} missing\n" if missing else "all is there\n")
    return 1 if missing else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("mac-commander doctor", description="Say what is missing, and how to grant it.")
    parser.add_argument("--home", metavar="DIR", help="the folder of the server, when it is not the usual one")
    parser.add_argument("--desktop", choices=KINDS, default="auto", help="the desktop to look at")
    parser.add_argument("--world", metavar="FILE", type=Path, help="simulated: a JSON file that sets the scene")
    return parser


def findings(kind: str, folder: Path, world: Path | None = None) -> Iterator[Finding]:
    """Everything that can be told, in the order in which it matters."""
    yield Finding(OK, "program", f"mac-commander {__version__} on {sys.executable} (Python {sys.version.split()[0]})")
    settings = yield from _home(folder)
    try:
        desktop = open_desktop(kind, world)
    except Locked as lock:
        yield Finding(MISSING, "desktop", str(lock))
        return
    try:
        yield from _on(desktop, kind, settings)
    finally:
        desktop.close()


def _home(folder: Path) -> Generator[Finding, None, Config]:
    """Where config and log are; gives the config that a server would run with."""
    settings = config.defaults(folder)
    if not folder.exists():
        yield Finding(NOTE, "home", f"{folder} is made at the first tool call, with the default config.json")
        return settings
    try:
        home.check_folder(folder)
        settings = config.load(folder) if (folder / home.CONFIG).exists() else settings
    except Locked as lock:
        yield Finding(MISSING, "config", str(lock))
        return settings
    yield Finding(OK, "home", str(folder))
    yield _log(settings)
    return settings


def _log(settings: Config) -> Finding:
    log = settings.audit_log
    if log is None:
        return Finding(NOTE, "audit log", "turned off in config.json: calls leave no trace")
    place = log if log.exists() else log.parent
    if os.access(place, os.W_OK):
        return Finding(OK, "audit log", str(log))
    return Finding(MISSING, "audit log", f"{log} cannot be written, so every call is refused: chown or chmod it")


def _on(desktop: Desktop, kind: str, settings: Config) -> Iterator[Finding]:
    screens = desktop.screens()
    sizes = ", ".join(f"{s.bounds.width:g}x{s.bounds.height:g} at {s.bounds.x:g},{s.bounds.y:g}" for s in screens)
    name = f"{kind}, which runs the {desktop.name} code" if kind == SIMULATED else desktop.name
    yield Finding(OK, "desktop", f"{name}; screens: {sizes}")
    yield from _grants(desktop)
    session = Session(desktop, settings, Stop())
    yield from _probes(session)
    yield from _programs(desktop)
    yield from (Finding(NOTE, "settings", mistake) for mistake in likely_mistakes(session))
    yield from _chain(desktop)


def _grants(desktop: Desktop) -> Iterator[Finding]:
    ready = desktop.readiness()
    for what, missing in (("accessibility", ready.accessibility), ("input", ready.input)):
        yield Finding(MISSING, what, missing) if missing else Finding(OK, what, "granted")
    if ready.screenshots:
        yield Finding(MISSING, "screenshots", ready.screenshots)


def _probes(session: Session) -> Iterator[Finding]:
    """What is granted may still not work: the app in front is read, and pictured in memory."""
    front = session.desktop.frontmost()
    if front is None:
        yield _no_front(session.desktop)
        return
    yield Finding(OK, "frontmost", str(front))
    ready = session.desktop.readiness()
    if not ready.accessibility:
        yield _tried("element tree", lambda: _tree(session, front))
    if not ready.screenshots:
        yield _tried("screenshots", lambda: _picture(session, front))


def _no_front(desktop: Desktop) -> Finding:
    """On an empty desktop nothing is amiss; where there are windows, one of them should be in front."""
    if not desktop.stack():
        why = "no window is open, so reading and picturing one were not tried: open an app and run this again"
        return Finding(NOTE, "frontmost", why)
    why = desktop.evidence().disagreement or "no app is known to be in front"
    return Finding(MISSING, "frontmost", f"{why}. Click into a window and try again")


def _tried(what: str, probe: Callable[[], str]) -> Finding:
    try:
        return Finding(OK, what, probe())
    except Refused as refusal:
        return Finding(NOTE, what, f"not tried: {refusal}")
    except CommanderError as error:
        return Finding(MISSING, what, str(error))


def _tree(session: Session, front: App) -> str:
    snapshot = session.desktop.snapshot(front, Limits(seconds=LOOK_SECONDS))
    notes = "".join(f"; {note}" for note in snapshot.notes)
    elements, windows = _counted(len(snapshot.elements), "element"), _counted(len(snapshot.windows), "window")
    return f"{elements} in {windows} of {front.name}{notes}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _picture(session: Session, front: App) -> str:
    picture, window, _ = session.window_picture(front)
    return f"{picture.width}x{picture.height} pixels of window {escaped(window.title)!r}, not kept"


def _programs(desktop: Desktop) -> Iterator[Finding]:
    for interpreter in desktop.interpreters():
        program = interpreter.argv[0]
        if os.access(program, os.X_OK):
            yield Finding(OK, f"*{interpreter.suffix}", f"scripts run by {' '.join(interpreter.argv)}")
        else:
            yield Finding(MISSING, f"*{interpreter.suffix}", f"{program} is not there: these scripts cannot run")


def _chain(desktop: Desktop) -> Iterator[Finding]:
    """Who started us, and whose grants count: on a Mac that is seldom python, and not always who started us."""
    apps = {app.pid: app for app in desktop.apps()}
    ancestors = desktop.ancestors()
    chain = [apps[pid].name if pid in apps else f"pid {pid}" for pid in ancestors]
    yield Finding(NOTE, "started by", " < ".join(chain) or "nobody known")
    if holder := desktop.grants_holder():
        yield Finding(NOTE, "grants", f"belong to {holder}; started by another app, the server needs them there too")

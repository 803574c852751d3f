"""Starts installed programs, without a shell and without anything of ours in their hands."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mac_commander.desktops.x11 import processes
from mac_commander.desktops.x11.dbus_calls import CallError
from mac_commander.desktops.x11.dbus_connection import Connection
from mac_commander.desktops.x11.desktop_files import DesktopFile, DesktopFiles
from mac_commander.desktops.x11.session_bus import converse
from mac_commander.errors import DesktopError
from mac_commander.model import Installed

CHROMIUM_LIKE = ("chromium", "chrome", "brave", "vivaldi", "opera", "msedge", "microsoft-edge", "electron", "thorium")
"""Start of the program names whose accessibility tree is only there when asked for at the start (measured)."""

ELECTRON_FILE = "chrome_100_percent.pak"
"""Lies beside the program of everything built on Chromium."""

FORCE_TREE = "--force-renderer-accessibility"

DBUS, DBUS_PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"


@dataclass(frozen=True, slots=True)
class Ticket:
    """One start. Its process may hand over to one that runs already, or start others and end: compare ``app_id``."""

    app_id: str
    command: str
    """Base name of the program, for messages."""
    pid: int = 0
    """0 when the program was started by the bus."""


class _Program(subprocess.Popen[bytes]):
    """A program that is meant to outlive us: letting go of it is no mistake to warn of."""

    def __del__(self) -> None:
        self.poll()


class Launcher:
    """Starts programs in one desktop session."""

    def __init__(self, files: DesktopFiles, environment: Mapping[str, str]) -> None:
        self._files = files
        self._environment = _for_children(environment)
        self._children: dict[int, _Program] = {}

    def start(self, what: Installed) -> Ticket:
        """Raises `DesktopError` when it cannot be started, saying why."""
        self.reap()
        entry = self._files.entry(what)
        if entry is None:
            raise DesktopError(f"wanted to start {what.name}, but its desktop file is gone; look at the app list again")
        if entry.terminal:
            raise DesktopError(f"wanted to start {what.name}, but it runs in a terminal; start a terminal instead")
        command = Path(entry.program).name
        if entry.dbus_activatable and self._activate(entry.app_id):
            return Ticket(entry.app_id, command)
        return Ticket(entry.app_id, command, self._run(what, entry))

    def pids(self, ticket: Ticket) -> tuple[int, ...]:
        """The living processes of that start: the one started, its descendants, and those in its session."""
        self.reap()
        if not ticket.pid:
            owner = self._owner(ticket.app_id)
            return (owner,) if owner else ()
        return family(ticket.pid)

    def exit_code(self, ticket: Ticket) -> int | None:
        """``None`` while the process runs, or when it was not started by us."""
        child = self._children.get(ticket.pid)
        return child.poll() if child is not None else None

    def reap(self) -> None:
        """Take the exit codes of children that ended, so that none stays as a zombie."""
        for child in self._children.values():
            child.poll()

    def _run(self, what: Installed, entry: DesktopFile) -> int:
        program = shutil.which(entry.program, path=self._environment["PATH"]) if entry.program else None
        if program is None:
            raise DesktopError(f"wanted to start {what.name}, but its program is not installed; install it again")
        arguments = [FORCE_TREE] if _is_chromium(program) else []
        try:
            child = _Program(
                [program, *arguments, *entry.argv[1:]],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=dict(self._environment),
                cwd=self._environment.get("HOME", "/"),
                start_new_session=True,
            )
        except OSError as error:
            raise DesktopError(f"wanted to start {what.name}, but the system refused: {error.strerror}") from error
        self._children[child.pid] = child
        return child.pid

    def _activate(self, app_id: str) -> bool:
        """Ask the app itself, over the bus, as its desktop file says it wants; ``False`` when the bus cannot start
        it, and then its ``Exec`` is there for that (the specification keeps it as the other way)."""
        path = "/" + app_id.replace(".", "/").replace("-", "_")

        async def ask(bus: Connection) -> None:
            await bus.call(app_id, path, "org.freedesktop.Application", "Activate", "a{sv}", [{}], gives="")

        try:
            converse(self._bus_address, ask)
        except CallError:
            return False
        except TimeoutError:
            return True  # on its way: starting may take longer than one call of ours may
        return True

    def _owner(self, app_id: str) -> int:
        """Pid of the process that has this name on the bus, 0 when nobody has."""

        async def ask(bus: Connection) -> int:
            pid = await bus.call(DBUS, DBUS_PATH, DBUS, "GetConnectionUnixProcessID", "s", [app_id], gives="u")
            return int(pid)

        try:
            return converse(self._bus_address, ask)
        except (CallError, TimeoutError):
            return 0

    @property
    def _bus_address(self) -> str:
        return self._environment.get("DBUS_SESSION_BUS_ADDRESS", "")


def _for_children(environment: Mapping[str, str]) -> dict[str, str]:
    """The session's environment, with accessibility on and a character set that has every character."""
    wanted = {name: value for name, value in environment.items() if name != "NO_AT_BRIDGE"}
    wanted.setdefault("PATH", os.defpath)
    wanted["QT_LINUX_ACCESSIBILITY_ALWAYS_ON"] = "1"
    locale = next((wanted[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if wanted.get(name)), "")
    if "utf" not in locale.casefold():
        wanted |= {"LANG": "C.UTF-8", "LC_CTYPE": "C.UTF-8"}
        wanted.pop("LC_ALL", None)
    return wanted


def _is_chromium(program: str) -> bool:
    real = Path(program).resolve()
    return real.name.casefold().startswith(CHROMIUM_LIKE) or (real.parent / ELECTRON_FILE).exists()


def family(pid: int) -> tuple[int, ...]:
    """Living processes among: the process, its descendants, and the session that it leads (where those are that
    lost their parent). Sorted, the process itself first."""
    alive = [int(entry.name) for entry in processes.PROC.iterdir() if entry.name.isdigit()]
    parents = {one: processes.parent(one) for one in alive if processes.start_time(one)}
    found = {one for one in parents if one == pid or _session(one) == pid}
    while more := {one for one, parent in parents.items() if parent in found} - found:
        found |= more
    return tuple(sorted(found, key=lambda one: (one != pid, one)))


def _session(pid: int) -> int:
    with contextlib.suppress(OSError):
        return os.getsid(pid)
    return 0

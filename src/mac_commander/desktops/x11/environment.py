"""Finds the X display and the session bus, also when the client that started us passed no environment.

MCP clients hand over only HOME, LOGNAME, PATH, SHELL, TERM and USER (measured), so what is missing is read
from the processes of the same user: first those we descend from, then the rest of the session.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mac_commander.desktops.x11 import processes
from mac_commander.errors import DesktopError

SOCKETS = Path("/tmp/.X11-unix")  # noqa: S108  # the X protocol's own place (Xtrans)

PASSED_ON = (
    "HOME LOGNAME PATH SHELL TERM USER LANG LANGUAGE LC_ALL LC_CTYPE LC_MESSAGES XDG_RUNTIME_DIR XDG_DATA_DIRS "
    "XDG_DATA_HOME XDG_CONFIG_DIRS XDG_CONFIG_HOME XDG_CURRENT_DESKTOP XDG_SESSION_DESKTOP XDG_SESSION_TYPE XDG_SEAT "
    "XDG_SESSION_ID XDG_VTNR XMODIFIERS GTK_IM_MODULE QT_IM_MODULE QT_QPA_PLATFORM GDK_BACKEND GDK_SCALE "
    "DESKTOP_SESSION"
).split()
"""What a program started from the desktop's own menu would find; secrets of the client are not among it."""


@dataclass(frozen=True, slots=True)
class Session:
    """Where the desktop is."""

    display: str
    xauthority: str
    """Path of the cookie file, empty when the server wants none."""
    session_bus: str
    """D-Bus address, empty when there is none to be found."""
    child_environment: Mapping[str, str]
    """For programs launched on this desktop."""

    @property
    def seat(self) -> str:
        """One name for one keyboard: ``:0``, ``:0.0`` and ``unix:0`` are one server, whatever the screen's number."""
        return f"x11 {re.sub(r'^unix/?(?=:)|(?<=[0-9])[.][0-9]+$', '', self.display)}"


def find_session(environ: Mapping[str, str] = os.environ) -> Session:
    """The one X session that this process belongs to.

    Raises `DesktopError` when there is none, when there are several and nothing tells which, or when the
    session is Wayland.
    """
    sources = [dict(environ), *_ancestor_environments()]
    source = next((s for s in sources if s.get("DISPLAY")), None)
    if source is None:
        _refuse_wayland(sources)
        source = _only_display(list(_session_environments()))
    display = source["DISPLAY"]
    neighbours = [e for e in _session_environments() if e.get("DISPLAY") == display]
    merged = _merge([*neighbours[:1], source, {k: v for k, v in environ.items() if v}])
    xauthority = _xauthority([source, *neighbours, merged])
    bus = _session_bus([source, *neighbours])
    child = {name: merged[name] for name in PASSED_ON if merged.get(name)}
    child |= {"DISPLAY": display} | ({"XAUTHORITY": xauthority} if xauthority else {})
    child |= {"DBUS_SESSION_BUS_ADDRESS": bus} if bus else {}
    return Session(display, xauthority, bus, child)


def refuse_xwayland(display: str, server_pid: int) -> None:
    """Raise `DesktopError` when the X server is only Wayland's guest: it sees neither the other windows nor
    the real focus, so no proof is possible there."""
    if processes.command_name(server_pid).lower().startswith("xwayland"):
        raise DesktopError(_WAYLAND.format(seen=f"display {display} is XWayland"))


_WAYLAND = (
    "wanted an X11 desktop, but {seen}: on Wayland no program can prove where input goes. "
    "Log in to an X11 (Xorg) session, or set DISPLAY to a pure X server in the client's server entry."
)


def _refuse_wayland(sources: list[dict[str, str]]) -> None:
    for source in sources:
        if source.get("WAYLAND_DISPLAY") or source.get("XDG_SESSION_TYPE") == "wayland":
            raise DesktopError(_WAYLAND.format(seen="this session is Wayland and names no X display"))


def _only_display(session: list[dict[str, str]]) -> dict[str, str]:
    """The single display that the user's processes, or else the sockets, speak of."""
    by_display: dict[str, dict[str, str]] = {}
    for environment in session:
        if environment.get("DISPLAY"):
            by_display.setdefault(environment["DISPLAY"], environment)
    found = {name: e for name, e in by_display.items() if _socket_exists(name)}
    if not found:
        _refuse_wayland(session)
        found = {name: {"DISPLAY": name} for name in _socket_displays()}
    if len(found) == 1:
        return next(iter(found.values()))
    if not found:
        raise DesktopError(
            "wanted an X display, found none: DISPLAY is not set, no process of this user has one, and "
            f"{SOCKETS} is empty. Start the server inside a graphical session, or set DISPLAY in its entry."
        )
    names = ", ".join(sorted(found))
    raise DesktopError(
        f"wanted one X display, found {names} and nothing that tells which is meant. "
        "Set DISPLAY in the client's server entry."
    )


def _ancestor_environments() -> Iterator[dict[str, str]]:
    for pid in processes.ancestors(os.getpid()):
        yield processes.environment(pid)


def _session_environments() -> Iterator[dict[str, str]]:
    """Of the user's processes with a display, oldest first: the session's own come before what it started."""
    for pid in sorted(processes.own()):
        environment = processes.environment(pid)
        if environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"):
            yield environment


def _merge(environments: list[dict[str, str]]) -> dict[str, str]:
    merged: dict[str, str] = {}
    for environment in environments:
        merged |= environment
    return merged


def _socket_exists(display: str) -> bool:
    number = re.match(r"^:(\d+)", display)
    return number is None or (SOCKETS / f"X{number[1]}").exists()


def _socket_displays() -> list[str]:
    """Displays whose socket belongs to this user or to root; another user's desktop is not ours."""
    if not SOCKETS.is_dir():
        return []
    allowed = {0, os.getuid()}
    found = [p for p in SOCKETS.iterdir() if p.name[1:].isdigit() and _is_socket_of(p, allowed)]
    return [f":{p.name[1:]}" for p in sorted(found)]


def _is_socket_of(path: Path, owners: set[int]) -> bool:
    try:
        status = path.lstat()
    except OSError:
        return False
    return stat.S_ISSOCK(status.st_mode) and status.st_uid in owners


def _xauthority(environments: list[dict[str, str]]) -> str:
    candidates = [e["XAUTHORITY"] for e in environments if e.get("XAUTHORITY")]
    runtime = Path(f"/run/user/{os.getuid()}")
    candidates += [str(p) for p in (Path.home() / ".Xauthority", runtime / "gdm/Xauthority", runtime / "Xauthority")]
    return next((c for c in candidates if os.access(c, os.R_OK)), "")


def _session_bus(environments: list[dict[str, str]]) -> str:
    named = [e["DBUS_SESSION_BUS_ADDRESS"] for e in environments if e.get("DBUS_SESSION_BUS_ADDRESS")]
    sockets = [Path(e["XDG_RUNTIME_DIR"]) / "bus" for e in environments if e.get("XDG_RUNTIME_DIR")]
    sockets.append(Path(f"/run/user/{os.getuid()}/bus"))
    named += [f"unix:path={p}" for p in sockets if _is_socket_of(p, {os.getuid()})]
    return named[0] if named else ""

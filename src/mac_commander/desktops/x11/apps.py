"""Processes as apps: a name a person would use, taken from the desktop file that fits its windows."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import replace

from mac_commander.desktops.x11 import processes
from mac_commander.desktops.x11.windows import Facts
from mac_commander.model import App, Identity, Installed

REMEMBERED = 512
"""Names of so many processes are kept; more than any desktop runs apps."""

Identify = Callable[[tuple[str, str], str, str], Installed | None]
"""WM_CLASS, executable and GTK application id to the installed app that they belong to."""


class Apps:
    """Names processes, and remembers the names as long as the process lives."""

    def __init__(self, identify: Identify) -> None:
        self._identify = identify
        self._named: OrderedDict[Identity, App] = OrderedDict()

    def learn(self, windows: Iterable[Facts]) -> tuple[App, ...]:
        """The apps that own these windows, each once, hidden when none of its windows can be seen."""
        owned: dict[int, list[Facts]] = {}
        for facts in windows:
            owned.setdefault(facts.window.pid, []).append(facts)
        found = [self._app(pid, theirs) for pid, theirs in owned.items()]
        return tuple(app for app in found if app is not None)

    def known(self, pid: int) -> App | None:
        """The app that this very process was learnt to be."""
        return self._named.get(Identity(pid, processes.start_time(pid)))

    def _app(self, pid: int, windows: list[Facts]) -> App | None:
        identity = Identity(pid, processes.start_time(pid))
        if not identity.started:
            return None
        app = self._named.get(identity) or self._name(identity, windows)
        self._named[identity] = app
        self._named.move_to_end(identity)
        while len(self._named) > REMEMBERED:
            self._named.popitem(last=False)
        return replace(app, hidden=all(f.window.minimised for f in windows))

    def _name(self, identity: Identity, windows: list[Facts]) -> App:
        plain = [f for f in windows if not f.override_redirect] or windows
        wm_class = next((f.wm_class for f in plain if f.wm_class[1]), ("", ""))
        gtk_app_id = next((f.gtk_app_id for f in plain if f.gtk_app_id), "")
        executable = processes.executable(identity.pid)
        installed = self._identify(wm_class, executable, gtk_app_id)
        spoken = [*wm_class[::-1], processes.program(identity.pid), gtk_app_id]
        names = list(dict.fromkeys(n for n in spoken if n))
        if installed is not None:
            names = [installed.name, *installed.aliases, *names]
        name = names[0] if names else processes.command_name(identity.pid)
        aliases = tuple(dict.fromkeys(n for n in names if n != name))
        app_id = installed.app_id if installed is not None else gtk_app_id
        return App(identity.pid, identity.started, name, app_id, aliases, executable)

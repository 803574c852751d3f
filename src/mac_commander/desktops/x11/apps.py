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

NAMES_MOST = 1000
"""Of one process; a browser with every web app installed has some dozens."""

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
        app = self._heard(identity, windows)
        self._named[identity] = app
        self._named.move_to_end(identity)
        while len(self._named) > REMEMBERED:
            self._named.popitem(last=False)
        return replace(app, hidden=all(f.window.minimised for f in windows))

    def _heard(self, identity: Identity, windows: list[Facts]) -> App:
        """The app with all that its windows ever called themselves: one process may show those of several (``ssh -X``,
        Java), and a later one may be blocked by its class."""
        app = self._named.get(identity)
        plain_first = sorted(windows, key=lambda f: f.override_redirect)
        for wm_class, gtk_app_id in dict.fromkeys((f.wm_class, f.gtk_app_id) for f in plain_first):
            if app is None or not {*wm_class, gtk_app_id} <= {*app.every_name, ""}:
                app = _together(app, self._name(identity, wm_class, gtk_app_id))
        assert app is not None, "an app is learnt by its windows"
        return app

    def _name(self, identity: Identity, wm_class: tuple[str, str], gtk_app_id: str) -> App:
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


def _together(known: App | None, more: App) -> App:
    """The first name stays, unless it was only the program's."""
    if known is None:
        return more
    name = more.name if known.name == processes.program(known.pid) else known.name
    others = dict.fromkeys([*known.every_name, *more.every_name])
    aliases = [n for n in others if n not in (name, known.executable)][:NAMES_MOST]
    return replace(known, name=name, app_id=known.app_id or more.app_id, aliases=tuple(aliases))

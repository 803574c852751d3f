"""The two helper processes of a server: the guardian, and the halo once it is known where to show it."""

from __future__ import annotations

import os

from mac_commander.core.dispatch import Hooks
from mac_commander.desktops.base import Desktop
from mac_commander.guardian.client import GuardianClient
from mac_commander.overlay.client import Halo


class Companions:
    """Neither is started before the first call; both end with the server, however it ends."""

    def __init__(self) -> None:
        self.guardian = GuardianClient()
        self._halo: Halo | None = None

    @property
    def hooks(self) -> Hooks:
        """For the dispatcher."""
        return Hooks(self._call_starts, self._call_ends, self._close, self.guardian)

    def join(self, kind: str, desktop: Desktop, overlay: bool) -> None:
        """The desktop was opened, during the first call: light the halo for it."""
        environment = {**_own_environment(), **desktop.session_environment()}
        self.guardian.serve("none" if kind == "simulated" else kind, desktop.session_environment())
        self._halo = Halo(overlay, kind, environment)
        self._halo.ping()

    def notice(self) -> str:
        return self._halo.note() if self._halo is not None else ""

    def _call_starts(self) -> None:
        if self._halo is not None:
            self._halo.ping()

    def _call_ends(self) -> None:
        if self._halo is not None:
            self._halo.hide()

    def _close(self) -> None:
        if self._halo is not None:
            self._halo.close()
        self.guardian.close()


def _own_environment() -> dict[str, str]:
    """What Python and a toolkit need, and nothing else of the client's: it may hold the client's secrets."""
    names = ("HOME", "PATH", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "PYTHONPATH", "GDK_SCALE")
    return {name: os.environ[name] for name in names if name in os.environ}

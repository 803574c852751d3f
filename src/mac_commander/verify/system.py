"""Checks of what macOS itself decides: menus that are its own, our own Escape, panels that another process draws."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from types import ModuleType

from mac_commander.errors import CommanderError
from mac_commander.verify.acceptance import wanted
from mac_commander.verify.bench import Bench, Check


def refused_menu(path: str, why: str, bench: Bench) -> str:
    """``{app}`` in the path is the app's own menu, which macOS calls as it likes."""
    steps = [{"kind": "menu", "path": path.format(app=bench.witness.name)}]
    answer = bench.client.call("act", target=bench.witness.name, steps=steps)
    wanted(answer.is_error and why in answer.text, answer.text[:600])
    return "refused by its place in the menu bar"


def own_escape(bench: Bench) -> str:
    """Escape is the user's way to stop a batch; ours must not be taken for it."""
    keys = [{"kind": "key", "combo": "cmd+a"}, {"kind": "key", "combo": "delete"}, {"kind": "key", "combo": "escape"}]
    bench.act({"kind": "click", "ref": bench.ref("Notes")}, *keys, {"kind": "wait", "ms": 500}, keys[0])
    return "the batch went on after it"


def open_panel(ask: ModuleType | None, bench: Bench) -> str:
    """A panel that macOS draws in another process is read, and closed again, as a part of the app that shows it."""
    bench.act({"kind": "click", "ref": bench.ref("Open panel")})
    bench.told("press", widget="Open panel")
    seen = bench.see().text
    told = "" if ask is None or bench.witness.pid is None else f"; {_told(ask, bench.witness.pid)}"
    bench.act({"kind": "click", "ref": bench.ref("Cancel")})
    if bench.witness.has_widgets:
        bench.told("panel")
    wanted(not re.search(r'button "Cancel"', bench.see().text), "the panel is still there")
    return f"opened, read ({seen.splitlines()[-1]}) and cancelled{told}"


def _told(ask: ModuleType, pid: int) -> str:
    try:
        return str(ask.drawn_in(pid))
    except CommanderError as error:
        return str(error)


def system_checks(ask: ModuleType | None) -> Mapping[str, Check]:
    """``ask``: the macOS desktop's `answers`, where its questions can be asked beside the server."""
    return {
        "Apple menu": partial(refused_menu, "Apple > About This Mac", "the Apple menu"),
        "Services": partial(refused_menu, "{app} > Services > No Services Apply", "submenus of the application menu"),
        "own Escape": own_escape,
        "open panel": partial(open_panel, ask),
    }

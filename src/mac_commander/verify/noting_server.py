"""The server with its calls of Apple's frameworks noted: ``python -m … FILE [OPTION…]``, FILE as in `bridge_calls`.

The macOS modules hold the functions that they call as globals of their own; those are replaced once the desktop is
open. Nothing else about the server differs.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from types import ModuleType
from typing import Any

from mac_commander import desktops
from mac_commander.desktops.base import Desktop
from mac_commander.verify.bridge_calls import noted

NOTED = "mac_commander.desktops.macos."


def main() -> None:
    file = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
    open_desktop = desktops.open_desktop

    def open_and_note(kind: str = "auto", world: Path | None = None, journal: Path | None = None) -> Desktop:
        desktop = open_desktop(kind, world, journal)
        note_calls(file)
        return desktop

    desktops.open_desktop = open_and_note
    sys.argv[1:2] = []
    runpy.run_module("mac_commander", run_name="__main__", alter_sys=True)


def note_calls(file: int) -> None:
    facts = resources.files("simulated_mac").joinpath("facts.json").read_text(encoding="utf-8")
    functions: Mapping[str, Mapping[str, Any]] = json.loads(facts)["functions"]
    for module in _macos_modules():
        for name, value in list(vars(module).items()):
            if name in functions and callable(value) and not _keeps_a_callback(functions[name]):
                setattr(module, name, noted(name, functions[name], value, file))


def _keeps_a_callback(fact: Mapping[str, Any]) -> bool:
    """PyObjC makes a callback for the function itself (``objc.callbackFor``), and for no stand-in of it."""
    return any("callback" in argument for argument in fact["arguments"])


def _macos_modules() -> Iterator[ModuleType]:
    for name, module in list(sys.modules.items()):
        if name.startswith(NOTED):
            yield module


if __name__ == "__main__":
    main()

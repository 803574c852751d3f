"""What every witness app speaks: events out as JSON lines, commands in as JSON lines. Standard library only, because
the apps run under the system's Python, which has the toolkits."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

ROWS = 100
COLOURS = ("Red", "Green", "Blue")


def report(event: str, widget: str, **more: Any) -> None:
    """One line for one thing that reached this app."""
    line = {"event": event, "widget": widget, **more}
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


class Commands:
    """Calls one function for each command line; the toolkit calls `read` whenever standard input has something."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        self._functions = {"hang": time.sleep, **functions}
        self._rest = b""

    def read(self, *_: Any) -> bool:
        piece = os.read(0, 65536)
        if not piece:
            os._exit(0)  # the test is gone
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            name, *arguments = json.loads(line)
            report("answer", name, value=self._functions[name](*arguments))
        return True

"""What the guardian knows: what is down, and which audit line is owed. One JSON object a line tells it.

``{"held": ["button:1"]}`` replaces what is down · ``{"owe": [path, line]}`` a call began · ``{"paid": true}`` it
wrote its line · ``{"desktop": [kind, environment]}`` how keys are let go there. End of input means that the server is
gone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Record:
    held: tuple[str, ...] = ()
    """Names as in ``Desktop.on_hold``, in the order in which they went down."""
    owed: tuple[str, str] | None = None
    """Path of the audit log, and the line without its newline."""
    kind: str = "none"
    """``x11``, ``macos``, or ``none`` for the simulated Mac, whose keyboard dies with the server."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """What a process needs to reach that desktop: DISPLAY, XAUTHORITY."""


def told(record: Record, line: str) -> Record:
    """The record after one line from the server; a line that makes no sense changes nothing."""
    try:
        said = json.loads(line)
    except ValueError:
        return record
    match said:
        case {"held": list(names)}:
            return replace(record, held=tuple(str(n) for n in names))
        case {"owe": [str(path), str(text)]}:
            return replace(record, owed=(path, text))
        case {"desktop": [str(kind), dict(environment)]}:
            return replace(record, kind=kind, environment={str(k): str(v) for k, v in environment.items()})
        case {"paid": True}:
            return replace(record, owed=None)
    return record


def held_line(names: Iterable[str]) -> bytes:
    return json.dumps({"held": list(names)}).encode() + b"\n"


def owe_line(path: str, line: str) -> bytes:
    return json.dumps({"owe": [path, line]}).encode() + b"\n"


def desktop_line(kind: str, environment: Mapping[str, str]) -> bytes:
    return json.dumps({"desktop": [kind, dict(environment)]}).encode() + b"\n"


PAID_LINE = b'{"paid": true}\n'
READY_LINE = b"ready\n"
"""What the guardian says once, when it listens."""

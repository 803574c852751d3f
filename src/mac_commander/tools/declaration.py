"""What a tool is: one declaration and a short handler."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mac_commander.core.arguments import Param, check
from mac_commander.core.dispatch import Call
from mac_commander.core.reply import Reply
from mac_commander.core.session import Session
from mac_commander.errors import CommanderError

Handler = Callable[[Session, dict[str, Any]], Reply]
"""Gets arguments that passed the strict check, defaults filled in. May raise any `CommanderError`."""

Summarise = Callable[[Mapping[str, Any]], tuple[str, str]]
"""Target and summary for the audit line, from the raw arguments: any JSON values at all, so it must never raise
and never show typed text, script arguments or secure values."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. The four hints tell clients when to ask the user first; they grant nothing."""

    name: str
    title: str
    description: str
    params: tuple[Param, ...]
    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool
    handler: Handler
    summarise: Summarise
    explain: Callable[[CommanderError], str] = str
    """How a call that failed is told, in the shape of the tool's other answers."""

    def call(self, arguments: Mapping[str, Any]) -> Call:
        """These arguments, bound and described for the audit log, not yet checked."""
        target, summary = self.summarise(arguments)

        def run(session: Session) -> Reply:
            return self.handler(session, check(self.params, arguments))

        return Call(self.name, target, summary, run, self.explain)


def json_failure(error: CommanderError) -> str:
    """For tools that answer JSON."""
    return json.dumps({"ok": False, "cause": error.cause, "reason": str(error)})


def text_of(arguments: Mapping[str, Any], name: str) -> str:
    """The argument for an audit line when it is text, else its type in angle brackets; empty when left out."""
    value = arguments.get(name)
    if value is None:
        return ""
    return value if isinstance(value, str) else f"<{type(value).__name__}>"

"""How made parts look: JSON in few lines, each value whole on its line where it fits."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

WIDTH = 100
"""Characters of a line of code before the README's page scrolls sideways."""


def block(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```"


def wrapped(value: Any, indent: int = 0, room: int = WIDTH) -> str:
    """JSON with as many members on a line as fit; what is too long for a line is broken up inside."""
    whole = json.dumps(value, ensure_ascii=False)
    if indent + len(whole) <= room or not isinstance(value, dict | list) or not value:
        return whole
    opening, closing = whole[0], whole[-1]
    return opening + f",\n{' ' * (indent + 1)}".join(_lines(_members(value, indent + 1, room), indent, room)) + closing


def _members(value: dict[str, Any] | list[Any], indent: int, room: int) -> Iterable[str]:
    if isinstance(value, list):
        return [wrapped(item, indent, room) for item in value]
    return [f"{json.dumps(key)}: {wrapped(item, indent + len(key) + 4, room)}" for key, item in value.items()]


def _lines(members: Iterable[str], indent: int, room: int) -> list[str]:
    lines: list[str] = []
    for member in members:
        joined = f"{lines[-1]}, {member}" if lines else member
        if lines and "\n" not in joined and indent + len(joined) + 2 <= room:
            lines[-1] = joined
        else:
            lines.append(member)
    return lines

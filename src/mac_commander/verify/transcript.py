"""The shape of calls and answers, for a report that may be shown to anybody: kinds and lengths, never contents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SHOWN = frozenset(("kind", "button", "action", "cause", "phase", "retry"))
"""Fields whose values are words of ours."""


def of_call(
    tool: str, arguments: Mapping[str, Any], is_error: bool, value: Mapping[str, Any], text: str
) -> dict[str, Any]:
    """One call; an answer that is no JSON object is told by its number of lines."""
    answer = shape(value) if value else f"{len(text.splitlines())} lines"
    return {"tool": tool, "arguments": shape(arguments), "is_error": is_error, "answer": answer}


def shape(value: Any, name: str = "") -> Any:
    if isinstance(value, Mapping):
        return {str(key): shape(item, str(key)) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [shape(item) for item in value]
    if isinstance(value, str) and name not in SHOWN:
        return f"str[{len(value)}]"
    return value if isinstance(value, str | bool | None) else type(value).__name__

"""What a tool gives back: content for the client, and the words for its audit line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Image:
    data: bytes = field(repr=False)
    mime: str


@dataclass(frozen=True, slots=True)
class Reply:
    text: str = field(repr=False)
    result: str
    """For the audit line: ``ok: 4 steps``, ``refused: blocklist``. Never typed text or screen text."""
    is_error: bool = False
    image: Image | None = None
    summary: str = ""
    """Replaces the call's summary in the audit line, when the tool learned more than the arguments say."""


def json_reply(value: Mapping[str, Any], result: str, *, is_error: bool = False) -> Reply:
    """A JSON object as text, letters as they are (escapes cost tokens), half surrogates as escapes: always UTF-8."""
    text = json.dumps(value, ensure_ascii=False)
    return Reply(text.encode("utf-8", "backslashreplace").decode(), result, is_error)

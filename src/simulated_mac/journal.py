"""The journal: one JSON line for everything that reaches an app, written at once.

It is an independent witness: ``app`` is the receiver, whoever was meant. Lines that a person's hand caused say
``"source": "human"``; all others came from a program.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import IO, Any


class Journal:
    """Keeps the lines for tests, and writes them to the file when there is one; an old file is replaced."""

    def __init__(self, path: Path | None) -> None:
        self.lines: list[dict[str, Any]] = []
        self._started = time.monotonic()
        self._file: IO[bytes] | None = path.open("wb", buffering=0) if path else None

    @property
    def milliseconds(self) -> int:
        """Since the machine was started."""
        return int((time.monotonic() - self._started) * 1000)

    def write(self, event: str, app: str, fields: dict[str, Any]) -> int:
        """Returns the line's number, from 1."""
        line = {"n": len(self.lines) + 1, "ms": self.milliseconds, "event": event, "app": app, **fields}
        self.lines.append(line)
        if self._file:
            self._file.write(json.dumps(line).encode("ascii") + b"\n")
        return len(self.lines)

    def close(self) -> None:
        if self._file:
            self._file.close()
            self._file = None

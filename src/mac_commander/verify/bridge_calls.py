"""What the server called of Apple's frameworks, and with which code each call ended. Never a value.

A line ``>name`` is written before a call and ``<name code`` after it, so that a call that never came back shows: it
stuck, or took the process with it. ``code`` is the AXError of calls that answer one, the answer of those that tell a
grant, ``none`` for nothing, the kind of an exception, else ``-``.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

GRANTS = ("AXIsProcessTrusted", "CGPreflightPostEventAccess", "CGPreflightScreenCaptureAccess")

LOST = "no answer"

Calls = Mapping[str, Mapping[str, int]]
"""By the function's name: how often it ended with each code."""


class BridgeCalls:
    """The file as `verify` reads it, between the calls of tools."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read = 0
        path.touch(mode=0o600)

    def since_last_time(self) -> Calls:
        with self.path.open("rb") as file:
            file.seek(self._read)
            whole, newline, _ = file.read().rpartition(b"\n")
        self._read += len(whole) + len(newline)
        return counted(whole.decode("ascii").splitlines())


def counted(lines: list[str]) -> Calls:
    begun = Counter(line[1:] for line in lines if line.startswith(">"))
    ended = Counter((name, code) for name, _, code in (line[1:].partition(" ") for line in lines if line[0] == "<"))
    calls: dict[str, dict[str, int]] = {}
    for (name, code), times in ended.items():
        calls.setdefault(name, {})[code] = times
    for name, times in begun.items():
        if lost := times - sum(calls.get(name, {}).values()):
            calls.setdefault(name, {})[LOST] = lost
    return calls


def noted(name: str, fact: Mapping[str, Any], function: Callable[..., Any], file: int) -> Callable[..., Any]:
    """The function, writing to the open file what it does; its arguments and its answer pass through untouched."""

    def call(*arguments: Any) -> Any:
        os.write(file, f">{name}\n".encode())
        code = "-"
        try:
            answer = function(*arguments)
            code = _code(name, fact, answer)
        except Exception as error:  # whatever it is, its kind is noted and it goes on
            code = type(error).__name__
            raise
        finally:
            os.write(file, f"<{name} {code}\n".encode())
        return answer

    return call


def _code(name: str, fact: Mapping[str, Any], answer: Any) -> str:
    if name in GRANTS:
        return str(bool(answer)).lower()
    if name.startswith("AX") and str(fact["encoding"]).startswith("i"):
        return str(int(answer[0] if isinstance(answer, tuple) else answer))
    return "none" if answer is None and fact["result"] != "None" else "-"

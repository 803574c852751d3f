"""Frames for a server that must not trust any: whole ones, and what becomes of them by their parts or their bytes."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

from tests.server.raw_client import ENVELOPE, INITIALIZE

POISON: tuple[Any, ...] = (
    None, True, False, 0, -1, 10**18, 10**400,  1.5, 1e308, "", "x", "\ud800", "\0", "x" * 5000, [], {}, [[[[]]]],
    {"a": {"b": {}}}, "NaN", "../../etc/passwd", [None] * 200,
)  # fmt: skip
CALLS = (
    {"name": "see", "arguments": {"app": "TextEdit", "max_elements": 3}},
    {"name": "see", "arguments": {"all": True, "max_elements": 1}},
    {"name": "act", "arguments": {"target": "1Password", "steps": [{"kind": "type", "text": "x"}]}},
    {"name": "act", "arguments": {"target": "TextEdit", "steps": [{"kind": "type", "text": "x", "key": 1}], "no": 1}},
    {"name": "app", "arguments": {"action": "hide", "name": "SecurityAgent"}},
    {"name": "notify", "arguments": {"message": "x" * 3000}},
    {"name": "applescript", "arguments": {"script": "beep"}},
    {"name": "applescript", "arguments": {"name": "nope", "args": ["x"]}},
    {"name": "nope", "arguments": {}},
)
"""None of these sends input, nor does any that differs from one in a value: so no event may come of them."""

METHODS = (
    "tools/call", "tools/call", "tools/call", "tools/list", "ping", "initialize", "server/discover", "prompts/list",
    "resources/read", "completion/complete", "logging/setLevel", "notifications/initialized", "notifications/progress",
    "", "rpc.discover", "tools/call\0",
)  # fmt: skip


class Frames:
    """Endless, and the same for one seed."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self._id = 0

    def next(self) -> bytes:
        frame = self._message()
        for _ in range(self._dice.choice((0, 0, 1, 1, 2, 4))):
            frame = self._poisoned(frame)
        line = json.dumps(frame).encode()
        if self._dice.random() < 0.35:
            line = self._damaged(line)
        return line.replace(b"\n", b" ").replace(b"\r", b" ")

    def _message(self) -> Any:
        self._id += 1
        method = self._dice.choice(METHODS)
        params: dict[str, Any] = {}
        if method == "tools/call":
            params = json.loads(json.dumps(self._dice.choice(CALLS)))
        if method == "initialize":
            params = copy.deepcopy(INITIALIZE)
        if self._dice.random() < 0.3:
            params = params | {"_meta": copy.deepcopy(ENVELOPE)}
        frame: dict[str, Any] = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}
        if method.startswith("notifications/"):
            del frame["id"]
        return frame

    def _poisoned(self, frame: Any) -> Any:
        """One value, somewhere in it, is taken out, put in twice, or replaced."""
        place: Any = frame
        while isinstance(place, dict) and place:
            key = self._dice.choice(list(place))
            inner = place[key]
            if not isinstance(inner, dict) or not inner or self._dice.random() < 0.4:
                self._change(place, key)
                return frame
            place = inner
        return json.loads(json.dumps(self._dice.choice(POISON)))

    def _change(self, place: dict[str, Any], key: str) -> None:
        deed = self._dice.randrange(4)
        if deed == 0:
            del place[key]
        elif deed == 1:
            place[key + "x"] = place[key]
        else:
            place[key] = json.loads(json.dumps(self._dice.choice(POISON)))

    def _damaged(self, line: bytes) -> bytes:
        at = self._dice.randrange(len(line) + 1)
        deed = self._dice.randrange(5)
        if deed == 0:
            return line[:at]
        if deed == 1:
            return line[:at] + self._dice.randbytes(4) + line[at:]
        if deed == 2:
            return line[:at] + line[at + 1 :]
        if deed == 3:
            return line + line[at:]
        return b"[" * self._dice.randrange(2000) + line


def awaited(line: bytes) -> int | str | None:
    """The id that must be answered, when the line is a request that can be told from its id."""
    try:
        frame = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(frame, dict) or frame.get("jsonrpc") != "2.0" or not isinstance(frame.get("method"), str):
        return None
    known = frame.get("id")
    return known if isinstance(known, int | str) and not isinstance(known, bool) else None

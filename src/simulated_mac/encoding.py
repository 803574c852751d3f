"""Objective-C type encodings: ``i^{__AXUIElement=}^I`` is a function that returns an int and takes two pointers."""

from __future__ import annotations

from typing import Any

_CLOSING = {"{": "}", "(": ")", "[": "]"}
_QUALIFIERS = "rnNoORVA"
_WORDS = {
    "v": "None",
    "B": "bool",
    "Z": "bool",
    "f": "float",
    "d": "float",
    "@": "object",
    "T": "str",
    "^v": "pointer",
    **dict.fromkeys("cCsSiIlLqQ", "int"),
}


def split(encoding: str) -> list[str]:
    """The types in it, the result's first."""
    found, at = [], 0
    while at < len(encoding):
        end = _end(encoding, at)
        found.append(encoding[at:end])
        at = end
    return found


def _end(encoding: str, at: int) -> int:
    while encoding[at] in _QUALIFIERS + "^":
        at += 1
    opening = encoding[at]
    if opening not in _CLOSING:
        return at + 1
    depth = 0
    for index in range(at, len(encoding)):
        depth += {opening: 1, _CLOSING[opening]: -1}.get(encoding[index], 0)
        if depth == 0:
            return index + 1
    raise ValueError(f"not an encoding: {encoding}")


def word(kind: str) -> str:
    """What Python sees of a type."""
    if kind in _WORDS:
        return _WORDS[kind]
    if kind.startswith("^{"):
        return kind[2 : kind.index("=")].lstrip("_") + "Ref"
    if kind.startswith("{"):
        return kind[1 : kind.index("=")]
    return "pointer"


def function(encoding: str, metadata: dict[str, Any] | None = None) -> dict[str, Any]:
    """The facts of a function that is loaded by hand with ``objc.loadBundleFunctions``."""
    result, *types = split(encoding)
    told = (metadata or {}).get("arguments", {})
    arguments = [_argument(kind, told.get(index, {})) for index, kind in enumerate(types)]
    outs = [argument["python"] for argument in arguments if argument["direction"] != "in"]
    answers = ([word(result)] if result != "v" else []) + outs
    shape: Any = answers[0] if len(answers) == 1 else answers or "None"
    return {"encoding": encoding, "arguments": arguments, "result": shape}


def _argument(kind: str, told: dict[str, Any]) -> dict[str, Any]:
    modifier = told.get("type_modifier", b"")
    modifier = modifier.decode() if isinstance(modifier, bytes) else modifier
    direction = {"o": "out", "N": "inout"}.get(modifier, "in")
    inner = kind[1:] if direction != "in" and kind.startswith("^") else kind
    counted = "c_array_length_in_arg" in told
    python = f"sequence of {word(inner)}" if counted else word(inner)
    argument: dict[str, Any] = {"type": kind, "python": python, "direction": direction}
    if counted:
        argument["length_in"] = told["c_array_length_in_arg"]
    return argument

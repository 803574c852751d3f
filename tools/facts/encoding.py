"""Objective-C type encodings: cut them up, say them in Python's words, derive PyObjC's calling convention."""

import re
from collections.abc import Sequence
from typing import Any

from tools.facts.shapes import Argument, Callback, Direction

QUALIFIERS = "nNoOrRVAj"
CLOSING = {"{": "}", "(": ")", "[": "]", "<": ">"}
DIRECTIONS: dict[str, Direction] = {"o": "out", "N": "inout", "n": "in"}

WORDS = {
    "v": "None",
    "B": "bool",
    "Z": "bool",
    "f": "float",
    "d": "float",
    "T": "str",
    "t": "bytes",
    "@": "object",
    "#": "class",
    ":": "selector",
    "*": "bytes",
    "@?": "block",
    "^?": "function",
    "^v": "pointer",
} | dict.fromkeys("cCsSiIlLqQz", "int")

BY_C_CODE = re.compile(r"\^(@|\{CF\w+Context=)")
"""Handed in, these are objects that PyObjC's C code unpacks itself; versions differ in how they write that down."""


def split(encoding: str) -> list[str]:
    """`i^{__AXUIElement=}^@` → `i`, `^{__AXUIElement=}`, `^@`: the result first, then the arguments."""
    parts, at = [], 0
    while at < len(encoding):
        end = _end_of_type(encoding, at)
        parts.append(encoding[at:end])
        at = end
        while encoding[at : at + 1].isdigit():
            at += 1
    return parts


def _end_of_type(text: str, at: int) -> int:
    while text[at] in QUALIFIERS or text[at] == "^":
        at += 1
    if text[at] in CLOSING:
        return _end_of_bracket(text, at)
    if text[at] == "@" and text[at + 1 : at + 2] == '"':
        return text.index('"', at + 2) + 1
    if text[at] == "@" and text[at + 1 : at + 2] == "?":
        return at + 2
    if text[at] == "b":
        return at + len(re.match(r"b\d*", text[at:])[0])  # type: ignore[index]  # it begins with b
    return at + 1


def _end_of_bracket(text: str, at: int) -> int:
    opening, closing, depth = text[at], CLOSING[text[at]], 0
    while True:
        depth += (text[at] == opening) - (text[at] == closing)
        at += 1
        if depth == 0:
            return at


def word(encoding: str) -> str:
    """What a value of this type is in Python: `int`, `CGPoint`, `AXUIElementRef`, `object`."""
    bare = encoding.lstrip(QUALIFIERS)
    if bare in WORDS:
        return WORDS[bare]
    if named := re.match(r"\^\{_*(\w+)=", bare):
        return named[1] + "Ref"
    if named := re.match(r"\{_*(\w+)=", bare):
        return named[1]
    return "pointer" if bare.startswith("^") else bare


def result_of(returned: str, arguments: Sequence[Argument]) -> str | list[str]:
    """PyObjC's answer: the C result, or with out arguments a tuple that begins with it (a void result is left out)."""
    outs = [a["python"] for a in arguments if a["direction"] != "in"]
    if not outs:
        return word(returned)
    if returned.lstrip(QUALIFIERS) == "v":
        return outs[0] if len(outs) == 1 else outs
    return [word(returned), *outs]


def argument(encoding: str, notes: dict[str, Any], *, implicit: int = 0) -> Argument:
    """One argument from its encoding and PyObjC's notes on it, whose numbers count `implicit` arguments more."""
    kind = text(notes.get("type", encoding))
    modifier = text(notes.get("type_modifier", "")) or (kind[0] if kind[0] in DIRECTIONS else "")
    bare = kind.lstrip(QUALIFIERS)
    direction = DIRECTIONS.get(modifier, "in")
    if direction == "in" and BY_C_CODE.match(bare):
        bare = "@"
    pointee = bare[1:] if direction != "in" and bare.startswith("^") and bare != "^v" else bare
    made: Argument = {"type": bare, "python": word(pointee), "direction": direction}
    if "c_array_length_in_arg" in notes or "c_array_of_fixed_length" in notes:
        made["python"] = f"sequence of {word(bare.removeprefix('^'))}"
    if (length := notes.get("c_array_length_in_arg")) is not None:
        made["length_in"] = [n - implicit for n in length] if isinstance(length, tuple) else length - implicit
    if notes.get("null_accepted"):
        made["nullable"] = True
    if "callable" in notes:
        made["callback"] = callback(notes, block=bare == "@?")
    return made


def callback(notes: dict[str, Any], *, block: bool) -> Callback:
    """What a handed-over function is called with. A block's own first argument, itself, is not counted."""
    described = notes["callable"]
    numbers = [n for n in sorted(described["arguments"]) if not block or n > 0]
    made: Callback = {
        "arguments": [word(text(described["arguments"][n].get("type", "@"))) for n in numbers],
        "result": word(text(described["retval"]["type"])),
        "block": block,
    }
    if notes.get("callable_retained"):
        made["retained"] = True
    return made


def text(value: str | bytes) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value

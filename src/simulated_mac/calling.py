"""PyObjC's calling convention for C functions, taken from the facts of each function.

Positional arguments only, out arguments included, which must be ``None``; integers are held to the range of
their C type; the result and the outs come back as one value or a tuple. Read in PyObjC's function.m,
libffi_support.m and objc_util.m (12.2 and 13.0).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simulated_mac.bridge import CFObject, to_python
from simulated_mac.structs import StructTypes

_BITS = {"c": 8, "s": 16, "i": 32, "l": 64, "q": 64}
_SIGNED = {kind: (-(2 ** (bits - 1)), 2 ** (bits - 1)) for kind, bits in _BITS.items()}
_UNSIGNED = {kind.upper(): (0, 2**bits) for kind, bits in _BITS.items()}
RANGES = _SIGNED | _UNSIGNED
"""By type encoding: the least value, and the first that is too great."""

_BRIDGED = ("object", "CFArrayRef", "CFDictionaryRef", "CFStringRef", "CFDataRef", "CFBooleanRef", "CFNumberRef")
_CONTAINERS = {"CFStringRef": str, "CFArrayRef": Sequence, "CFDictionaryRef": Mapping}


class Null:
    """``objc.NULL``."""

    def __repr__(self) -> str:
        return "objc.NULL"


NULL = Null()


Take = Callable[[Any, tuple[Any, ...]], Any]
"""From one argument as it was given, and all of them, to what the behaviour gets; raises what PyObjC raises."""

Box = Callable[[Any], Any]
"""From an answer of the behaviour to what Python gets."""


class Function:
    """One C function as Python sees it. ``behaviour`` gets the in arguments and answers the result and the outs."""

    def __init__(self, name: str, fact: dict[str, Any], structs: StructTypes, behaviour: Callable[..., Any]) -> None:
        self.__name__ = name
        self.fact = fact
        self._behaviour = behaviour
        arguments = list(enumerate(fact["arguments"]))
        self._declared = len(arguments)
        self._counter: int | None = fact.get("variadic_count_in")
        self._outs = tuple(index for index, argument in arguments if argument["direction"] == "out")
        self._ins = tuple((index, _take(argument, structs)) for index, argument in arguments if index not in self._outs)
        shape = fact["result"]
        self._several = isinstance(shape, list)
        self._boxes = tuple(_box(part, structs) for part in (shape if isinstance(shape, list) else [shape]))

    def __repr__(self) -> str:
        return f"<objc.function '{self.__name__}'>"

    def __call__(self, *given: Any, **keywords: Any) -> Any:
        if keywords:
            raise TypeError(f"{self.__name__} does not accept keyword arguments")
        self._check_count(given)
        for index in self._outs:
            if given[index] is not None and given[index] is not NULL:
                raise ValueError(f"argument {index} must be None or objc.NULL")
        values = [take(given[index], given) for index, take in self._ins]
        return self._answered(self._behaviour(*values, *given[self._declared :]))

    def _check_count(self, given: tuple[Any, ...]) -> None:
        if self._counter is None:
            if len(given) != self._declared:
                raise TypeError(f"Need {self._declared} arguments, got {len(given)}")
        elif len(given) < self._declared:
            raise TypeError(f"Need at least {self._declared} arguments, got {len(given)}")
        elif len(given) != self._declared - 1 + given[self._counter]:
            raise ValueError(f"Need {self._declared - 1 + given[self._counter]} arguments, got {len(given)}")

    def _answered(self, answer: Any) -> Any:
        if not self._several:
            return self._boxes[0](answer)
        if not isinstance(answer, tuple) or len(answer) != len(self._boxes):
            raise AssertionError(f"{self.__name__} must answer {self.fact['result']}, answered {answer!r}")
        return tuple([box(value) for box, value in zip(self._boxes, answer, strict=True)])


# --- arguments -----------------------------------------------------------------------------------------------


def _take(argument: dict[str, Any], structs: StructTypes) -> Take:
    """How this argument is taken; found once for each function, as there are dozens of calls for each element."""
    kind, python = argument["type"].lstrip("rnNoORV"), argument["python"]
    if "length_in" in argument and argument["direction"] == "in":
        return lambda value, given: _buffer(value, given[argument["length_in"]])
    if argument["direction"] == "inout":
        kind = kind.removeprefix("^")
    if kind in RANGES:
        return lambda value, _: _integer(kind, value)
    if kind in ("f", "d"):
        return lambda value, _: _real(value)
    if kind in ("B", "Z"):
        return lambda value, _: bool(value)
    if kind.startswith("{"):
        return lambda value, _: structs.convert(python, value)
    return _take_object(argument, python)


def _take_object(argument: dict[str, Any], python: str) -> Take:
    if python in _CONTAINERS:
        return lambda value, _: _container(python, value)
    if python == "function":
        kept = argument.get("callback", {}).get("retained", False)
        return lambda value, _: _callback(value, kept)
    if python.endswith("Ref") and python not in (*_BRIDGED, "CFTypeRef"):
        return lambda value, _: _reference(python, value)
    return lambda value, _: value


def _buffer(value: Any, count: int) -> Any:
    """A counted buffer: as much of it as the count says, in UTF-16 units for text."""
    if not isinstance(value, str):
        return list(value)[:count]
    units = value.encode("utf-16-le")  # a lone surrogate cannot be encoded: PyObjC raises the same
    if count > len(units) // 2:
        raise ValueError(f"Requesting unicode buffer of {count}, have unicode buffer of {len(units) // 2}")
    return units[: 2 * count]


def _integer(kind: str, value: Any) -> int:
    if not isinstance(value, int):
        raise ValueError(f"depythonifying '{kind}', got '{type(value).__name__}'")
    least, beyond = RANGES[kind]
    if not least <= value < beyond:
        raise ValueError(f"depythonifying '{kind}', {value} is out of range")
    return int(value)


def _real(value: Any) -> float:
    if not isinstance(value, (int, float)):
        raise ValueError(f"depythonifying 'float', got '{type(value).__name__}'")
    return float(value)


def _container(python: str, value: Any) -> Any:
    fits = isinstance(value, _CONTAINERS[python]) and (python == "CFStringRef" or not isinstance(value, str))
    if not fits and value is not None:
        raise ValueError(f"depythonifying '{python}', got '{type(value).__name__}'")
    return value


def _reference(python: str, value: Any) -> Any:
    if value is not None and (not isinstance(value, CFObject) or value.kind != python):
        found = value.kind if isinstance(value, CFObject) else type(value).__name__
        raise ValueError(f"depythonifying '{python}', got '{found}'")
    return value


def _callback(value: Any, kept: bool) -> Any:
    if not callable(value):
        raise TypeError("Argument is not callable")
    if kept and not getattr(value, "pyobjc_closure", False):
        raise TypeError("Callable argument is not a PyObjC closure")
    return value


# --- answers -------------------------------------------------------------------------------------------------


def _box(python: str, structs: StructTypes) -> Box:
    if python in _BRIDGED:
        return to_python
    if python in structs:
        return lambda value: structs.convert(python, value)
    if python == "sequence of str":
        return lambda value: tuple(value) if isinstance(value, str) else value
    return _NUMBERS.get(python, _as_it_is)


_NUMBERS: dict[str, Box] = {"int": int, "bool": bool, "float": float}


def _as_it_is(value: Any) -> Any:
    return value

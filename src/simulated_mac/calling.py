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


class Function:
    """One C function as Python sees it. ``behaviour`` gets the in arguments and answers the result and the outs."""

    def __init__(self, name: str, fact: dict[str, Any], structs: StructTypes, behaviour: Callable[..., Any]) -> None:
        self.__name__ = name
        self.fact = fact
        self._structs = structs
        self._behaviour = behaviour

    def __repr__(self) -> str:
        return f"<objc.function '{self.__name__}'>"

    def __call__(self, *given: Any, **keywords: Any) -> Any:
        if keywords:
            raise TypeError(f"{self.__name__} does not accept keyword arguments")
        self._check_count(given)
        arguments = self.fact["arguments"]
        taken = [self._taken(argument, given, index) for index, argument in enumerate(arguments)]
        values = [value for argument, value in zip(arguments, taken, strict=True) if argument["direction"] != "out"]
        answer = self._behaviour(*values, *given[len(arguments) :])
        return self._answered(answer)

    def _check_count(self, given: tuple[Any, ...]) -> None:
        declared = len(self.fact["arguments"])
        counter = self.fact.get("variadic_count_in")
        if counter is None:
            if len(given) != declared:
                raise TypeError(f"Need {declared} arguments, got {len(given)}")
        elif len(given) < declared:
            raise TypeError(f"Need at least {declared} arguments, got {len(given)}")
        elif len(given) != declared - 1 + given[counter]:
            raise ValueError(f"Need {declared - 1 + given[counter]} arguments, got {len(given)}")

    def _taken(self, argument: dict[str, Any], given: tuple[Any, ...], index: int) -> Any:
        value = given[index]
        if argument["direction"] == "out":
            if value is not None and value is not NULL:
                raise ValueError(f"argument {index} must be None or objc.NULL")
            return None
        if "length_in" in argument and argument["direction"] == "in":
            return self._buffer(argument, value, given)
        return self._converted(argument, value)

    def _buffer(self, argument: dict[str, Any], value: Any, given: tuple[Any, ...]) -> Any:
        """A counted buffer: as much of it as the count says, in UTF-16 units for text."""
        count = given[argument["length_in"]]
        if not isinstance(value, str):
            return list(value)[:count]
        units = value.encode("utf-16-le")  # a lone surrogate cannot be encoded: PyObjC raises the same
        if count > len(units) // 2:
            raise ValueError(f"Requesting unicode buffer of {count}, have unicode buffer of {len(units) // 2}")
        return units[: 2 * count]

    def _converted(self, argument: dict[str, Any], value: Any) -> Any:
        kind, python = argument["type"].lstrip("rnNoORV"), argument["python"]
        if argument["direction"] == "inout":
            kind = kind.removeprefix("^")
        if kind in RANGES:
            return self._integer(kind, value)
        if kind in ("f", "d"):
            return self._real(value)
        if kind in ("B", "Z"):
            return bool(value)
        if kind.startswith("{"):
            return self._structs.convert(python, value)
        return self._object(argument, python, value)

    def _integer(self, kind: str, value: Any) -> int:
        if not isinstance(value, int):
            raise ValueError(f"depythonifying '{kind}', got '{type(value).__name__}'")
        least, beyond = RANGES[kind]
        if not least <= value < beyond:
            raise ValueError(f"depythonifying '{kind}', {value} is out of range")
        return int(value)

    def _real(self, value: Any) -> float:
        if not isinstance(value, int | float):
            raise ValueError(f"depythonifying 'float', got '{type(value).__name__}'")
        return float(value)

    def _object(self, argument: dict[str, Any], python: str, value: Any) -> Any:
        if python in _CONTAINERS:
            fits = isinstance(value, _CONTAINERS[python]) and (python == "CFStringRef" or not isinstance(value, str))
            if not fits and value is not None:
                raise ValueError(f"depythonifying '{python}', got '{type(value).__name__}'")
        elif python == "function":
            self._callback(argument, value)
        elif python.endswith("Ref") and python not in _BRIDGED and value is not None:
            found = value.kind if isinstance(value, CFObject) else type(value).__name__
            if found != python and python != "CFTypeRef":
                raise ValueError(f"depythonifying '{python}', got '{found}'")
        return value

    def _callback(self, argument: dict[str, Any], value: Any) -> None:
        if not callable(value):
            raise TypeError("Argument is not callable")
        kept = argument.get("callback", {}).get("retained", False)
        if kept and not getattr(value, "pyobjc_closure", False):
            raise TypeError("Callable argument is not a PyObjC closure")

    def _answered(self, answer: Any) -> Any:
        shape = self.fact["result"]
        if isinstance(shape, list):
            if not isinstance(answer, tuple) or len(answer) != len(shape):
                raise AssertionError(f"{self.__name__} must answer {shape}, answered {answer!r}")
            return tuple(self._boxed(part, value) for part, value in zip(shape, answer, strict=True))
        return self._boxed(shape, answer)

    def _boxed(self, python: str, value: Any) -> Any:
        if python in _BRIDGED:
            return to_python(value)
        if python in self._structs:
            return self._structs.convert(python, value)
        if python == "sequence of str" and isinstance(value, str):
            return tuple(value)
        if python in ("int", "bool", "float"):
            return {"int": int, "bool": bool, "float": float}[python](value)
        return value

"""The ``objc`` module: closures, NULL, and functions that a program loads by hand."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

from simulated_mac import bridge, encoding
from simulated_mac.calling import NULL, Function
from simulated_mac.structs import StructTypes

MakeFunction = Callable[[str, dict[str, Any]], Function | None]


class Closure:
    """A Python function as a C function pointer, with the arguments that the callee passes."""

    pyobjc_closure = True

    def __init__(self, function: Callable[..., Any], count: int) -> None:
        functools.update_wrapper(self, function)
        self._function, self._count = function, count

    def __call__(self, *given: Any) -> Any:
        if len(given) != self._count:
            raise TypeError(f"callback takes {self._count} arguments, got {len(given)}")
        return self._function(*given)


class Objc:
    """What is in the module, by name."""

    def __init__(self, structs: StructTypes, make: MakeFunction, variables: tuple[str, ...]) -> None:
        self._structs, self._make, self._variables = structs, make, variables

    def names(self) -> dict[str, Any]:
        return {
            "NULL": NULL,
            "nil": None,
            "callbackFor": self.callback_for,
            "loadBundleFunctions": self.load_functions,
            "loadBundleVariables": self.load_variables,
            "pyobjc_unicode": bridge.pyobjc_unicode,
            "autorelease_pool": autorelease_pool,
            "recycleAutoreleasePool": lambda: None,
            "python_method": lambda function: function,
            "super": super,
            "error": type("error", (Exception,), {}),
            "nosuchclass_error": type("nosuchclass_error", (Exception,), {}),
            "objc_object": bridge.CFObject,
            "ApiDeprecationWarning": type("ApiDeprecationWarning", (DeprecationWarning,), {}),
        }

    def callback_for(self, function: Any, index: int = -1) -> Callable[[Callable[..., Any]], Closure]:
        """A decorator for callbacks that a C function keeps."""
        if not isinstance(function, Function):
            raise TypeError("expecting instance of 'objc.function'")
        callbacks = [a["callback"] for a in function.fact["arguments"] if "callback" in a]
        if not callbacks:
            raise ValueError(f"{function.__name__} takes no callback")
        count = len(callbacks[index]["arguments"])
        return lambda callback: Closure(callback, count)

    def load_functions(self, bundle: Any, names: dict[str, Any], table: Any, skip_undefined: bool = False) -> None:
        for name, signature, _doc, *metadata in table:
            fact = encoding.function(signature.decode(), *metadata)
            made = self._make(name, fact)
            if made is not None:
                names[name] = made
            elif not skip_undefined:
                raise ImportError(f"function {name!r} not found")

    def load_variables(self, bundle: Any, names: dict[str, Any], table: Any, skip_undefined: bool = False) -> None:
        for name, _signature in table:
            if name in self._variables:
                names[name] = bridge.extern(name)
            elif not skip_undefined:
                raise ImportError(f"variable {name!r} not found")


@contextlib.contextmanager
def autorelease_pool() -> Iterator[None]:
    yield

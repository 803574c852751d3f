"""Objective-C classes as PyObjC shows them, held to the methods that the facts have for them.

A stand-in is an ordinary class with methods named after selectors. What Python code gets to see is made from it:
only methods that the facts know, with exact arity, each call under the machine's lock and open to its faults.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from simulated_mac.bridge import to_python

if TYPE_CHECKING:
    from simulated_mac.frameworks.calls import Calls
    from simulated_mac.machine import Machine


class NSObject:
    """What all stand-ins inherit. Never compared by ``is`` in PyObjC: ``isEqual:`` decides."""

    machine: ClassVar[Machine]
    classes: ClassVar[dict[str, Any]]
    selectors: ClassVar[frozenset[str]]

    @classmethod
    def alloc(cls) -> Any:
        return cls()

    def init(self) -> Any:
        return self

    def performSelectorOnMainThread_withObject_waitUntilDone_(self, selector: Any, value: Any, wait: bool) -> None:
        if wait:
            raise NotImplementedError("nobody has waited for the main thread yet")
        call = getattr(self, str(selector).replace(":", "_"))
        self.classes["run loop"].later(lambda: call(value))

    def respondsToSelector_(self, selector: Any) -> bool:
        name = selector.decode() if isinstance(selector, bytes) else str(selector)
        return name.replace(":", "_") in self.selectors


def shown(stand_in: type[NSObject], facts: dict[str, Any], machine: Machine, calls: Calls) -> type[NSObject]:
    """The class that Python code sees."""
    known = dict(_known_methods(stand_in.__name__, facts))
    members: dict[str, Any] = {"machine": machine}
    for name in _methods(stand_in):
        members[name] = _method(stand_in, name, known, calls)
    implemented = {name for name in members if name in known}
    members["selectors"] = frozenset(implemented)
    return type(stand_in.__name__, (stand_in,), members)


def _methods(stand_in: type[NSObject]) -> list[str]:
    return [n for n, value in inspect.getmembers(stand_in) if not n.startswith("_") and callable(value)]


def _known_methods(name: str | None, facts: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """All methods of the class and its ancestors, with whether they are the class's own."""
    while name is not None and name in facts["classes"]:
        entry = facts["classes"][name]
        for kind in ("instance_methods", "class_methods"):
            for method, fact in entry[kind].items():
                yield method, {**fact, "of_class": kind == "class_methods"}
        name = entry["super"]


def _method(stand_in: type[NSObject], name: str, known: dict[str, Any], calls: Calls) -> Any:
    raw = inspect.getattr_static(stand_in, name)
    if name not in known:
        return _Unknown(stand_in.__name__, name)
    of_class = isinstance(raw, classmethod)
    if of_class != known[name]["of_class"]:
        raise AssertionError(f"{stand_in.__name__}.{name} is {'no ' if of_class else 'a '}class method in the facts")
    function = raw.__func__ if isinstance(raw, classmethod) else raw
    wrapped = _held_to(function, known[name], f"{stand_in.__name__}.{name}", name, calls)
    return classmethod(wrapped) if of_class else wrapped


def _held_to(function: Callable[..., Any], fact: dict[str, Any], title: str, name: str, calls: Calls) -> Any:
    arguments, result = fact["arguments"], fact["result"]
    outs = [index for index, argument in enumerate(arguments) if argument["direction"] == "out"]

    def method(self: Any, *given: Any, **keywords: Any) -> Any:
        if keywords:
            raise TypeError(f"{title} does not accept keyword arguments")
        if len(given) != len(arguments):
            raise TypeError(f"Need {len(arguments)} arguments, got {len(given)}")
        taken = given
        if outs:
            if any(given[index] is not None for index in outs):
                raise ValueError(f"argument {outs[0]} must be None or objc.NULL")
            taken = tuple(value for index, value in enumerate(given) if index not in outs)
        answer = calls.method(name, self, lambda: function(self, *taken), result)
        return to_python(answer) if not isinstance(answer, tuple) else tuple(map(to_python, answer))

    method.__name__ = name
    return method


class _Unknown:
    """A method of a stand-in that the facts do not have: nobody can call it."""

    def __init__(self, owner: str, name: str) -> None:
        self._message = f"'{owner}' object has no attribute '{name}' (the facts have no such method)"

    def __get__(self, instance: Any, owner: Any) -> Any:
        raise AttributeError(self._message)

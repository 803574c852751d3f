"""Runs a parsed script against the simulated Mac."""

from __future__ import annotations

import operator
import shlex
import time
from collections.abc import Callable
from typing import Any, Protocol

from simulated_mac.applescript.errors import ScriptError
from simulated_mac.applescript.expressions import Node
from simulated_mac.applescript.parse import Program

COERCION_FAILED, NO_SUCH_OBJECT, NO_SUCH_VARIABLE, NO_SUCH_APP = -1700, -1728, -2753, -1728
NOT_UNDERSTOOD, STACK_OVERFLOW = -1708, -2706
DEPTH_MOST = 100
"""Handlers in one another, well within what Python takes."""

STEPS_MOST = 100_000
"""Statements before a script counts as one that never ends."""


class Computer(Protocol):
    """What scripts can reach; each is one moment's work."""

    def clipboard(self) -> str: ...

    def set_clipboard(self, text: str) -> None: ...

    def front_process(self) -> Any: ...

    def activate(self, name: str) -> bool:
        """``False`` when there is no such app."""

    def notify(self, message: str, title: str, subtitle: str, sound: str) -> None: ...


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


class Process:
    """An application process of System Events."""

    def __init__(self, name: str, windows: list[str]) -> None:
        self.name, self.windows = name, windows


class Interpreter:
    def __init__(self, computer: Computer) -> None:
        self._computer = computer
        self._variables: dict[str, Any] = {}
        self._delimiter = ""
        self._told: list[str] = []
        self._depth = 0
        self._steps = 0
        self._handlers: dict[str, Node] = {}
        self.logged: list[str] = []
        """What the script wrote with ``log``; ``osascript`` prints it on stderr."""

    def run(self, program: str, argv: list[str]) -> str:
        """What ``osascript`` prints. Raises `ScriptError` for the script's own errors, `Unknown` for what is not
        simulated, before anything of the script has run."""
        self._handlers = Program(program).handlers()
        _, parameters, body = self._handlers["run"]
        self._variables |= {name: list(argv) for name in parameters}
        return shown(self._result(body))

    def _result(self, body: tuple[Node, ...]) -> Any:
        try:
            return self._all(body)
        except _Return as ended:
            return ended.value

    def _all(self, statements: tuple[Node, ...]) -> Any:
        result = None
        for statement in statements:
            self._steps += 1
            if self._steps > STEPS_MOST:
                raise ScriptError("The script runs for ever.", -1712)
            result = _STATEMENTS[statement[0]](self, *statement[1:])
        return result

    def value(self, node: Node) -> Any:
        return _EXPRESSIONS[node[0]](self, *node[1:])

    def text(self, node: Node) -> str:
        return as_text(self.value(node), self._delimiter)

    # --- statements --------------------------------------------------------------------------------------------

    def _tell(self, app: Node, body: tuple[Node, ...]) -> Any:
        self._told.append(self.text(app))
        try:
            return self._all(body)
        finally:
            self._told.pop()

    def _if(self, condition: Node, yes: tuple[Node, ...], no: tuple[Node, ...]) -> Any:
        return self._all(yes if self.value(condition) is True else no)

    def _repeat(self, name: str, members: Node, body: tuple[Node, ...]) -> Any:
        for member in self.value(members):
            self._variables[name] = member
            self._all(body)
        return None

    def _range(self, first: Node, last: Node, step: Node) -> list[int]:
        by = int(self.value(step)) or 1
        return list(range(int(self.value(first)), int(self.value(last)) + (1 if by > 0 else -1), by))

    def _try(self, tried: tuple[Node, ...], names: tuple[str, str], caught: tuple[Node, ...]) -> Any:
        try:
            return self._all(tried)
        except ScriptError as error:
            told = zip(names, (error.message, error.number), strict=True)
            self._variables |= {name: value for name, value in told if name}
            return self._all(caught)

    def _call(self, name: str, given: tuple[Node, ...]) -> Any:
        """A handler of the script's own has variables of its own."""
        if name not in self._handlers or len(self._handlers[name][1]) != len(given):
            raise ScriptError(f"«script» doesn’t understand the “{name}” message.", NOT_UNDERSTOOD)
        _, parameters, body = self._handlers[name]
        if self._depth == DEPTH_MOST:
            raise ScriptError("Stack overflow.", STACK_OVERFLOW)
        kept, self._depth = self._variables, self._depth + 1
        self._variables = dict(zip(parameters, map(self.value, given), strict=True))
        try:
            return self._result(body)
        finally:
            self._variables, self._depth = kept, self._depth - 1

    def _log(self, value: Node) -> None:
        self.logged.append(shown(self.value(value)))

    def _set(self, names: tuple[str, ...], value: Node) -> Any:
        self._variables[names[0]] = self.value(value)
        return self._variables[names[0]]

    def _set_list(self, names: tuple[str, ...], value: Node) -> Any:
        members = self.value(value)
        if not isinstance(members, list) or len(members) < len(names):
            raise ScriptError(f"Can’t get item {len(names)} of the list.", NO_SUCH_OBJECT)
        self._variables |= dict(zip(names, members, strict=False))
        return members

    def _set_clipboard(self, value: Node) -> None:
        self._computer.set_clipboard(self.text(value))

    def _set_delimiters(self, value: Node) -> None:
        self._delimiter = self.text(value)

    def _return(self, value: Node | None) -> Any:
        raise _Return(None if value is None else self.value(value))

    def _error(self, message: Node, number: Node) -> Any:
        raise ScriptError(self.text(message), int(self.value(number)))

    def _delay(self, seconds: Node) -> None:
        time.sleep(float(self.value(seconds)))

    def _notification(self, parts: dict[str, Node]) -> None:
        told = {part: self.text(parts[part]) if part in parts else "" for part in ("title", "subtitle", "sound")}
        self._computer.notify(self.text(parts["message"]), **told)

    def _activate(self) -> None:
        name = self._told[-1] if self._told else ""
        if not self._computer.activate(name):
            raise ScriptError(f"Can’t get application {name!r}.", NO_SUCH_APP)

    # --- expressions -------------------------------------------------------------------------------------------

    def _variable(self, name: str) -> Any:
        if name not in self._variables:
            raise ScriptError(f"The variable {name} is not defined.", NO_SUCH_VARIABLE)
        return self._variables[name]

    def _item(self, index: Node, of: Node) -> Any:
        members, at = self.value(of), int(self.value(index))
        if at == 0 or abs(at) > len(members):
            raise ScriptError(f"Can’t get item {at} of {shown(members)}.", NO_SUCH_OBJECT)
        return members[at - 1 if at > 0 else at]

    def _name(self, of: Node) -> str:
        value = self.value(of)
        return value.name if isinstance(value, Process) else str(value)

    def _front_window(self, of: Node) -> str:
        windows = self.value(of).windows
        if not windows:
            raise ScriptError("Can’t get window 1. Invalid index.", -1719)
        return str(windows[0])

    def _join(self, left: Node, right: Node) -> Any:
        first, second = self.value(left), self.value(right)
        if isinstance(first, list):
            return [*first, *(second if isinstance(second, list) else [second])]
        return as_text(first, self._delimiter) + as_text(second, self._delimiter)

    def _compare(self, kind: str, left: Node, right: Node) -> bool:
        return bool(_COMPARE[kind](_folded(self.value(left)), _folded(self.value(right))))

    def _arithmetic(self, sign: str, left: Node, right: Node) -> Any:
        try:
            return _ARITHMETIC[sign](self.value(left), self.value(right))
        except (TypeError, ZeroDivisionError):
            raise ScriptError(f"Can’t calculate with {sign}.", COERCION_FAILED) from None

    def _as(self, kind: str, of: Node) -> Any:
        value = self.value(of)
        if kind in ("text", "string"):
            return as_text(value, self._delimiter)
        if kind == "list":
            return value if isinstance(value, list) else [value]
        try:
            return int(value)
        except (TypeError, ValueError):
            raise ScriptError(f"Can’t make {shown(value)!r} into type {kind}.", COERCION_FAILED) from None


def as_text(value: Any, delimiter: str) -> str:
    if isinstance(value, list):
        return delimiter.join(as_text(member, delimiter) for member in value)
    return shown(value)


def shown(value: Any) -> str:
    """As ``osascript`` prints a result."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(map(shown, value))
    return value.name if isinstance(value, Process) else str(value)


def _folded(value: Any) -> Any:
    """AppleScript compares texts without regard to case."""
    return value.casefold() if isinstance(value, str) else value


_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "is": lambda a, b: a == b,
    "is not": lambda a, b: a != b,
    "is in": lambda a, b: a in b,
    "contains": lambda a, b: b in a,
    "starts with": lambda a, b: a[: len(b)] == b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
_STATEMENTS: dict[str, Callable[..., Any]] = {
    "tell": Interpreter._tell,
    "if": Interpreter._if,
    "repeat": Interpreter._repeat,
    "try": Interpreter._try,
    "log": Interpreter._log,
    "set": Interpreter._set,
    "set list": Interpreter._set_list,
    "set clipboard": Interpreter._set_clipboard,
    "set delimiters": Interpreter._set_delimiters,
    "return": Interpreter._return,
    "error": Interpreter._error,
    "delay": Interpreter._delay,
    "notification": Interpreter._notification,
    "activate": Interpreter._activate,
    "value of": Interpreter.value,
}
_EXPRESSIONS: dict[str, Callable[..., Any]] = {
    "value": lambda _, value: value,
    "variable": Interpreter._variable,
    "list": lambda run, *members: [run.value(member) for member in members],
    "clipboard": lambda run: run._computer.clipboard(),
    "count": lambda run, of: len(run.value(of)),
    "item": Interpreter._item,
    "range": Interpreter._range,
    "call": Interpreter._call,
    "rest": lambda run, of: run.value(of)[1:],
    "quoted": lambda run, of: shlex.quote(run.text(of)),
    "front process": lambda run: run._computer.front_process(),
    "name": Interpreter._name,
    "windows": lambda run, of: list(run.value(of).windows),
    "front window": Interpreter._front_window,
    "delimiters": lambda run: run._delimiter,
    "join": Interpreter._join,
    "compare": Interpreter._compare,
    "arithmetic": Interpreter._arithmetic,
    "as": Interpreter._as,
    "and": lambda run, a, b: run.value(a) is True and run.value(b) is True,
    "or": lambda run, a, b: run.value(a) is True or run.value(b) is True,
    "not": lambda run, a: run.value(a) is not True,
}

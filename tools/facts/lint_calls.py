"""Calls held to the facts: how many arguments, which of them out arguments, what comes back, callbacks, enums."""

import ast
from collections.abc import Iterator
from typing import Any

from tools.facts.shapes import Argument
from tools.facts.source import Finding, Source, as_number, is_none, unpacked_into
from tools.facts.usage import camel_case

SETS = ("Options", "Flags", "Mask", "Option", "Behavior")
"""Enums whose name ends so take several constants at once, or 0 for none."""

BITS = {"c": 8, "s": 16, "i": 32, "l": 64, "q": 64}
RANGES = {k: range(-(2 ** (n - 1)), 2 ** (n - 1)) for k, n in BITS.items()} | {
    k.upper(): range(2**n) for k, n in BITS.items()
}
"""By encoding. PyObjC takes negative numbers for unsigned types today, and says that it will stop to."""
SCALARS = {"bool", "int", "float", "None"}


def check(source: Source) -> Iterator[Finding]:
    for call in source.calls():
        if known := source.function(call):
            name, function = known
            yield from _shape(source, call, name, function, _arity(source, call, function))
            yield from _arguments(source, call, name, function["arguments"])
        elif methods := source.methods(call):
            yield from _any_shape(source, call, methods)
        elif (made := _callback_made(source, call)) is not None:
            yield from made


def _any_shape(source: Source, call: ast.Call, methods: list[Any]) -> Iterator[Finding]:
    """A selector may be several classes' own: a call is right when it is right for one of them."""
    assert isinstance(call.func, ast.Attribute)
    name, verdicts = call.func.attr, []
    for method in methods:
        found = [*_shape(source, call, name, method, len(method["arguments"]))]
        verdicts.append([*found, *_arguments(source, call, name, method["arguments"])])
    if camel_case(name) or name.endswith("_"):
        yield from min(verdicts, key=len)


def _arity(source: Source, call: ast.Call, function: Any) -> int | None:
    """How many arguments a C function takes in this call; None when its tail's length cannot be seen."""
    fixed = len(function["arguments"])
    counted = function.get("variadic_count_in")
    if counted is None:
        return fixed
    tail = source.number(call.args[counted]) if 0 <= counted < len(call.args) else None
    return None if tail is None else fixed - 1 + tail


def _shape(source: Source, call: ast.Call, name: str, entry: Any, arity: int | None) -> Iterator[Finding]:
    if call.keywords:
        yield source.found(call, "keyword", f"{name} takes its arguments by position only")
    if any(isinstance(a, ast.Starred) for a in call.args):
        return
    given = len(call.args) + len(call.keywords)
    if arity is not None and given != arity:
        outs = sum(a["direction"] != "in" for a in entry["arguments"])
        hint = f", {outs} of them out arguments passed as None" if outs else ""
        yield source.found(call, "arity", f"{name} takes {arity} arguments{hint}; {given} are given")
        return
    yield from _result(source, call, name, entry["result"])


def _result(source: Source, call: ast.Call, name: str, result: str | list[str]) -> Iterator[Finding]:
    if isinstance(result, list):
        yield from _tuple_result(source, call, name, result)
    elif result in SCALARS:
        into = unpacked_into(source, call)
        if into is not None or isinstance(source.parents.get(call), ast.Subscript):
            yield source.found(call, "unpacking", f"{name} answers one {result}, which has no parts")


def _tuple_result(source: Source, call: ast.Call, name: str, result: list[str]) -> Iterator[Finding]:
    into, told = unpacked_into(source, call), f"{name} answers a tuple ({', '.join(result)})"
    if into is not None and into != len(result):
        yield source.found(call, "unpacking", f"{told}; {into} are taken")
    elif _as_truth(source, call):
        yield source.found(call, "tuple-as-truth", f"{told}, which is always true")
    elif isinstance(source.parents.get(call), ast.Compare):
        yield source.found(call, "tuple-compared", f"{told}: unpack it first")


def _as_truth(source: Source, call: ast.Call) -> bool:
    match source.parents.get(call):
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            return test is call
        case ast.UnaryOp(op=ast.Not()) | ast.BoolOp():
            return True
        case ast.Call(func=ast.Name(id="bool")):
            return True
    return False


def _arguments(source: Source, call: ast.Call, name: str, arguments: list[Argument]) -> Iterator[Finding]:
    if len(call.args) < len(arguments):
        return
    for number, (given, argument) in enumerate(zip(call.args, arguments, strict=False)):
        which = f"{name}, argument {number + 1} ({argument.get('name') or argument['python']})"
        if argument["direction"] == "out" and not is_none(given, source):
            yield source.found(given, "out-argument", f"{which} is an out argument: pass None, take it from the result")
        elif "callback" in argument:
            yield from _callback(source, given, which, argument)
        elif "enum" in argument:
            yield from _enumerated(source, given, which, argument["enum"])
        yield from _range(source, given, which, argument["type"])
        if argument["direction"] == "in" and argument["type"] == "^T" and isinstance(argument.get("length_in"), int):
            yield from _counted(source, call.args[argument["length_in"]], which)  # type: ignore[index]  # an int here


def _range(source: Source, given: ast.expr, which: str, encoding: str) -> Iterator[Finding]:
    number = as_number(given)
    if number is not None and encoding in RANGES and number not in RANGES[encoding]:
        yield source.found(given, "range", f"{which} is a C integer of {RANGES[encoding]}, which {number} is not in")


def _counted(source: Source, length: ast.expr, which: str) -> Iterator[Finding]:
    if isinstance(length, ast.Call) and isinstance(length.func, ast.Name) and length.func.id == "len":
        yield source.found(length, "length", f"{which} is counted in UTF-16 units; len() counts code points")


def _callback(source: Source, given: ast.expr, which: str, argument: Argument) -> Iterator[Finding]:
    wanted = argument["callback"]
    if is_none(given, source):
        return
    takes = _parameters(source, given)
    if takes is not None and takes != len(wanted["arguments"]):
        told = ", ".join(wanted["arguments"])
        yield source.found(
            given, "callback", f"{which} is called with {len(wanted['arguments'])} ({told}), not {takes}"
        )
    if wanted.get("retained") and not _made_for_callback(source, given):
        yield source.found(given, "callback", f"{which} is kept by the callee: decorate it with objc.callbackFor")


def _parameters(source: Source, given: ast.expr) -> int | None:
    """How many arguments a lambda or a function of the same file takes; None when that cannot be seen."""
    function: Any = given if isinstance(given, ast.Lambda) else None
    if isinstance(given, ast.Name):
        function = source.local_functions.get(given.id)
    if function is None or function.args.vararg or function.args.defaults:
        return None
    return len(function.args.posonlyargs) + len(function.args.args)


def _callback_made(source: Source, call: ast.Call) -> Iterator[Finding] | None:
    """`objc.callbackFor(AXObserverCreate)(given)`: what is given has to take what that function's callback is given."""
    match call:
        case ast.Call(func=ast.Call(func=ast.Attribute(attr="callbackFor"), args=[made_for, *_]), args=[given]):
            function = source.facts["functions"].get(source.framework_name(made_for) or "")
            for argument in function["arguments"] if function else ():
                if "callback" in argument:
                    called = argument["callback"] | {"retained": False}
                    return _callback(source, given, ast.unparse(call.func), argument | {"callback": called})
    return None


def _made_for_callback(source: Source, given: ast.expr) -> bool:
    function = source.local_functions.get(given.id) if isinstance(given, ast.Name) else None
    if function is None:
        return not isinstance(given, ast.Lambda)
    return any("callbackFor" in ast.unparse(d) for d in function.decorator_list)


def _enumerated(source: Source, given: ast.expr, which: str, enum: str) -> Iterator[Finding]:
    number = as_number(given)
    if number is not None and not (number == 0 and enum.endswith(SETS)):
        yield source.found(given, "enum-as-number", f"{which} takes a constant of {enum}, not the number {number}")
    constant = source.facts["constants"].get(source.framework_name(given) or "")
    actual = constant.get("header", {}).get("enum") if constant else None
    if actual and actual != enum:
        yield source.found(
            given, "wrong-enum", f"{which} takes a constant of {enum}; {ast.unparse(given)} is of {actual}"
        )

"""Every function answers to PyObjC's calling convention as the facts have it, or says that it is not simulated."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import simulated_mac
from simulated_mac import Machine
from simulated_mac.bridge import NSArray, NSDictionary, OC_PythonFloat, OC_PythonLong, pyobjc_unicode
from simulated_mac.calling import Function
from simulated_mac.frameworks.modules import MODULES, read_facts
from tests.simulated_mac.conftest import world

FACTS = read_facts()
FUNCTIONS: dict[str, dict[str, Any]] = FACTS["functions"]

NOT_SIMULATED = frozenset({"GetProcessForPID"} & set(FUNCTIONS))
"""Taken away by Apple long ago: `verify` asks whether it is still there, nothing else uses it."""


def module(name: str) -> Any:
    return importlib.import_module(name)


def _import(home: str, name: str) -> Any:
    """What the module has, or what it says when it has nothing."""
    try:
        return getattr(module(home), name)
    except AttributeError as error:
        return str(error)


def call(name: str, *arguments: Any) -> Any:
    """The function, imported from where the facts have it."""
    return getattr(module(FUNCTIONS[name]["modules"][0]), name)(*arguments)


@pytest.fixture(scope="module")
def trusted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """One for all: these tests change nothing on it."""
    file = tmp_path_factory.mktemp("convention") / "world.json"
    file.write_text(json.dumps(world()), encoding="utf-8")
    machine = simulated_mac.install(file)
    yield machine
    machine.close()


def test_each_function_is_simulated_or_says_that_it_is_not(trusted: Machine) -> None:
    absent = set()
    for name, fact in FUNCTIONS.items():
        for home in fact["modules"]:
            found = _import(home, name)
            if not isinstance(found, Function):
                assert found == f"the simulated Mac has no {home}.{name}"
                absent.add(name)
    assert absent == NOT_SIMULATED


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - NOT_SIMULATED))
def test_arity_is_exact_and_positional(trusted: Machine, name: str) -> None:
    fact = FUNCTIONS[name]
    needed = len(fact["arguments"])
    tail = "at least " if "variadic_count_in" in fact else ""
    if needed:
        with pytest.raises(TypeError, match=f"Need {tail}{needed} arguments, got {needed - 1}"):
            call(name, *[None] * (needed - 1))
    with pytest.raises(TypeError, match="does not accept keyword arguments"):
        getattr(module(fact["modules"][0]), name)(element=1)


WITH_OUTS = sorted(
    name
    for name in set(FUNCTIONS) - NOT_SIMULATED
    if any(argument["direction"] == "out" for argument in FUNCTIONS[name]["arguments"])
)


@pytest.mark.parametrize("name", WITH_OUTS)
def test_an_out_argument_takes_none_only(trusted: Machine, name: str) -> None:
    arguments = FUNCTIONS[name]["arguments"]
    given = [_sample(argument) for argument in arguments]
    for index, argument in enumerate(arguments):
        if argument["direction"] == "out":
            wrong = [*given[:index], 0, *given[index + 1 :]]
            with pytest.raises(ValueError, match=f"argument {index} must be None or objc.NULL"):
                call(name, *wrong)


def _sample(argument: dict[str, Any]) -> Any:
    """Something that the argument takes."""
    objc, services = module("objc"), module("ApplicationServices")
    makers: Mapping[str, Any] = {
        "int": lambda: 1,
        "float": lambda: 1.0,
        "bool": lambda: True,
        "AXUIElementRef": services.AXUIElementCreateSystemWide,
        "AXValueRef": lambda: services.AXValueCreate(services.kAXValueTypeCGPoint, (1, 2)),
        "CGEventRef": lambda: module("Quartz").CGEventCreate(None),
        "CFStringRef": lambda: "AXRole",
        "CFArrayRef": lambda: ["AXRole"],
        "CFDictionaryRef": lambda: {"X": 1, "Y": 2, "Width": 3, "Height": 4},
        "CGPoint": lambda: (1, 2),
        "function": lambda: objc.callbackFor(services.AXObserverCreate)(lambda *_: None),
    }
    if argument["direction"] == "out":
        return None
    return makers.get(argument["python"], lambda: None)()


@pytest.mark.parametrize("name", WITH_OUTS)
def test_results_have_the_shape_of_the_facts(trusted: Machine, name: str) -> None:
    fact = FUNCTIONS[name]
    answer = call(name, *map(_sample, fact["arguments"]))
    if isinstance(fact["result"], list):
        assert isinstance(answer, tuple)
        assert len(answer) == len(fact["result"])


def test_integers_are_held_to_their_type(trusted: Machine) -> None:
    quartz = module("Quartz")
    for code in (-1, 70_000, "a", 1.5, None):
        with pytest.raises(ValueError, match="depythonifying 'S'"):
            quartz.CGEventCreateKeyboardEvent(None, code, True)


def test_a_counted_tail_is_exact(trusted: Machine) -> None:
    quartz = module("Quartz")
    assert quartz.CGEventCreateScrollWheelEvent(None, 0, 2, -40, 3) is not None
    with pytest.raises(ValueError, match="Need 5 arguments, got 4"):
        quartz.CGEventCreateScrollWheelEvent(None, 0, 2, -40)


def test_unicode_counts_utf16_units(trusted: Machine) -> None:
    quartz = module("Quartz")
    event = quartz.CGEventCreateKeyboardEvent(None, 0, True)
    with pytest.raises(ValueError, match="Requesting unicode buffer of 3, have unicode buffer of 2"):
        quartz.CGEventKeyboardSetUnicodeString(event, 3, "🙂")
    quartz.CGEventKeyboardSetUnicodeString(event, 1, "🙂")
    assert event.text == "\ufffd"  # half a character, and nobody is told
    with pytest.raises(UnicodeEncodeError):
        quartz.CGEventKeyboardSetUnicodeString(event, 1, "\ud83d")


def test_kept_callbacks_must_be_closures(trusted: Machine) -> None:
    services, objc = module("ApplicationServices"), module("objc")
    with pytest.raises(TypeError, match="not a PyObjC closure"):
        services.AXObserverCreate(412, lambda *_: None, None)
    closure = objc.callbackFor(services.AXObserverCreate)(lambda *_: None)
    error, observer = services.AXObserverCreate(412, closure, None)
    assert error == 0
    assert observer is not None


def test_values_are_bridged_look_alikes(trusted: Machine) -> None:
    services, quartz = module("ApplicationServices"), module("Quartz")
    app = services.AXUIElementCreateApplication(412)
    _, windows = services.AXUIElementCopyAttributeValue(app, "AXWindows", None)
    assert isinstance(windows, NSArray)
    assert not isinstance(windows, list)
    _, role = services.AXUIElementCopyAttributeValue(windows[0], "AXRole", None)
    assert type(role) is pyobjc_unicode
    _, front = services.AXUIElementCopyAttributeValue(app, "AXFrontmost", None)
    assert front is True
    entry = quartz.CGWindowListCopyWindowInfo(1, 0)[1]
    assert isinstance(entry, NSDictionary)
    assert not isinstance(entry, dict)
    assert type(entry[quartz.kCGWindowNumber]) is OC_PythonLong
    assert type(entry[quartz.kCGWindowAlpha]) is OC_PythonFloat


def test_extern_constants_are_not_what_people_spell(trusted: Machine) -> None:
    quartz = module("Quartz")
    entry = quartz.CGWindowListCopyWindowInfo(1, 0)[1]
    assert "kCGWindowNumber" not in entry
    assert entry.get("kCGWindowOwnerPID") is None


def test_structs_come_from_tuples_and_have_fields(trusted: Machine) -> None:
    services = module("ApplicationServices")
    box = services.AXValueCreate(services.kAXValueTypeCGRect, ((1, 2), (3, 4)))
    known, rect = services.AXValueGetValue(box, services.kAXValueTypeCGRect, None)
    assert (known, rect.origin.x, rect.size.height) == (True, 1.0, 4.0)
    assert services.AXValueGetValue(box, services.kAXValueTypeCGPoint, None) == (False, None)
    with pytest.raises(ValueError, match="struct of 2 members, got tuple of 3"):
        services.AXValueCreate(services.kAXValueTypeCGPoint, (1, 2, 3))
    with pytest.raises(ValueError, match="Unknown value type"):
        services.AXValueGetValue(box, 99, None)


def test_references_are_equal_but_never_the_same(trusted: Machine) -> None:
    services, foundation = module("ApplicationServices"), module("CoreFoundation")
    first, second = (services.AXUIElementCreateApplication(412) for _ in range(2))
    assert first is not second
    assert foundation.CFEqual(first, second) is True
    assert foundation.CFHash(first) == foundation.CFHash(second)
    assert foundation.CFGetTypeID(first) == services.AXUIElementGetTypeID()


@pytest.mark.parametrize("name", MODULES)
def test_a_name_that_is_not_in_the_facts_cannot_be_had(trusted: Machine, name: str) -> None:
    with pytest.raises(AttributeError, match=f"the simulated Mac has no {name}.kNoSuchThing"):
        _ = module(name).kNoSuchThing


def test_methods_are_held_to_the_facts(trusted: Machine) -> None:
    appkit = module("AppKit")
    running = appkit.NSRunningApplication.runningApplicationWithProcessIdentifier_(412)
    with pytest.raises(AttributeError):
        _ = running.active
    with pytest.raises(TypeError, match="Need 1 arguments, got 0"):
        running.activateWithOptions_()
    with pytest.raises(TypeError, match="keyword"):
        running.activateWithOptions_(options=0)
    assert type(running.localizedName()) is pyobjc_unicode


def test_each_method_of_a_stand_in_is_in_the_facts(trusted: Machine) -> None:
    """A stand-in with a method of its own invention would be a hand-written signature."""
    appkit = module("AppKit")
    for name in ("NSWorkspace", "NSRunningApplication", "NSScreen", "NSPasteboard"):
        seen = getattr(appkit, name)
        known = {m for kind in ("instance_methods", "class_methods") for m in FACTS["classes"][name][kind]}
        shown = {m for m in vars(seen) if m[0].islower() and callable(getattr(seen, m, None))}
        assert shown - known <= set(FACTS["classes"]["NSObject"]["instance_methods"]) | {"alloc"}


def test_functions_loaded_by_hand_keep_the_convention(trusted: Machine) -> None:
    objc, bundle = module("objc"), module("Foundation").NSBundle.bundleWithPath_("/S/HIServices.framework")
    names: dict[str, Any] = {}
    table = [("_AXUIElementGetWindow", b"i^{__AXUIElement=}^I", "", {"arguments": {1: {"type_modifier": "o"}}})]
    objc.loadBundleFunctions(bundle, names, [*table, ("NoSuchCall", b"v", "")], True)
    assert list(names) == ["_AXUIElementGetWindow"]
    services = module("ApplicationServices")
    app = services.AXUIElementCreateApplication(412)
    _, windows = services.AXUIElementCopyAttributeValue(app, "AXWindows", None)
    assert names["_AXUIElementGetWindow"](windows[0], None) == (0, trusted.stack[0].number)
    with pytest.raises(TypeError, match="Need 2 arguments, got 1"):
        names["_AXUIElementGetWindow"](windows[0])
    with pytest.raises(ImportError, match="'NoSuchCall' not found"):
        objc.loadBundleFunctions(bundle, names, [("NoSuchCall", b"v", "")])

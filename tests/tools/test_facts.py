"""The fact pipeline on packages made up here, and the committed facts against what is known of macOS."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.facts import cut, document, encoding, metadata, stubs, surface, usage
from tools.facts.headers import python_name
from tools.facts.usage import Usage, Used

INIT = """
def _setup():
    import objc
    from . import _metadata
    getattr_func = objc.createFrameworkDirAndGetattr(name="{name}", parents=({parents}), metadict=_metadata.__dict__)
    global kByHand
    kByHand = 7
"""
METADATA = """
import objc, sys
from typing import NewType
misc = {}
misc.update({"kAXRoleAttribute": "AXRole"})
misc.update({"CGPoint": objc.createStructType("Quartz.CGPoint", b"{CGPoint=dd}", ["x", "y"])})
constants = "$kExtern$kOther@i$"
enums = "$kOne@1$kFour@'abcd'$"
functions = {
    "Copy": (b"i^{__AXUIElement=}^@", "", {"arguments": {1: {"type_modifier": "o"}}}),
    "Fill": (b"v^I", "", {"arguments": {0: {"type_modifier": "o"}}}),
    "Wheel": (b"^{__CGEvent=}IIi", "", {"variadic": True, "c_array_length_in_arg": 1}),
}
expressions = {"kLevel": "LevelFor(kOne)"}
"""


def wheel(folder: Path, source: str = METADATA) -> surface.Surface:
    """A surface read from a wheel with CoreFoundation, made up, and Quartz, which is its child."""
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / "made_up-1.whl", "w") as archive:
        archive.writestr("CoreFoundation/__init__.py", INIT.format(name="CoreFoundation", parents=""))
        archive.writestr("CoreFoundation/_metadata.py", source)
        archive.writestr("Quartz/__init__.py", INIT.format(name="Quartz", parents="CoreFoundation,"))
    return surface.read_wheels(folder)


def names_used(*names: tuple[str, str]) -> Usage:
    return Usage(names=[Used(module, name, "ours.py:1") for module, name in names])


def test_an_encoding_is_cut_into_result_and_arguments() -> None:
    assert encoding.split("i^{__AXUIElement=}^{__CFString=}^@") == ["i", "^{__AXUIElement=}", "^{__CFString=}", "^@"]
    assert encoding.split("{CGRect={CGPoint=dd}{CGSize=dd}}16@?@0:8") == [
        "{CGRect={CGPoint=dd}{CGSize=dd}}",
        "@?",
        "@",
        ":",
    ]


@given(
    st.lists(st.sampled_from(["i", "^v", "@?", "@", "{CGPoint=dd}", "^^{__CFArray=}", "n^{X=}", "[4c]", "b12", "^?"]))
)
def test_what_is_cut_up_is_the_whole(parts: list[str]) -> None:
    assert encoding.split("".join(parts)) == parts


@pytest.mark.parametrize(
    ("name", "given", "answered"),
    [("Copy", ["in", "out"], ["int", "object"]), ("Fill", ["out"], "int"), ("Wheel", ["in", "in", "in"], "CGEventRef")],
)
def test_the_calling_convention_comes_from_the_metadata(
    tmp_path: Path, name: str, given: list[str], answered: Any
) -> None:
    function = wheel(tmp_path).function(name)
    assert function is not None
    assert [a["direction"] for a in function["arguments"]] == given
    assert function["result"] == answered


def test_constants_have_a_value_or_are_known_to_have_none(tmp_path: Path) -> None:
    found = {
        n: wheel(tmp_path).constant(n) for n in "kAXRoleAttribute kExtern kOther kOne kFour kByHand kLevel".split()
    }
    assert {n: (c["kind"], c.get("value", c.get("type"))) for n, c in found.items() if c} == {
        "kAXRoleAttribute": ("literal", "AXRole"),
        "kExtern": ("extern", "@"),
        "kOther": ("extern", "i"),
        "kOne": ("enum", 1),
        "kFour": ("enum", 0x61626364),
        "kByHand": ("literal", 7),
        "kLevel": ("expression", "LevelFor(kOne)"),
    }


@pytest.mark.parametrize(
    "hostile",
    [
        "import os",
        "from os import system",
        "__import__('os')",
        "misc = (lambda: 1)()",
        "misc = [c for c in 'x']",
        "misc = objc.arch.__class__",
        "objc.loadBundle('x')",
        "misc = f'{objc}'",
        "while True: pass",
        "misc = {}['x']",
        "def other(a): return a",
        "@r\ndef sel32or64(a, b): return a",
        "''.join('x')",
        "open('/etc/passwd')",
        "try:\n    x = 1\nexcept: x = 2",
        "class X: pass",
        "__builtins__ = 1",
    ],
)
def test_metadata_that_is_not_data_is_not_run(hostile: str) -> None:
    with pytest.raises(metadata.UnexpectedMetadata, match="is not data"):
        metadata.read(METADATA + hostile, "made up")


def test_a_name_that_does_not_exist_is_refused_with_near_ones(tmp_path: Path) -> None:
    made = wheel(tmp_path)
    with pytest.raises(cut.WrongNames, match=r"ours.py:1: Quartz has no Copyy\. Near it: Copy\."):
        cut.cut(made, made, names_used(("Quartz", "Copyy")), [])


def test_a_name_is_imported_from_where_it_lives_or_from_a_child(tmp_path: Path) -> None:
    made = wheel(tmp_path)
    facts = cut.cut(made, made, names_used(("Quartz", "Copy"), ("CoreFoundation", "kOne")), [])
    assert facts["functions"]["Copy"]["modules"] == ["CoreFoundation", "Quartz"]
    with pytest.raises(cut.WrongNames, match="kOne does not live in AppKit: import it from CoreFoundation or Quartz"):
        cut.cut(made, made, names_used(("AppKit", "kOne")), [])


@pytest.mark.parametrize(
    ("older", "told"),
    [
        (METADATA.replace('"Fill"', '"Gill"'), "Fill is not in PyObjC 12.2.2"),
        (METADATA.replace("v^I", "v^II"), "Fill differs between PyObjC 12.2.2 and 13.0"),
        (METADATA.replace('"v^I", "", {"arguments": {0: {"type_modifier": "o"}}}', '"v^I", "", {}'), "Fill differs"),
        (METADATA.replace('(b"v^I"', '(b"i^I"'), "Fill differs between"),
    ],
)
def test_versions_that_disagree_are_refused(tmp_path: Path, older: str, told: str) -> None:
    newest, oldest = wheel(tmp_path / "new"), wheel(tmp_path / "old", older)
    with pytest.raises(cut.WrongNames, match=told):
        cut.cut(newest, oldest, names_used(("Quartz", "Fill")), [])


def test_a_name_of_objc_has_to_stand_in_its_table(tmp_path: Path) -> None:
    made = wheel(tmp_path)
    with pytest.raises(cut.WrongNames, match=r"objc\.inject is not in tools/facts/bridge\.py"):
        cut.cut(made, made, names_used(("objc", "inject")), [])


def test_a_selector_that_no_class_has_is_refused(tmp_path: Path) -> None:
    made = wheel(tmp_path)
    made.classes = dict(document.load()["classes"])
    used = Usage(attributes=[Used("", "setString_forTypes_", "ours.py:1")])
    with pytest.raises(cut.WrongNames, match=r"no class has setString_forTypes_\. Near it: setString_forType_"):
        cut.cut(made, made, used, [])
    used.attributes[:] = [Used("", "setString_forType_", "ours.py:1")]
    with pytest.raises(cut.WrongNames, match=r"add NSPasteboard\.setString_forType_ to wanted\.txt"):
        cut.cut(made, made, used, [])
    assert "NSPasteboard" in cut.cut(made, made, used, ["NSPasteboard.setString_forType_"])["classes"]


def test_wanted_names_are_held_to_the_packages_too(tmp_path: Path) -> None:
    made = wheel(tmp_path)
    facts = cut.cut(made, made, Usage(), ["kO*"])
    assert sorted(facts["constants"]) == ["kOne", "kOther"]
    with pytest.raises(cut.WrongNames, match=r"wanted\.txt: the headers have no NSWorkspace\.fly"):
        cut.cut(made, made, Usage(), ["NSWorkspace.fly"])


def test_selectors_are_spelled_as_pyobjc_does() -> None:
    assert python_name("setString:forType:") == "setString_forType_"
    assert python_name("class") == "class__"


def test_the_committed_files_are_as_they_are_written() -> None:
    facts = document.load()
    assert document.FACTS.read_text(encoding="utf-8") == document.write(facts)
    assert stubs.differing(facts) == []


def test_a_difference_is_told_by_its_place() -> None:
    facts = json.loads(json.dumps(document.load()))
    changed = json.loads(json.dumps(facts))
    changed["functions"]["CGEventPost"]["result"] = "int"
    del changed["constants"]["kAXErrorFailure"]
    assert document.differences(facts, changed) == [
        "facts.json: constants: kAXErrorFailure is no longer used, or no longer in the packages",
        "facts.json: functions: CGEventPost: result is 'None', the packages say 'int'",
    ]


def test_every_name_that_our_code_takes_from_a_framework_has_its_facts() -> None:
    facts: dict[str, Any] = dict(document.load())
    known = {name for s in ("functions", "constants", "structs", "types", "classes", "protocols") for name in facts[s]}
    used = usage.read(usage.mac_sources()).names
    assert used
    assert {u.name for u in used if u.module != "objc"} - known == set()


def test_known_facts_of_macos() -> None:
    """Read in Apple's headers, so that a change of the pipeline cannot quietly change them."""
    facts = document.load()
    functions, constants, classes = facts["functions"], facts["constants"], facts["classes"]
    assert functions["AXUIElementCopyAttributeValue"]["result"] == ["int", "object"]
    assert [a["direction"] for a in functions["CGGetActiveDisplayList"]["arguments"]] == ["in", "out", "out"]
    assert functions["CGEventCreateScrollWheelEvent"].get("variadic_count_in") == 2
    assert functions["AXObserverCreate"]["arguments"][1]["callback"] == {
        "arguments": ["AXObserverRef", "AXUIElementRef", "CFStringRef", "pointer"],
        "result": "None",
        "block": False,
        "retained": True,
    }
    assert constants["kAXErrorCannotComplete"]["value"] == -25204
    assert constants["kCGAnyInputEventType"]["value"] == 0xFFFFFFFF
    assert constants["kCGWindowNumber"]["kind"] == "extern"
    running = classes["NSRunningApplication"]
    assert running["instance_methods"]["isActive"]["result"] == "bool"
    assert running["instance_methods"]["isActive"]["property"] == "active"
    assert "active" not in running["instance_methods"]
    assert "runningApplicationWithProcessIdentifier_" in running["class_methods"]
    opening = classes["NSWorkspace"]["instance_methods"]["openApplicationAtURL_configuration_completionHandler_"]
    assert opening["arguments"][2]["callback"]["arguments"] == ["object", "object"]
    assert classes["NSAppleScript"]["instance_methods"]["executeAndReturnError_"]["result"] == [
        "object",
        "NSDictionary",
    ]

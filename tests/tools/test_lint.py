"""Rules of the lint that no line of the macOS desktop could be made to break, and code that it must leave alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.facts import document, lint


def rules(folder: Path, source: str, name: str = "made_up.py") -> set[str]:
    file = folder / name
    file.write_text(source, encoding="utf-8")
    return {finding.rule for finding in lint.check([file], document.load())}


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        ("from AppKit import *", "name"),
        ("from AppKit import NSScreen\ndef f(app):\n    return app.isHidden", "property"),
        ("def f(window):\n    window.alphaValue = 0.5", "property"),
        ("import Quartz\nQuartz.CGPreflightPostEventAccess()[0]", "unpacking"),
        ("import Quartz\nQuartz.GetProcessForPID(1, None)", "module"),
        ("import HIServices\nHIServices.GetProcessForPID(1, None)", "deprecated"),
        ("from Quartz import kCGWindowWorkspace", "deprecated"),
        ("import objc\nobjc.inject()", "name"),
        ("key = 'NSPasteboardTypeString'", "spelling"),
        ("key = 'public.utf8-plain-text'", "spelling"),
    ],
)
def test_a_mistake_is_found(tmp_path: Path, source: str, rule: str) -> None:
    assert rule in rules(tmp_path, source)


@pytest.mark.parametrize(
    "source",
    [
        '"""AXButton is a role."""',
        "def f(app):\n    return app.hidden, app.name, app.title",
        "def f(timeline):\n    return timeline.level(3)",
        "import re\nre.name(1, 2)",
        "from Quartz import CGEventSetFlags\nCGEventSetFlags(None, 0)",
        "import objc, Quartz\ndef f(*given):\n    return Quartz.CGEventPost(*given)",
        "ERRORS = {-25211: 'AppleScript has this number too'}",
        "def f(values):\n    return isinstance(values, list)",
        "import objc\nfrom HIServices import AXUIElementGetPid\nerror, pid = AXUIElementGetPid(None, objc.NULL)",
    ],
)
def test_what_is_right_is_left_alone(tmp_path: Path, source: str) -> None:
    assert rules(tmp_path, source) == set()


def test_a_role_may_be_spelled_in_the_table_of_roles_and_a_slip_there_is_found(tmp_path: Path) -> None:
    assert rules(tmp_path, "ROLES = {'AXButton': 'button', 'AXWebArea': 'document'}", "ax_roles.py") == set()
    assert rules(tmp_path, "ROLES = {'AXButon': 'button'}", "ax_roles.py") == {"spelling"}


def test_the_table_of_names_is_for_strings_without_a_constant(tmp_path: Path) -> None:
    assert rules(tmp_path, "MANUAL = 'AXManualAccessibility'", "ax_names.py") == set()
    assert rules(tmp_path, "ROLE = 'AXRole'", "ax_names.py") == {"spelling"}


def test_functions_are_loaded_by_hand_in_one_file_only(tmp_path: Path) -> None:
    files = [tmp_path / "one.py", tmp_path / "two.py"]
    for file in files:
        file.write_text("import objc\nobjc.loadBundleFunctions(None, {}, [('LMGetKbdType', b'C')])", encoding="utf-8")
    (found,) = lint.check(files, document.load())
    assert found.rule == "by-hand"
    assert "keep one" in found.what


def test_what_is_newer_than_the_oldest_macos_is_asked_for_first(tmp_path: Path) -> None:
    facts, file = document.load(), tmp_path / "made_up.py"
    facts["classes"]["NSWorkspace"]["instance_methods"]["frontmostApplication"]["header"] = {"introduced": "15.2"}
    use = "def f(workspace):\n    return workspace.frontmostApplication()"
    file.write_text(use, encoding="utf-8")
    assert {f.rule for f in lint.check([file], facts)} == {"too-new"}
    file.write_text(use + " if workspace.respondsToSelector_('frontmostApplication') else None", encoding="utf-8")
    assert lint.check([file], facts) == []

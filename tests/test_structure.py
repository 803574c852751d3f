"""The shape of the house, as data: who may import whom, who may reach the desktop, what never appears in the code."""

from __future__ import annotations

import ast
import re
import statistics
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src"

VOCABULARY = ("model", "events", "errors", "roles", "child")
BELOW_CORE = ("desktops.base", *VOCABULARY)

MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "model": (),
    "events": ("model",),
    "roles": (),
    "stdio": (),
    "errors": ("model",),
    "child": ("errors",),
    "home": ("errors",),
    "desktops.base": ("model", "events"),
    "desktops.x11": ("desktops.x11", *BELOW_CORE),
    "desktops.macos": ("desktops.macos", *BELOW_CORE),
    "desktops": ("desktops", "errors"),
    "core": ("core", *BELOW_CORE),
    "tools": ("tools", "core", *BELOW_CORE),
    "server": ("tools", "core", "stdio", "instructions", "__version__", *VOCABULARY),
    "instructions": (),
    "companions": ("core.dispatch", "desktops.base", "guardian.client", "overlay.client"),
    "overlay": ("overlay", "model"),
    "guardian": ("guardian", "core.audit", "desktops.x11.release", "desktops.macos.release", "stdio", *VOCABULARY),
    "demo": ("demo", "errors"),
    "doctor": ("core", "desktops", "home", "__version__", *VOCABULARY),
    "verify": ("verify", "core", "desktops", "home", "__version__", *VOCABULARY),
    "install": ("install", "errors"),
    "uninstall": ("install",),
    "log": ("core", "home", "errors"),
    "__main__": ("",),
    "": (),
}
"""Module or folder of mac_commander, and what of mac_commander it may import. The longest match counts; ``""`` is
everything."""

ONLY_IN: dict[str, tuple[str, ...]] = {
    "mcp": ("server", "demo"),
    "mcp_types": ("server", "demo"),
    "Xlib": ("desktops.x11", "overlay.x11", "demo.x_client"),
    "dbus_fast": ("desktops.x11", "demo"),
    "cairocffi": ("overlay.x11",),
    "AppKit": ("desktops.macos", "overlay.macos", "verify.witness_macos"),
    "ApplicationServices": ("desktops.macos",),
    "CoreFoundation": ("desktops.macos", "overlay.macos"),
    "Foundation": ("desktops.macos", "overlay.macos", "verify.witness_macos"),
    "Quartz": ("desktops.macos", "overlay.macos", "guardian"),
    "objc": ("desktops.macos", "overlay.macos", "verify.witness_macos"),
    "PIL": ("core.picture", "desktops.macos.capture", "desktops.x11.capture", "demo", "verify.pixels"),
    "simulated_mac": ("desktops", "__main__"),
}
"""Packages that only these places may import, also inside a function."""

ONLY_CALLED_IN: dict[str, tuple[str, ...]] = {
    "deliver": ("core.batch",),
    "watch_human": ("core.batch",),
    "release_all": ("core.batch", "core.session", "__main__"),
    "capture": ("core.session",),
    "capture_desktop": ("core.session",),
    "launch": ("tools.app",),
    "request_quit": ("tools.app",),
    "hide": ("tools.app",),
    "place": ("tools.app",),
    "activate": ("core.session",),
    "notify": ("tools.notify",),
}
"""Methods of a Desktop that do something, and the one gate from which they are called (R1)."""

NEVER_CALLED = {
    "print": "stdout is the wire",
    "eval": "no code from text",
    "exec": "no code from text",
    "os.system": "no shell",
    "os.popen": "no shell",
    "subprocess.getoutput": "no shell",
    "subprocess.getstatusoutput": "no shell",
}

FORBIDDEN_NAMES = set("utils util helpers helper common manager service handler engine misc base_utils".split())
MOST_LINES = 350
MOST_MEDIAN = 10


@cache
def _modules() -> tuple[Path, ...]:
    return tuple(sorted(p for p in SRC.rglob("*.py") if "__pycache__" not in p.parts))


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def _name(path: Path) -> str:
    """``core.batch`` for src/mac_commander/core/batch.py; ``""`` for the package itself."""
    parts = path.relative_to(SRC / "mac_commander").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _ours() -> list[Path]:
    return [p for p in _modules() if p.is_relative_to(SRC / "mac_commander")]


def _imported(path: Path) -> Iterator[tuple[int, str]]:
    """Every module imported anywhere in the file, `from a import b` as ``a.b``."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}:{node.lineno}: relative import; write the whole name"
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def _within(name: str, place: str) -> bool:
    return not place or name == place or name.startswith(place + ".")


def _longest(name: str, table: dict[str, tuple[str, ...]]) -> str:
    return max((key for key in table if _within(name, key)), key=len)


def _at(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def _report(wrong: list[str]) -> None:
    assert not wrong, "\n" + "\n".join(dict.fromkeys(wrong))


def test_imports_go_one_way() -> None:
    wrong = []
    for path in _ours():
        key = _longest(_name(path), MAY_IMPORT)
        for line, imported in _imported(path):
            if not imported.startswith("mac_commander."):
                continue
            target = imported.removeprefix("mac_commander.")
            # A bare `from mac_commander.core import chords` names core.chords: its folder is allowed if it is.
            if not any(_within(target, allowed) for allowed in MAY_IMPORT[key]):
                wrong.append(f"{_at(path, line)}: {key or 'the package'} may not import {target}")
    _report(wrong)


def test_every_folder_has_its_import_rule() -> None:
    top = {_name(p).split(".")[0] for p in _ours()}
    assert sorted(top - set(MAY_IMPORT)) == []


@pytest.mark.parametrize("package", ONLY_IN)
def test_a_platform_library_stays_in_its_folder(package: str) -> None:
    wrong = []
    for path in _ours():
        for line, imported in _imported(path):
            if _within(imported, package) and not any(_within(_name(path), place) for place in ONLY_IN[package]):
                wrong.append(f"{_at(path, line)}: only {', '.join(ONLY_IN[package])} may import {package}")
    _report(wrong)


def test_the_simulated_mac_knows_nothing_of_us() -> None:
    simulated = [p for p in _modules() if p.is_relative_to(SRC / "simulated_mac")]
    assert simulated
    _report([_at(p, line) for p in simulated for line, name in _imported(p) if _within(name, "mac_commander")])


def _calls(path: Path) -> Iterator[tuple[ast.Call, str]]:
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Call):
            yield node, ast.unparse(node.func)


def test_one_gate_to_the_desktop() -> None:
    wrong = []
    gated = [p for p in _ours() if _name(p).split(".")[0] in ("core", "tools", "server", "__main__")]
    for path in gated:
        for call, function in _calls(path):
            receiver, _, method = function.rpartition(".")
            places = ONLY_CALLED_IN.get(method)
            if places and receiver.endswith("desktop") and _name(path) not in places:
                wrong.append(f"{_at(path, call.lineno)}: {function} belongs to {', '.join(places)}")
    _report(wrong)


@pytest.mark.parametrize("name", ["deliver", "capture", "capture_desktop", "launch"])
def test_the_gate_is_there(name: str) -> None:
    """The rule above would hold in an empty house too."""
    gate = [p for p in _ours() if _name(p) in ONLY_CALLED_IN[name]]
    assert any(f.endswith(f"desktop.{name}") for p in gate for _, f in _calls(p))


def test_no_shell_and_no_print() -> None:
    wrong = []
    for path in _modules():
        for call, function in _calls(path):
            if function in NEVER_CALLED:
                wrong.append(f"{_at(path, call.lineno)}: {function}: {NEVER_CALLED[function]}")
            for keyword in call.keywords:
                runs = function.startswith("subprocess.") or ast.unparse(keyword.value) == "True"
                if keyword.arg == "shell" and runs:
                    wrong.append(f"{_at(path, call.lineno)}: {function} with shell=: no shell")
    _report(wrong)


def test_no_module_comes_from_the_working_folder() -> None:
    """``python -m`` looks there first, and a client starts us in whatever project is open: -P keeps it out."""
    wrong = []
    for path in _modules():
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.List | ast.Tuple):
                words = [e.value for e in node.elts if isinstance(e, ast.Constant)]
                if "-m" in words and "-P" not in words:
                    wrong.append(f"{_at(path, node.lineno)}: -m without -P")
    _report(wrong)


def test_no_script_is_built_from_values() -> None:
    """osascript reads a constant program on stdin; -e would tempt one to paste values into it."""
    wrong = []
    for path in _modules():
        for node in ast.walk(_tree(path)):
            if (
                isinstance(node, ast.JoinedStr)
                and "osascript" in ast.unparse(node)
                and "/osascript" in ast.unparse(node)
            ):
                wrong.append(f"{_at(path, node.lineno)}: an f-string with osascript in it")
            if isinstance(node, ast.List | ast.Tuple):
                words = [e.value for e in node.elts if isinstance(e, ast.Constant)]
                if "-e" in words and any("osascript" in str(w) for w in words):
                    wrong.append(f"{_at(path, node.lineno)}: osascript -e; give the program on stdin")
    _report(wrong)


def test_a_broad_except_gives_its_reason() -> None:
    wrong = []
    for path in _modules():
        with path.open("rb") as file:
            commented = {t.start[0] for t in tokenize.tokenize(file.readline) if t.type == tokenize.COMMENT}
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.ExceptHandler):
                caught = ast.unparse(node.type) if node.type else "everything"
                broad = {"Exception", "BaseException", "everything"} & set(re.findall(r"\w+", caught))
                if broad and node.lineno not in commented:
                    wrong.append(f"{_at(path, node.lineno)}: except {caught} without its reason on the line")
    _report(wrong)


def test_no_state_in_module_globals() -> None:
    wrong = []
    for path in _ours():
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.Global):
                wrong.append(f"{_at(path, node.lineno)}: global {', '.join(node.names)}")
    _report(wrong)


def test_files_are_short_and_named_after_what_they_are() -> None:
    wrong = []
    for path in _modules():
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > MOST_LINES:
            wrong.append(f"{path.relative_to(ROOT)}: {lines} lines; at most {MOST_LINES}")
        if path.stem in FORBIDDEN_NAMES:
            wrong.append(f"{path.relative_to(ROOT)}: a name that says nothing")
    _report(wrong)


def test_functions_are_small() -> None:
    lengths = [
        (node.end_lineno or node.lineno) - node.lineno + 1
        for path in _modules()
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert statistics.median(lengths) < MOST_MEDIAN


def test_every_module_says_what_it_is_for() -> None:
    _report([str(p.relative_to(ROOT)) for p in _modules() if not ast.get_docstring(_tree(p))])


def test_start_up_loads_no_platform_library() -> None:
    """A client waits for the handshake; X, D-Bus and PyObjC are loaded at the first call."""
    program = "import sys, mac_commander.__main__, mac_commander.server; sys.stderr.write(' '.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stderr.split()
    platform = {p for p in ONLY_IN if p not in ("mcp", "mcp_types")}
    assert sorted(platform & {name.split(".")[0] for name in loaded}) == []

"""`mac-commander verify`, as a user runs it where there is no Mac; and the proof of the facts, on the stand-ins."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.desktops.macos.conftest import Raise
from tests.desktops.macos.conftest import raised as raised  # the fixture

FACTS: dict[str, Any] = json.loads((Path(__file__).parents[2] / "src/simulated_mac/facts.json").read_text())


def test_all_passes_on_the_simulated_mac_except_what_needs_a_mac(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    argv = [sys.executable, "-m", "mac_commander", "verify", "--desktop", "simulated", "--report", str(report)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    verdicts = json.loads(report.read_text())["verdicts"]
    marks = {v["name"]: v["mark"] for v in verdicts}
    assert marks.pop("facts about PyObjC") == "UNVERIFIED"
    assert len(marks) == 7
    assert set(marks.values()) == {"PASS"}, done.stdout


def differences(facts: dict[str, Any]) -> list[str]:
    from mac_commander.desktops.macos import bridge_proof

    return list(bridge_proof.prove(facts))


def simulated(facts: dict[str, Any]) -> dict[str, Any]:
    """Those facts that the stand-ins bear out: what they lack is told by the proof, by its name."""
    missing = {re.split("[: ]", line)[0] for line in differences(facts)}
    kinds = ("constants", "functions", "structs", "types", "classes")
    return {kind: {name: fact for name, fact in facts[kind].items() if name not in missing} for kind in kinds}


@pytest.mark.parametrize(
    ("kind", "name", "change", "said"),
    [
        ("constants", "kAXErrorFailure", {"value": -1}, "kAXErrorFailure: -25200 here, -1 in the facts"),
        ("constants", "kAXRoleAttribute", {"value": "AXRolle"}, "'AXRole' here"),
        ("functions", "AXGhost", {"modules": ["Quartz"], "arguments": []}, "AXGhost: not in Quartz"),
        ("structs", "CGPoint", {"fields": ["x", "z"]}, "CGPoint: no field z"),
        (
            "classes",
            "NSGhost",
            {"modules": ["AppKit"], "instance_methods": {}, "class_methods": {}},
            "NSGhost: no such class",
        ),
        ("classes", "NSDate", {"instance_methods": {"active": {"selector": "active"}}}, "active: not on"),
    ],
)
def test_a_wrong_fact_is_found(raised: Raise, kind: str, name: str, change: dict[str, Any], said: str) -> None:
    raised()
    facts = simulated(FACTS)
    assert differences(facts) == []
    assert len(facts["functions"]) > 100
    wrong = deepcopy(facts)
    wrong[kind][name] = {**wrong[kind].get(name, {}), **change}
    (found,) = differences(wrong)
    assert said in found

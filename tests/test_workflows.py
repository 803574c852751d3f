"""What CI runs is what people run, and nothing in it can change under us."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TARGETS = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_by_hash_and_named_by_version(workflow: Path) -> None:
    uses = re.findall(r"uses: (.+)$", workflow.read_text(encoding="utf-8"), re.MULTILINE)
    assert uses
    for used in uses:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", used), used


def test_one_action_has_one_hash() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    pins = set(re.findall(r"uses: ([\w-]+/[\w-]+)@(\w+)", text))
    assert len(pins) == len({action for action, _ in pins})


@pytest.mark.parametrize("file", [*WORKFLOWS, ROOT / ".pre-commit-config.yaml"], ids=lambda path: path.name)
def test_every_make_target_they_run_exists(file: Path) -> None:
    for line in re.findall(r"(?:run|entry): make ([\w -]+)", file.read_text(encoding="utf-8")):
        assert {word for word in line.split() if not word.startswith("-")} <= TARGETS, line


def test_rights_are_given_job_by_job() -> None:
    for workflow in WORKFLOWS:
        text = workflow.read_text(encoding="utf-8")
        assert "\npermissions:\n  contents: read\n" in text, workflow.name
        assert text.count("id-token: write") == (workflow.name == "release.yml")

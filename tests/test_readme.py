"""What the documents promise exists."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mac_commander.tools import TOOLS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = list(ROOT.glob("*.md"))


def test_the_table_of_tools_is_that_of_the_code() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ((?:`\w+` ?)+)\|", README, re.MULTILINE)
    told = {name: re.findall(r"\w+", parameters) for name, parameters in rows}
    assert told == {tool.name: [p.name for p in tool.params] for tool in TOOLS}


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for document in DOCUMENTS:
        code = " ".join(re.findall(r"`+[^`]*`+", document.read_text(encoding="utf-8")))
        assert set(re.findall(r"\bmake (\w+)", code)) <= targets, document


def test_json_in_it_is_json() -> None:
    blocks = re.findall(r"```json\n(.*?)```", README, re.DOTALL)
    assert len(blocks) >= 2
    for block in blocks:
        json.loads(block)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
        assert (ROOT / target).exists(), target


def test_the_tests_that_quirks_names_exist() -> None:
    text = (ROOT / "QUIRKS.md").read_text(encoding="utf-8")
    for file, name in re.findall(r"`([\w/]+\.py)`(?: (\w+))?", text):
        found = [p for p in (ROOT / "tests").rglob(Path(file).name) if str(p).endswith(file)]
        assert found, file
        if name:
            assert any(f"def test_{name}" in p.read_text(encoding="utf-8") for p in found), f"{file} {name}"

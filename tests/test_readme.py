"""What the documents promise exists."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from mac_commander.__main__ import COMMANDS
from mac_commander.install.clients import CLIENTS
from mac_commander.tools import TOOLS
from tests.server.raw_client import PROGRAM

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


def test_every_command_that_is_named_exists_with_its_options() -> None:
    named = [
        line.split(" #")[0].split()[1:]
        for document in DOCUMENTS
        for code in re.findall(r"```sh\n(.*?)```|`([^`]+)`", document.read_text(encoding="utf-8"), re.DOTALL)
        for line in "".join(code).splitlines()
        if line.startswith("mac-commander ")
    ]
    assert ["install", "claude-desktop"] in named
    for command, *arguments in named:
        assert command in COMMANDS or command.startswith("-"), command
        options = {word.strip("[]") for word in [command, *arguments] if word.strip("[]").startswith("--")}
        asked = [PROGRAM, *([command] if command in COMMANDS else []), "--help"]
        told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
        assert options <= set(re.findall(r"--[a-z]+", told)), (command, arguments)


def test_the_table_of_clients_is_that_of_the_code() -> None:
    rows = re.findall(r"^\| ([\w ]+) \| `([\w-]+)` \| `(?:~/)?([\w./]+)`", README, re.MULTILINE)
    told = {name: (title, file) for title, name, file in rows if name in CLIENTS}
    assert told == {name: (c.title, c.file.removeprefix("<applications>/")) for name, c in CLIENTS.items()}


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

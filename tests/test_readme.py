"""What the documents promise exists."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from mac_commander.__main__ import COMMANDS
from mac_commander.core import config
from mac_commander.install.clients import CLIENTS, NAME
from mac_commander.tools import TOOLS
from tests.server.raw_client import PROGRAM
from tools.readme import answers, tables
from tools.readme.__main__ import filled
from tools.readme.tables import HOME
from tools.readme.tables import PROGRAM as PLACE

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHAPES = (
    *('"changes": true', '"find"', '"vision": true', '"ok": true', '"ok": false', '"delivered": 20, "of": 47'),
    *('"scripts": [', '"stdout"', '"cause": "refused"', '"cause": "stale"', '"window"', '"delivery"'),
)
DOCUMENTS = list(ROOT.glob("*.md"))


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.mark.timeout(120)
def test_tables_and_answers_are_those_of_the_code_and_of_a_run() -> None:
    """The same as in CI; a server on the simulated Mac answers every call that the README shows."""
    done = subprocess.run([sys.executable, "-m", "tools.readme", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_shape_of_answer_is_shown() -> None:
    calls = re.findall(r"^(?:>|//) (\w+) \{", README, re.MULTILINE)
    assert set(calls) == {tool.name for tool in TOOLS}
    for shape in SHAPES:
        assert shape in README, shape


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


@pytest.mark.parametrize("client", CLIENTS)
def test_an_entry_by_hand_is_what_install_prints(client: str) -> None:
    by_hand = [json.loads(text) for text in blocks("json") if NAME in text] + [tomllib.loads(t) for t in blocks("toml")]
    told = subprocess.run([PROGRAM, "install", client, "--print"], capture_output=True, text=True, check=True).stdout
    printed = tomllib.loads(told) if told.startswith("[") else json.loads(told)
    (section,) = printed.values()
    section[NAME]["command"] = PLACE
    assert printed in by_hand


def test_the_settings_are_those_that_the_server_begins_with(tmp_path: Path) -> None:
    (shown,) = [text for text in blocks("json") if "input_blocklist" in text]
    (tmp_path / "config.json").write_text(shown)
    (tmp_path / "config.json").chmod(0o600)
    loaded = config.load(tmp_path)
    wanted = replace(
        config.defaults(tmp_path),
        input_blocklist=config.default_blocklist("darwin"),
        audit_log=Path(HOME) / "audit.jsonl",
        config_sha256=loaded.config_sha256,
    )
    assert loaded == wanted


def test_json_in_it_is_json() -> None:
    for block in [*blocks("json"), *(re.sub(r"^//.*\n", "", text, flags=re.MULTILINE) for text in blocks("jsonc"))]:
        json.loads(block)


def test_every_made_part_has_its_place() -> None:
    """The made parts are whole: a place for which nothing is made, or one that has gone, is an error."""
    made = re.findall(r"<!-- made: (\w+) -->\n(.*?)<!-- end -->", README, re.DOTALL)
    assert {name for name, _ in made} == {*tables.parts(), *answers.CALLS, "log"}
    assert all(text.strip() for _, text in made)
    with pytest.raises(KeyError):
        filled("<!-- made: nothing -->\n<!-- end -->", {})


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

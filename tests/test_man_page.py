"""The manual page tells the same commands and options, in the same words, as each ``--help``."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from mac_commander import __version__
from mac_commander.__main__ import COMMANDS
from tests.server.raw_client import PROGRAM

PAGE = (Path(__file__).parents[1] / "docs" / "mac-commander.1").read_text(encoding="utf-8")
SECTIONS = re.split(r"^\.S[HS] ", PAGE, flags=re.MULTILINE)[1:]

Options = dict[tuple[str, ...], str]


def plain(roff: str) -> str:
    text = re.sub(r"^\.(?:BR?|I|RS|RE|PP|TP) ?", "", roff, flags=re.MULTILINE)
    text = re.sub(r"\\f[BIR]", "", text).replace(r"\-", "-").replace(r"\(aq", "'").replace("\\&", "")
    return " ".join(text.split())


def names(invocation: str) -> tuple[str, ...]:
    return tuple(sorted(re.findall(r"(?<![\w-])--?[a-z][\w-]*", invocation)))


def told_by_help(*command: str) -> Options:
    environment = {**os.environ, "COLUMNS": "500", "HOME": "/nonexistent", "NO_COLOR": "1"}
    told = subprocess.run([PROGRAM, *command, "--help"], capture_output=True, text=True, env=environment).stdout
    lines = told.split("\noptions:\n")[1].split("\n\n")[0]
    entries = re.split(r"^  (?=-)", lines, flags=re.MULTILINE)[1:]
    halves = [re.split(r"\s{2,}", entry.strip(), maxsplit=1) for entry in entries]
    return {names(half[0]): " ".join(half[1].split()) if half[1:] else "" for half in halves}


def told_by_page(title: str) -> Options:
    (section,) = [s for s in SECTIONS if plain(s.splitlines()[0]).split()[:1] == [title]]
    entries = [entry.strip("\n").split("\n", 1) for entry in section.split(".TP\n")[1:]]
    return {names(plain(head)): plain(rest[0].split(".PP")[0]) if rest else "" for head, *rest in entries}


def test_the_options_of_the_server() -> None:
    assert told_by_page("OPTIONS") == told_by_help()


@pytest.mark.parametrize("command", COMMANDS)
def test_the_options_of_a_command(command: str) -> None:
    options = told_by_help(command)
    options.pop(("--help", "-h"))
    assert told_by_page(command) == options


@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_command_is_for(command: str) -> None:
    (section,) = [s for s in SECTIONS if plain(s.splitlines()[0]).split()[:1] == [command]]
    assert COMMANDS[command].lower() in plain(section).lower()


def test_its_version_is_ours() -> None:
    assert f'"mac-commander {__version__}"' in PAGE.splitlines()[0]


def test_it_is_roff() -> None:
    groff = shutil.which("groff")
    if groff is not None:
        done = subprocess.run([groff, "-man", "-Tutf8", "-ww"], input=PAGE, capture_output=True, text=True)
        assert done.stderr == ""

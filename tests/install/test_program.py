"""The command that a client's entry gets, from wherever the program was started."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

from mac_commander.install.program import command

Install = Callable[[str, str | None], Path]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """The program in a folder below the user's, installed from an address or from the index; runners are on PATH."""

    def install(folder: str, address: str | None) -> Path:
        script = tmp_path / folder / "bin" / "mac-commander"
        for program in (script, tmp_path / "bin" / "uvx", tmp_path / "bin" / "pipx"):
            program.parent.mkdir(parents=True, exist_ok=True)
            program.touch(0o755)
        about = tmp_path / "site" / "mac_commander-9.dist-info"
        about.mkdir(parents=True)
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: mac-commander\nVersion: 9\n")
        if address:
            (about / "direct_url.json").write_text(f'{{"url": "{address}", "archive_info": {{}}}}')
        found = metadata.PathDistribution(about)
        monkeypatch.setattr(metadata, "distribution", lambda name: found)
        monkeypatch.setattr(sys, "argv", [str(script)])
        monkeypatch.setenv("PATH", str(tmp_path / "bin"))
        return tmp_path

    return install


def test_an_installed_program_is_started_by_its_own_path(installed: Install) -> None:
    user = installed(".local/share/uv/tools/mac-commander", None)
    assert command() == [str(user / ".local/share/uv/tools/mac-commander/bin/mac-commander")]


@pytest.mark.parametrize(
    ("folder", "address", "wanted"),
    [
        (".cache/uv/archive-v0/x1", None, ["bin/uvx", "--from", "mac-commander", "mac-commander"]),
        (".cache/uv/archive-v0/x1", "file:///d/m.whl", ["bin/uvx", "--from", "file:///d/m.whl", "mac-commander"]),
        (".cache/pipx/f30b", None, ["bin/pipx", "run", "--spec", "mac-commander", "mac-commander"]),
        ("Library/Caches/pipx/f30b", None, ["bin/pipx", "run", "--spec", "mac-commander", "mac-commander"]),
        (".local/pipx/.cache/x1", None, ["bin/pipx", "run", "--spec", "mac-commander", "mac-commander"]),
        (".local/pipx/.cache/x1", "https://h/m.whl", ["bin/pipx", "run", "--spec", "https://h/m.whl", "mac-commander"]),
    ],
)
def test_an_environment_that_is_thrown_away_is_made_anew_from_where_it_came(
    installed: Install, folder: str, address: str | None, wanted: list[str]
) -> None:
    user = installed(folder, address)
    assert command() == [str(user / wanted[0]), *wanted[1:]]


def test_without_a_script_it_is_started_as_a_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [str(Path(__file__))])
    assert command() == [sys.executable, "-P", "-m", "mac_commander"]

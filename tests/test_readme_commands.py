"""Every line of every shell block of the README is run, in order, as somebody who found the project would."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.protocol import node
from tests.test_readme import README, ROOT

BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
LINES = [line.split("  #")[0].strip() for block in BLOCKS for line in block.splitlines()]

INSTALLS_SECONDS = 300
"""Until everything that the wheel needs has come from a registry."""


class Stranger:
    """A folder of somebody's own with a client in it, and the checkout that was just made."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        (self.home / ".config" / "Claude").mkdir(parents=True)
        (self.home / "Library" / "Application Support" / "Claude").mkdir(parents=True)
        self.checkout = folder / "checkout"
        self.checkout.mkdir()
        self.bin = folder / "bin"
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("UV_", "XDG_", "MAC_COMMANDER_", "DISPLAY"))},
            "HOME": str(self.home),
            "TMPDIR": str(folder),
            "UV_TOOL_DIR": str(folder / "tools"),
            "UV_TOOL_BIN_DIR": str(self.bin),
            "UV_PYTHON": sys.executable,
            "PATH": os.pathsep.join([str(self.bin), str(Path(sys.executable).parent), os.environ["PATH"]]),
        }

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["/bin/sh", "-c", line],
            cwd=self.checkout,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=INSTALLS_SECONDS,
        )


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Stranger:
    return Stranger(tmp_path_factory.mktemp("stranger"))


def make(stranger: Stranger, target: str) -> None:
    """`make test` is what runs this, and `make dist` what it builds into another folder; so of them only what they
    would do is looked at here."""
    up_to_date = f"make -C {ROOT} -o setup -o .venv/ready -o node -o packages"
    if target == "demo":
        done = stranger.run(f"{up_to_date} demo")
        assert "The audit log: one line for every call" in done.stdout, done.stdout + done.stderr
        return
    told = stranger.run(f"{up_to_date} --dry-run {target}").stdout
    assert {"test": "-m pytest", "dist": "-m tools.release"}[target] in told
    if target == "dist":
        build(stranger)


def build(stranger: Stranger) -> None:
    if why := node.missing(node.MCPB):
        pytest.skip(f"not run: {why}")
    argv = [sys.executable, "-m", "tools.release", stranger.checkout / "dist"]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    kinds = sorted(path.suffix for path in (stranger.checkout / "dist").iterdir())
    assert kinds == [".gz", ".json", ".mcpb", ".whl"]


def uv(stranger: Stranger, line: str) -> None:
    if shutil.which("uv") is None:
        pytest.skip("not run: uv is not here; the installed wheel itself is tried in tests/tools/test_release.py")
    done = stranger.run(line)
    assert done.returncode == 0, done.stderr
    program = stranger.bin / "mac-commander"
    assert program.exists() == ("uninstall" not in line)


def product(stranger: Stranger, line: str) -> None:
    done = stranger.run(line)
    settings = [*stranger.home.rglob("claude_desktop_config.json")]
    match shlex.split(line)[1:]:
        case ["install", "claude-desktop"]:
            assert done.returncode == 0, done.stderr
            assert len(settings) == 1
        case ["uninstall", "claude-desktop"]:
            assert done.returncode == 0, done.stderr
            assert settings == []
        case ["doctor"]:  # what is missing depends on the machine; that it is told does not
            assert re.search(r"^(all is there|\d+ missing)$", done.stdout, re.MULTILINE), done.stdout + done.stderr
        case _:
            pytest.fail(f"say here what {line!r} has to do")


def test_there_are_commands() -> None:
    assert LINES[:2] == ["make demo", "make test"]
    assert len(LINES) == len(set(LINES)) >= 6


@pytest.mark.timeout(INSTALLS_SECONDS + 20)
@pytest.mark.parametrize("line", LINES)
def test_a_command_does_what_is_said(stranger: Stranger, line: str) -> None:
    program, *rest = line.split()
    match program:
        case "make":
            make(stranger, *rest)
        case "uv":
            uv(stranger, line)
        case "mac-commander":
            product(stranger, line)
        case _:
            pytest.fail(f"say here how {line!r} is run")

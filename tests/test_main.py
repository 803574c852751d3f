"""The command line: what people see, and the codes that scripts see."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
from pathlib import Path

import pytest

from mac_commander import __version__
from tests.server.raw_client import PROGRAM


def ran(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=20, **options)  # type: ignore[call-overload,no-any-return]


def test_help_teaches_and_needs_no_desktop() -> None:
    done = ran("--help", env={"PATH": os.defpath, "HOME": "/nonexistent"})
    assert done.returncode == 0
    for word in ("mcpServers", "claude mcp add", "--desktop", "--home", "audit.jsonl", "log", str(PROGRAM)):
        assert word in done.stdout


def test_version() -> None:
    assert ran("--version").stdout == f"mac-commander {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--desktop", "windows"], "invalid choice"),
        (["nope"], "invalid choice"),
        (["--nope"], "unrecognized arguments"),
        (["--world", "w.json"], "go with --desktop simulated"),
        (["--desktop", "simulated", "doctor"], "wanted the command first"),
    ],
)
def test_wrong_usage_is_2_and_says_why(arguments: list[str], says: str) -> None:
    done = ran(*arguments, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr


def test_a_wrong_world_is_told_at_once_with_the_place_and_by_the_status(tmp_path: Path) -> None:
    world = tmp_path / "world.json"
    world.write_text('{"apps": [{"name": "A", "windows": [{"title": "no bounds"}]}]}', encoding="utf-8")
    done = ran("--home", str(tmp_path / "home"), "--desktop", "simulated", "--world", str(world), input="")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"mac-commander: --world {world}: apps[0].windows[0].bounds: missing\n"


def test_alone_on_a_terminal_it_says_what_it_is_rather_than_hang() -> None:
    leader, follower = pty.openpty()
    done = ran(stdin=follower)
    os.close(leader)
    os.close(follower)
    assert done.returncode == 2
    assert "MCP server" in done.stderr
    assert done.stderr.endswith("To see it at work: mac-commander demo\n")
    assert done.stdout == ""


@pytest.mark.parametrize("command", ["demo", "verify"])
def test_ctrl_c_ends_it_without_a_traceback(command: str, tmp_path: Path) -> None:
    """Its servers get the signal too, as a terminal sends it to the whole group."""
    environment = {"PATH": os.defpath, "HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    process = subprocess.Popen(
        [PROGRAM, command, "--desktop", "simulated"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=tmp_path,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert "Traceback" not in said


def test_a_closed_stdin_is_said(tmp_path: Path) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'"{PROGRAM}" --home "{tmp_path}" <&-'], capture_output=True, text=True, timeout=20
    )
    assert done.returncode == 2
    assert done.stderr.startswith("mac-commander: wanted stdin")

"""The two commands on real files, in a user's folder of the test's own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mac_commander.install.clients import CLIENTS, NAME
from mac_commander.install.config_file import BACKUP_SUFFIX
from tests.server.raw_client import PROGRAM

PLACES = {
    "claude-desktop": ("Library/Application Support/Claude/" if sys.platform == "darwin" else ".config/Claude/")
    + "claude_desktop_config.json",
    "claude-code": ".claude.json",
    "cursor": ".cursor/mcp.json",
    "vscode": ("Library/Application Support/Code/User/" if sys.platform == "darwin" else ".config/Code/User/")
    + "mcp.json",
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
}
SECTIONS = {"vscode": "servers", "codex": "mcp_servers"}


class User:
    """A folder for a user's files, and the program run as that user would."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *arguments: str | Path, code: int = 0) -> subprocess.CompletedProcess[str]:
        environment = {"HOME": str(self.folder), "PATH": os.defpath}
        done = subprocess.run(
            [PROGRAM, *arguments], capture_output=True, text=True, timeout=30, env=environment, cwd=self.folder
        )
        assert done.returncode == code, done.stderr
        return done

    def file(self, client: str, text: str | None = None) -> Path:
        path = self.folder / PLACES[client]
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is not None:
            path.write_bytes(text.encode())
        return path

    def entry(self, client: str) -> Any:
        text = self.file(client).read_bytes().decode()
        return CLIENTS[client].syntax.servers(text, SECTIONS.get(client, "mcpServers"))[NAME]


@pytest.fixture
def user(tmp_path: Path) -> User:
    return User(tmp_path)


def sample(client: str) -> str:
    section = SECTIONS.get(client, "mcpServers")
    if client == "codex":
        return f'# mine\nmodel = "x"\n\n[{section}.other]\ncommand = "o"\n'
    comment = "" if client.startswith("claude") else "  // mine\r\n"
    return f'{{\r\n{comment}  "é":  1e3,\r\n  "{section}": {{\r\n    "other": {{"command": "o"}}\r\n  }}\r\n}}'


def test_every_client_has_its_place() -> None:
    assert set(PLACES) == set(CLIENTS)


@pytest.mark.parametrize("client", PLACES)
def test_in_and_out_again_leaves_every_byte(user: User, client: str) -> None:
    file = user.file(client, sample(client))
    told = user.run("install", client).stdout
    assert str(file) in told
    assert user.entry(client)["command"] == str(PROGRAM)
    assert Path(user.entry(client)["command"]).is_absolute()
    backup = file.with_name(file.name + BACKUP_SUFFIX)
    assert backup.read_bytes() == sample(client).encode()
    user.run("uninstall", client)
    assert file.read_bytes() == sample(client).encode()
    assert [path for path in file.parent.iterdir() if path.is_file()] == [file]


@pytest.mark.parametrize("client", PLACES)
def test_where_there_was_no_file_there_is_none_after(user: User, client: str) -> None:
    file = user.file(client)
    user.run("install", client)
    assert user.entry(client)["command"] == str(PROGRAM)
    assert file.stat().st_mode & 0o777 == 0o600
    user.run("uninstall", client)
    assert not file.exists()


@pytest.mark.parametrize("client", PLACES)
def test_what_is_printed_is_what_would_be_written(user: User, client: str) -> None:
    printed = user.run("install", client, "--print", "--desktop", "simulated")
    assert not user.folder.joinpath(PLACES[client]).exists()
    user.file(client)
    user.run("install", client, "--desktop", "simulated")
    assert user.file(client).read_text() == printed.stdout
    assert PLACES[client] in printed.stderr


@pytest.mark.parametrize("client", PLACES)
def test_what_is_malformed_is_left_alone_with_the_reason(user: User, client: str) -> None:
    file = user.file(client, '{"a": \n')
    done = user.run("install", client, code=1)
    assert file.read_text() == '{"a": \n'
    assert "not valid" in done.stderr.splitlines()[0]
    assert "line 2" in done.stderr or client == "codex"
    assert "mac-commander" in done.stdout
    assert user.run("uninstall", client, code=1).stderr.startswith(f"mac-commander: {file} is left alone: not valid")
    assert list(file.parent.glob("*" + BACKUP_SUFFIX)) == []


def test_options_travel_as_absolute_paths_and_change_the_entry(user: User) -> None:
    user.file("cursor", '{"mcpServers": {}}\n')
    user.run("install", "cursor")
    user.run("install", "cursor", "--home", "mine", "--desktop", "x11")
    assert user.entry("cursor")["args"] == ["--home", str(user.folder / "mine"), "--desktop", "x11"]
    user.run("uninstall", "cursor")
    assert user.file("cursor").read_text() == '{"mcpServers": {}}\n'


@pytest.mark.parametrize("client", PLACES)
def test_variables_are_added_to_what_is_there(user: User, client: str) -> None:
    user.file(client, sample(client))
    user.run("install", client, "--env", "DISPLAY=:1")
    user.run("install", client, "--env", "A=b=c")
    assert user.entry(client)["env"] == {"DISPLAY": ":1", "A": "b=c"}
    user.run("uninstall", client)
    assert user.file(client).read_bytes() == sample(client).encode()


def test_doing_it_twice_changes_nothing(user: User) -> None:
    file = user.file("gemini", sample("gemini"))
    user.run("install", "gemini")
    once = file.stat()
    assert "already" in user.run("install", "gemini").stdout
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == (once.st_mtime_ns, once.st_ino)


def test_what_the_user_adds_to_our_entry_stays(user: User) -> None:
    file = user.file("claude-desktop", '{"mcpServers": {"mac-commander": {"command": "old", "env": {"A": "1"}}}}')
    user.run("install", "claude-desktop")
    assert user.entry("claude-desktop") == {"command": str(PROGRAM), "env": {"A": "1"}, "args": []}
    assert "\n" not in file.read_text()


def test_a_file_that_changed_since_loses_only_our_entry(user: User) -> None:
    file = user.file("cursor", '{\n  "mcpServers": {\n    "a": {}\n  }\n}\n')
    user.run("install", "cursor")
    file.write_text(file.read_text().replace('"a": {}', '"a": {},\n    "b": {}'))
    told = user.run("uninstall", "cursor").stdout
    assert file.read_text() == '{\n  "mcpServers": {\n    "a": {},\n    "b": {}\n  }\n}\n'
    assert BACKUP_SUFFIX in told


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("macos-mcp", {"command": "x"}),
        ("MacOS-MCP", {"command": "x"}),
        ("desk", {"command": "uvx", "args": ["macos-mcp"]}),
        ("desk", {"command": "/opt/macos_mcp/bin/run"}),
    ],
)
def test_the_server_it_replaces_is_named_and_stays(user: User, name: str, entry: dict[str, object]) -> None:
    user.file("claude-desktop", json.dumps({"mcpServers": {name: entry, "files": {"command": "desktop-commander"}}}))
    told = user.run("install", "claude-desktop").stdout
    assert f'"{name}" looks like MacOS-MCP' in told
    assert told.count("note:") == 1
    assert json.loads(user.file("claude-desktop").read_text())["mcpServers"][name] == entry


def test_a_client_that_is_not_here_gets_its_text_printed(user: User) -> None:
    done = user.run("install", "codex", code=1)
    assert "has not run here yet" in done.stderr
    assert done.stdout.startswith("[mcp_servers.mac-commander]")
    assert list(user.folder.iterdir()) == []


def test_a_file_of_a_folder_that_is_not_there_asks_for_the_folder_and_not_for_the_client(user: User) -> None:
    done = user.run("install", "cursor", "--file", ".cursor/mcp.json", code=1)
    assert f"{user.folder}/.cursor is not there; make that folder first" in done.stderr
    assert list(user.folder.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "doctor"),
    [
        ([], "`mac-commander doctor`"),
        (["--desktop", "simulated"], "`mac-commander doctor --desktop simulated`"),
        (["--home", "/a folder"], "`mac-commander doctor --home '/a folder'`"),
    ],
)
def test_doctor_is_told_to_look_at_what_the_entry_uses(user: User, options: list[str], doctor: str) -> None:
    user.file("cursor")
    assert doctor in user.run("install", "cursor", *options).stdout


def test_a_linked_file_stays_a_link_and_its_mode_stays(user: User) -> None:
    kept = user.folder / "dotfiles.json"
    kept.write_text("{}\n")
    kept.chmod(0o640)
    user.file("cursor").symlink_to(kept)
    user.run("install", "cursor")
    assert user.file("cursor").is_symlink()
    assert kept.stat().st_mode & 0o777 == 0o640
    assert NAME in kept.read_text()


def test_another_file_can_be_named(user: User) -> None:
    user.run("install", "vscode", "--file", "mcp.json")
    assert json.loads((user.folder / "mcp.json").read_text())["servers"][NAME]["type"] == "stdio"


@pytest.mark.parametrize(
    "arguments", [["install"], ["install", "word"], ["uninstall"], ["install", "cursor", "--env", "A"]]
)
def test_wrong_usage_is_2(user: User, arguments: list[str]) -> None:
    assert "usage: mac-commander" in user.run(*arguments, code=2).stderr


@pytest.mark.parametrize("content", [b"\xff{}", b""])
def test_bytes_that_are_no_text(user: User, content: bytes) -> None:
    file = user.file("cursor")
    file.write_bytes(content)
    user.run("install", "cursor", code=1 if content else 0)
    user.run("uninstall", "cursor", code=1 if content else 0)
    assert file.read_bytes() == content

"""The MCP clients that can be wired, and where each keeps its servers.

Sources: each client's own documentation; the paths are those of a user-wide installation.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mac_commander.install.edits import Entry, Syntax
from mac_commander.install.json_edit import JSON, JSONC
from mac_commander.install.toml_edit import TOML

NAME = "mac-commander"
"""Of our entry, in every client."""


@dataclass(frozen=True, slots=True)
class Client:
    title: str
    file: str
    """Relative to the user's folder; a first part in angle brackets is the platform's folder for applications."""
    section: str
    syntax: Syntax
    afterwards: str
    """What the user does next, for the client to notice."""
    extra: Mapping[str, str] = field(default_factory=dict)
    folder_variable: str = ""
    """An environment variable that names another folder for the file."""

    def path(self) -> Path:
        folder = os.environ.get(self.folder_variable) if self.folder_variable else None
        if folder:
            return Path(folder).expanduser().absolute() / Path(self.file).name
        top, _, rest = self.file.partition("/")
        return _applications() / rest if top == "<applications>" else Path.home() / self.file

    def entry(self, command: str, args: list[str], variables: Mapping[str, str]) -> Entry:
        env = {"env": dict(variables)} if variables else {}
        return {**self.extra, "command": command, "args": args, **env}


def _applications() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


CLIENTS: Mapping[str, Client] = {
    "claude-desktop": Client(
        "Claude Desktop",
        "<applications>/Claude/claude_desktop_config.json",
        "mcpServers",
        JSON,
        "quit Claude Desktop (its menu, not the window) and open it again",
    ),
    "claude-code": Client(
        "Claude Code",
        ".claude.json",
        "mcpServers",
        JSON,
        "start a new session; /mcp shows it",
        {"type": "stdio"},
        "CLAUDE_CONFIG_DIR",
    ),
    "cursor": Client(
        "Cursor", ".cursor/mcp.json", "mcpServers", JSONC, "switch it on in Cursor Settings > MCP, if it is not"
    ),
    "vscode": Client(
        "VS Code",
        "<applications>/Code/User/mcp.json",
        "servers",
        JSONC,
        "run the command 'MCP: List Servers' and start it",
        {"type": "stdio"},
    ),
    "codex": Client(
        "Codex",
        ".codex/config.toml",
        "mcp_servers",
        TOML,
        "start a new session; /mcp shows it",
        folder_variable="CODEX_HOME",
    ),
    "gemini": Client("Gemini CLI", ".gemini/settings.json", "mcpServers", JSONC, "start a new session; /mcp shows it"),
}

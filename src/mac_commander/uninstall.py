"""``mac-commander uninstall CLIENT``: take the server out of a client's configuration again."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from mac_commander.install.clients import CLIENTS, NAME, Client
from mac_commander.install.config_file import ConfigFile
from mac_commander.install.edits import LeftAlone

DESCRIPTION = """\
Take Mac-Commander out of an MCP client's configuration. A file that nobody changed since becomes what it was
before, byte for byte; in any other only our entry goes. The server's own folder stays: `mac-commander --help` names it.
"""


def main(argv: Sequence[str]) -> int:
    """Exit status: 0 it is out, 1 left alone, with the reason, 2 wrong usage."""
    options = _parser().parse_args(argv)
    client = CLIENTS[options.client]
    file = ConfigFile(options.file or client.path())
    try:
        told = _uninstall(client, file)
    except (LeftAlone, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        sys.stderr.write(f"mac-commander: {file.path} is left alone: {reason}\n")
        return 1
    sys.stdout.write(f"{told}\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "mac-commander uninstall", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("client", choices=CLIENTS, metavar="CLIENT", help=", ".join(CLIENTS))
    parser.add_argument("--file", metavar="FILE", type=Path, help="another file than the client's usual one")
    return parser


def _uninstall(client: Client, file: ConfigFile) -> str:
    now = file.read()
    servers = client.syntax.servers(now or "", client.section)
    if now is None or NAME not in servers:
        return f"{client.title} does not have it: {file.path}"
    kept = file.read_backup()
    if now != _installed(client, kept, servers[NAME]):
        file.write(client.syntax.drop(now, client.section, NAME))
        return f"taken out of {file.path}" + (f"; as it was before: {file.backup}" if kept is not None else "")
    if kept is None:
        file.target.unlink()
        return f"{file.path} held nothing else and is gone"
    file.write(kept)
    file.backup.unlink()
    return f"{file.path} is again as it was"


def _installed(client: Client, before: str | None, entry: object) -> str | None:
    """What installing made of the file of before; ``None`` when that cannot be said."""
    if not isinstance(entry, dict):
        return None
    try:
        return client.syntax.put(before or "", client.section, NAME, entry)
    except LeftAlone:
        return None

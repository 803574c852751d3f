"""``mac-commander install CLIENT``: put the server into a client's configuration, and touch nothing else there."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mac_commander.install.clients import CLIENTS, NAME, Client
from mac_commander.install.config_file import ConfigFile
from mac_commander.install.edits import Entry, LeftAlone
from mac_commander.install.program import command

REPLACED = re.compile(r"mac[-_ ]?os[-_ ]?mcp", re.IGNORECASE)
"""The server that this one replaces, by its package's name, in an entry's name or command."""

DESCRIPTION = """\
Put Mac-Commander into an MCP client's configuration. Everything else in the file stays as it is, and the
file of before is kept beside it. Doing it again with other options changes the entry.
"""

EXAMPLES = """\
examples:
  mac-commander install claude-desktop
  mac-commander install vscode --print
  mac-commander install cursor --file .cursor/mcp.json      this project only
  mac-commander install gemini --env DISPLAY=:1             where there are several displays
  mac-commander install codex --desktop simulated           to try it on the simulated Mac
  mac-commander uninstall claude-desktop                    undo
"""


def main(argv: Sequence[str]) -> int:
    """Exit status: 0 installed, printed, or there already; 1 left alone, with the reason; 2 wrong usage."""
    options = _parser().parse_args(argv)
    client = CLIENTS[options.client]
    file = ConfigFile(options.file or client.path())
    given = _given(options)
    program, *first = command()
    entry = client.entry(program, [*first, *given], dict(options.env))
    if options.print:
        sys.stdout.write(snippet(client, entry))
        sys.stderr.write(f"goes into {file.path}\n")
        return 0
    try:
        _install(client, file, entry, given)
    except (LeftAlone, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        sys.stderr.write(f"mac-commander: {file.path} is left alone: {reason}\nBy hand, it would get:\n")
        sys.stdout.write(snippet(client, entry))
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "mac-commander install",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("client", choices=CLIENTS, metavar="CLIENT", help=", ".join(CLIENTS))
    parser.add_argument("--print", action="store_true", help="show what would be added, and change nothing")
    parser.add_argument("--file", metavar="FILE", type=Path, help="another file than the client's usual one")
    parser.add_argument(
        "--env",
        metavar="NAME=VALUE",
        type=_variable,
        action="append",
        default=[],
        help="a variable for the server, like DISPLAY=:1; may be given again",
    )
    parser.add_argument("--home", metavar="DIR", type=Path, help="the server's --home")
    parser.add_argument("--desktop", choices=["auto", "macos", "x11", "simulated"], help="the server's --desktop")
    return parser


def _variable(given: str) -> tuple[str, str]:
    name, equals, value = given.partition("=")
    if not (name.isidentifier() and equals):
        raise argparse.ArgumentTypeError(f"wanted NAME=VALUE, got {given!r}")
    return name, value


def _given(options: argparse.Namespace) -> list[str]:
    """The server's own options; ``doctor`` needs the same to look at the same folder and desktop."""
    home = ["--home", str(options.home.expanduser().absolute())] if options.home else []
    return [*home, *(["--desktop", options.desktop] if options.desktop else [])]


def snippet(client: Client, entry: Entry) -> str:
    """The file's text if there were nothing else in it."""
    return client.syntax.put("", client.section, NAME, entry)


def _install(client: Client, file: ConfigFile, entry: Entry, given: Sequence[str]) -> None:
    before = file.read()
    if before is None and not file.target.parent.is_dir():
        raise LeftAlone(f"{file.target.parent} is not there{_next_step(client, file)}")
    there = client.syntax.servers(before or "", client.section)
    old = there.get(NAME)
    wanted = merged(old, entry) if isinstance(old, Mapping) else entry
    if old == wanted:
        sys.stdout.write(f"{client.title} has it already: {file.path}\n")
    else:
        after = client.syntax.put(before or "", client.section, NAME, wanted)
        if before is not None and old is None:
            file.keep(before)
        file.write(after)
        sys.stdout.write(_told(client, file, given, kept=before is not None, changed=old is not None))
    sys.stdout.write("".join(f"{line}\n" for line in rivals(there)))


def merged(old: Mapping[str, Any], entry: Entry) -> Entry:
    """What the user added to our entry stays."""
    before = old.get("env")
    variables = {**(before if isinstance(before, Mapping) else {}), **entry.get("env", {})}
    return {**old, **entry, **({"env": variables} if variables else {})}


def _next_step(client: Client, file: ConfigFile) -> str:
    if file.path != client.path():
        return "; make that folder first"
    return f", so {client.title} has not run here yet; start it once"


def _told(client: Client, file: ConfigFile, given: Sequence[str], *, kept: bool, changed: bool) -> str:
    done = "changed in" if changed else "added to"
    backup = f"before: {file.backup}\n" if kept and file.backup.exists() else ""
    doctor = shlex.join(["mac-commander", "doctor", *given])
    return f"{done} {file.path}\n{backup}next: {client.afterwards}; `{doctor}` says what is missing\n"


def rivals(servers: Mapping[str, Any]) -> list[str]:
    """What to say about entries that would fight with ours over the keyboard. Theirs to remove."""
    return [
        f"note: {json.dumps(name)} looks like MacOS-MCP, which this server replaces: two servers would fight over one "
        "keyboard. Remove that entry yourself."
        for name, entry in servers.items()
        if name != NAME and REPLACED.search(f"{name} {_words(entry)}")
    ]


def _words(entry: object) -> str:
    """An entry's command and arguments; its ``env`` may hold keys and is not looked at."""
    if not isinstance(entry, Mapping):
        return ""
    args = entry.get("args")
    return " ".join(str(word) for word in [entry.get("command"), *(args if isinstance(args, list) else [])])

"""The command line; the only place that picks a desktop and puts the server together."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import signal
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from mac_commander import __version__

if TYPE_CHECKING:
    from mac_commander.companions import Companions
    from mac_commander.core.config import Config
    from mac_commander.core.dispatch import Grounds
    from mac_commander.core.session import Session
    from mac_commander.core.stop import Stop

COMMANDS = {
    "demo": "show all of it on a private desktop of its own",
    "doctor": "say what is missing, and how to grant it",
    "install": "add the server to an MCP client's configuration",
    "uninstall": "take it out again",
    "log": "read the audit log",
    "verify": "drive the real desktop and check what arrives",
}
"""Each is ``mac_commander.<name>.main(argv) -> int``, offered when that module is there."""

USAGE_ERROR = 2
INTERRUPTED = 128 + signal.SIGINT
"""What a shell calls a program that Ctrl-C ended."""

USAGE = """\
mac-commander [OPTION]...
       mac-commander COMMAND [OPTION]..."""

DESCRIPTION = """\
Mac-Commander is an MCP server for desktop apps: see, act, app, notify and applescript,
with every input step proven to reach the app it is meant for. An MCP client starts it and
talks to it on stdin and stdout.
"""

EPILOG = """\
commands, each with its own --help:
  {commands}

wire it to a client:
  mac-commander install claude-desktop    (or claude-code, cursor, vscode, codex, gemini)
any other client (absolute paths: clients pass no PATH of yours):
  {{"mcpServers": {{"mac-commander": {{"command": "{program}"}}}}}}
  claude mcp add --scope user mac-commander -- {program}

the folder with config.json, audit.jsonl and scripts/ is made at the first tool call:
  --home, else $MAC_COMMANDER_HOME, else {home}
"""

ON_A_TERMINAL = """
This is a terminal, so nothing was started. To see it at work: mac-commander demo
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Returns the exit status: 0 done, 1 failed, 2 wrong usage, 130 ended by Ctrl-C."""
    try:
        return _run(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(arguments: Sequence[str]) -> int:
    if arguments and arguments[0] in _commands():
        return _command(arguments[0], arguments[1:])
    if late := next((word for word in arguments if word in _commands()), None):
        return _fail(f"wanted the command first, its options after it: mac-commander {late} …")
    options = _parser().parse_args(arguments)
    if sys.stdin is None or sys.stdin.closed or sys.stdout is None:
        return _fail("wanted stdin and stdout to talk MCP on; one of them is closed")
    if sys.stdin.isatty() and options.command != "serve":
        sys.stderr.write(_parser().format_help() + ON_A_TERMINAL)
        return USAGE_ERROR
    if options.desktop != "simulated" and (options.world or options.journal):
        return _fail("--world and --journal go with --desktop simulated only")
    return _serve(options)


def _command(name: str, arguments: Sequence[str]) -> int:
    try:
        status: int = importlib.import_module(f"mac_commander.{name}").main(arguments)
        return status
    except BrokenPipeError:  # `| head` has seen enough; what Python flushes at its end goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _commands() -> dict[str, str]:
    return {name: text for name, text in COMMANDS.items() if importlib.util.find_spec(f"mac_commander.{name}")}


def _parser() -> argparse.ArgumentParser:
    from mac_commander.home import locate

    commands = {"serve": "serve MCP (the default)", **_commands()}
    told = "\n  ".join(f"{name:<11}{text}" for name, text in commands.items())
    epilog = EPILOG.format(commands=told, program=_program(), home=locate(None))
    parser = argparse.ArgumentParser(
        "mac-commander",
        usage=USAGE,
        description=DESCRIPTION,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", nargs="?", choices=list(commands), metavar="COMMAND", help="see below")
    parser.add_argument("--home", metavar="DIR", help="the folder for config.json, audit.jsonl and scripts/")
    parser.add_argument(
        "--desktop",
        choices=["auto", "macos", "x11", "simulated"],
        default="auto",
        help="auto: macOS on a Mac, X11 where a display is found; never the simulation",
    )
    parser.add_argument("--world", metavar="FILE", type=Path, help="simulated: a JSON file that sets the scene")
    parser.add_argument("--journal", metavar="FILE", type=Path, help="simulated: write what reaches each app here")
    parser.add_argument(
        "--overlay",
        type=lambda value: value or "true",  # empty: a bundle's setting that was left empty
        choices=["true", "false"],
        default="true",
        help="false: no halo, whatever config.json says",
    )
    parser.add_argument("--version", action="version", version=f"mac-commander {__version__}")
    return parser


def _program() -> str:
    return str(Path(sys.argv[0]).absolute()) if sys.argv and Path(sys.argv[0]).is_file() else "mac-commander"


def _fail(reason: str) -> int:
    sys.stderr.write(f"mac-commander: {reason}\n")
    return USAGE_ERROR


def _serve(options: argparse.Namespace) -> NoReturn:
    from mac_commander.companions import Companions
    from mac_commander.core.dispatch import Dispatcher
    from mac_commander.server import serve

    status = USAGE_ERROR if _is_wrong(options.world) else 0
    companions = Companions()
    open_session = partial(
        _open_session, companions, options.desktop, options.world, options.journal, options.overlay == "true"
    )
    serve(Dispatcher(partial(_lay_grounds, options.home), open_session, companions.hooks), status)


def _is_wrong(world: Path | None) -> bool:
    """A world file that is wrong is told at once and by the exit status; the server still starts, and every call
    answers the same."""
    if world is None:
        return False
    from mac_commander.stdio import complain
    from simulated_mac import WorldError
    from simulated_mac.world import read

    try:
        read(world)
    except (WorldError, OSError) as error:
        complain(f"--world {world}: {error}")
        return True
    return False


def _lay_grounds(home_option: str | None) -> Grounds:
    """Home, config and log, at the first call. A config that cannot be trusted still gets its refusals logged."""
    from mac_commander import home
    from mac_commander.core import config, scripts
    from mac_commander.core.audit import AuditLog
    from mac_commander.core.dispatch import Grounds
    from mac_commander.errors import Locked
    from mac_commander.stdio import complain

    folder = home.locate(home_option)
    fallback = config.defaults(folder)
    try:
        if trouble := home.prepare(folder):
            complain(trouble)
        loaded = scripts.pinned(config.load(folder))
    except Locked as lock:
        return Grounds(fallback, AuditLog(fallback.audit_log), lock)
    return Grounds(loaded, AuditLog(loaded.audit_log))


def _open_session(
    companions: Companions,
    kind: str,
    world: Path | None,
    journal: Path | None,
    overlay: bool,
    config: Config,
    stop: Stop,
) -> Session:
    from mac_commander.core.session import Session
    from mac_commander.desktops import open_desktop

    desktop = open_desktop(kind, world, journal)
    companions.join("simulated" if kind == "simulated" else desktop.name, desktop, overlay and config.overlay)
    session = Session(desktop, config, stop, companions.guardian)
    session.notice = companions.notice
    return session


if __name__ == "__main__":
    sys.exit(main())

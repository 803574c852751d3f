"""What the code itself declares: the tools, the step kinds, the clients, the settings, the registry's name."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from pathlib import Path

from mac_commander.core import config
from mac_commander.core.steps import FIELDS, TAKES
from mac_commander.install import snippet
from mac_commander.install.clients import CLIENTS, Client
from mac_commander.tools import TOOLS
from tools.readme.layout import block, wrapped
from tools.release import project, registry

PROGRAM = "/Users/you/.local/bin/mac-commander"
"""Where `uv tool install` puts it; the README's examples are a Mac's."""

HOME = "/Users/you/Library/Application Support/Mac-Commander"
APPLICATIONS = "~/Library/Application Support"


def parts() -> dict[str, str]:
    return {
        "tools": _tools(),
        "steps": _steps(),
        "clients": _clients(),
        "entries": _by_hand(),
        "config": _config(),
        "name": f"<!-- mcp-name: {registry.name(project.read())} -->",
    }


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _words(names: Iterable[str]) -> str:
    return " ".join(f"`{name}`" for name in names)


def _tools() -> str:
    rows = [(f"**`{t.name}`**", _words(p.name for p in t.params), t.description.splitlines()[0]) for t in TOOLS]
    return _table(("tool", "arguments", "what the model is told of it"), rows)


def _steps() -> str:
    order = [param.name for param in FIELDS]
    return _table(
        ("`kind`", "its fields"),
        [(f"`{kind}`", _words(sorted(fields, key=order.index))) for kind, fields in TAKES.items()],
    )


def _clients() -> str:
    rows = [(client.title, f"`mac-commander install {name}`", f"`{_file(client)}`") for name, client in CLIENTS.items()]
    return _table(("client", "command", "the file, on a Mac"), rows)


def _file(client: Client) -> str:
    top, _, rest = client.file.partition("/")
    return f"{APPLICATIONS}/{rest}" if top == "<applications>" else f"~/{client.file}"


def _by_hand() -> str:
    """What `install --print` prints, once for all clients that take the same."""
    takers: dict[str, list[str]] = {}
    for client in CLIENTS.values():
        text = snippet(client, client.entry(PROGRAM, [], {}))
        compact = text if text.startswith("[") else wrapped(json.loads(text))
        takers.setdefault(compact.rstrip(), []).append(client.title)
    return "\n\n".join(
        f"{', '.join(titles)}:\n\n{block('toml' if text.startswith('[') else 'json', text)}"
        for text, titles in takers.items()
    )


def _config() -> str:
    """The very file that the server writes on a Mac when there is none."""
    with tempfile.TemporaryDirectory() as folder:
        config.load(Path(folder))
        written = json.loads((Path(folder) / "config.json").read_text(encoding="utf-8"))
    written["input_blocklist"] = list(config.default_blocklist("darwin"))
    return block("json", wrapped(written | {"audit_log": f"{HOME}/audit.jsonl"}))

"""The protocol's own tools, which run on Node: pinned in requirements/node, put there by `make test`."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODULES = ROOT / "requirements" / "node" / "node_modules"
OLDEST = 22
"""The conformance suite uses what Node 20 has not, and does not say so."""

CONFORMANCE = MODULES / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
INSPECTOR = MODULES / ".bin" / "mcp-inspector"
MCPB = MODULES / ".bin" / "mcpb"


@cache
def program() -> Path | None:
    """Node from the test environment, else from PATH; ``None`` when there is none that is new enough."""
    for candidate in (Path(sys.executable).with_name("node"), shutil.which("node")):
        if candidate and Path(candidate).exists() and _major(Path(candidate)) >= OLDEST:
            return Path(candidate)
    return None


def _major(node: Path) -> int:
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    match = re.match(r"v(\d+)\.", told)
    return int(match[1]) if match else 0


def missing(tool: Path) -> str:
    """Why this tool cannot run here; empty when it can."""
    if program() is None:
        return f"wanted Node {OLDEST} or newer, found none; `make setup` installs it where there is a build of it"
    if not tool.exists():
        return f"{tool.relative_to(ROOT)} is not there; `make node` fetches it"
    return ""


def run(tool: Path, *arguments: str | Path, seconds: float = 300.0) -> subprocess.CompletedProcess[str]:
    node = program()
    assert node is not None
    return subprocess.run(
        [node, tool.resolve(), *arguments], capture_output=True, text=True, timeout=seconds, cwd=ROOT, check=False
    )

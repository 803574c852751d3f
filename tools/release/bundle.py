"""The MCPB bundle: sources and a manifest. The client's uv makes the environment, so one bundle fits all systems."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from mac_commander.tools import TOOLS
from tools.release import icon
from tools.release.project import ROOT, Project

MANIFEST_VERSION = "0.4"
"""The first that knows servers of type uv."""

PACKAGES = ("mac_commander", "simulated_mac")

LONG = (
    "Five tools: see an app's accessibility tree and picture, act on it in batches of steps, manage apps and windows, "
    "show a banner, run one of your own scripts by name. Before every group of keys and clicks it is proven that they "
    "reach the app they are meant for; password managers and system settings get no input; every call is logged.\n\n"
    "On a Mac grant Claude two permissions in System Settings > Privacy & Security: Accessibility, and Screen & System "
    "Audio Recording for pictures. If MacOS-MCP is installed, remove it: two servers would fight over one keyboard."
)


def manifest(project: Project) -> dict[str, Any]:
    return {
        "manifest_version": MANIFEST_VERSION,
        "name": project.name,
        "display_name": "Mac-Commander",
        "version": project.version,
        "description": project.description,
        "long_description": LONG,
        "author": {"name": project.author},
        "repository": {"type": "git", "url": project.repository},
        "documentation": f"{project.repository}#readme",
        "support": f"{project.repository}/issues",
        "license": project.license,
        "keywords": list(project.keywords),
        "icon": "icon.png",
        "privacy_policies": [f"{project.repository}/blob/main/SECURITY.md#privacy"],
        "server": {
            "type": "uv",
            "entry_point": "src/mac_commander/__main__.py",
            "mcp_config": {
                "command": "uv",
                "args": [
                    *("run", "--directory", "${__dirname}", "--no-dev", "mac-commander"),
                    "--home=${user_config.home}",
                    "--overlay=${user_config.overlay}",
                ],
            },
        },
        "tools": [{"name": tool.name, "description": tool.description} for tool in TOOLS],
        "compatibility": {"platforms": ["darwin", "linux"], "runtimes": {"python": project.requires_python}},
        "user_config": {
            "home": {
                "type": "directory",
                "title": "Folder",
                "description": "For config.json, audit.jsonl and scripts/. Empty: your system's folder for app data.",
                "required": False,
                "default": "",
            },
            "overlay": {
                "type": "boolean",
                "title": "Halo",
                "description": "Let the screen's edges glow while Claude is at the controls.",
                "required": False,
                "default": True,
            },
        },
    }


def lay_out(folder: Path, project: Project) -> None:
    """Everything that goes into the bundle, in a new folder."""
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    for name in ("README.md", "LICENSE", "docs/mac-commander.1"):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    (folder / "pyproject.toml").write_text(pinned((ROOT / "pyproject.toml").read_text(encoding="utf-8"), pins()))
    (folder / "manifest.json").write_text(json.dumps(manifest(project), indent=2) + "\n", encoding="utf-8")
    icon.draw().save(folder / "icon.png", optimize=True)


def pins() -> Iterator[str]:
    """The versions that the tests ran with, each with the systems it is for."""
    for line in (ROOT / "requirements" / "runtime.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith((" ", "#")):
            yield line.removesuffix("\\").strip()


def pinned(pyproject: str, constraints: Iterator[str]) -> str:
    lines = "".join(f"  {json.dumps(constraint)},\n" for constraint in constraints)
    return f"{pyproject}\n[tool.uv]\nconstraint-dependencies = [\n{lines}]\n"


def pack(folder: Path, target: Path, mcpb: Sequence[str | Path]) -> None:
    """With the bundle's own tool, after its own check. Raises `subprocess.CalledProcessError`."""
    subprocess.run([*mcpb, "validate", folder / "manifest.json"], check=True)
    subprocess.run([*mcpb, "pack", folder, target], check=True)

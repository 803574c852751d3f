"""``server.json`` for the MCP registry. The name in it must stand in the README too, which proves that it is ours."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from tools.release.project import Project

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
DESCRIPTION_MOST = 100
"""The schema's limit, in characters."""


def name(project: Project) -> str:
    return f"io.github.{project.owner}/{project.name}"


def server_json(project: Project, bundle: Path) -> dict[str, Any]:
    stdio = {"type": "stdio"}
    return {
        "$schema": SCHEMA,
        "name": name(project),
        "title": "Mac-Commander",
        "description": project.description,
        "version": project.version,
        "repository": {"url": project.repository, "source": "github"},
        "packages": [
            {
                "registryType": "pypi",
                "identifier": project.name,
                "version": project.version,
                "runtimeHint": "uvx",
                "transport": stdio,
            },
            {
                "registryType": "mcpb",
                "identifier": project.bundle_url,
                "fileSha256": hashlib.sha256(bundle.read_bytes()).hexdigest(),
                "transport": stdio,
            },
        ],
    }

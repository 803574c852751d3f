"""What pyproject.toml says about us, once for everything that is published."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Project:
    name: str
    version: str
    description: str
    license: str
    author: str
    keywords: tuple[str, ...]
    requires_python: str
    repository: str
    """The address people browse; its owner's name is in the registry's name for us."""

    @property
    def owner(self) -> str:
        return self.repository.rstrip("/").split("/")[-2]

    @property
    def bundle(self) -> str:
        return f"{self.name}-{self.version}.mcpb"

    @property
    def bundle_url(self) -> str:
        """Where the release job puts it."""
        return f"{self.repository}/releases/download/v{self.version}/{self.bundle}"


def read(root: Path = ROOT) -> Project:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return Project(
        project["name"],
        project["version"],
        project["description"],
        project["license"],
        project["authors"][0]["name"],
        tuple(project["keywords"]),
        project["requires-python"],
        project["urls"]["Repository"],
    )

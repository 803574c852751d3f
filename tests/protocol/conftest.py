"""What the files of this folder share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.protocol import node
from tests.server.raw_client import RawClient, own_mac

FIXTURE_SERVER = (sys.executable, "-m", "tests.protocol.fixture_server")


@pytest.fixture(scope="session")
def conformance() -> Path:
    return _tool(node.CONFORMANCE)


@pytest.fixture(scope="session")
def inspector() -> Path:
    return _tool(node.INSPECTOR)


def _tool(tool: Path) -> Path:
    if why := node.missing(tool):
        pytest.skip(f"not run: {why}")  # also under CI: whether npm's packages can be had is not ours to say
    return tool


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RawClient]:
    """Shared by the tests of a file: each reads all answers to what it sent."""
    folder = tmp_path_factory.mktemp("shared")
    with RawClient(folder / "home", own_mac(folder)) as started:
        yield started.initialize()

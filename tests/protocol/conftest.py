"""What the files of this folder share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.protocol import node
from tests.server.raw_client import PROGRAM, RawClient

FIXTURE_SERVER = (sys.executable, "-m", "tests.protocol.fixture_server")
ON_THE_SIMULATED_MAC = (str(PROGRAM), "--desktop", "simulated")


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
    home = tmp_path_factory.mktemp("shared") / "home"
    with RawClient(home, ON_THE_SIMULATED_MAC) as started:
        yield started.initialize()

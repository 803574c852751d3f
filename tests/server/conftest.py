"""A started and initialised server for tests that want one. Starting Python with the SDK costs a second, so tests
that leave the server as they found it share one for their file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.raw_client import RawClient


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RawClient]:
    """Shared by the tests of a file: each must have read all answers to what it sent."""
    with RawClient(tmp_path_factory.mktemp("shared") / "home") as started:
        yield started.initialize()


@pytest.fixture
def own_client(tmp_path: Path) -> Iterator[RawClient]:
    """One for this test, which may end it."""
    with RawClient(tmp_path / "home") as started:
        yield started.initialize()

"""What each suite reached, told at the end of a run: SECURITY.md has these lines beside what was asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

_LINES = pytest.StashKey[list[str]]()


@pytest.fixture
def reached(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Tell a figure; a test calls it last, when all has held."""
    return request.config.stash.setdefault(_LINES, []).append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if lines := config.stash.get(_LINES, []):
        terminalreporter.section("reached")
        for line in lines:
            terminalreporter.line(line)

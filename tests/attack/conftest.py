"""What each suite reached, told at the end of a run: SECURITY.md has these lines beside what was asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

REACHED = "reached"
"""A property of the test's report: reports come back from every process that runs tests."""


@pytest.fixture
def reached(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Tell a figure; a test calls it last, when all has held."""
    return lambda line: request.node.user_properties.append((REACHED, line))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [report for report in terminalreporter.getreports("passed") if report.when == "call"]
    if lines := [line for report in reports for name, line in report.user_properties if name == REACHED]:
        terminalreporter.section("reached")
        for line in lines:
            terminalreporter.line(line)

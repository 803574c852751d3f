"""Fixtures that more than one folder of tests uses."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.lab import Lab, missing_programs
from tests.witness import TOOLKITS, Thief, Witness, missing

IN_CI = os.environ.get("CI") == "true"
REACHED = "reached"
"""A property of the test's report: reports come back from every process that runs tests."""


def not_run(why: str) -> None:
    """List the test as not run; under CI, where everything must be there, that is an error."""
    if IN_CI:
        pytest.fail(f"cannot run here, and CI must run everything: {why}", pytrace=False)
    pytest.skip(f"not run: {why}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The files of the longest tests first, by the time that they ask for: where several processes share the files,
    none is then left alone with a long one at the end."""
    asked: dict[Path, float] = {}
    for item in items:
        if marker := item.get_closest_marker("timeout"):
            asked[item.path] = max(asked.get(item.path, 0.0), *marker.args)
    items.sort(key=lambda item: -asked.get(item.path, 0.0))


@pytest.fixture(scope="session")
def session_lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """One private desktop for each process of the run; its logs stay in pytest's folder of this run."""
    lacking = missing_programs()
    if lacking:
        not_run(f"a private X desktop needs {', '.join(lacking)}; `make test` as root installs them on Debian")
    with Lab(tmp_path_factory.mktemp("lab")) as lab:
        yield lab


@pytest.fixture
def lab(session_lab: Lab) -> Iterator[Lab]:
    """The private desktop, without the programs of other tests on it."""
    yield session_lab
    session_lab.end_apps()
    session_lab.close_foreign_windows()
    assert not session_lab.dead_parts()


@pytest.fixture(params=TOOLKITS)
def witness(lab: Lab, request: pytest.FixtureRequest) -> Iterator[Witness]:
    """A witness app of each toolkit in turn, in front; `witness.values` and `witness.wait` tell what reached it."""
    toolkit: str = request.param
    lacking = missing(toolkit, lab)
    if lacking:
        not_run(f"the {toolkit} witness needs the Debian packages {lacking}")
    with Witness(lab, toolkit) as started:
        yield started


@pytest.fixture
def editor(lab: Lab) -> Iterator[Witness]:
    """The GTK 3 witness, with its large text field in focus."""
    with Witness(lab, "gtk3") as started:
        started.ask("focus", "Notes")
        yield started


@pytest.fixture
def thief(lab: Lab) -> Iterator[Thief]:
    """Another program, which takes and records what it is told to."""
    with Thief(lab) as started:
        yield started


@pytest.fixture
def reached(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Tell a figure; a test calls it last, when all has held. All of them stand together at the end of the run."""
    return lambda line: request.node.user_properties.append((REACHED, line))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [report for report in terminalreporter.getreports("passed") if report.when == "call"]
    if lines := [line for report in reports for name, line in report.user_properties if name == REACHED]:
        terminalreporter.section("reached")
        for line in lines:
            terminalreporter.line(line)

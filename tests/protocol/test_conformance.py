"""The official conformance suite, for both eras of the protocol: on our core with the tools it asks for, and on the
product itself where it asks for none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.protocol import node
from tests.protocol.bridge import bridged
from tests.protocol.conftest import FIXTURE_SERVER
from tests.server.raw_client import own_mac

BASELINES = Path(__file__).parent / "baselines"
ERAS = ("2025-11-25", "2026-07-28")
NEEDS_A_CLIENT_CAPABILITY = {"sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400"}
NEEDS_A_FIXTURE = {"sep-2575-http-server-no-independent-requests-on-stream", "sep-2575-server-no-log-without-loglevel"}

pytestmark = pytest.mark.timeout(600)  # the suite starts some 35 servers


def fixture_server(folder: Path) -> list[str]:
    return [*FIXTURE_SERVER, "--home", str(folder / "home")]


def product(folder: Path) -> list[str]:
    return [*own_mac(folder), "--home", str(folder / "home")]


@pytest.mark.parametrize("era", ERAS)
def test_the_core_conforms(conformance: Path, tmp_path: Path, era: str) -> None:
    """Everything passes but what the baseline names, and everything that it names still fails."""
    with bridged(fixture_server(tmp_path)) as url:
        done = node.run(
            conformance,
            *("server", "--url", url, "--requirements", era),
            *("--expected-failures", BASELINES / f"{era}.yml"),
            seconds=550,
        )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


@pytest.mark.parametrize(
    ("scenario", "era"),
    [("server-initialize", ERAS[0]), ("ping", ERAS[0]), ("tools-list", ERAS[0]), ("tools-list", ERAS[1])],
)
def test_the_product_conforms(conformance: Path, tmp_path: Path, scenario: str, era: str) -> None:
    assert failures(conformance, product(tmp_path), scenario, era) == set()


def test_what_a_stateless_request_must_be(conformance: Path, tmp_path: Path) -> None:
    """23 of 25 checks; the other two are about tools that need something of the client, and we have none."""
    found = failures(conformance, fixture_server(tmp_path), "server-stateless", ERAS[1])
    assert found == NEEDS_A_CLIENT_CAPABILITY


def test_the_product_holds_to_it_too(conformance: Path, tmp_path: Path) -> None:
    found = failures(conformance, product(tmp_path), "server-stateless", ERAS[1])
    assert found == NEEDS_A_CLIENT_CAPABILITY | NEEDS_A_FIXTURE


def failures(conformance: Path, command: list[str], scenario: str, era: str) -> set[str]:
    """The ids of the checks that did not pass; at least one must have."""
    with bridged(command) as url:
        done = node.run(conformance, "server", "--url", url, "--scenario", scenario, "--spec-version", era)
    checks = re.findall(r"\[([\w-]+) *\]\S* \S*?\[\d*m?(SUCCESS|FAILURE|WARNING)", done.stdout)
    assert "SUCCESS" in {state for _, state in checks}, done.stdout[-3000:] + done.stderr[-1000:]
    return {check for check, state in checks if state != "SUCCESS"}

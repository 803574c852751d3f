"""``mac-commander verify``: drive the desktop through the real server and say what held: PASS, FAIL or UNVERIFIED.

On a Mac the facts about PyObjC are proven against the live bridge first. On Linux all of it runs on the simulated
Mac, or what X11 has with ``--desktop x11``.
"""

from __future__ import annotations

import argparse
import importlib
import json
import platform
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from importlib import resources
from pathlib import Path
from typing import Any

from mac_commander import __version__
from mac_commander.errors import CommanderError
from mac_commander.verify import acceptance
from mac_commander.verify.acceptance import CHECKS, Check, Stage
from mac_commander.verify.client import Answer, Client
from mac_commander.verify.verdict import Mark, Unverified, Verdict

SIMULATION_FILES = "simulated_mac"
PROOF = "mac_commander.desktops.macos.bridge_proof"
THEFT_SECONDS = 2.0
"""After the batch began: in the middle of its wait of four seconds."""

SHOWN_MOST = 20
"""Differences from the facts that are printed; the report has all."""


def main(argv: Sequence[str]) -> int:
    """Exit status: 0 nothing failed, 1 something did, 2 wrong usage."""
    options = _parser().parse_args(argv)
    kind = _kind(options.desktop)
    verdicts: list[Verdict] = []
    _say(f"mac-commander {__version__} on {platform.platform()}, Python {platform.python_version()}; {_about(kind)}")
    for verdict in _all(kind):
        _say(str(verdict))
        verdicts.append(verdict)
    options.report.write_text(json.dumps(_report(kind, verdicts), indent=1) + "\n", encoding="ascii")
    failed = sum(verdict.mark is Mark.FAIL for verdict in verdicts)
    open_ = sum(verdict.mark is Mark.UNVERIFIED for verdict in verdicts)
    _say(f"{len(verdicts) - failed - open_} passed, {failed} failed, {open_} unverified; {options.report}")
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "mac-commander verify", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--desktop", choices=["auto", "macos", "x11", "simulated"], default="auto")
    parser.add_argument("--report", type=Path, default=Path("mac-commander-verify.json"), metavar="FILE")
    return parser


def _kind(asked: str) -> str:
    if asked != "auto":
        return asked
    return "macos" if sys.platform == "darwin" else "simulated"


def _about(kind: str) -> str:
    return {
        "macos": "this Mac; TextEdit and Finder come to the front, so leave keyboard and mouse alone",
        "x11": "this X11 desktop",
        "simulated": "no Mac here: on the simulated Mac. --desktop x11 verifies what X11 has",
    }[kind]


def _say(line: str) -> None:
    sys.stdout.write(line.encode("utf-8", "replace").decode() + "\n")
    sys.stdout.flush()


def _report(kind: str, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    return {
        "mac_commander": __version__,
        "platform": platform.platform(),
        "python": platform.python_version(),
        "desktop": kind,
        "verdicts": [{"name": v.name, "mark": v.mark, "detail": v.detail} for v in verdicts],
    }


def _all(kind: str) -> Iterator[Verdict]:
    yield _facts(kind)
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mac-commander-verify-")))
        arguments = ["--home", str(home), "--desktop", kind]
        client = stack.enter_context(Client(arguments, {}))
        stage = Stage(client, kind, home, lambda steps: _robbed(kind, home, steps))
        for name, check in CHECKS.items():
            yield _verdict(name, check, stage)


def _verdict(name: str, check: Check, stage: Stage) -> Verdict:
    try:
        return Verdict(name, Mark.PASS, check(stage))
    except Unverified as reason:
        return Verdict(name, Mark.UNVERIFIED, str(reason))
    except (AssertionError, CommanderError) as error:
        return Verdict(name, Mark.FAIL, str(error))


# --- another app takes the front ------------------------------------------------------------------------------


def _robbed(kind: str, home: Path, steps: Sequence[Mapping[str, Any]]) -> Answer:
    """On the simulated Mac its world does it; on a Mac a second server switches apps from beside."""
    arguments = ["--home", str(home / "robbed"), "--desktop", kind]
    if kind == "simulated":
        with Client([*arguments, "--world", str(_world_with_a_thief(home))], {}) as client:
            return client.call("act", target=acceptance.EDITOR, steps=list(steps))
    with Client(arguments, {}) as client, Client(["--home", str(home / "thief"), "--desktop", kind], {}) as thief:
        switch = threading.Timer(THEFT_SECONDS, lambda: thief.call("app", action="switch", name=acceptance.FILES))
        switch.start()
        try:
            return client.call("act", target=acceptance.EDITOR, steps=list(steps))
        finally:
            switch.join()


def _world_with_a_thief(home: Path) -> Path:
    world = _simulation_file("default_world.json")
    world["then"] = [{"after_events": 2, "do": "activate", "app": acceptance.FILES}]
    file = home / "thief.json"
    file.write_text(json.dumps(world), encoding="ascii")
    return file


def _simulation_file(name: str) -> Any:
    return json.loads(resources.files(SIMULATION_FILES).joinpath(name).read_text(encoding="utf-8"))


# --- the facts -------------------------------------------------------------------------------------------------


def _facts(kind: str) -> Verdict:
    name = "facts about PyObjC"
    if kind != "macos":
        why = "needs a Mac: the simulated one is built from these facts, so it proves nothing about them"
        return Verdict(name, Mark.UNVERIFIED, why)
    return _proven(name, _simulation_file("facts.json"))


def _proven(name: str, facts: Mapping[str, Any]) -> Verdict:
    proof = importlib.import_module(PROOF)
    differences = list(proof.prove(facts))
    if not differences:
        return Verdict(name, Mark.PASS, f"all {proof.count(facts)} hold on this macOS and PyObjC")
    shown = "; ".join(differences[:SHOWN_MOST])
    return Verdict(name, Mark.FAIL, f"{len(differences)} of {proof.count(facts)} do not hold: {shown}")

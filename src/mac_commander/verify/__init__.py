"""``mac-commander verify``: drive a desktop through the real server and say what held: PASS, FAIL or UNVERIFIED.

On a Mac it drives that Mac, and first proves the facts about PyObjC against the live bridge. Elsewhere it drives the
simulated Mac; with --desktop x11 this X11 desktop, as far as its programs (Mousepad, XTerm, xclip) are there.
The report has a transcript of all calls, down to those of Apple's frameworks: names, kinds and codes, no contents.
"""

from __future__ import annotations

import argparse
import importlib
import json
import platform
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from importlib import resources
from pathlib import Path
from typing import Any

from mac_commander import __version__, home
from mac_commander.errors import CommanderError
from mac_commander.verify import acceptance, killed_server, mid_call, questions
from mac_commander.verify.acceptance import CHECKS, Stage
from mac_commander.verify.assumptions import settled, told
from mac_commander.verify.bench import Bench
from mac_commander.verify.bridge_calls import BridgeCalls
from mac_commander.verify.client import Answer, Client
from mac_commander.verify.mid_call import BLOWS
from mac_commander.verify.questions import QUESTIONS
from mac_commander.verify.system import system_checks
from mac_commander.verify.verdict import Mark, Unverified, Verdict
from mac_commander.verify.window import WINDOW_CHECKS
from mac_commander.verify.witness import JournalWitness, PipeWitness, Witness

ON_X11 = "none is driven here: on X11 `make test` does, with GTK and Qt apps that tell what reached them"
SIMULATION_FILES = "simulated_mac"
PROOF = "mac_commander.desktops.macos.bridge_proof"
THEFT_SECONDS = 2.0
"""After the batch began: in the middle of its wait of four seconds."""

REPORT = "verify.json"

SHOWN_MOST = 20
"""Differences from the facts that are printed; the report has all."""


def main(argv: Sequence[str]) -> int:
    """Exit status: 0 nothing failed, 1 something did, 2 wrong usage."""
    options = _parser().parse_args(argv)
    kind = _kind(options.desktop)
    verdicts: list[Verdict] = []
    _say(f"mac-commander {__version__} on {platform.platform()}, Python {platform.python_version()}; {_about(kind)}")
    transcript: list[dict[str, Any]] = []
    for verdict in _all(kind, transcript):
        _say(str(verdict))
        verdicts.append(verdict)
    failed = sum(verdict.mark is Mark.FAIL for verdict in verdicts)
    open_ = sum(verdict.mark is Mark.UNVERIFIED for verdict in verdicts)
    _say(f"{len(verdicts) - failed - open_} passed, {failed} failed, {open_} unverified")
    found = [] if kind == "x11" else list(settled(verdicts, kind == "macos"))
    _say_assumptions(kind, found)
    written = _write(options.report, _report(kind, verdicts, found, transcript))
    return 1 if failed or not written else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "mac-commander verify", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--desktop",
        choices=["auto", "macos", "x11", "simulated"],
        default="auto",
        help="auto: this Mac, elsewhere the simulated one",
    )
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="where the report goes, unless to your folder for logs"
    )
    return parser


def _write(asked: Path | None, report: Mapping[str, Any]) -> bool:
    """Where it was asked for, else among the user's logs; says where."""
    path = asked or home.logs() / REPORT
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(report, indent=1) + "\n", encoding="ascii")
    except OSError as error:
        sys.stderr.write(f"mac-commander verify: the report cannot be written to {path}: {error.strerror}\n")
        return False
    _say(f"report: {path}")
    return True


def _kind(asked: str) -> str:
    if asked != "auto":
        return asked
    return "macos" if sys.platform == "darwin" else "simulated"


def _about(kind: str) -> str:
    return {
        "macos": "this Mac; TextEdit, Finder and a window of our own come to the front: leave keyboard and mouse alone",
        "x11": "this X11 desktop; Mousepad and XTerm come to the front: leave keyboard and mouse alone",
        "simulated": "no Mac here: on the simulated Mac. --desktop x11 verifies what X11 has",
    }[kind]


def _say(line: str) -> None:
    sys.stdout.write(line.encode("utf-8", "replace").decode() + "\n")
    sys.stdout.flush()


def _say_assumptions(kind: str, found: Sequence[Mapping[str, object]]) -> None:
    if kind == "simulated":
        _say(f"{len(found)} assumptions about macOS stay open: the simulated Mac was made from them (docs/macos.md)")
    elif found:
        _say("what this says about macOS:")
        for one in found:
            _say(told(one))


def _report(
    kind: str,
    verdicts: Sequence[Verdict],
    assumptions: Sequence[Mapping[str, object]],
    transcript: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    return {
        "mac_commander": __version__,
        "platform": platform.platform(),
        "python": platform.python_version(),
        "desktop": kind,
        "verdicts": [{"name": v.name, "mark": v.mark, "detail": v.detail} for v in verdicts],
        "assumptions": list(assumptions),
        "transcript": list(transcript),
    }


def _all(kind: str, transcript: list[dict[str, Any]]) -> Iterator[Verdict]:
    if kind != "x11":
        yield _facts(kind)
    with tempfile.TemporaryDirectory(prefix="mac-commander-verify-") as folder:
        yield from _acceptance(kind, Path(folder), transcript)
        if kind == "x11":
            yield Verdict("an app of our own", Mark.UNVERIFIED, ON_X11)
            return
        yield from _own_window(kind, Path(folder), transcript)
        yield from _mid_call(kind, Path(folder), transcript)
        yield _verdict("modifiers after a kill", lambda: killed_server.check(kind, Path(folder)))
        yield from _questions(kind, Path(folder))


def _questions(kind: str, folder: Path) -> Iterator[Verdict]:
    """All unverified where nothing can be asked."""
    world = _kept(folder, _witness_world(), "asked.json") if kind == "simulated" else None
    try:
        with questions.asking(kind, folder, world) as asked:
            for name, question in QUESTIONS.items():
                yield _verdict(name, lambda question=question: question(asked))  # type: ignore[misc]
    except (Unverified, CommanderError) as reason:
        yield Verdict("what macOS answers", Mark.UNVERIFIED, str(reason))


def _mid_call(kind: str, folder: Path, transcript: list[dict[str, Any]]) -> Iterator[Verdict]:
    for name, blow in BLOWS.items():
        yield _verdict(name, lambda blow=blow: mid_call.check(kind, blow, folder, transcript))  # type: ignore[misc]


def _noting(kind: str, folder: Path, name: str) -> BridgeCalls | None:
    """X11 has no frameworks of Apple's to call."""
    return None if kind == "x11" else BridgeCalls(folder / f"{name}.calls")


def _acceptance(kind: str, folder: Path, transcript: list[dict[str, Any]]) -> Iterator[Verdict]:
    home = folder / "acceptance"
    arguments = ["--home", str(home), "--desktop", kind]
    if kind == "simulated":
        arguments += ["--world", str(_kept(folder, _simulation_file("default_world.json"), "acceptance.json"))]
    with Client(arguments, {}, _noting(kind, folder, "acceptance")) as client:
        stage = Stage(client, kind, home, lambda steps: _robbed(kind, folder, steps))
        for name, check in CHECKS.items():
            yield _verdict(name, lambda check=check: check(stage))  # type: ignore[misc]
        transcript += client.transcript


def _own_window(kind: str, folder: Path, transcript: list[dict[str, Any]]) -> Iterator[Verdict]:
    """On a window of our own. All is unverified where it does not come up."""
    with ExitStack() as stack:
        try:
            witness, arguments = _witness(kind, folder, stack)
        except (Unverified, CommanderError) as reason:
            yield Verdict("our own window", Mark.UNVERIFIED, str(reason))
            return
        client = stack.enter_context(
            Client(["--home", str(folder / "window"), *arguments], {}, _noting(kind, folder, "window"))
        )
        bench = Bench(client, witness)
        for name, check in {**WINDOW_CHECKS, **system_checks(questions.asked_beside(kind))}.items():
            yield _verdict(name, lambda check=check: check(bench))  # type: ignore[misc]
        transcript += client.transcript


def _witness(kind: str, folder: Path, stack: ExitStack) -> tuple[Witness, list[str]]:
    """And the server's arguments that go with it."""
    if kind == "macos":
        return stack.enter_context(PipeWitness.on_a_mac()), ["--desktop", kind]
    if kind == "simulated":
        journal = folder / "window.jsonl"
        world = _witness_world()
        canvas = next(e["bounds"] for e in _elements(world) if e.get("description") == "Canvas")
        file = _kept(folder, world, "window.json")
        return JournalWitness(journal, canvas), ["--desktop", kind, "--world", str(file), "--journal", str(journal)]
    raise Unverified("needs a Mac, or the simulated one")


def _witness_world() -> Any:
    return json.loads(resources.files(__package__).joinpath("witness_world.json").read_text(encoding="utf-8"))


def _elements(world: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [element for app in world["apps"] for window in app["windows"] for element in window["elements"]]


def _verdict(name: str, check: Callable[[], str]) -> Verdict:
    try:
        return Verdict(name, Mark.PASS, check())
    except Unverified as reason:
        return Verdict(name, Mark.UNVERIFIED, str(reason))
    except (AssertionError, CommanderError) as error:
        return Verdict(name, Mark.FAIL, str(error))


# --- another app takes the front ------------------------------------------------------------------------------


def _robbed(kind: str, home: Path, steps: Sequence[Mapping[str, Any]]) -> Answer:
    """On the simulated Mac its world does it; else a second server brings another app forward from beside."""
    editor, other = acceptance.apps(kind)
    arguments = ["--home", str(home / "robbed"), "--desktop", kind]
    if kind == "simulated":
        with Client([*arguments, "--world", str(_world_with_a_thief(home))], {}) as client:
            return client.call("act", target=editor, steps=list(steps))
    with Client(arguments, {}) as client, Client(["--home", str(home / "thief"), "--desktop", kind], {}) as thief:
        came: list[Answer] = []
        launch = threading.Timer(THEFT_SECONDS, lambda: came.append(thief.call("app", action="launch", name=other)))
        launch.start()
        try:
            return client.call("act", target=editor, steps=list(steps))
        finally:
            launch.join()
            acceptance.needs(bool(came) and not came[0].is_error, f"{other} did not come: {came and came[0].text}")
            if kind == "x11":
                thief.call("app", action="quit", name=other)


def _world_with_a_thief(home: Path) -> Path:
    world = _simulation_file("default_world.json")
    world["then"] = [{"after_events": 2, "do": "activate", "app": acceptance.ON_A_MAC[1]}]
    return _kept(home, world, "thief.json")


def _kept(folder: Path, world: Mapping[str, Any], name: str) -> Path:
    """The world as a Mac of this run's own: servers of one world share its keyboard."""
    file = folder / name
    file.write_text(json.dumps({**world, "name": str(folder)}), encoding="ascii")
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

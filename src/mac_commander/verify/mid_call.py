"""An app that hangs, or is killed, in the middle of a call: the batch stops, says so, and sends nothing more."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from mac_commander.verify.acceptance import could_be_tried, wanted
from mac_commander.verify.bridge_calls import BridgeCalls
from mac_commander.verify.client import Answer, Client
from mac_commander.verify.verdict import Unverified
from mac_commander.verify.witness import JournalWitness, PipeWitness, Witness, matching

AFTER_SECONDS = 2.0
"""After the batch began: in the middle of its wait."""

WAIT_MS = 4000
NEVER = "z"
"""What the batch would type last."""

STEPS = [{"kind": "key", "combo": "right"}, {"kind": "wait", "ms": WAIT_MS}, {"kind": "type", "text": NEVER}]

FIRST_KEY = 2
"""Journal lines of the first step, after which the simulated Mac's app is struck."""


@dataclass(frozen=True, slots=True)
class Blow:
    done_by: Callable[[PipeWitness], None]
    """On a Mac."""
    deed: str
    """On the simulated Mac, in its world's words."""
    causes: tuple[str, ...]
    """What the batch may say that it stopped for."""


BLOWS: Mapping[str, Blow] = {
    "hung in mid-call": Blow(PipeWitness.hang, "hang", ("hung",)),
    "killed in mid-call": Blow(PipeWitness.die, "die", ("gone",)),
}


def check(kind: str, blow: Blow, folder: Path, transcript: list[dict[str, Any]]) -> str:
    """Raises `AssertionError` or `Unverified`. What was called is added to the transcript."""
    with _struck(kind, blow, folder) as (client, witness, answer):
        could_be_tried(answer)
        failed: Mapping[str, Any] = answer.value.get("failed_step", {})
        wanted(answer.value.get("ok") is False, f"the batch went on: {answer.text[:300]}")
        wanted(failed.get("cause") in blow.causes, f"it stopped for another cause: {answer.text[:600]}")
        wanted(client.call("applescript").value.get("scripts") is not None, "the server answers no other call")
        transcript += client.transcript
    late = [report for report in matching(witness, "key_down") if report.get("text") == NEVER]
    wanted(not late, "a key came after the batch had stopped")
    return f"stopped {failed['phase']} step {failed['index']}: {failed['reason']}"


@contextmanager
def _struck(kind: str, blow: Blow, folder: Path) -> Iterator[tuple[Client, Witness, Answer]]:
    """The batch's answer, the server still there. The witness can be asked after the block."""
    calls = BridgeCalls(folder / f"{blow.deed}.calls")
    arguments = ["--home", str(folder / blow.deed), "--desktop", kind]
    if kind == "simulated":
        arguments += ["--world", str(_world(blow, folder)), "--journal", str(folder / f"{blow.deed}.jsonl")]
        witness = JournalWitness(folder / f"{blow.deed}.jsonl", [])
        with Client(arguments, {}, calls) as client:
            yield client, witness, client.call("act", target=witness.name, steps=STEPS)
    elif kind == "macos":
        with PipeWitness.on_a_mac() as app, Client(arguments, {}, calls) as client:
            strike = threading.Timer(AFTER_SECONDS, blow.done_by, [app])
            strike.start()
            answer = client.call("act", target=app.name, steps=STEPS)
            strike.join()
            yield client, app, answer
            app.answer()
    else:
        raise Unverified("needs a Mac, or the simulated one")


def _world(blow: Blow, folder: Path) -> Path:
    world = json.loads(resources.files(__package__).joinpath("witness_world.json").read_text(encoding="utf-8"))
    world["name"] = str(folder)  # a Mac of this run's own: servers of one world share its keyboard
    world["then"] = [{"after_events": FIRST_KEY, "do": blow.deed, "app": world["apps"][0]["name"]}]
    file = folder / f"{blow.deed}.json"
    file.write_text(json.dumps(world), encoding="ascii")
    return file

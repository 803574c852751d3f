"""The bench of snapshots goes on whatever a peer does."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from bench.guard.stdio import Server
from bench.see import __main__ as bench
from bench.see.peers import Peer, Shown

from mac_commander.demo.private_desktop import PrivateDesktop

pytestmark = pytest.mark.filterwarnings("ignore:open_binary is deprecated:DeprecationWarning")  # by bpe_openai, on 3.11

WINDOW = Shown(1, "app", "title")
DESKTOP = PrivateDesktop()
"""Not brought up."""
GREETS = "import sys; sys.stdin.readline(); print('{\"id\": 1}', flush=True); "


class Strange(Peer):
    """Answers the handshake, and then does what ``then`` says."""

    name, pins, program = "strange", (), ()
    then = ""

    def __init__(self, _env: Mapping[str, str]) -> None:
        self.server = Server([sys.executable, "-c", GREETS + self.then], {})

    def look(self, _window: Shown) -> str:
        return self.server.call("look", text="x" * 1_000_000)


@pytest.mark.parametrize(
    "then",
    [
        "import time; time.sleep(600)",
        "sys.stdin.readline(); sys.stdin.readline(); import time; time.sleep(600)",
        "sys.stdin.readline(); sys.stdin.readline()\nwhile True: print('noise', flush=True)",
    ],
    ids=["does not even read", "never answers", "prints without end"],
)
def test_a_peer_that_gives_no_answer_is_ended_and_told_in_the_table(monkeypatch: pytest.MonkeyPatch, then: str) -> None:
    monkeypatch.setattr(bench, "PATIENCE_SECONDS", 0.5)
    monkeypatch.setattr(Strange, "then", then)
    trial = bench.Trial(Strange, DESKTOP, WINDOW)
    assert trial.peer is not None
    process = trial.peer.server.process
    trial.look()
    assert process.wait(10) != 0
    trial.look()
    trial.close()
    row = trial.row("window", 0)
    assert (row.failed, row.characters) == ("gave no answer in 0.5 s, ended", 0)
    assert not Path(f"/proc/{process.pid}").exists()

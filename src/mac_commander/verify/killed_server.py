"""The server is killed in the middle of chords: its guardian has to let go of what it held down."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path

from mac_commander.errors import DesktopError
from mac_commander.verify.acceptance import could_be_tried, wanted
from mac_commander.verify.client import Client
from mac_commander.verify.verdict import Unverified
from mac_commander.verify.witness import PipeWitness, awaited, matching

KILLS = 5
KILL_SECONDS = 1.0
"""After the chords began: 100 of them take longer."""

RELEASE_SECONDS = 1.0
"""What the guardian may take."""

CHORDS = {"kind": "key", "combo": "cmd+shift+j", "repeat": 100}
LETTER = "x"


def check(kind: str, folder: Path) -> str:
    """Raises `AssertionError` or `Unverified`."""
    if kind != "macos":
        raise Unverified("needs a Mac: a server of the simulated one that is killed takes its Mac with it")
    arguments = ["--home", str(folder / "killed"), "--desktop", kind]
    with PipeWitness.on_a_mac() as app:
        killed = sum(kill_in_mid_chord(arguments, app.name, KILL_SECONDS + number / 100) for number in range(KILLS))
        wanted(killed > 0, "the server had answered each time before it was killed")
        time.sleep(RELEASE_SECONDS)
        app.forget()
        with Client(arguments, {}) as client:
            answer = client.call("act", target=app.name, steps=[{"kind": "type", "text": LETTER}])
        could_be_tried(answer)
        wanted(answer.value.get("ok") is True, f"nothing can be typed after it: {answer.text[:600]}")
        plain = awaited(app, lambda: any(matching(app, "key_down", modifiers=[])))
        told = sorted({word for report in matching(app, "key_down") for word in report["modifiers"]})
        wanted(plain, f"the next key came with {', '.join(told) or 'nothing'}")
    return f"killed {killed} times, and the next key came without a modifier"


def kill_in_mid_chord(arguments: Sequence[str], target: str, seconds: float) -> bool:
    """Whether it was killed before it answered."""
    with Client(arguments, {}) as client:
        strike = threading.Timer(seconds, client.kill)
        strike.start()
        try:
            could_be_tried(client.call("act", target=target, steps=[CHORDS]))
        except DesktopError:
            return True
        finally:
            strike.join()
    return False

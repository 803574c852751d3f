"""The tools that the conformance suite calls by name, on our own server and core. In place of the five tools only the
declarations differ; protocol, dispatch, progress and log are the product's."""

from __future__ import annotations

import base64
import sys
import time
from collections.abc import Mapping
from typing import Any

from mac_commander import desktops, server
from mac_commander.core.arguments import Param
from mac_commander.core.progress import FIRST_SECONDS
from mac_commander.core.reply import Image, Reply
from mac_commander.core.session import Session
from mac_commander.errors import CommanderError
from mac_commander.tools.declaration import Handler, Tool
from tests.server.double import Double

PIXEL = base64.b64decode(
    b"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
PROGRESS_STEPS = 5
STEP_SECONDS = 0.6
"""Progress starts after the first second of a call."""

LAST_STEP_SECONDS = 0.002
"""Long enough for the progress to leave, too short for a client to have read it."""


def _text(_session: Session, _args: dict[str, Any]) -> Reply:
    return Reply("This is a simple text response for testing.", "ok")


def _image(_session: Session, _args: dict[str, Any]) -> Reply:
    return Reply("a pixel", "ok", image=Image(PIXEL, "image/png"))


def _error(_session: Session, _args: dict[str, Any]) -> Reply:
    raise CommanderError("This tool intentionally returns an error for testing")


def _progress(session: Session, _args: dict[str, Any]) -> Reply:
    for done in range(PROGRESS_STEPS):
        session.progress(done * 100 / PROGRESS_STEPS, 100, f"step {done + 1} of {PROGRESS_STEPS}")
        session.stop.wait(STEP_SECONDS, session.desktop.idle)
    return Reply("done", "ok")


def _progress_at_the_end(session: Session, _args: dict[str, Any]) -> Reply:
    session.stop.wait(FIRST_SECONDS, session.desktop.idle)
    session.progress(1, 1, "the last step")
    time.sleep(LAST_STEP_SECONDS)
    return Reply("done", "ok")


def _nothing_told(_arguments: Mapping[str, Any]) -> tuple[str, str]:
    return "", ""


def _tool(name: str, handler: Handler, *params: Param) -> Tool:
    return Tool(name, name, name, params, True, False, True, False, handler, _nothing_told)


FIXTURES = (
    _tool("test_simple_text", _text),
    _tool("test_image_content", _image),
    _tool("test_error_handling", _error),
    _tool("test_tool_with_progress", _progress),
    _tool("test_streaming_elicitation", _text),
    _tool("test_logging_tool", _text),
    _tool("progress_at_the_end", _progress_at_the_end),
)

if __name__ == "__main__":
    from mac_commander.__main__ import main

    vars(server)["TOOLS"] = FIXTURES  # the two seams: which tools, and on which desktop
    vars(desktops)["open_desktop"] = lambda *_: Double()
    sys.exit(main(["--desktop", "simulated", *sys.argv[1:]]))

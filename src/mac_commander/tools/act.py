"""`act`: a batch of input steps against one app, guarded on both sides of every step."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mac_commander.core.arguments import Param, unwrapped
from mac_commander.core.batch import Batch
from mac_commander.core.outcome import Failure, Outcome
from mac_commander.core.reply import Reply, json_reply
from mac_commander.core.session import Session
from mac_commander.core.step_words import summarise
from mac_commander.core.steps import FIELDS, SETTLE_MS_DEFAULT, SETTLE_MS_MOST, STEPS_MOST, parse
from mac_commander.errors import CommanderError
from mac_commander.tools.declaration import Tool, text_of


def act(session: Session, arguments: dict[str, Any]) -> Reply:
    """The outcome as JSON; a batch that stopped is an error result that tells where and why."""
    steps = parse(arguments["steps"])
    outcome = Batch(session, steps, arguments["settle_ms"]).run(arguments["target"])
    reply = json_reply(outcome.as_json(), outcome.words, is_error=outcome.failure is not None)
    return replace(reply, summary=summarise(arguments["steps"], outcome.secret)) if outcome.secret else reply


def _explain(error: CommanderError) -> str:
    """A call that never came to its first step answers in the same shape."""
    failure = Failure(-1, "before", error.cause, str(error), error.frontmost)
    return json.dumps(Outcome(0, 0, None, failure).as_json())


def _summarise(arguments: Mapping[str, Any]) -> tuple[str, str]:
    return text_of(arguments, "target"), summarise(unwrapped(arguments.get("steps")))


ACT = Tool(
    name="act",
    title="Act",
    description=(
        "Steps against one app, the focus proven around each; stops at the first doubt and says why.\n"
        "click ref|xy button clicks modifiers; type text submit ref; key combo repeat; scroll ref|xy dx dy "
        "(points, dy>0 up); drag from_* to_*; wait ms until|gone; hover ref|xy; set ref value; "
        "menu path \"File > Save\""
    ),
    params=(
        Param("target", "string", "Exact name or id", required=True),
        Param("steps", "array", f"1-{STEPS_MOST}", required=True, least=1, most=STEPS_MOST,
              item=Param("", "object", fields=FIELDS)),
        Param("settle_ms", "integer", f"Pause after each, default {SETTLE_MS_DEFAULT}",
              default=SETTLE_MS_DEFAULT, least=0, most=SETTLE_MS_MOST),
    ),
    read_only=False,
    destructive=True,
    idempotent=False,
    open_world=True,
    handler=act,
    summarise=_summarise,
    explain=_explain,
)  # fmt: skip

"""``notify``: a banner on the desktop, plain text whatever is in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mac_commander.core.arguments import Param
from mac_commander.core.reply import Reply, json_reply
from mac_commander.core.session import Session
from mac_commander.errors import Refused
from mac_commander.model import Notification
from mac_commander.tools.declaration import Tool, json_failure, text_of

MESSAGE_MOST = 2000
LINE_MOST = 200
"""Of title and subtitle; a desktop shows less of either."""

LOGGED_MOST = 120
"""Characters of the message in the audit log: the one text that is written there (the mission's)."""


def _run(session: Session, args: dict[str, Any]) -> Reply:
    if wait := session.banners.wait():
        raise Refused(f"the user has had enough banners for now; the next one may come in {wait:.0f} s")
    notification = Notification(args["title"], args["message"], args["subtitle"] or "", args["sound"] or "")
    known = session.desktop.notify(notification)
    return json_reply({"ok": True, "delivery": known}, "ok: handed over")


def _summarise(arguments: Mapping[str, Any]) -> tuple[str, str]:
    return "", text_of(arguments, "message")[:LOGGED_MOST]


NOTIFY = Tool(
    name="notify",
    title="Notify",
    description="Show the user a banner.",
    params=(
        Param("message", "string", required=True, least=1, most=MESSAGE_MOST),
        Param("title", "string", default="Mac-Commander", most=LINE_MOST),
        Param("subtitle", "string", most=LINE_MOST),
        Param("sound", "string", most=LINE_MOST),
    ),
    read_only=False,
    destructive=False,
    idempotent=False,
    open_world=False,
    handler=_run,
    summarise=_summarise,
    explain=json_failure,
)

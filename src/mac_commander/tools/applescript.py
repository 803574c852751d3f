"""``applescript``: run a script that the user wrote, chosen by name, values on argv."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from mac_commander import child
from mac_commander.core import scripts
from mac_commander.core.arguments import Param
from mac_commander.core.reply import Reply, json_reply
from mac_commander.core.scripts import Script
from mac_commander.core.session import Session
from mac_commander.errors import InvalidArgument, Refused, Unsupported
from mac_commander.tools.declaration import Tool, json_failure, text_of

TIMEOUT_MOST = 300
TIMEOUT = 30

RAW_MOST = 100_000
"""Characters of ``script``; more than any script that a model writes in one go."""

PATH = "/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin:/usr/sbin:/sbin"
"""Fixed: clients started from a desktop pass a PATH that differs from the user's shell."""

PASSED_ON = ("HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "__CF_USER_TEXT_ENCODING")
"""All that a script inherits: the client's API keys are in our environment too."""


def _run(session: Session, args: dict[str, Any]) -> Reply:
    name, raw = args["name"], args["script"]
    if name is not None and raw is not None:
        raise InvalidArgument("arguments: wanted name or script, got both")
    scripts.check_values(args["args"])
    if raw is not None:
        return _execute(session, _raw(session, raw), args, f"script {scripts.fingerprint(_encoded(raw))}")
    if name is None:
        return _catalogue(session)
    script = scripts.pick(scripts.catalogue(session.config, session.desktop.interpreters()), name)
    known = f"{script.name} {scripts.fingerprint(script.body)} {script.first_body_line!r}"
    return _execute(session, script, args, known)


def _raw(session: Session, text: str) -> Script:
    if not session.config.allow_raw_applescript:
        raise Refused(
            'script: raw text is refused; config.json did not say "allow_raw_applescript": true when the server '
            "started. Run one of the user's scripts by name (no arguments list them), or ask the user to add one"
        )
    if not text.strip():
        raise InvalidArgument("script: wanted a program, got empty text")
    return Script("", "", _encoded(text), session.desktop.interpreters()[0])


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _execute(session: Session, script: Script, args: dict[str, Any], known: str) -> Reply:
    values, timeout = args["args"], args["timeout"]
    environment = {k: os.environ[k] for k in PASSED_ON if k in os.environ} | {"PATH": PATH}
    environment |= session.desktop.session_environment()

    def stopped() -> bool:
        session.desktop.idle(0.0)
        return session.stop.requested

    try:
        done = child.run([*script.interpreter.argv, *values], script.body, environment, timeout, stopped)
    except OSError as error:
        program = script.interpreter.argv[0]
        raise Unsupported(f"{program} cannot be started: {error.strerror}; nothing was run") from None
    return _told(session, script, done, timeout, f"{known}, {_counted(values)}")


def _told(session: Session, script: Script, done: child.Completed, timeout: int, summary: str) -> Reply:
    failed = done.code != 0 or done.timed_out or done.stopped or done.flooded
    told = {"ok": not failed, "script": script.name or None, "exit_code": done.code}
    told |= {"stdout": done.stdout, "stderr": done.stderr}
    if note := _note(session, done, timeout):
        told["note"] = note
    verdict = f"exit {done.code}" if failed else "ok: exit 0"
    verdict = f"timed out after {timeout} s" if done.timed_out else "cancelled" if done.stopped else verdict
    reply = json_reply(told, verdict, is_error=failed)
    return Reply(reply.text, verdict, failed, summary=summary)


def _note(session: Session, done: child.Completed, timeout: int) -> str:
    if done.timed_out:
        return f"still ran after {timeout} s (this call's timeout) and was ended with all it started"
    if done.stopped:
        return "ended because the call was stopped; it may have done a part of its work"
    if done.flooded:
        return f"ended because it wrote more than {child.DRAINED_MOST} bytes"
    help_text = session.desktop.script_help(done.code, done.stderr) if done.code else ""
    cut = f"of stdout and stderr, the first {child.KEPT_BYTES} bytes each were kept" if done.truncated else ""
    return " ".join(filter(None, (help_text, cut)))


def _catalogue(session: Session) -> Reply:
    found = scripts.catalogue(session.config, session.desktop.interpreters())
    told: dict[str, Any] = {"scripts": [{"name": s.name, "about": s.about} for s in found.scripts.values()]}
    if found.refused:
        told["refused"] = sorted(set(found.refused.values()))
    if found.cut:
        told["note"] = f"only the first {scripts.LISTED_MOST} files are listed"
    told["folder"] = str(session.config.scripts)
    return json_reply(told, f"ok: {len(found.scripts)} scripts")


def _counted(values: Any) -> str:
    if not isinstance(values, list):
        return "no args" if values is None else f"args <{type(values).__name__}>"
    return f"{len(values)} args ({sum(len(v) for v in values if isinstance(v, str))} chars)"


def _summarise(arguments: Mapping[str, Any]) -> tuple[str, str]:
    values, raw = arguments.get("args"), arguments.get("script")
    name = text_of(arguments, "name")
    if raw is not None:
        size = scripts.fingerprint(_encoded(raw)) if isinstance(raw, str) else f"<{type(raw).__name__}>"
        return name, f"script {size}, {_counted(values)}"
    return name, f"{name}, {_counted(values)}" if name else "catalogue"


APPLESCRIPT = Tool(
    name="applescript",
    title="Script",
    description="Run one of the user's scripts by name, args as argv. No arguments: list them.",
    params=(
        Param("name", "string", most=64),
        Param("script", "string", "Raw text: refused unless the user allows it", most=RAW_MOST),
        Param("args", "array", default=[], most=scripts.ARGUMENTS_MOST, item=Param("", "string")),
        Param("timeout", "integer", f"Seconds, 1-{TIMEOUT_MOST}, default {TIMEOUT}", default=TIMEOUT, least=1,
              most=TIMEOUT_MOST),
    ),
    read_only=False,
    destructive=True,
    idempotent=False,
    open_world=True,
    handler=_run,
    summarise=_summarise,
    explain=json_failure,
)  # fmt: skip

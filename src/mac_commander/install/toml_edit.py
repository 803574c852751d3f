"""One table put at the end of a TOML text or taken out of it; every other byte stays."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from mac_commander.install.edits import Entry, LeftAlone, Syntax

HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)
BELONGS_TO_NEXT = re.compile(r"(?:^[ \t]*(?:#[^\n]*)?(?:\n|\Z))+\Z", re.MULTILINE)
"""Blank lines and comments at the end of a table."""


def servers(text: str, section: str) -> dict[str, Any]:
    held = _parsed(text).get(section, {})
    if not isinstance(held, dict):
        raise LeftAlone(f"{section} is not a table; take it out, then try again")
    return dict(held)


def put(text: str, section: str, name: str, entry: Entry) -> str:
    held = servers(text, section)
    base = drop(text, section, name) if name in held else text
    newline = "\r\n" if "\r\n" in base else "\n"
    gap = "" if not base else newline if base.endswith("\n") else newline * 2
    lines = [_header(section, name), *(f"{key} = {_rendered(value)}" for key, value in entry.items()), ""]
    return _checked(base + gap + newline.join(lines), text, section, name, entry)


def drop(text: str, section: str, name: str) -> str:
    """Its own sub-tables go with it."""
    start, end = _span(text, section, name)
    head, tail = text[:start], text[end:]
    if not tail:
        head = re.sub(r"(\r?\n)\r?\n\Z", r"\1", head)  # the line that `put` left blank
    return _checked(head + tail, text, section, name, None)


def _header(section: str, name: str) -> str:
    return f"[{section}.{name}]"


def _span(text: str, section: str, name: str) -> tuple[int, int]:
    """From the table's header to the next header that is not one of its sub-tables."""
    section, name = (rf"[\"']?{re.escape(part)}[\"']?" for part in (section, name))
    own = re.compile(rf"[ \t]*\[[ \t]*{section}[ \t]*\.[ \t]*{name}[ \t]*[.\]]")
    starts = [match.start() for match in HEADER.finditer(text)]
    mine = [at for at in starts if own.match(text, at)]
    if not mine:
        raise LeftAlone("its entry is not written as a table of its own; edit it by hand")
    end = next((at for at in starts if at > mine[0] and at not in mine), len(text))
    kept = BELONGS_TO_NEXT.search(text, mine[0], end)
    return mine[0], kept.start() if kept else end


def _checked(after: str, before: str, section: str, name: str, entry: Entry | None) -> str:
    """Lines inside a long string can look like headers, so the outcome is read again before it is used."""
    wanted = _parsed(before)
    wanted[section] = {n: e for n, e in wanted.get(section, {}).items() if n != name}
    if entry is not None:
        wanted[section][name] = dict(entry)
    try:
        found = tomllib.loads(after)
    except tomllib.TOMLDecodeError:
        found = {}
    if _without_empty(found, section) != _without_empty(wanted, section):
        raise LeftAlone(f"[{section}] cannot be edited without touching something else in it; edit it by hand")
    return after


def _without_empty(data: Mapping[str, Any], section: str) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != section or value}


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise LeftAlone(f"not valid TOML: {error}") from None


def _rendered(value: object) -> str:
    """TOML's basic strings and arrays of them are written like JSON's."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(k)} = {_rendered(v)}" for k, v in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False, default=_foreign).replace("\x7f", "\\u007f")


def _foreign(value: object) -> object:
    raise LeftAlone(f"its entry holds {value}, which cannot be written back as it was; edit it by hand")


TOML = Syntax(servers, put, drop)

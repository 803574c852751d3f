"""One member put into a JSON text or taken out of it; every other byte stays, comments too."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

from mac_commander.install.edits import Entry, LeftAlone, Syntax
from mac_commander.install.json_scan import Member, Node, scan

REST_OF_LINE = re.compile(r"(?:[ \t]|/\*[^\r\n]*?\*/)*(?://[^\r\n]*)?(?=\r?\n)")
"""After a brace: what belongs to that line and not to the first member."""

INDENT = "  "
"""Of a file that shows none of its own."""


def servers(text: str, section: str, *, comments: bool) -> dict[str, Any]:
    held = _section(_root(text, comments), section)
    return dict(held.node.value) if held else {}


def put(text: str, section: str, name: str, entry: Entry, *, comments: bool) -> str:
    if not text.strip():
        return json.dumps({section: {name: entry}}, indent=INDENT, ensure_ascii=False) + "\n"
    root = _root(text, comments)
    held = _section(root, section)
    if held is None:
        return _insert(text, root, section, {name: dict(entry)}, _unit(text, root))
    old = held.node.named(name)
    if old is None:
        return _insert(text, held.node, name, dict(entry), _unit(text, root))
    if old.node.value == entry:
        return text
    value = _rendered(text, dict(entry), _line_indent(text, old.start), _unit(text, root), old.node)
    return text[: old.node.start] + value + text[old.node.end :]


def drop(text: str, section: str, name: str, *, comments: bool) -> str:
    held = _section(_root(text, comments), section)
    member = held.node.named(name) if held else None
    assert held is not None
    assert member is not None
    return _cut(text, held.node, member)


def _root(text: str, comments: bool) -> Node:
    return scan(text, comments=comments) if text.strip() else Node(0, 0, {})


def _section(root: Node, section: str) -> Member | None:
    held = root.named(section)
    if held is not None and not isinstance(held.node.value, dict):
        raise LeftAlone(f'"{section}" is not an object; make it {{}} or take it out, then try again')
    return held


def _insert(text: str, node: Node, name: str, value: object, unit: str) -> str:
    """As the first member: no comment of another member comes between, and no comma of theirs moves."""
    key = json.dumps(name, ensure_ascii=False)
    first = node.members[0].start if node.members else node.end - 1
    own_line = REST_OF_LINE.match(text, node.start + 1)
    if own_line is None or own_line.end() > first:
        return _insert_inline(text, node, first, key, value, unit)
    indent = _line_indent(text, first) if node.members else _line_indent(text, node.start) + unit
    written = f"{_newline(text)}{indent}{key}: {_rendered(text, value, indent, unit)}{',' if node.members else ''}"
    return text[: own_line.end()] + written + text[own_line.end() :]


def _insert_inline(text: str, node: Node, first: int, key: str, value: object, unit: str) -> str:
    """The object, or its beginning, is one line. An empty one is opened up, when the file has lines at all."""
    if node.members or "\n" not in text.rstrip():
        comma = ", " if node.members else ""
        return f"{text[:first]}{key}: {json.dumps(value, ensure_ascii=False)}{comma}{text[first:]}"
    outer = _line_indent(text, node.start)
    newline, indent = _newline(text), outer + unit
    written = f"{newline}{indent}{key}: {_rendered(text, value, indent, unit)}{newline}{outer}"
    return text[:first] + written + text[first:]


def _cut(text: str, node: Node, member: Member) -> str:
    """What `_insert` wrote, or the same entry wherever the user moved it."""
    start = len(text[: member.start].rstrip(" \t"))
    on_own_line = text[start - 1] == "\n"
    start = len(text[:start].removesuffix("\n").removesuffix("\r")) if on_own_line else member.start
    if member.comma is not None:
        between, end = text[member.node.end : member.comma], member.comma + 1
        if not on_own_line and text.startswith(" ", end):
            end += 1
        return text[:start] + between.strip() + text[end:]
    before = [m.comma for m in node.members if m.comma is not None]
    head = text[:start] if not before else text[: before[-1]] + text[before[-1] + 1 : start].rstrip(" \t")
    return head + text[member.node.end :]


def _rendered(text: str, value: object, indent: str, unit: str, like: Node | None = None) -> str:
    """On lines of its own, except in place of something that was on one line."""
    if like is not None and "\n" not in text[like.start : like.end]:
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", _newline(text) + indent)


def _unit(text: str, root: Node) -> str:
    """One step of indentation, as the file's first member shows it."""
    indent = _line_indent(text, root.members[0].start) if root.members else ""
    return indent or INDENT


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _syntax(*, comments: bool) -> Syntax:
    return Syntax(
        partial(servers, comments=comments), partial(put, comments=comments), partial(drop, comments=comments)
    )


JSON = _syntax(comments=False)
"""As Claude Desktop and Claude Code read it."""

JSONC = _syntax(comments=True)
"""With comments and trailing commas, as Cursor, VS Code and Gemini CLI read it."""

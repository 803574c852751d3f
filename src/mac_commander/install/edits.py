"""What both syntaxes of configuration files have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mac_commander.errors import CommanderError

Entry = Mapping[str, Any]
"""How one server is started, in the client's own words: ``command``, ``args``…"""


class LeftAlone(CommanderError):
    """The file is not touched; the message says what is wrong with it, and where."""


@dataclass(frozen=True, slots=True)
class Syntax:
    """Edits of a whole text that change one server's entry and keep every other byte. All raise `LeftAlone`."""

    servers: Callable[[str, str], dict[str, Any]]
    """``(text, section)``: every entry of the section, by name; empty when there is no section."""
    put: Callable[[str, str, str, Entry], str]
    """``(text, section, name, entry)``: the text with this entry, in place of an older one of that name."""
    drop: Callable[[str, str, str], str]
    """``(text, section, name)``: the text without that entry, which must be there."""

"""Names of apps: one normal form for comparing, and what may stand as a name at all."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from mac_commander.errors import InvalidArgument

NAME_MOST = 256
"""Longer than any app name or bundle id; keeps messages and the log bounded."""

NEAR_NAMES = 5
"""How many near names a miss lists."""

_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Unicode's Default_Ignorable_Code_Point: invisible, so two names that differ in them look the same."""

_SPACES = re.compile(r"\s+")
_APP_SUFFIX = re.compile(r"(\.app)+$")
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:")


def normal(text: str) -> str:
    """The form in which names and terms are compared: compatibility-composed, invisible characters dropped,
    case folded, spaces collapsed. Idempotent."""
    folded = text
    for _ in range(2):  # folding case can make new composable sequences, composing can make new cased ones
        folded = unicodedata.normalize("NFKC", _IGNORABLE.sub("", folded)).casefold()
    folded = unicodedata.normalize("NFKC", folded)
    return _SPACES.sub(" ", folded).strip()


def stem(text: str) -> str:
    """The normal form without ``.app`` endings: how a bundle's file name relates to its name."""
    return _APP_SUFFIX.sub("", normal(text)).strip()


def check_app_name(name: str, where: str) -> str:
    """The name as given, when it can be one.

    Raises `InvalidArgument`: empty or invisible, too long, with control characters, or a path, URL or option.
    """
    wanted = f"{where}: wanted an app's name or id, like TextEdit or com.apple.TextEdit"
    if len(name) > NAME_MOST:
        raise InvalidArgument(f"{wanted}; got {len(name)} characters, at most {NAME_MOST} are a name")
    if any(unicodedata.category(c) in ("Cc", "Cs") for c in name):
        raise InvalidArgument(f"{wanted}; got control characters or half a surrogate pair")
    if "/" in name or "\\" in name or name.startswith(("~", "-")) or _SCHEME.match(name):
        raise InvalidArgument(f"{wanted}; got a path, URL or option. Names only: installed apps are found by name")
    if not stem(name):
        raise InvalidArgument(f"{wanted}; got empty text, or nothing that can be seen")
    return name


def matches(wanted: str, names: Iterable[str]) -> bool:
    """Exact, but for case, width, invisible characters and an ``.app`` ending; a path matches by itself only."""
    key = stem(wanted)
    return any(key == stem(n) for n in names if "/" not in n)


def near(wanted: str, names: Sequence[str]) -> list[str]:
    """Up to `NEAR_NAMES` of the names that look like the wanted one, for a message; never acted on."""
    by_key = {stem(n): n for n in names}
    key = stem(wanted)
    close = get_close_matches(key, by_key, NEAR_NAMES, 0.6)
    inside = [k for k in by_key if key in k or k in key]
    return [by_key[k] for k in dict.fromkeys([*close, *inside])][:NEAR_NAMES]

"""Text from the screen is data: escaped, on one line, bounded, always encodable as UTF-8 (R11)."""

from __future__ import annotations

import unicodedata

NAME_SHOWN = 100
"""Characters of a label; longer ones are paragraphs, whose start tells them apart."""

_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Co", "Cn"})
"""Controls, bidi marks, surrogates, line separators, private and unassigned: shown by number. The zero width
joiner and variation selectors of emoji stay as they are."""


def escaped(text: str, most: int = NAME_SHOWN) -> str:
    """At most ``most`` characters of the text with quotes, backslashes and everything invisible written out."""
    cut = text[:most] + ("…" if len(text) > most else "")
    if cut.isprintable() and '"' not in cut and "\\" not in cut:
        return cut  # almost every text: thousands of them in a large window
    return "".join(_one(c) for c in cut)


def _one(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    if char.isprintable() or char == "\u200d":
        return char
    if unicodedata.category(char) in _HIDDEN or char.isspace():
        return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"
    return char


def visible(text: str, most: int = NAME_SHOWN) -> str:
    """As `escaped`, but for quotes and backslashes: for a value of its own in JSON, which escapes those itself."""
    return "".join(c if c in '"\\' else _one(c) for c in text[:most]) + ("…" if len(text) > most else "")


def quoted(text: str, most: int = NAME_SHOWN) -> str:
    return f'"{escaped(text, most)}"'

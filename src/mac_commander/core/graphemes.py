"""Cutting text into groups that one event can carry, never inside what a person sees as one character."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from mac_commander.desktops.base import TEXT_GROUP_UTF16

_JOINER = "\u200d"
_REGIONAL = range(0x1F1E6, 0x1F200)
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_TAGS = range(0xE0020, 0xE0080)
_HANGUL_MEDIAL_FINAL = range(0x1160, 0x1200)

CLUSTER_MOST = TEXT_GROUP_UTF16
"""A cluster longer than one event (a base with 30 combining marks) is cut between code points."""


def utf16_units(text: str) -> int:
    return len(text) + sum(ord(c) > 0xFFFF for c in text)


def clusters(text: str) -> Iterator[str]:
    """Grapheme clusters after UAX 29, as far as typing needs: combining marks, joined emoji, flags, skin tones,
    tag sequences and Hangul syllables stay whole."""
    current = ""
    for char in text:
        if current and _continues(current, char):
            current += char
        else:
            if current:
                yield current
            current = char
    if current:
        yield current


def _continues(current: str, char: str) -> bool:
    if current in ("\n", "\t") or char in ("\n", "\t"):
        return False
    code = ord(char)
    if unicodedata.category(char) in ("Mn", "Me", "Mc") or char == _JOINER or code in _SKIN_TONES or code in _TAGS:
        return True
    if current[-1] == _JOINER or code in _HANGUL_MEDIAL_FINAL:
        return True
    flags = [c for c in current if ord(c) in _REGIONAL]
    return code in _REGIONAL and len(flags) == len(current) == 1


def groups(text: str) -> Iterator[str]:
    """Groups of at most `TEXT_GROUP_UTF16` UTF-16 units; newline and tab, which may move the focus, stand alone."""
    current = ""
    for cluster in _pieces(text):
        alone = cluster in ("\n", "\t")
        if current and (alone or utf16_units(current) + utf16_units(cluster) > TEXT_GROUP_UTF16):
            yield current
            current = ""
        if alone:
            yield cluster
        else:
            current += cluster
    if current:
        yield current


def _pieces(text: str) -> Iterator[str]:
    for cluster in clusters(text):
        if utf16_units(cluster) <= CLUSTER_MOST:
            yield cluster
        else:
            yield from cluster

"""Titles of menu items as people say them."""

from __future__ import annotations

import unicodedata


def plain(title: str) -> str:
    """Without case, width, doubled spaces and the dots that announce a dialog."""
    text = unicodedata.normalize("NFKC", title).casefold()
    return " ".join(text.removesuffix("...").split())

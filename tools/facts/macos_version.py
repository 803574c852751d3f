"""Versions of macOS as the headers write them, and the oldest that the product runs on."""

import re

FLOOR = (14, 0)
"""Nothing that was deprecated there or before is used, and nothing newer without asking for it first."""


def number(version: str) -> tuple[int, ...]:
    """`10.15` → (10, 15)."""
    return tuple(int(n) for n in re.findall(r"\d+", version))

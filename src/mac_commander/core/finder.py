"""Finder's commands that throw files away: kept from models as chords (`chords`), and here as menu items and buttons.

A button has nothing but its title to be known by. Menu items are known by their keys too, on the desktop that has
Finder; so a language that is missing here costs the buttons alone.
"""

from __future__ import annotations

import re

from mac_commander.core.names import normal
from mac_commander.errors import Refused
from mac_commander.model import App

FINDER = "com.apple.finder"

_COMMANDS = frozenset({"button", "menuitem"})
"""Roles; a file that is called trash is none of them."""

_TRASH = re.compile(
    r"\b(?:trash|bin|papierkorb|corbeille|papelera|cestino|lixo|lixeira|prullenmand|papperskorgen|papirkurv|roskakori"
    r"|kosza?|koš|koše|çöp sepeti)\b|ゴミ箱|废纸篓|垃圾桶|휴지통|корзин"
)
"""The trash, in the words of macOS's own languages."""

_ERASING = frozenset(
    normal(title)
    for title in (
        "Empty", "Delete Immediately", "Entleeren", "Sofort löschen", "Vider", "Supprimer immédiatement", "Vaciar",
        "Eliminar inmediatamente", "Svuota", "Vuota", "Elimina subito", "Esvaziar", "Apagar Imediatamente",
        "Leeg", "Verwijder direct", "空にする", "すぐに削除", "清倒", "立即删除", "Очистить",
    )
)  # fmt: skip
"""Without the word for the trash: the button in its window, and the command that does not go by way of it."""


def refuse_throwing_away(target: App, role: str, title: str) -> None:
    """Raise `Refused` for a command of Finder's that moves files to the trash, empties it or erases them."""
    if target.app_id.casefold() != FINDER or role not in _COMMANDS:
        return
    words = normal(title.rstrip("….:"))
    if words in _ERASING or _TRASH.search(words):
        raise Refused(f"{role} {title[:80]!r} is kept from models: it throws the user's files away. Ask the user")

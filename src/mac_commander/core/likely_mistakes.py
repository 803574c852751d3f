"""Settings that hold but are most likely not what the user meant: for stderr and ``doctor``, never for a model."""

from __future__ import annotations

from collections.abc import Iterator

from mac_commander.core import injection, scripts
from mac_commander.core.blocklist import Blocklist
from mac_commander.core.config import default_blocklist
from mac_commander.core.names import near
from mac_commander.core.session import Session

TOLD_MOST = 20


def likely_mistakes(session: Session) -> list[str]:
    """One sentence each. Reads what is installed, which takes time: not while a call waits."""
    return [*_misspelt(session), *_injections(session)][:TOLD_MOST]


def _misspelt(session: Session) -> Iterator[str]:
    """The default terms are for apps that most users do not have: only the user's own are looked at."""
    own = [term for term in session.config.input_blocklist if term not in default_blocklist()]
    if not own:
        return
    apps = [a.every_name for a in session.desktop.installed()] + [a.every_name for a in session.desktop.apps()]
    for term in Blocklist(own).matching_none(apps):
        close = near(term, [names[0] for names in apps])
        hint = f"; near: {', '.join(close)}" if close else ""
        yield f"the blocklist entry {term[:80]!r} in config.json is in no installed app's name or id{hint}"


def _injections(session: Session) -> Iterator[str]:
    suffixes = {i.suffix for i in session.desktop.interpreters()}
    for file, text in scripts.texts(session.config):
        suffix = file[file.rfind(".") :]
        if suffix in suffixes:
            yield from injection.warnings(f"scripts/{file}", suffix, text)

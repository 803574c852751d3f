"""One role vocabulary for all desktops: ARIA's words, with the few that desktops need beside them."""

from __future__ import annotations

from collections.abc import Sequence

INTERACTIVE = frozenset(
    "button checkbox combobox link listitem menuitem menuitemcheckbox menuitemradio option radio scrollbar "
    "searchbox slider spinbutton switch tab textarea textfield togglebutton treeitem gridcell row cell "
    "columnheader menubutton colorwell datefield disclosure handle".split()
)
"""Elements a model can act on: they always get a ref."""

CONTENT = frozenset("heading image label paragraph progressbar status alert meter timer tooltip code".split())
"""Carry meaning to read; listed when they have a name or value."""

CONTAINERS = frozenset(
    "application window dialog sheet group list grid table tree toolbar menubar menu tablist tabpanel "
    "radiogroup splitgroup scrollarea document article form region navigation landmark canvas terminal "
    "popover drawer statusbar separator generic rowheader column unknown".split()
)
"""Hold others; listed only when they have a name that says something."""

ROLES = INTERACTIVE | CONTENT | CONTAINERS

COLUMNS = " | "
"""Between the cells in a row's name."""


def in_columns(cells: Sequence[str]) -> str:
    """The name of a row that has none of its own: what its cells say, empty when none says anything."""
    return COLUMNS.join(cells) if any(cells) else ""

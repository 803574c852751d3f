"""The role table: every role that AT-SPI has, in the words that all desktops share."""

from __future__ import annotations

from mac_commander import roles
from mac_commander.desktops.x11 import atspi_roles, atspi_states

LAST = 130
"""``ATSPI_ROLE_SWITCH``, the last of at-spi2-core 2.56."""


def test_every_role_has_a_word_of_the_vocabulary() -> None:
    assert list(atspi_roles.WORDS) == list(range(LAST + 1))
    assert set(atspi_roles.WORDS.values()) <= roles.ROLES


def test_a_role_of_the_future_is_unknown() -> None:
    assert atspi_roles.word(LAST + 1, 0, 0) == "unknown"


def test_what_states_and_parents_tell_apart() -> None:
    menu_bar, menu = 34, 33
    assert atspi_roles.word(menu, 0, menu_bar) == "menuitem"
    assert atspi_roles.word(menu, 0, menu) == "menuitem"
    assert atspi_roles.word(61, atspi_states.MULTI_LINE, 0) == "textarea"
    assert atspi_roles.word(73, atspi_states.EDITABLE, 94) == "textarea"
    assert atspi_roles.word(73, 0, 95) == "paragraph"

"""What CONTRIBUTING promises to those who add something is so."""

from __future__ import annotations

import re
from pathlib import Path

from mac_commander.core.steps import _BUILDERS, FIELDS, TAKES
from tests.attack import test_bounds, values

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_every_place_that_is_named_exists() -> None:
    named = re.findall(r"`((?:src|tests|tools|bench|requirements|\.github)/?[\w./-]*)`", TEXT)
    assert len(named) > 15
    for place in named:
        assert (ROOT / place).exists(), place


def test_every_step_kind_is_in_every_table() -> None:
    (kind,) = [param for param in FIELDS if param.name == "kind"]
    assert set(kind.choices) == set(TAKES) == set(_BUILDERS) == set(test_bounds.STEPS)


def test_the_hijacked_client_knows_every_step_kind() -> None:
    source = Path(str(values.__file__)).read_text(encoding="utf-8")
    assert set(re.findall(r'_step\(\s*"(\w+)"', source)) == set(TAKES)

"""Struts as panels really set them, on monitors of different sizes; what window managers tell is in test_x11."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mac_commander.model import Rect
from mac_commander.overlay.x11.work_area import STRUT_NUMBERS, without_struts

DESKTOP = Rect(0, 0, 2304, 800)
MAIN, SECOND = Rect(0, 0, 1280, 800), Rect(1280, 0, 1024, 600)

BOTTOM_OF_MAIN = [0, 0, 0, 40, 0, 0, 0, 0, 0, 0, 0, 1279]
BOTTOM_OF_SECOND = [0, 0, 0, 240, 0, 0, 0, 0, 0, 0, 1280, 2303]
"""Its 40 pixels, and the 200 below that monitor that are on no screen."""
TOP_OF_ALL = [0, 0, 28, 0, 0, 0, 0, 0, 0, 2303, 0, 0]
LEFT = [64, 0, 0, 0, 0, 799, 0, 0, 0, 0, 0, 0]
RIGHT = [0, 50, 0, 0, 0, 0, 0, 599, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("monitor", "struts", "expected"),
    [
        (MAIN, [], MAIN),
        (MAIN, [BOTTOM_OF_MAIN], Rect(0, 0, 1280, 760)),
        (MAIN, [BOTTOM_OF_SECOND], MAIN),
        (SECOND, [BOTTOM_OF_SECOND], Rect(1280, 0, 1024, 560)),
        (MAIN, [TOP_OF_ALL, LEFT], Rect(64, 28, 1216, 772)),
        (SECOND, [TOP_OF_ALL, LEFT, RIGHT], Rect(1280, 28, 974, 572)),
        (MAIN, [[0, 0, 800, 0, 0, 0, 0, 0, 0, 1279, 0, 0]], MAIN),
    ],
)
def test_only_the_panels_of_a_monitor_cut_it(monitor: Rect, struts: list[list[int]], expected: Rect) -> None:
    assert without_struts(monitor, DESKTOP, struts) == expected


@given(st.lists(st.lists(st.integers(0, 2**32 - 1), min_size=STRUT_NUMBERS, max_size=STRUT_NUMBERS), max_size=4))
def test_whatever_panels_claim_something_of_the_monitor_is_left(struts: list[list[int]]) -> None:
    area = without_struts(SECOND, DESKTOP, struts)
    assert area.width > 0
    assert area.height > 0
    assert SECOND.intersects(area)

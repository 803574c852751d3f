"""When progress is told, on a clock of the test's own."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from mac_commander.core.progress import EVERY_SECONDS, FIRST_SECONDS, Pace


@given(st.lists(st.floats(0.001, 2.0), max_size=60))
def test_nothing_in_the_first_second_then_at_most_four_times_a_second(pauses: list[float]) -> None:
    now, told = 0.0, []
    pace = Pace(lambda *_: told.append(now), lambda: now)
    asked = []
    for pause in pauses:
        now += pause
        asked.append(now)
        pace.report(1, 2, "wait")
    assert all(moment >= FIRST_SECONDS for moment in told)
    assert all(later - earlier >= EVERY_SECONDS - 1e-9 for earlier, later in pairwise(told))
    due = [moment for moment in asked if moment >= FIRST_SECONDS]
    assert told[:1] == due[:1]

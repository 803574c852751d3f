"""The brightness over time, by its own definition: no clock runs here."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mac_commander.overlay.timeline import FADE_IN, FADE_OUT, STEADY_SECONDS, SteadyTimeline, Timeline


def test_dark_until_told() -> None:
    assert Timeline().level(1000.0) == 0
    assert not Timeline().moving(1000.0)


def test_a_long_call_fades_in_stays_and_fades_out() -> None:
    lit = Timeline().told(True, 10.0)
    assert lit.level(10.0) == 0
    assert lit.level(10.0 + FADE_IN / 2) == pytest.approx(0.5)
    assert lit.level(10.0 + FADE_IN) == 1
    assert not lit.moving(10.0 + FADE_IN)
    assert lit.level(60.0) == 1

    dark = lit.told(False, 60.0)
    assert dark.level(60.0) == 1
    assert dark.level(60.0 + FADE_OUT / 2) == pytest.approx(0.5)
    assert dark.level(60.0 + FADE_OUT) == 0
    assert not dark.moving(60.0 + FADE_OUT)


@pytest.mark.parametrize("call", [0.0, 0.001, 0.03])
def test_a_quick_call_is_a_brief_shimmer(call: float) -> None:
    shimmer = Timeline().told(True, 5.0).told(False, 5.0 + call)
    levels = [shimmer.level(5.0 + call + ms / 1000) for ms in range(1000)]
    assert shimmer.moving(5.0 + call)
    assert 0.5 < max(levels) < 0.8
    assert levels[600] == 0


@pytest.mark.parametrize("gap", [0.02, 0.05, 0.1])
def test_calls_in_a_row_blend_into_one_glow(gap: float) -> None:
    timeline, now = Timeline().told(True, 0.0), 1.0
    for _ in range(20):
        timeline = timeline.told(False, now)
        now += gap
        assert timeline.level(now) > 0.9
        timeline = timeline.told(True, now)
        now += 0.3
        assert timeline.level(now) > 0.99


def test_the_same_word_twice_changes_nothing() -> None:
    lit = Timeline().told(True, 1.0)
    assert lit.told(True, 1.1) is lit
    dark = lit.told(False, 2.0)
    assert dark.told(False, 2.1) is dark


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 2)), max_size=20), st.floats(0, 2))
def test_brightness_never_jumps_and_never_leaves_its_range(words: list[tuple[bool, float]], later: float) -> None:
    timeline, now = Timeline(), 0.0
    for lit, pause in words:
        now += pause
        before = timeline.level(now)
        timeline = timeline.told(lit, now)
        assert timeline.level(now) == pytest.approx(before, abs=1e-6)
    assert 0 <= timeline.level(now + later) <= 1
    step = abs(timeline.level(now + later + 0.001) - timeline.level(now + later))
    assert step < 0.01


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), max_size=6), st.floats(0, 2))
def test_at_rest_means_that_this_moment_is_the_last_frame(words: list[tuple[bool, float]], later: float) -> None:
    timeline, now = Timeline(), 0.0
    for lit, pause in words:
        now += pause
        timeline = timeline.told(lit, now)
    now += later
    if not timeline.moving(now):
        assert timeline.level(now) == timeline.level(now + 1000) == (1 if timeline.lit else 0)


@given(st.booleans(), st.floats(0, 3))
def test_it_comes_to_rest(lit: bool, pause: float) -> None:
    timeline = Timeline().told(True, 0.0).told(lit, pause)
    assert not timeline.moving(pause + 1.0)


def test_without_fades_it_is_on_or_off() -> None:
    lit = SteadyTimeline().told(True, 1.0)
    assert lit.level(1.0) == 1
    dark = lit.told(False, 1.001)
    assert dark.level(1.002) == 1
    assert dark.moving(1.002)
    assert dark.level(1.001 + STEADY_SECONDS) == 0
    assert not dark.moving(1.001 + STEADY_SECONDS)
    assert SteadyTimeline().level(0.0) == 0


def test_without_fades_calls_in_a_row_do_not_flicker() -> None:
    timeline, now = SteadyTimeline(), 0.0
    for _ in range(10):
        timeline = timeline.told(True, now).told(False, now + 0.1)
        now += 0.4
        assert timeline.level(now) == 1

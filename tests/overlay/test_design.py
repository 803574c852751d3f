"""Shapes and curves of the halo: strips that fit, a glow without a kink, a pill that stays on the screen."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mac_commander.model import Rect
from mac_commander.overlay import design

SCREENS = st.builds(
    Rect, st.integers(-4000, 4000), st.integers(-4000, 4000), st.integers(200, 8000), st.integers(200, 8000)
)


def test_the_words() -> None:
    assert design.TEXT == "Claude has the con"


@given(st.floats(0, 200), st.floats(0, 200))
def test_the_glow_only_falls_and_ends(near: float, far: float) -> None:
    near, far = sorted((near, far))
    assert design.GLOW_PEAK >= design.glow_opacity(near) >= design.glow_opacity(far) >= 0
    assert design.glow_opacity(design.GLOW_DEPTH) == 0


def test_the_glow_leaves_no_visible_step_anywhere() -> None:
    """One level of 255 is not seen; between pixels at scale 1 no step exceeds what the edge itself needs."""
    levels = [design.glow_opacity(d) * 255 for d in range(int(design.GLOW_DEPTH) + 2)]
    steps = [a - b for a, b in itertools.pairwise(levels)]
    assert max(steps) < 8
    assert steps[-2] < 0.1
    assert all(a >= b for a, b in itertools.pairwise(steps)), "a kink would be seen as a line"


def test_gradient_stops_run_from_the_edge_to_nothing() -> None:
    stops = design.glow_stops()
    assert stops[0] == (0.0, design.GLOW_PEAK)
    assert stops[-1] == (1.0, 0.0)


@given(SCREENS, st.floats(1, 300))
def test_strips_lie_on_the_screen_and_do_not_overlap(screen: Rect, depth: float) -> None:
    strips = design.bands(screen, depth)
    for strip in strips:
        assert screen.x <= strip.x
        assert strip.x + strip.width <= screen.x + screen.width
        assert screen.y <= strip.y
        assert strip.y + strip.height <= screen.y + screen.height
        assert all(part == int(part) for part in strip)
        assert strip.width > 0
        assert strip.height > 0
    pairs = [(a, b) for i, a in enumerate(strips) for b in strips[i + 1 :]]
    assert not any(a.intersects(b) for a, b in pairs)


def test_strips_leave_the_middle_free() -> None:
    strips = design.bands(Rect(0, 0, 1280, 800), 72)
    assert not any(strip.contains(Rect(0, 0, 1280, 800).centre) for strip in strips)
    assert sum(s.width * s.height for s in strips) == 1280 * 800 - (1280 - 144) * (800 - 144)


@given(SCREENS, st.sampled_from([1.0, 1.25, 1.5, 2.0, 3.0]))
def test_the_pill_is_centred_at_the_bottom(screen: Rect, scale: float) -> None:
    pill = design.pill(screen, 160 * scale, scale)
    body = Rect(pill.window.x + pill.body.x, pill.window.y + pill.body.y, pill.body.width, pill.body.height)
    assert body.centre.x == pytest.approx(screen.centre.x, abs=1)
    below = screen.y + screen.height - body.y - body.height
    assert below == pytest.approx(design.PILL_LIFT * scale, abs=1)


def test_the_pill_keeps_words_and_dot_inside() -> None:
    pill = design.pill(Rect(0, 0, 1280, 800), 160, 1)
    right = pill.body.x + pill.body.width
    assert pill.body.x < pill.dot[0] < pill.text[0]
    assert pill.text[0] + 160 == pytest.approx(right - design.PILL_PADDING_X)


def test_rounded_rows_are_symmetric_and_full_in_the_middle() -> None:
    rows = design.rounded_rows(Rect(20, 20, 200, 36))
    assert len(rows) == 36
    assert [r.width for r in rows] == [r.width for r in reversed(rows)]
    assert rows[18].width == 200
    assert rows[0].width < 190

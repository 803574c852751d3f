"""How bright the halo is at a moment. Pure: times come in, a level from 0 (dark) to 1 (fully lit) comes out."""

from __future__ import annotations

from dataclasses import dataclass, replace

FADE_IN = 0.25
"""Seconds from dark to fully lit: quick enough to be there before the second event of a batch."""

FADE_OUT = 0.6
"""Seconds from fully lit to dark: slow enough that calls in a row blend into one glow."""

SHIMMER = 0.6
"""How far the shortest call still rises, as a share of the fade: seen as a shimmer, never mistaken for a long call."""

STEADY_SECONDS = 0.5
"""Without fades a glow lasts at least this long, and this long after the last call: no flicker."""

FRAME = 1 / 60
"""Seconds between two looks while a fade runs."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """What happened last: at ``since`` the fade stood at ``start``, and a call began (``lit``) or ended."""

    lit: bool = False
    since: float = float("-inf")
    start: float = 0.0
    """Share of the way from dark to lit at ``since``: a straight line in time; `level` is the eased curve."""

    def told(self, lit: bool, now: float) -> Timeline:
        """The timeline after a word came in at ``now``. The same word twice changes nothing."""
        if lit == self.lit:
            return self
        return replace(self, lit=lit, since=now, start=self.progress(now))

    @property
    def _top(self) -> float:
        """Where the fall begins once the call has ended."""
        return max(self.start, SHIMMER)

    @property
    def _rising(self) -> float:
        """Seconds after the end of a call in which the glow still rises to `SHIMMER`."""
        return (self._top - self.start) * FADE_IN

    def progress(self, now: float) -> float:
        """From 0 to 1, a straight line up or down; after a call cut short it first rises to `SHIMMER`."""
        elapsed = now - self.since
        if self.lit:
            return min(1.0, self.start + elapsed / FADE_IN)
        if elapsed < self._rising:
            return self.start + elapsed / FADE_IN
        return max(0.0, self._top - (elapsed - self._rising) / FADE_OUT)

    def level(self, now: float) -> float:
        """Brightness: eased at both ends, so that the top of the curve hardly moves between calls in a row."""
        p = self.progress(now)
        return p * p * (3 - 2 * p)

    def moving(self, now: float) -> bool:
        """Whether another frame is due; when not, nothing changes until the next word."""
        if self.lit:
            return self.progress(now) < 1.0
        return now - self.since < self._rising or self.progress(now) > 0.0


@dataclass(frozen=True, slots=True)
class SteadyTimeline:
    """The same without fades: for people who asked for less motion, and for screens that cannot fade."""

    lit: bool = False
    until: float = float("-inf")
    """When it goes dark, once it is not lit any more."""

    def told(self, lit: bool, now: float) -> SteadyTimeline:
        if lit == self.lit:
            return self
        return replace(self, lit=lit, until=now + STEADY_SECONDS)

    def level(self, now: float) -> float:
        return 1.0 if self.lit or now < self.until else 0.0

    def moving(self, now: float) -> bool:
        return not self.lit and now < self.until


AnyTimeline = Timeline | SteadyTimeline

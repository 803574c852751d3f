"""Rectangles and points in screen points, as plain tuples."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Point(NamedTuple):
    x: float
    y: float


class Bounds(NamedTuple):
    x: float
    y: float
    width: float
    height: float

    def contains(self, point: tuple[float, float]) -> bool:
        """The right and bottom edges are outside."""
        x, y = point
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    def moved(self, dx: float, dy: float) -> Bounds:
        return Bounds(self.x + dx, self.y + dy, self.width, self.height)

    def overlaps(self, other: Bounds) -> bool:
        apart_x = self.x + self.width <= other.x or other.x + other.width <= self.x
        apart_y = self.y + self.height <= other.y or other.y + other.height <= self.y
        return not (apart_x or apart_y)


def union(all_bounds: Iterable[Bounds]) -> Bounds:
    """The least rectangle around all of them, empty at the origin when there are none."""
    found = list(all_bounds)
    if not found:
        return Bounds(0, 0, 0, 0)
    left, top = min(b.x for b in found), min(b.y for b in found)
    right, bottom = max(b.x + b.width for b in found), max(b.y + b.height for b in found)
    return Bounds(left, top, right - left, bottom - top)

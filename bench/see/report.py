"""What a run found, as a table for people and as a picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, TOP = 230, 220, 46, 40
COLOURS = ("#d9480f", "#1864ab", "#2b8a3e", "#862e9c", "#5f3dc4", "#495057")


@dataclass(frozen=True)
class Row:
    """One server at one window. ``milliseconds`` is the median after the ``first`` look."""

    peer: str
    window: str
    size: int
    milliseconds: float
    first: float
    processor: float
    """Milliseconds of processor time that a look takes in all: of the server, the app, the bus. Other than the time it
    takes it hardly depends on how busy the machine is."""
    characters: int
    """Of the text that a model reads."""
    bytes: int
    """Of the whole answer on the wire."""
    tokens: int
    widgets: int
    """Of the window's own widgets, those whose label or text is in the answer."""
    elements: int
    """Listed, as our server counts; 0 for others."""
    megabytes: float
    failed: str

    @property
    def whole(self) -> bool:
        """It answered, and with all widgets."""
        return not self.failed and self.characters > 0 and self.widgets >= self.size


HEAD = (
    "| window | server | ms | first ms | × ours | processor ms | × ours "
    "| bytes | characters | tokens | a widget | widgets | MB |"
)


def markdown(rows: Sequence[Row]) -> str:
    ours = {(r.window, r.size): r for r in rows if r.peer == "mac-commander"}
    lines = [HEAD, "|---|---|" + "---:|" * 11]
    for r in rows:
        window = f"{r.window} {r.size}" if r.size else r.window
        if r.failed and not r.characters:
            lines.append(f"| {window} | {r.peer} | {r.failed} |" + " |" * 10)
            continue
        base = ours.get((r.window, r.size))
        times = f"{r.milliseconds / base.milliseconds:.1f}" if base and base.milliseconds else ""
        busy = f"{r.processor / base.processor:.1f}" if base and base.processor else ""
        each = f"{r.tokens / (r.elements or r.widgets):.1f}" if r.elements or r.widgets else ""
        who = f"{r.peer} ({r.failed})" if r.failed else r.peer
        told = f"{r.widgets} of {r.size}" if r.size else ""
        cost = f"{r.bytes:,} | {r.characters:,} | {r.tokens:,} | {each} | {told} | {r.megabytes:.0f}"
        times = f"{r.milliseconds:.0f} | {r.first:.0f} | {times} | {r.processor:.0f} | {busy}"
        lines.append(f"| {window} | {who} | {times} | {cost} |")
    return "\n".join(lines)


def plot(rows: Sequence[Row]) -> str:
    """Time against the number of widgets, a panel for each toolkit; hollow where widgets were missing."""
    panels = [w for w in dict.fromkeys(r.window for r in rows) if any(r.size for r in rows if r.window == w)]
    peers = list(dict.fromkeys(r.peer for r in rows))
    parts = [_panel(window, n, [r for r in rows if r.window == window], peers) for n, window in enumerate(panels)]
    width, height = LEFT + len(panels) * (WIDTH + 30), TOP + HEIGHT + 70
    legend = "".join(
        f'<circle cx="{LEFT + 10 + i * 165}" cy="{height - 18}" r="4" fill="{COLOURS[i]}"/>'
        f'<text x="{LEFT + 20 + i * 165}" y="{height - 14}">{escape(name)}</text>'
        for i, name in enumerate(peers)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="11">'
        f'<rect width="{width}" height="{height}" fill="#fff"/>'
        f'<text x="{LEFT}" y="18" font-size="13">One look at a window: milliseconds by number of widgets '
        f"(hollow: not all of them were told)</text>{''.join(parts)}{legend}</svg>\n"
    )


def _panel(window: str, place: int, rows: Sequence[Row], peers: Sequence[str]) -> str:
    left = LEFT + place * (WIDTH + 30)
    grid = "".join(
        f'<line x1="{left}" x2="{left + WIDTH}" y1="{_y(ms)}" y2="{_y(ms)}" stroke="#dee2e6"/>'
        f'<text x="{left - 4}" y="{_y(ms) + 4}" text-anchor="end" fill="#868e96">{ms}</text>'
        for ms in (10, 100, 1000, 10_000)
    )
    sizes = "".join(
        f'<text x="{_x(left, s)}" y="{TOP + HEIGHT + 16}" text-anchor="middle" fill="#868e96">{s}</text>'
        for s in sorted({r.size for r in rows})
    )
    lines = "".join(_line(left, [r for r in rows if r.peer == p], COLOURS[i]) for i, p in enumerate(peers))
    return f'<text x="{left + 4}" y="{TOP + 12}" font-weight="bold">{escape(window)}</text>{grid}{sizes}{lines}'


def _line(left: float, rows: Sequence[Row], colour: str) -> str:
    told = [r for r in rows if r.characters and r.milliseconds]
    points = [(_x(left, r.size), _y(r.milliseconds)) for r in told]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" stroke="{colour}" fill="{colour if r.whole else "#fff"}"/>'
        for (x, y), r in zip(points, told, strict=True)
    )
    return f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>{dots}'


def _x(left: float, size: int) -> float:
    return left + 20 + (WIDTH - 40) * (math.log10(max(size, 100)) - 2) / (math.log10(5000) - 2)


def _y(milliseconds: float) -> float:
    return TOP + HEIGHT - HEIGHT * (math.log10(min(max(milliseconds, 10), 60_000)) - 1) / (math.log10(60_000) - 1)

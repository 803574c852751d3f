"""What a run found, as a table for people and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

BAR_WIDTH, ROW, LEFT = 420, 26, 210


@dataclass(frozen=True)
class Row:
    """One trial. ``sent`` are characters or clicks that were meant for the target."""

    who: str
    what: str
    target: str
    manager: str
    sent: int
    arrived: int
    """Right, in the target."""
    leaked: int
    """Key presses or clicks in the thief."""
    releases: int
    thefts: int
    rate: float
    """A second, arrived."""
    refused: int = 0

    @property
    def void(self) -> bool:
        """The theft did not happen, so nothing is proven."""
        return not self.alone and self.thefts < 20

    @property
    def alone(self) -> bool:
        """No thief was there."""
        return self.what in ("quiet", "all of Unicode")


HEAD = "| who | against | target | WM | meant for it | arrived right | in the thief (down / up) | thefts | a second |"


def markdown(rows: Sequence[Row]) -> str:
    lines = [HEAD, "|" + "---|" * 9]
    for r in rows:
        leaked = "void" if r.void else "–" if r.alone else f"{r.leaked} / {r.releases}"
        arrived = f"{r.arrived:,}" + (f" ({r.refused:,} refused)" if r.refused else "")
        cells = [r.who, r.what, r.target, r.manager, f"{r.sent:,}", arrived, leaked, f"{r.thefts:,}", f"{r.rate:,.0f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def plot(rows: Sequence[Row], file: Path) -> None:
    """Of 1,000 characters, how many key presses went into the thief: one bar for each who."""
    shares: dict[str, list[int]] = {}
    for r in rows:
        if not r.void and r.what == "focus":
            sent, leaked = shares.get(r.who, [0, 0])
            shares[r.who] = [sent + r.sent, leaked + r.leaked]
    height = ROW * len(shares) + 60
    head = "Key presses that went to a window which steals the focus, per 1,000 characters"
    size = f'width="{LEFT + BAR_WIDTH + 120}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="12" y="24" font-weight="bold">{head}</text>',
    ]
    for i, (who, (sent, leaked)) in enumerate(shares.items()):
        share, y = 1000 * leaked / sent, 44 + ROW * i
        width = max(1.0, BAR_WIDTH * min(share, 1000) / 1000)
        colour = "#2a7" if leaked == 0 else "#c44"
        parts.append(f'<text x="{LEFT - 8}" y="{y + 13}" text-anchor="end">{escape(who)}</text>')
        parts.append(f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="18" fill="{colour}"/>')
        words = f"{share:.0f}" if leaked else f"0 of {sent:,}"
        parts.append(f'<text x="{LEFT + width + 6:.1f}" y="{y + 13}">{words}</text>')
    file.write_text("\n".join([*parts, "</svg>"]) + "\n")

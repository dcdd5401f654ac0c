"""Results as one picture to share: pass rates with their intervals, as an SVG that stands by itself."""

from collections.abc import Sequence
from html import escape
from typing import Final

from archstudio.bench.results.outcomes import Summary

WIDTH, HEIGHT = 1200, 630
"""The size that pages show of a link."""
MOST_ROWS: Final = 8
_TOP, _LEFT, _RIGHT, _ROW = 178, 420, 900, 50
_STYLE: Final = (
    "text{font-family:system-ui,'DejaVu Sans',sans-serif;fill:#1b2430}.muted{fill:#566272}.bar{fill:#2459c9}"
    ".track{fill:#eceff3}.range{stroke:#1b2430;stroke-width:2}.hollow{fill:#bf2730}"
)


def as_card(rows: Sequence[Summary], title: str = "Arch-Bench") -> str:
    """The first rows as bars with 95 % intervals; how many rows are left out is said."""
    shown = list(rows[:MOST_ROWS])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="60" y="86" font-size="40" font-weight="700">{escape(_cut(title, 48))}</text>',
        '<text class="muted" x="60" y="124" font-size="20">Tasks passed by the rubric, with 95 % intervals</text>',
    ]
    for place, row in enumerate(shown):
        parts += _row(row, _TOP + place * _ROW)
    parts.append(f'<text class="muted" x="60" y="{HEIGHT - 34}" font-size="18">{escape(_foot(rows, shown))}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row(row: Summary, y: int) -> list[str]:
    rate = row.passed / row.total if row.total else 0.0
    low, high = row.interval
    told = f"{row.passed} of {row.total}, {100 * low:.0f}–{100 * high:.0f} %"
    hollow = f", {row.hollow} hollow" if row.hollow else ""
    setting = f"{row.setting.way} · {row.setting.split}"
    return [
        f'<text x="60" y="{y + 12}" font-size="20" font-weight="600">{escape(_cut(row.setting.model, 30))}</text>',
        f'<text class="muted" x="60" y="{y + 33}" font-size="15">{escape(_cut(setting, 44))}</text>',
        f'<rect class="track" x="{_LEFT}" y="{y}" width="{_RIGHT - _LEFT}" height="26" rx="5"/>',
        f'<rect class="bar" x="{_LEFT}" y="{y}" width="{_x(rate) - _LEFT:.1f}" height="26" rx="5"/>',
        f'<line class="range" x1="{_x(low):.1f}" x2="{_x(high):.1f}" y1="{y + 32}" y2="{y + 32}"/>',
        f'<text x="{_RIGHT + 20}" y="{y + 20}" font-size="18">{escape(told)}'
        f'<tspan class="hollow">{escape(hollow)}</tspan></text>',
    ]


def _foot(rows: Sequence[Summary], shown: Sequence[Summary]) -> str:
    left = len(rows) - len(shown)
    hollow = "Hollow: passes the rubric, but not all three verdicts. " if any(row.hollow for row in shown) else ""
    return f"{hollow}{f'{left} more not shown. ' if left else ''}Made with Arch Studio."


def _x(share: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * share


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"

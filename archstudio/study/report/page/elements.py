"""Small pieces of HTML; every text that comes from data is escaped here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from archstudio.stats.resampling import Estimate
from archstudio.study.report.shape import Share

NONE: Final = "–"


def paragraph(text: str, kind: str = "") -> str:
    """A paragraph of plain text."""
    return f'<p class="{kind}">{escape(text)}</p>' if kind else f"<p>{escape(text)}</p>"


def table(header: Sequence[str], rows: Iterable[Sequence[str]], text_columns: Sequence[int] = ()) -> str:
    """A table of plain texts; the first column and `text_columns` are aligned left."""
    head = "".join(f"<th{_class(i, text_columns)}>{escape(title)}</th>" for i, title in enumerate(header))
    body = "".join(
        f"<tr>{''.join(f'<td{_class(i, text_columns)}>{escape(cell)}</td>' for i, cell in enumerate(row))}</tr>"
        for row in rows
    )
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _class(place: int, text_columns: Sequence[int]) -> str:
    return ' class="text"' if place in text_columns else ""


def picture(svg: str, caption: str, narrow: bool = False) -> str:
    """A picture with its caption."""
    kind = ' class="narrow"' if narrow else ""
    return f"<figure{kind}>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def details(summary: str, content: str) -> str:
    """Content that is folded away at first."""
    return f"<details><summary>{escape(summary)}</summary>{content}</details>"


def per_cent(value: float | None, digits: int = 1) -> str:
    """A share in per cent."""
    return NONE if value is None else f"{100 * value:.{digits}f} %"


def points(value: float | None) -> str:
    """A difference of shares in points, with its sign."""
    return NONE if value is None else f"{100 * value:+.1f}"


def range_text(low: float | None, high: float | None, scale: float = 100, digits: int = 1) -> str:
    """An interval."""
    return NONE if low is None or high is None else f"{scale * low:.{digits}f} to {scale * high:.{digits}f}"


def estimate(found: Estimate, scale: float = 100, digits: int = 1) -> str:
    """A figure with its interval in brackets."""
    if found.value is None:
        return NONE
    inside = range_text(found.low, found.high, scale, digits)
    return f"{scale * found.value:.{digits}f} [{inside}]"


def share(found: Share) -> str:
    """A share with its Wilson interval in brackets."""
    return NONE if found.value is None else f"{100 * found.value:.1f} [{range_text(found.low, found.high)}]"


def seconds(value: float | None) -> str:
    """A time, as a person reads it."""
    if value is None:
        return NONE
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest:02} s" if minutes else f"{value:.1f} s"


def number(value: float | None, digits: int = 2) -> str:
    """A number."""
    return NONE if value is None else f"{value:.{digits}f}"


def p_value(value: float | None) -> str:
    """A p-value."""
    return NONE if value is None else "< 0.001" if value < 0.001 else f"{value:.3f}"

"""Numbers as people read them: thousands separators, units, and `unknown` while an error stands."""

from __future__ import annotations

from sys import float_info

from archstudio.app.words import said

UNKNOWN = "unknown"
_LARGEST = int(float_info.max)
BEYOND = "beyond 1e308"
"""Said of a size that no float can hold: a file may give a layer a width of any number of digits."""


def count_text(value: float | None) -> str:
    """`4,640`, or `9.25 M` from a million on; `unknown` for None."""
    if value is None:
        return UNKNOWN
    if abs(value) > _LARGEST:
        return BEYOND
    value = int(value)
    if abs(value) < 10**6:
        return f"{value:,}"
    for limit, unit in ((10**6, "M"), (10**9, "G")):
        if abs(value) < 999.5 * limit:  # more would be rounded to a thousand
            return f"{short_text(value / limit)} {unit}"
    return f"{short_text(value / 10**12)} T"


def macs_text(value: float | None) -> str:
    """`1.2 GMAC`; `unknown` for None."""
    if value is None:
        return UNKNOWN
    text = count_text(value)
    return f"{text}MAC" if text[-1].isalpha() else f"{text} MAC"


def bytes_text(value: float | None) -> str:
    """`512 KiB`, `9.4 MiB`; `unknown` for None."""
    if value is None:
        return UNKNOWN
    if abs(value) > _LARGEST:
        return BEYOND
    size = float(value)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(size) < 1024:
            return f"{size:.0f} B" if unit == "B" else f"{short_text(size)} {unit}"
        size /= 1024
    return f"{short_text(size)} TiB"


def short_text(value: float) -> str:
    """Three digits, or whole thousands: `0.0123`, `9.4`, `1,012`; what is beyond a million has an exponent."""
    return f"{value:.3g}" if not 999.5 <= abs(value) < 10**6 else f"{value:,.0f}"


def milliseconds_text(value: float) -> str:
    """`0.02 ms`, `3.4 ms`, `120 ms`."""
    digits = 2 if value < 1 else 1 if value < 10 else 0
    return f"{max(value, 0.01):.{digits}f} ms"


def plural(count: int, one: str, many: str | None = None) -> str:
    """`1 problem`, `2 problems`."""
    return f"{count:,} {said(one if count == 1 else many or one + 's')}"

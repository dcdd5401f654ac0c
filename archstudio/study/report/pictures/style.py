"""How the pictures look, and how they become SVG."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from archstudio.stats.extra import of_study
from archstudio.study.records import Condition
from archstudio.study.report.shape import Share

PEOPLE: Final = "#2459c9"
MODEL: Final = "#d1700f"
FAIL: Final = "#f1c9a0"
INK: Final = "#1b2430"
MUTED: Final = "#66717f"
HAIR: Final = "#d9dee5"
BLANK: Final = "#f3f5f8"
HUES: Final = (PEOPLE, "#14784c", "#8a3ffc", "#bf2730", "#8f5600", "#0f7f8a")
"""Conditions, in their order."""

TITLES: Final[Mapping[Condition, str]] = {
    "single_shot": "Single shot",
    "verifier_turns_3": "Up to three turns",
    "verifier_tool": "Verifier as a tool",
    "assisted": "Assisted",
    "blind": "Blind questions",
    "full_sequential_feedback": "Sequential feedback",
}

_SETTINGS: Final[Mapping[str, Any]] = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 8,
    "axes.edgecolor": MUTED,
    "axes.linewidth": 0.6,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "legend.frameon": False,
    "legend.fontsize": 7.5,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.fonttype": "path",
    "svg.hashsalt": "archstudio",
    "pdf.fonttype": 42,
}


@contextmanager
def styled() -> Iterator[None]:
    """Draw and save pictures inside: matplotlib reads some settings when drawing, others when saving."""
    with of_study("matplotlib").rc_context(dict(_SETTINGS)):
        yield


def new_figure(width: float, height: float) -> Any:
    """An empty figure, sizes in inches; the layout makes room for its labels."""
    return of_study("matplotlib.figure").Figure(figsize=(width, height), layout="constrained")


def as_svg(figure: Any, name: str) -> str:
    """The figure as an element of a page; its inner ids start with `name`, so that several fit on one page."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg", dpi=220, metadata={"Date": None, "Creator": None})
    text = stream.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'(xlink:href="#|url\(#)', rf"\g<1>{name}-", text)
    return re.sub(r'<svg [^>]*?viewBox="([^"]+)"[^>]*>', _OPENING, text, count=1)


_OPENING: Final = (
    r'<svg viewBox="\1" role="img" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
)


def per_cent(value: float | None, digits: int = 1) -> str:
    """A share in per cent, or a dash."""
    return "–" if value is None else f"{100 * value:.{digits}f}"


def bars(share: Share) -> tuple[float, float]:
    """Lengths of the error bars below and above a share, in per cent."""
    value = share.value or 0.0
    return 100 * (value - share.low), 100 * (share.high - value)


def model_label(model_id: str) -> tuple[str, str]:
    """The model's name, and how it was run with the file it is from."""
    name, _, rest = model_id.partition(" · ")
    return name, rest

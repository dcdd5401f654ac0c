"""Where the parameters, the work, the memory or the gradients of a network are: a share of the most for each layer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Literal, TypeAlias

from archstudio.app.document import Document
from archstudio.app.figures import bytes_text, count_text, macs_text, short_text
from archstudio.app.layer_table import layer_rows

HeatKind: TypeAlias = Literal["off", "parameters", "macs", "memory", "gradient"]

HEAT_TITLES: Mapping[HeatKind, str] = {
    "off": "Off",
    "parameters": "Parameters",
    "macs": "MACs",
    "memory": "Memory of the output",
    "gradient": "Gradient norm",
}


@dataclass(frozen=True)
class Heat:
    """One quantity over the layers; layers of which it is unknown are missing.

    `texts` are the values as people read them, `ticks` the values at both ends and in the middle of the colour scale.
    """

    kind: HeatKind
    values: Mapping[str, float]
    texts: Mapping[str, str]
    ticks: tuple[str, str, str]

    def share(self, node_id: str) -> float | None:
        """How hot a layer is, 0 to 1: the square root of its part of the largest value, so that small ones differ."""
        value = self.values.get(node_id)
        return None if value is None else (value / self.most) ** 0.5

    @property
    def most(self) -> float:
        """The largest value, at least something above 0."""
        return max(self.values.values(), default=0.0) or 1.0


def heat(document: Document, kind: HeatKind, gradients: Mapping[str, float] | None = None) -> Heat | None:
    """The heat of a document's layers now; None where it is off or the person may not see sizes.

    `gradients` are norms by the layers' names, from a run.
    """
    if kind == "off" or not document.visibility.counts:
        return None
    values = _gradient_values(document, gradients or {}) if kind == "gradient" else _row_values(document, kind)
    text = _TEXT[kind]
    most = max(values.values(), default=0.0)
    ticks = (text(0), text(most / 4), text(most)) if values else ("", "unknown", "")
    return Heat(kind, values, {n: text(v) for n, v in values.items()}, ticks)


def _row_values(document: Document, kind: HeatKind) -> dict[str, float]:
    found: dict[str, float] = {}
    for row in layer_rows(document):
        value = {"parameters": row.parameters, "macs": row.macs, "memory": row.memory}[kind]
        if value is not None and abs(value) < 1e300:
            found[row.node] = float(value)
    return found


def _gradient_values(document: Document, gradients: Mapping[str, float]) -> dict[str, float]:
    norms = ((n.id, gradients.get(n.name)) for n in document.graph.nodes)
    return {n: float(norm) for n, norm in norms if norm is not None and isfinite(norm)}


_TEXT: Mapping[HeatKind, Callable[[float], str]] = {
    "parameters": count_text,
    "macs": macs_text,
    "memory": bytes_text,
    "gradient": short_text,
}

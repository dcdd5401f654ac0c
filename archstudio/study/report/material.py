"""What a report and its exports are made from: records, the join table, figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from archstudio.study.records import Records
from archstudio.study.report.figures import joined, make_figures
from archstudio.study.report.models import ModelRows
from archstudio.study.report.rows import Row
from archstudio.study.report.shape import Figures


@dataclass(frozen=True)
class Material:
    """Everything known about a study, worked out once."""

    records: Records
    models: ModelRows
    rows: Sequence[Row]
    """People, then models."""
    figures: Figures


def prepare(records: Records, models: ModelRows | None = None, *, allow_simulated: bool = False) -> Material:
    """Join people and models and make the figures. SimulatedRefused where simulated rows are not allowed."""
    imported = models or ModelRows()
    rows = joined(records, imported, allow_simulated=allow_simulated)
    return Material(records, imported, rows, make_figures(records, imported, rows))

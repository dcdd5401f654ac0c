"""Writes CSV that a spreadsheet shows as it is and never runs as a formula."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

_FORMULA_STARTS = tuple("=+-@＝＋－＠")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")

Cell = str | int | float | bool | None


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return a CSV table (RFC 4180) with a header line; None becomes an empty cell, booleans `true` and `false`.

    A text that a spreadsheet would take for a formula gets a leading apostrophe; numbers stay numbers.
    Raises `ValueError` when a row has not as many cells as the header.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow([_safe(title) for title in header])
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header):
            raise ValueError(f"Row {number} has {len(row)} cells, the header has {len(header)}.")
        writer.writerow([_safe(cell) for cell in row])
    return stream.getvalue()


def _safe(cell: Cell) -> str | int | float:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, int | float):
        return cell
    return f"'{cell}" if _reads_as_formula(cell) else cell


def _reads_as_formula(text: str) -> bool:
    return text.lstrip().startswith(_FORMULA_STARTS) and not _NUMBER.fullmatch(text)

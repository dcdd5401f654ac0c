"""A table of an export: its columns with what they mean, and its rows as CSV."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

from archstudio.files.tables import Cell, csv_text
from archstudio.study.redaction import Redactor

Kind: TypeAlias = Literal["id", "string", "integer", "number", "boolean", "datetime", "json", "list"]
"""id: a name that joins tables, given by a program and exported as it is; list: names joined by "|"; json: a JSON
document; datetime: ISO 8601 in UTC."""
R = TypeVar("R")

DICTIONARY_HEADER: Final = ("column", "type", "unit", "levels", "description")


@dataclass(frozen=True)
class Column(Generic[R]):
    """One column; `levels` are its possible values where they are few."""

    name: str
    kind: Kind
    description: str
    get: Callable[[R], Any]
    unit: str = ""
    levels: tuple[str, ...] = ()

    def cell(self, row: R, redactor: Redactor) -> Cell:
        """The value as a CSV cell."""
        value = self.get(row)
        if value is None or isinstance(value, bool | int | float):
            return value
        if self.kind == "json":
            return json.dumps(redactor.value(_mutable(value)), ensure_ascii=False, sort_keys=True)
        if self.kind == "id":
            return str(value)
        return redactor.text("|".join(value) if self.kind == "list" else str(value))


@dataclass(frozen=True)
class Table:
    """Columns, and cells already free of personal values."""

    name: str
    description: str
    columns: Sequence[Column[Any]]
    cells: tuple[tuple[Cell, ...], ...]

    @cached_property
    def csv(self) -> bytes:
        """The table; in UTF-8."""
        return csv_text([column.name for column in self.columns], self.cells).encode()

    @cached_property
    def dictionary(self) -> bytes:
        """What each column means, as a table itself; in UTF-8."""
        rows = [(c.name, c.kind, c.unit, "|".join(c.levels), c.description) for c in self.columns]
        return csv_text(DICTIONARY_HEADER, rows).encode()


def table(name: str, description: str, columns: Sequence[Column[R]], rows: Iterable[R], redactor: Redactor) -> Table:
    """Make a table from rows of one type."""
    cells = tuple(tuple(column.cell(row, redactor) for column in columns) for row in rows)
    return Table(name, description, columns, cells)


def _mutable(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_mutable(each) for each in value]
    return {key: _mutable(each) for key, each in value.items()} if hasattr(value, "items") else value

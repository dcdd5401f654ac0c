"""The tables as a Psych-DS data set: fixed names, one description that tells every column.

Psych-DS (https://psychds-docs.readthedocs.io) asks for `dataset_description.json` with JSON-LD of schema.org, data
files `data/<keyword>-<value>_..._data.csv` with letters and digits in values, and each column in `variableMeasured`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from archstudio.study.export.columns import Column, Table
from archstudio.study.records import Records
from archstudio.study.redaction import Redactor

_SCHEMA: Final = "Psych-DS 0.4.0"


def psych_ds(records: Records, tables: Sequence[Table], redactor: Redactor) -> dict[str, bytes]:
    """File name → content."""
    made = {f"data/{file_name(records, table)}": table.csv for table in tables}
    for table in tables:
        sidecar = {"description": table.description, "variableMeasured": _variables([table])}
        made[f"data/{file_name(records, table)[:-4]}.json"] = _json(sidecar)
    made["dataset_description.json"] = _json(description(records, tables, redactor))
    made["README.md"] = _readme(records, tables, redactor).encode()
    made["CHANGES.md"] = _changes(records, redactor).encode()
    return made


def file_name(records: Records, table: Table) -> str:
    """A table's name by the rules: keywords with values of letters and digits, and the suffix `data`."""
    return f"study-{_plain(records.study.id)}_description-{_plain(table.name)}_data.csv"


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "", text) or "study"


def description(records: Records, tables: Sequence[Table], redactor: Redactor) -> dict[str, Any]:
    """The content of `dataset_description.json`."""
    study = records.study
    simulated = "Made by programs, not by people. " * records.simulated
    told = (
        f"{simulated}{len(records.participants)} participants worked on {len(study.item_ids)} items of "
        f"{study.benchmark} ({study.split}) under the conditions {', '.join(study.conditions)}. Phase: {study.phase}. "
        f"Grader: {study.grader_version}. Model rows in responses_long come from imported result files."
    )
    return {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "schemaVersion": _SCHEMA,
        "name": redactor.text(study.title),
        "identifier": study.id,
        "description": redactor.text(told),
        "keywords": ["human baseline", study.benchmark, "neural network architecture"],
        "variableMeasured": _variables(tables),
    }


def _variables(tables: Iterable[Table]) -> list[dict[str, Any]]:
    """One entry a column name; where tables differ in what they mean by it, each is told."""
    seen: dict[str, dict[str, Column[Any]]] = {}
    for table in tables:
        for column in table.columns:
            seen.setdefault(column.name, {})[table.name] = column
    return [_variable(name, columns) for name, columns in seen.items()]


def _variable(name: str, columns: dict[str, Column[Any]]) -> dict[str, Any]:
    first = next(iter(columns.values()))
    texts = {column.description: table for table, column in reversed(columns.items())}
    told = first.description
    if len(texts) > 1:
        told = " ".join(f"In {table}: {text}" for text, table in reversed(texts.items()))
    made: dict[str, Any] = {"@type": "PropertyValue", "name": name, "description": told}
    if first.unit:
        made["unitText"] = first.unit
    if first.levels:
        made["valueReference"] = list(first.levels)
    return made


def _readme(records: Records, tables: Sequence[Table], redactor: Redactor) -> str:
    lines = [f"# {redactor.text(records.study.title)}", ""]
    lines += ["SIMULATED: programs took part, not people.", ""] * records.simulated
    lines += ["| file | what | rows |", "|---|---|---|"]
    lines += [f"| {file_name(records, table)} | {table.description} | {len(table.cells)} |" for table in tables]
    lines += ["", "Columns are described in dataset_description.json and beside each file.", ""]
    return "\n".join(lines)


def _changes(records: Records, redactor: Redactor) -> str:
    study = records.study
    lines = [f"- plan version {each.version}, {each.at}: {redactor.text(each.reason)}" for each in study.plan_changes]
    return "\n".join(["# Changes of the plan after the first response", "", *(lines or ["None."]), ""])


def _json(content: Any) -> bytes:
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()

"""Writes everything a study comes to into one folder: page, PDF, figures, tables, and all other forms."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from archstudio.files.atomic import saving
from archstudio.files.data import data_path
from archstudio.files.strict_json import dump_json
from archstudio.study.export.checklist import checklist
from archstudio.study.export.cleaning import cleaned
from archstudio.study.export.croissant import croissant
from archstudio.study.export.inspect_logs import inspect_logs
from archstudio.study.export.metr import metr_runs
from archstudio.study.export.native import json_lines, native_files
from archstudio.study.export.psych_ds import psych_ds
from archstudio.study.export.tables import study_tables
from archstudio.study.redaction import Redactor
from archstudio.study.report.material import Material
from archstudio.study.report.page.page import page
from archstudio.study.report.page.pdf import pdf

SUMS: Final = "SHA256SUMS"
"""Lists the files of a report with their digests, as `sha256sum -c` reads them."""


def report_files(material: Material, remove: Iterable[str] = ()) -> dict[str, bytes]:
    """File name → content of the whole folder; `remove` are further names of people or machines to keep out."""
    redactor = Redactor(remove)
    material = replace(material, records=cleaned(material.records, redactor))
    made = {
        "report.html": page(material).encode(),
        "report.pdf": pdf(material),
        "figures.json": dump_json(material.figures.plain()).encode(),
        "recompute.py": data_path("resources", "study", "recompute.py").read_bytes(),
    }
    return {**made, **export_files(material, redactor)}


def export_files(material: Material, redactor: Redactor) -> dict[str, bytes]:
    """The exports alone."""
    records, rows = material.records, material.rows
    tables = study_tables(records, rows, redactor)
    made = {
        "CHECKLIST.md": checklist(material, redactor).encode(),
        "croissant.json": croissant(records, tables, redactor),
    }
    for table in tables:
        made[f"tables/{table.name}.csv"] = table.csv
        made[f"tables/{table.name}.dictionary.csv"] = table.dictionary
    made |= _under("psych-ds", psych_ds(records, tables, redactor))
    made |= _under("inspect", inspect_logs(records, rows, redactor))
    made |= _under("native", native_files(records, rows, redactor))
    made["metr/runs.jsonl"] = json_lines(metr_runs(records, rows))
    return made


def _under(folder: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {f"{folder}/{name}": content for name, content in files.items()}


def write_report(material: Material, folder: Path, remove: Iterable[str] = ()) -> list[Path]:
    """Write the folder; SaveFailed where that cannot be done. Returns the files, the list of their digests last.

    What an earlier report left there goes, so that nothing stays of a person who took their data back; files that no
    report wrote are not touched. Nothing here is the only copy of anything, so files are not synced to disk one by one,
    which thousands of small ones would take minutes for.
    """
    files = report_files(material, remove)
    with saving(folder):
        folder.mkdir(parents=True, exist_ok=True)
        _clear(folder, files.keys())
    sums = "".join(f"{sha256(content).hexdigest()}  {name}\n" for name, content in files.items())
    return [_written(folder / name, content) for name, content in {**files, SUMS: sums.encode()}.items()]


def _written(path: Path, content: bytes) -> Path:
    with saving(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return path


def _clear(folder: Path, names: Collection[str]) -> None:
    """Delete files that an earlier report lists and the new one does not have."""
    sums = folder / SUMS
    if not sums.is_file():
        return
    for line in sums.read_text(encoding="utf-8").splitlines():
        name = line.partition("  ")[2]
        path = folder / name
        within = folder.resolve() in path.resolve().parents
        if name and name not in names and within and path.is_file():
            path.unlink()

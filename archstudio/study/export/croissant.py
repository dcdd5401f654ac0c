"""Croissant metadata of the tables, with the Responsible AI vocabulary.

Croissant 1.0 (https://docs.mlcommons.org/croissant/docs/croissant-spec.html) and Croissant RAI 1.0.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from archstudio.study.export.columns import Column, Kind, Table
from archstudio.study.records import Records
from archstudio.study.redaction import Redactor

_CONTEXT: Final[Mapping[str, Any]] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_TYPES: Final[Mapping[Kind, str]] = {"integer": "sc:Integer", "number": "sc:Float", "boolean": "sc:Boolean"}


def croissant(records: Records, tables: Sequence[Table], redactor: Redactor, folder: str = "tables") -> bytes:
    """The metadata file; `folder` is where the CSV files lie beside it. Tables without rows are left out."""
    study = records.study
    filled = [table for table in tables if table.cells]
    made = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": re.sub(r"[^\w-]+", "-", study.id),
        "description": redactor.text(f"{'SIMULATED. ' * records.simulated}{study.title}"),
        "conformsTo": ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"],
        "version": f"{study.plan_version}.0.0",
        **_responsible(records, redactor),
        "distribution": [_file(table, folder) for table in filled],
        "recordSet": [_records(table) for table in filled],
    }
    return (json.dumps(made, ensure_ascii=False, indent=1) + "\n").encode()


def _file(table: Table, folder: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": f"{table.name}.csv",
        "name": f"{table.name}.csv",
        "description": table.description,
        "contentUrl": f"{folder}/{table.name}.csv",
        "contentSize": f"{len(table.csv)} B",
        "encodingFormat": "text/csv",
        "sha256": sha256(table.csv).hexdigest(),
    }


def _records(table: Table) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.description,
        "field": [_field(table, column) for column in table.columns],
    }


def _field(table: Table, column: Column[Any]) -> dict[str, Any]:
    levels = f" One of: {', '.join(column.levels)}." if column.levels else ""
    unit = f" Unit: {column.unit}." if column.unit else ""
    return {
        "@type": "cr:Field",
        "@id": f"{table.name}/{column.name}",
        "name": column.name,
        "description": f"{column.description}{unit}{levels}",
        "dataType": _TYPES.get(column.kind, "sc:Text"),
        "source": {"fileObject": {"@id": f"{table.name}.csv"}, "extract": {"column": column.name}},
    }


def _responsible(records: Records, redactor: Redactor) -> dict[str, Any]:
    """What the Responsible AI vocabulary asks for, from the study's plan and records."""
    study = records.study
    sources = sorted({person.recruitment for person in records.participants if person.recruitment})
    made = {
        "rai:dataCollection": (
            f"People worked on items of {study.benchmark} ({study.split}) in a desktop program that logged every "
            f"event; conditions: {', '.join(study.conditions)}; sampling: {study.sampling_rule or 'not said'}; order: "
            f"{study.order_rule or 'not said'}."
        ),
        "rai:dataCollectionType": "Experiments",
        "rai:dataAnnotationPlatform": f"archstudio {study.app_version}",
        "rai:annotationsPerItem": f"{len(records.participants)} participants; see responses_long",
        "rai:personalSensitiveInformation": (
            "Answers of a questionnaire under random ids; free text is not exported, and what one person alone "
            "answered is written [rare]."
        ),
        "rai:dataUseCases": "Comparing people with models on the same items; not for judging single people.",
        "rai:dataLimitations": f"{study.phase} phase, {len(records.participants)} participants; see CHECKLIST.md.",
        "rai:dataBiases": f"Participants were recruited by: {', '.join(sources) or 'not said'}.",
        "rai:dataSocialImpact": f"Ethics review: {study.ethics.status}. Compensation: {study.compensation.scheme}.",
    }
    cleaned: dict[str, Any] = redactor.value(made)
    return cleaned

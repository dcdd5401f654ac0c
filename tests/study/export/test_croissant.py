"""mlcroissant accepts the metadata and reads the tables through it."""

from __future__ import annotations

import json
import logging
import warnings

import pytest


@pytest.fixture(scope="module")
def mlcroissant():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what a library warns of on import is not ours
        import mlcroissant
    return mlcroissant


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("study", ["graphs", "questions"])
def test_the_metadata_validate(study, request, mlcroissant, caplog):
    folder = request.getfixturevalue(f"{study}_folder")
    with caplog.at_level(logging.WARNING):
        dataset = mlcroissant.Dataset(jsonld=folder / "croissant.json")
    assert not dataset.metadata.ctx.issues.errors
    about = json.loads((folder / "croissant.json").read_text(encoding="utf-8"))
    assert "http://mlcommons.org/croissant/RAI/1.0" in about["conformsTo"]
    assert about["rai:personalSensitiveInformation"]


@pytest.mark.filterwarnings("ignore")
def test_the_tables_are_read_through_it(graphs, graphs_folder, mlcroissant):
    dataset = mlcroissant.Dataset(jsonld=graphs_folder / "croissant.json")
    records = list(dataset.records(record_set="responses_long"))
    assert len(records) == len(graphs.rows)
    assert {record["responses_long/item_id"].decode() for record in records} == {row.item_id for row in graphs.rows}

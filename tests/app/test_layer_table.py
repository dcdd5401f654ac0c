"""Rows, subtotals and totals of the layer table."""

import csv
import io
from dataclasses import replace

import pytest

from archstudio.app.document import Document
from archstudio.app.layer_table import (
    COLUMNS,
    Subtotal,
    as_csv,
    as_markdown,
    frame_subtotals,
    grouped,
    layer_rows,
    subtotal,
)
from archstudio.app.zoo import zoo_document
from archstudio.edits import SetFrame, set_params
from archstudio.graph import Frame


@pytest.fixture
def lenet() -> Document:
    return zoo_document("lenet-5")


def broken(document: Document) -> Document:
    document.push(set_params(document.graph.node("fc2"), outFeatures=-1), "break")
    return document


def test_memory_is_that_of_the_output_and_none_for_a_view(lenet: Document) -> None:
    memory = {row.name: row.memory for row in layer_rows(lenet)}
    assert memory["conv1"] == 6 * 28 * 28 * 4
    assert memory["flatten"] == memory["digit"] == 0


def test_shares_add_up_to_one(lenet: Document) -> None:
    assert sum(row.share for row in layer_rows(lenet)) == pytest.approx(1)


def test_frames_add_up_their_layers(lenet: Document) -> None:
    rows = layer_rows(lenet)
    features, classifier = frame_subtotals(lenet, rows)
    assert (features.title, features.parameters) == ("Features", 156 + 2416)
    assert classifier.parameters == 48_120 + 10_164 + 850
    assert subtotal("all", rows).macs == lenet.verdict.macs


def test_behind_an_error_sizes_are_unknown_and_so_is_every_sum_with_them(lenet: Document) -> None:
    rows = layer_rows(broken(lenet))
    row = {r.name: r for r in rows}
    assert row["fc3"].memory is None
    assert row["fc3"].cells[-3:] == ("–", "–", "")
    features, classifier = frame_subtotals(lenet, rows)
    assert classifier.macs is None
    assert features.macs == 357_600
    assert all(r.share == 0 for r in rows)


def test_layers_are_listed_behind_the_subtotal_of_their_frame(lenet: Document) -> None:
    rows = layer_rows(lenet)
    listed = [r.title if isinstance(r, Subtotal) else r.name for r in grouped(rows, frame_subtotals(lenet, rows))]
    assert listed[:3] == ["image", "Features", "conv1"]
    assert listed[8:10] == ["Classifier", "flatten"]
    assert len(listed) == len(rows) + 2


def test_a_layer_in_two_frames_is_listed_once(lenet: Document) -> None:
    lenet.push(SetFrame("twice", Frame("twice", "Twice", ("conv1", "image"))), "frame")
    rows = layer_rows(lenet)
    names = [r.name for r in grouped(rows, frame_subtotals(lenet, rows)) if not isinstance(r, Subtotal)]
    assert sorted(names) == sorted(r.name for r in rows)


def test_numbers_sort_as_numbers_and_unknown_ones_come_first(lenet: Document) -> None:
    by_parameters = sorted(layer_rows(lenet), key=lambda r: r.sort_key(3))
    assert by_parameters[-1].name == "fc1"
    unknown = min(layer_rows(broken(lenet)), key=lambda r: r.sort_key(5))
    assert unknown.memory is None


def test_markdown_escapes_pipes_and_csv_has_plain_numbers(lenet: Document) -> None:
    row = replace(layer_rows(lenet)[1], name="a|b")
    assert "| a\\|b | conv2d |" in as_markdown([row])
    assert as_markdown([row]).splitlines()[0].count("|") == len(COLUMNS) + 1
    read = list(csv.DictReader(io.StringIO(as_csv([row, subtotal("all", [row])]))))
    assert [r["row"] for r in read] == ["layer", "subtotal"]
    assert read[0]["memory_bytes"] == str(6 * 28 * 28 * 4)

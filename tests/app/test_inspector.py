"""What the inspector says of a parameter: what it takes, what it usually is, and where layers differ."""

from __future__ import annotations

import pytest

from archstudio.app.document import Document
from archstudio.app.inspector import SEVERAL, field_help, field_rows, shared_rows
from archstudio.graph import Graph, Node
from archstudio.layers import entries


def rows(type_name: str, **params: object) -> dict[str, object]:
    graph = Graph("one")
    graph.insert_node(Node("n0", type_name, "layer", params))
    return {row.field.json: row for row in field_rows(Document(graph), "n0")}


@pytest.mark.parametrize("entry", list(entries()), ids=lambda entry: entry.type)
def test_every_parameter_says_what_it_takes_in_one_sentence(entry) -> None:
    for row in rows(entry.type).values():
        told = field_help(row)
        assert told[0].isupper() or not told[0].isalpha()
        assert told.endswith(".")
        assert ";;" not in told
        assert "  " not in told


def test_ranges_choices_and_defaults_are_told() -> None:
    assert "to 1" in field_help(rows("dropout")["p"])
    assert "usually zeros" in field_help(rows("conv2d")["paddingMode"])
    assert "one of zeros, reflect" in field_help(rows("conv2d")["paddingMode"])
    assert "it follows the wire" in field_help(rows("conv2d")["inChannels"])


def test_valid_divisors_are_listed_unless_they_are_not_to_be_seen() -> None:
    heads = rows("multiHeadAttention", embedDim=12, numHeads=5)["numHeads"]
    assert "valid: 1, 2, 3, 4, 6, 12" in field_help(heads)
    assert "valid" not in field_help(heads, divisors=False)


def test_where_layers_differ_nothing_is_shown_and_only_common_divisors_step() -> None:
    graph = Graph("two")
    graph.insert_node(Node("n0", "multiHeadAttention", "a", {"embedDim": 12, "numHeads": 3}))
    graph.insert_node(Node("n1", "multiHeadAttention", "b", {"embedDim": 8, "numHeads": 3}))
    shared = {row.field.json: row for row in shared_rows(Document(graph), ["n0", "n1"])}
    assert (shared["embedDim"].text, shared["embedDim"].placeholder) == ("", SEVERAL)
    assert shared["numHeads"].text == "3"
    assert shared["numHeads"].steps == (1, 2, 4)

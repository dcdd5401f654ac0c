"""What each digest counts and what it leaves out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from archstudio.graph import Graph
from archstudio.graph.digest import architecture_digest, document_digest

Change = Callable[[Graph], None]


def rename(graph: Graph) -> None:
    graph.replace_node(replace(graph.node("l"), name="other"))


def retype(graph: Graph) -> None:
    graph.replace_node(replace(graph.node("l"), type="bilinear"))


def resize(graph: Graph) -> None:
    graph.replace_node(graph.node("l").with_params(outFeatures=5))


def swap_inputs(graph: Graph) -> None:
    graph.move_connection("d", 2)


def move_node(graph: Graph) -> None:
    graph.move_node_in_order("r", 1)


def new_id(graph: Graph) -> None:
    wire = graph.connection("e")
    graph.remove_connection("e")
    graph.insert_connection(replace(wire, id="other"))


def bypass(graph: Graph) -> None:
    graph.replace_node(replace(graph.node("l"), meta={"bypass": True}))


def draw(graph: Graph) -> None:
    graph.set_positions({"l": (9.0, 9.0)})
    graph.set_frame("f", None)
    graph.set_note("n", None)
    graph.rename("other")


def spell_as_float(graph: Graph) -> None:
    graph.replace_node(graph.node("l").with_params(outFeatures=4.0))


@pytest.mark.parametrize(
    ("change", "in_document", "in_architecture"),
    [
        (rename, True, False),
        (new_id, True, False),
        (retype, True, True),
        (resize, True, True),
        (swap_inputs, True, True),
        (move_node, True, True),
        (bypass, False, True),
        (draw, False, False),
        (spell_as_float, False, False),
    ],
)
def test_what_counts(branches: Graph, change: Change, in_document: bool, in_architecture: bool) -> None:
    before = document_digest(branches), architecture_digest(branches)
    change(branches)
    after = document_digest(branches), architecture_digest(branches)
    assert (before[0] != after[0], before[1] != after[1]) == (in_document, in_architecture)


def test_digests_stay_the_same_from_version_to_version(branches: Graph) -> None:
    """Runs are kept under them, so another way of counting would orphan every run there is."""
    assert architecture_digest(branches) == "4484096605dd6825251c3e6b425ca203195892f9a5381831387fe23a113262f7"
    assert document_digest(branches) == "a7c7ab21c3fa753c34c4a16741a4e91beb62057ba4eb22198fa83a1fd1e0f373"

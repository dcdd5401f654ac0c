"""What cannot be trained is refused with the reason, never stumbled over."""

from __future__ import annotations

import pytest

from archstudio.app.document import Document
from archstudio.app.training import CannotTrain, trainable
from archstudio.graph import Connection, Graph, Node


def straight(*layers: tuple[str, dict]) -> Document:
    graph = Graph("straight")
    for k, (kind, params) in enumerate(layers):
        graph.insert_node(Node(f"n{k}", kind, f"n{k}", params))
    for k in range(len(layers) - 1):
        graph.insert_connection(Connection(f"w{k}", f"n{k}", f"n{k + 1}"))
    return Document(graph)


@pytest.mark.parametrize("shape", [[1, 0], [1, 0, 4]])
def test_an_input_without_a_number_in_it_is_named(shape: list[int]) -> None:
    document = straight(("input", {"shape": shape}), ("relu", {}), ("output", {}))
    assert document.verdict.runs
    with pytest.raises(CannotTrain, match=r"The input n0 is 1×0.*a size of 0 leaves nothing"):
        trainable(document)


def test_an_empty_canvas_has_nothing_to_train() -> None:
    with pytest.raises(CannotTrain, match="There is nothing to train: the network returns nothing"):
        trainable(straight())

"""Embeddings, positions and recurrent layers."""

from random import Random

import pytest

from archstudio.graph import Connection, Graph, Node
from archstudio.layers import Wire, entry
from archstudio.verify import check


@pytest.mark.parametrize(("dtype", "code"), [("int64", None), ("int32", None), ("int16", "E-INDEX-DTYPE")])
def test_an_embedding_takes_only_indices(run, dtype, code):
    result = run("embedding", Wire.of((2, 16), dtype), numEmbeddings=1000, embeddingDim=64)
    assert result.code == code
    assert code or result.shape == (2, 16, 64)


def test_a_position_table_may_be_longer_than_the_sequence_but_not_shorter(run):
    assert run("learnedPositionalEmbedding", (2, 32, 64), maxLen=128).shape == (2, 32, 64)
    late = run("learnedPositionalEmbedding", (2, 257, 64), maxLen=197)
    assert (late.code, late.facts["needs"], late.facts["gets"]) == ("E-POSITIONS", 197, 257)
    assert run("learnedPositionalEmbeddingStrict", (2, 31, 64), maxLen=32).code == "E-POSITIONS"


def test_a_class_token_makes_the_sequence_one_longer(run):
    assert run("clsToken", (1, 196, 768)).shape == (1, 197, 768)


def test_patches_that_do_not_fill_are_dropped(run):
    assert run("patchEmbed", (1, 3, 225, 224), embedDim=768, patchSize=16).shape == (1, 196, 768)
    assert run("patchEmbed", (1, 3, 8, 8), embedDim=768, patchSize=16).code == "E-WINDOW"


def test_an_lstm_returns_its_output_and_both_states(run):
    result = run("lstm", (3, 5, 10), hiddenSize=20, numLayers=2, bidirectional=True, projSize=7)
    output, (hidden, cell) = result.value
    assert (output.shape, hidden.shape, cell.shape) == ((3, 5, 14), (4, 3, 7), (4, 3, 20))
    assert (result.parameters, result.macs) == (7_280, 99_600)
    assert result.layer.output_names() == {"output": (0,), "h_n": (1, 0), "c_n": (1, 1)}


def test_our_recurrent_layers_are_batch_first_and_say_so_to_pytorch(run):
    assert run("lstm", (3, 5, 10), hiddenSize=20).layer.construct_code() == "nn.LSTM(10, 20, batch_first=True)"
    assert entry("lstm").fields["batch_first"].torch_default is False


def test_an_lstm_says_what_it_reads(run):
    result = run("lstm", (3, 5, 9), inputSize=10, hiddenSize=20)
    assert (result.code, result.facts["needs"], result.facts["gets"]) == ("E-RNN-IN", 10, 9)
    assert run("lstm", (3, 5, 2, 10), inputSize=10, hiddenSize=20).code == "E-RANK"
    assert run("lstm", (3, 5, 10), (1, 3, 20), hiddenSize=20).code == "E-RNN-STATE"
    assert run("lstm", (3, 5, 10), hiddenSize=20, projSize=20).code == "E-PROJ-SIZE"


@pytest.mark.parametrize(("cell", "gates"), [("rnnCell", 1), ("gruCell", 3), ("lstmCell", 4)])
def test_a_cell_is_one_step(run, cell, gates):
    result = run(cell, (3, 10), hiddenSize=20)
    assert result.macs == 3 * gates * 20 * (10 + 20)
    assert result.parameters == gates * 20 * (10 + 20 + 2)


def _tied(head: str, **params) -> Graph:
    graph = Graph("tied")
    for node in (
        Node("x", "input", "x", {"shape": [1, 8], "dtype": "int64"}),
        Node("emb", "embedding", "emb", {"numEmbeddings": 1000, "embeddingDim": 64}),
        Node("head", head, "head", params),
    ):
        graph.insert_node(node)
    graph.insert_connection(Connection("c0", "x", "emb"))
    graph.insert_connection(Connection("c1", "emb", "head"))
    return graph


def test_a_tied_head_multiplies_by_the_table_and_adds_no_weights():
    verdict = check(_tied("tiedLinear", node="emb"))
    assert verdict.runs
    assert verdict.nodes["head"].value.shape == (1, 8, 1000)
    assert (verdict.parameters, verdict.macs) == (64_000, 512_000)


def test_a_tied_head_needs_the_node_it_names():
    assert [p.kind.code for p in check(_tied("tiedLinear", node="nobody")).errors] == ["E-NO-TARGET"]


def test_layers_that_share_weights_have_no_example_of_their_own():
    with pytest.raises(NotImplementedError, match="graphs"):
        entry("tiedLinear").example(Random(0))

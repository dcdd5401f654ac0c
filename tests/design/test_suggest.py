"""Suggestions take what the wire carries; replacing a type keeps what means the same."""

from __future__ import annotations

from archstudio.design.sized import add_behind, add_layer
from archstudio.design.suggest import replace_type, suggest
from archstudio.design.usual import AFTER_TYPE, NEXT, PREVIOUS
from archstudio.graph import Connection, Graph, Node
from archstudio.layers import FAMILIES, find
from archstudio.verify import check


def image_net() -> Graph:
    graph = Graph()
    for node in (
        Node("n1", "input", "image", {"shape": [1, 3, 32, 32]}),
        Node("n2", "conv2d", "conv", {"inChannels": 3, "outChannels": 16, "kernelSize": 3, "stride": 2}),
        Node("n3", "linear", "head", {"inFeatures": 15, "outFeatures": 10}),
    ):
        graph.insert_node(node)
    graph.insert_connection(Connection("c0", "n1", "n2"))
    graph.insert_connection(Connection("c1", "n2", "n3"))
    return graph


def test_behind_a_convolution_norms_and_activations_come_first():
    graph = image_net()
    found = [s.type for s in suggest(graph, check(graph), "n2")]
    assert found[:2] == ["batchNorm2d", "relu"]
    assert "embedding" not in found, "it looks up whole numbers"
    assert "conv3d" not in found, "it takes volumes"
    assert "batchNorm1d" not in found


def test_a_reason_is_the_shape_that_comes_out():
    graph = image_net()
    reasons = {s.type: s.why for s in suggest(graph, check(graph), "n2")}
    assert reasons["maxPool2d"] == "gives B×16×7×7"
    assert reasons["globalAvgPool2d"] == "gives B×16"


def test_whatever_is_suggested_runs_when_it_is_added():
    graph = image_net()
    verdict = check(graph)
    for suggestion in suggest(graph, verdict, "n2"):
        kind = find(suggestion.type)
        if kind is None or len(kind.inputs) - kind.optional_inputs > 1 or kind.variadic:
            continue
        edit, _ = add_behind(graph, verdict, suggestion.type, "n2")
        inverse = edit.apply(graph)
        assert check(graph).runs, suggestion.type
        inverse.apply(graph)


def test_behind_an_unknown_wire_custom_alone_ranks():
    graph = image_net()
    edit, made = add_layer(graph, check(graph), "conv2d")
    edit.apply(graph)
    found = [s.type for s in suggest(graph, check(graph), made)]
    assert found[0] == "batchNorm2d"
    assert "embedding" in found


def test_backwards_from_a_linear_layer_flattening_layers_come_first():
    graph = Graph()
    graph.insert_node(Node("n1", "linear", "head", {"outFeatures": 10}))
    found = [s.type for s in suggest(graph, check(graph), "n1", outputs=False)]
    assert found[0] == "flatten"
    assert "output" not in found


def test_backwards_a_layer_that_would_make_the_node_refuse_is_left_out():
    graph = image_net()
    found = [s.type for s in suggest(graph, check(graph), "n2", outputs=False)]
    assert "relu" in found
    assert "flatten" not in found


def test_every_custom_names_types_and_families_that_exist():
    for table in (NEXT, PREVIOUS):
        assert set(table) == set(FAMILIES)
        assert [t for types in table.values() for t in types if find(t) is None] == []
    assert [t for t in AFTER_TYPE if find(t) is None] == []
    assert [t for types in AFTER_TYPE.values() for t in types if find(t) is None] == []


def test_replacing_a_convolution_keeps_what_means_the_same():
    graph = image_net()
    replace_type(graph, check(graph), "n2", "depthwiseConv2d").apply(graph)
    node = graph.node("n2")
    assert (node.type, node.name) == ("depthwiseConv2d", "conv")
    assert node.params["kernelSize"] == 3
    assert node.params["stride"] == 2
    assert [c.id for c in graph.incoming("n2")] == ["c0"]
    assert [p.node for p in check(graph).errors if p.node == "n2"] == []


def test_replacing_takes_over_parameters_under_their_other_name():
    graph = image_net()
    replace_type(graph, check(graph), "n3", "gru").apply(graph)
    assert graph.node("n3").params["hiddenSize"] == 10
    assert "outFeatures" not in graph.node("n3").params


def test_replacing_reads_the_sizes_that_the_wire_gives():
    graph = image_net()
    replace_type(graph, check(graph), "n3", "layerNorm").apply(graph)
    assert graph.node("n3").inferred == ("normalizedShape",)
    assert check(graph).runs


def test_an_activation_replaced_by_another_keeps_nothing_foreign():
    graph = image_net()
    replace_type(graph, check(graph), "n2", "relu").apply(graph)
    assert "kernelSize" not in graph.node("n2").params


def test_an_input_without_dtype_may_become_an_index():
    graph = Graph()
    graph.insert_node(Node("n1", "input", "tokens", {"shape": [1, 128]}))
    found = [s.type for s in suggest(graph, check(graph), "n1")]
    assert found[0] == "embedding"
    assert "linear" in found


def test_behind_several_outputs_the_first_is_read():
    graph = Graph()
    graph.insert_node(Node("n1", "input", "steps", {"shape": [2, 7, 20]}))
    graph.insert_node(Node("n2", "lstm", "lstm", {"hiddenSize": 12}))
    graph.insert_connection(Connection("c0", "n1", "n2"))
    assert suggest(graph, check(graph), "n2")[0].type == "linear"


def test_behind_an_embedding_positions_come_first_and_keep_the_batch():
    graph = Graph()
    graph.insert_node(Node("n1", "input", "tokens", {"shape": [1, 128]}))
    graph.insert_node(Node("n2", "embedding", "emb", {"numEmbeddings": 100, "embeddingDim": 64}))
    graph.insert_connection(Connection("c0", "n1", "n2"))
    first, second = suggest(graph, check(graph), "n2")[:2]
    assert (first.type, second.type) == ("learnedPositionalEmbedding", "positionalEncoding")
    assert first.why == "gives B×128×64"

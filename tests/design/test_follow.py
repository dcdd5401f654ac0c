"""Sizes listed as inferred follow the wire, in one edit, however far a change travels."""

from __future__ import annotations

from itertools import pairwise

from archstudio.design.follow import follow
from archstudio.edits import ChangeNode, set_params
from archstudio.graph import Connection, Graph, Node, write_graph
from archstudio.verify import check


def chain(*nodes: Node) -> Graph:
    graph = Graph()
    for node in nodes:
        graph.insert_node(node)
    for k, (a, b) in enumerate(pairwise(nodes)):
        graph.insert_connection(Connection(f"c{k}", a.id, b.id))
    return graph


def node(name: str, type_: str, inferred: tuple[str, ...] = (), **params: object) -> Node:
    return Node(name, type_, name, params, {"inferred": list(inferred)} if inferred else {})


def image_net() -> Graph:
    return chain(
        node("in", "input", shape=[1, 3, 32, 32]),
        node("conv1", "conv2d", ("inChannels",), inChannels=3, outChannels=16, kernelSize=3),
        node("norm1", "batchNorm2d", ("numFeatures",), numFeatures=16),
        node("act1", "relu"),
        node("norm2", "batchNorm2d", ("numFeatures",), numFeatures=16),
        node("conv2", "conv2d", ("inChannels",), inChannels=16, outChannels=8, kernelSize=3),
        node("head", "linear", ("inFeatures",), inFeatures=28, outFeatures=10),
        node("out", "output"),
    )


def test_nothing_follows_while_nothing_changed():
    graph = image_net()
    assert follow(graph, check(graph)) is None


def test_a_change_cascades_through_layers_in_one_edit():
    graph = image_net()
    set_params(graph.node("conv1"), outChannels=24).apply(graph)
    edit = follow(graph, check(graph))
    assert edit is not None
    edit.apply(graph)
    assert check(graph).runs
    assert graph.node("norm1").params["numFeatures"] == 24
    assert graph.node("norm2").params["numFeatures"] == 24
    assert graph.node("conv2").params["inChannels"] == 24
    assert graph.node("conv2").inferred == ("inChannels",), "it still follows"
    assert follow(graph, check(graph)) is None, "one edit settles it"


def test_a_typed_size_does_not_follow():
    graph = image_net()
    set_params(graph.node("conv2"), inChannels=16).apply(graph)
    set_params(graph.node("conv1"), outChannels=24).apply(graph)
    edit = follow(graph, check(graph))
    assert edit is not None
    edit.apply(graph)
    assert graph.node("conv2").params["inChannels"] == 16
    assert [p.node for p in check(graph).errors] == ["conv2"]


def test_undoing_what_followed_gives_the_same_bytes():
    graph = image_net()
    set_params(graph.node("conv1"), outChannels=24).apply(graph)
    before = write_graph(graph)
    edit = follow(graph, check(graph))
    assert edit is not None
    edit.apply(graph).apply(graph)
    assert write_graph(graph) == before


def test_a_size_behind_an_unknown_wire_stays():
    graph = image_net()
    ChangeNode(node("norm1", "noSuchLayer")).apply(graph)
    assert follow(graph, check(graph)) is None


def test_the_key_as_the_file_spells_it_is_the_one_rewritten():
    graph = chain(
        node("in", "input", shape=[4, 20]),
        node("head", "linear", ("in_features",), in_features=7, outFeatures=10),
    )
    edit = follow(graph, check(graph))
    assert edit is not None
    edit.apply(graph)
    assert graph.node("head").params == {"in_features": 20, "outFeatures": 10}


def test_a_list_of_sizes_follows_too():
    graph = chain(
        node("in", "input", shape=[4, 20]),
        node("norm", "layerNorm", ("normalizedShape",), normalizedShape=[16]),
    )
    edit = follow(graph, check(graph))
    assert edit is not None
    edit.apply(graph)
    assert graph.node("norm").params["normalizedShape"] == [20]


def test_a_layer_that_passes_its_input_through_lets_the_change_pass():
    graph = image_net()
    bypassed = Node("norm1", "batchNorm2d", "norm1", {"numFeatures": 16}, {"inferred": ["numFeatures"], "bypass": True})
    ChangeNode(bypassed).apply(graph)
    set_params(graph.node("conv1"), outChannels=24).apply(graph)
    edit = follow(graph, check(graph))
    assert edit is not None
    edit.apply(graph)
    assert graph.node("conv2").params["inChannels"] == 24

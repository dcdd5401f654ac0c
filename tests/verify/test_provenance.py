"""Where a size comes from, told step by step."""

from __future__ import annotations

from archstudio.graph import Node
from archstudio.verify import check
from archstudio.verify.provenance import explain_axis, origin_text


def told(graph, node: str, axis: int, port: str | None = None) -> list[tuple[str, str]]:
    return [(step.node, step.text) for step in explain_axis(graph, check(graph), node, axis, port)]


def test_a_width_is_traced_through_convolutions_to_the_input(build):
    graph = build(
        {
            "image": ("input", {"shape": [1, 3, 32, 32]}),
            "conv1": ("conv2d", {"outChannels": 16, "kernelSize": 3}),
            "act1": ("relu", {}),
            "conv2": ("conv2d", {"outChannels": 32, "kernelSize": 3, "stride": 2}),
        },
        ["image -> conv1", "conv1 -> act1", "act1 -> conv2"],
    )
    steps = explain_axis(graph, check(graph), "conv2", -1)
    assert [s.node for s in steps] == ["conv2", "conv1", "image"]
    assert origin_text(graph, 14, steps) == "14 ← conv2 (⌊(30 − 3)/2⌋ + 1) ← conv1 (32 − 3 + 1)"


def test_channels_end_at_the_parameter_that_sets_them(cnn):
    assert told(cnn, "act1", -3) == [("conv1", "outChannels")]


def test_the_batch_comes_from_the_input(cnn):
    assert told(cnn, "act1", -4) == [("image", "B")]


def test_an_axis_that_is_not_there_has_no_story(cnn):
    assert told(cnn, "act1", -7) == []
    assert told(cnn, "head", -1) == []
    assert origin_text(cnn, 3, []) == ""


def test_a_size_is_followed_through_the_input_it_came_by(build):
    graph = build(
        {
            "a": ("input", {"shape": [2, 3]}),
            "b": ("input", {"shape": [2, 4]}),
            "joined": ("concatenate", {"dim": -1}),
        },
        ["a -> joined", "b -> joined"],
    )
    steps = told(graph, "joined", -1)
    assert steps[0][0] == "joined"
    assert told(graph, "joined", -2)[-1] == ("a", "B")


def test_a_story_ends_where_a_wire_is_unknown(cnn):
    assert told(cnn, "output", -1) == []


def test_a_bypassed_layer_is_passed_by(cnn):
    node = cnn.node("conv1")
    cnn.replace_node(Node(node.id, node.type, node.name, node.params, {"bypass": True}))
    assert told(cnn, "act1", -1) == [("image", "32")]


def test_one_output_of_several_is_traced_by_its_name(build):
    graph = build({"x": ("input", {"shape": [4, 9, 16]}), "lstm": ("lstm", {"hiddenSize": 32})}, ["x -> lstm"])
    assert told(graph, "lstm", -1, "output") == [("lstm", "hiddenSize")]
    assert told(graph, "lstm", -1) == [], "several outputs have no one size"


def test_a_size_given_to_the_graph_is_not_named_twice(build):
    graph = build(
        {"x": ("input", {"shape": [1, 3, 32, 32]}), "pool": ("maxPool2d", {"kernelSize": 2, "stride": 2})},
        ["x -> pool"],
    )
    assert origin_text(graph, 16, explain_axis(graph, check(graph), "pool", -1)) == "16 ← pool (⌊(32 − 2)/2⌋ + 1)"

"""What holds for any graph: fixes that are offered help, undo is exact, splices never raise, following settles."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from archstudio.design.fixes import MOST, fixes_for
from archstudio.design.follow import follow
from archstudio.design.sized import add_behind, add_layer
from archstudio.design.suggest import replace_type, suggest
from archstudio.edits import set_params
from archstudio.graph import Connection, Graph, Node, write_graph
from archstudio.layers import Layer, Severity, Wire, entries
from archstudio.torchcode.judge import judge
from archstudio.verify import Verdict, check

SEEDS = st.integers(0, 2**32)
STEPS = (
    ("conv2d", ("inChannels", "outChannels", "kernelSize", "groups")),
    ("batchNorm2d", ("numFeatures",)),
    ("relu", ()),
    ("maxPool2d", ("kernelSize", "padding")),
    ("flatten", ("startDim",)),
    ("globalAvgPool2d", ()),
    ("linear", ("inFeatures", "outFeatures")),
    ("layerNorm", ("normalizedShape",)),
    ("multiHeadAttention", ("embedDim", "numHeads")),
    ("lstm", ("inputSize", "hiddenSize")),
    ("transpose", ("dim0",)),
    ("add", ()),
    ("concatenate", ("dim",)),
    ("no such layer", ()),
)
"""Types of a random graph, and the parameters that may be given at random."""


def random_graph(random: Random) -> Graph:
    """An image or a sequence through some layers, wired mostly in a row, with sizes that may well be wrong."""
    graph = Graph()
    shape = random.choice(([1, 3, 8, 8], [2, 3, 9, 9], [2, 6, 8], [1, 12]))
    graph.insert_node(Node("n0", "input", "x", {"shape": shape}))
    for k in range(1, random.randint(2, 7)):
        type_name, keys = random.choice(STEPS)
        params: dict[str, object] = {"outChannels": 4, "kernelSize": 3} if type_name == "conv2d" else {}
        params |= {"outFeatures": 5} if type_name == "linear" else {"hiddenSize": 6} if type_name == "lstm" else {}
        params |= {"kernelSize": 2} if type_name == "maxPool2d" else {}
        params |= {key: random.choice((0, 1, 2, 3, 4, 7, 8, 12)) for key in keys if random.random() < 0.4}
        inferred = [key for key in params if key in ("inChannels", "inFeatures", "numFeatures", "embedDim")]
        meta = {"inferred": inferred} if inferred and random.random() < 0.3 else {}
        graph.insert_node(Node(f"n{k}", type_name, f"layer{k}", params, meta))
        for source in {max(k - 1, 0), *([random.randrange(k)] if random.random() < 0.3 else [])}:
            graph.insert_connection(Connection(f"c{len(graph.connection_ids)}", f"n{source}", f"n{k}"))
    if random.random() < 0.5:
        last = len(graph) - 1
        graph.insert_node(Node("out", "output", "out"))
        graph.insert_connection(Connection("c_out", f"n{last}", "out"))
    if random.random() < 0.05 and len(graph) > 2:
        graph.insert_connection(Connection("c_back", "n2" if "n2" in graph else "n1", "n1"))
    return graph


def in_trouble(verdict: Verdict) -> int:
    return sum(known.state != "ok" for known in verdict.nodes.values())


def assert_every_fix_helps(graph: Graph) -> int:
    """Try what is offered for each problem; returns how many fixes that were."""
    before, bytes_before, offered = check(graph), write_graph(graph), 0
    problems = before.problems
    for problem in problems:
        fixes = fixes_for(graph, problem, before)
        assert len(fixes) <= MOST
        for fix in fixes:
            offered += 1
            tried = graph.copy()
            inverse = fix.edit.apply(tried)
            after = check(tried)
            assert len(after.errors) == fix.remaining
            if problem.severity is Severity.ERROR:
                gone = problem.id not in [p.id for p in after.errors]
                fewer = len(after.errors) < len(before.errors)
                assert fewer or (gone and in_trouble(after) < in_trouble(before)), fix.label
            else:
                assert len(after.errors) <= len(before.errors), fix.label
                assert problem.id not in [p.id for p in after.remarks], fix.label
            assert follow(tried, after) is None, fix.label
            inverse.apply(tried)
            assert write_graph(tried) == bytes_before, fix.label
    assert write_graph(graph) == bytes_before
    return offered


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SEEDS)
def test_every_fix_offered_for_a_random_graph_helps_and_can_be_taken_back(seed: int):
    assert_every_fix_helps(random_graph(Random(seed)))


def fed(kind: type[Layer], random: Random) -> Graph | None:
    """A layer with random parameters and inputs, as a graph; None where an input is a tuple of tensors."""
    example = kind.example(random)
    if not all(isinstance(wire, Wire) for wire in example.inputs):
        return None
    graph = Graph()
    graph.insert_node(Node("x", kind.type, "x", dict(example.params)))
    for k, wire in enumerate(example.inputs):
        assert isinstance(wire, Wire)
        params = {"shape": [int(d) for d in wire.shape], "dtype": wire.dtype, "batchAxis": None}
        graph.insert_node(Node(f"i{k}", "input", f"i{k}", params))
        graph.insert_connection(Connection(f"c{k}", f"i{k}", "x"))
    return graph


@pytest.mark.parametrize("kind", [k for k in entries() if k.inputs], ids=lambda k: k.type)
def test_every_fix_offered_for_a_layer_of_the_catalogue_helps(kind: type[Layer]):
    random = Random(kind.type)
    for _ in range(6):
        try:
            graph = fed(kind, random)
        except NotImplementedError:
            return
        if graph is not None:
            assert_every_fix_helps(graph)


def test_broken_random_graphs_are_mostly_repairable():
    random = Random(7)
    graphs = [graph for graph in (random_graph(random) for _ in range(60)) if not check(graph).runs]
    helped = sum(assert_every_fix_helps(graph) > 0 for graph in graphs)
    assert helped > 0.8 * len(graphs) > 10


@pytest.mark.parametrize("shape", [[2, 3, 8, 8], [2, 3, 4, 8, 8], [2, 6, 12], [2, 12], [2]])
@pytest.mark.parametrize("sized", [True, False])
def test_splicing_any_layer_of_the_catalogue_never_raises_and_runs_where_it_was_suggested(
    shape: list[int], sized: bool
):
    graph = Graph()
    graph.insert_node(Node("n1", "input", "x", {"shape": shape}))
    graph.insert_node(Node("n2", "output", "out"))
    graph.insert_connection(Connection("c1", "n1", "n2"))
    verdict, before = check(graph), write_graph(graph)
    suggested = {s.type for s in suggest(graph, verdict, "n1")}
    for kind in entries():
        edit, made = add_layer(graph, verdict, kind.type, into="c1", sized=sized)
        inverse = edit.apply(graph)
        after = check(graph)
        alone = len(kind.inputs) - kind.optional_inputs == 1 and not kind.variadic
        if sized and alone and kind.type in suggested:
            assert after.nodes[made].state == "ok", kind.type
        inverse.apply(graph)
        assert write_graph(graph) == before


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_one_edit_settles_what_follows(seed: int):
    random = Random(seed)
    graph = random_graph(random)
    changed = random.choice(graph.node_ids)
    if graph.node(changed).params:
        key = random.choice(sorted(k for k in graph.node(changed).params if k != "shape") or ["outFeatures"])
        set_params(graph.node(changed), **{key: random.randint(1, 9)}).apply(graph)
    before = write_graph(graph)
    edit = follow(graph, check(graph))
    if edit is not None:
        inverse = edit.apply(graph)
        assert follow(graph, check(graph)) is None
        inverse.apply(graph)
    assert write_graph(graph) == before


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_any_layer_may_be_suggested_for_added_behind_or_replaced(seed: int):
    random = Random(seed)
    graph = random_graph(random)
    verdict, before = check(graph), write_graph(graph)
    node = random.choice(graph.node_ids)
    kind = random.choice([k.type for k in entries()])
    suggest(graph, verdict, node)
    suggest(graph, verdict, node, outputs=False)
    added, _ = add_behind(graph, verdict, kind, node)
    for edit in (added, replace_type(graph, verdict, node, kind)):
        inverse = edit.apply(graph)
        check(graph)
        inverse.apply(graph)
        assert write_graph(graph) == before


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_what_a_fix_makes_run_runs_in_pytorch(seed: int):
    import torch

    torch.set_num_threads(1)
    graph = random_graph(Random(seed))
    before = check(graph)
    for problem in before.errors[:2]:
        for fix in fixes_for(graph, problem, before)[:2]:
            inverse = fix.edit.apply(graph)
            after = check(graph)
            if after.runs:
                assert judge(graph, after).first_error is None, fix.label
            inverse.apply(graph)

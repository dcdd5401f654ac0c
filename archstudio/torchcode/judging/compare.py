"""Lets PyTorch run a graph and says where it and the rules differ: shapes, parameters, FLOPs."""

from __future__ import annotations

from collections.abc import Iterator

from archstudio.graph import Graph
from archstudio.layers.families.contraction import MatMul
from archstudio.layers.families.dense import Bilinear
from archstudio.torchcode.judge import judge
from archstudio.torchcode.judgement import Judgement, differences
from archstudio.torchcode.judging.messages import Answer
from archstudio.torchcode.judging.meta_stage import MetaStage
from archstudio.torchcode.specs import flat
from archstudio.verify.inputs import is_input
from archstudio.verify.session import check
from archstudio.verify.verdict import NodeVerdict, Verdict

MOST_MACS = 1_000_000_000
"""Multiply–accumulates up to which real numbers are used."""
MOST_PARAMETERS = 200_000_000
MOST_BYTES = 1_000_000_000
"""Bytes of all results together up to which real numbers are used."""
BATCH = 2
"""The batch for real numbers, where the graph's own is larger and the smaller one changes nothing but sizes."""


def compare(graph: Graph) -> Answer:
    """Run a graph with PyTorch, on real numbers if it is small enough, and compare with the rules.

    The graph is changed (its batch); give a copy. Imports torch.
    """
    full = check(graph)
    verdict = _with_small_batch(graph, full)
    if _is_small(verdict):
        judgement = judge(graph, verdict)
        if not _out_of_memory(judgement):
            return _answer(verdict, judgement, "cpu", _flop_differences(verdict) if verdict.runs else None)
    stage = MetaStage(verdict)
    judgement = judge(graph, verdict, stage)
    return _answer(verdict, judgement, "meta", _counted(verdict, stage) if verdict.runs else None)


def _with_small_batch(graph: Graph, verdict: Verdict) -> Verdict:
    """The verdict at a small batch, unless the same errors do not stand there; then that at the graph's own."""
    own = graph.meta.get("batch")
    if not (own > BATCH if isinstance(own, int) else _has_large_batch(verdict)):
        return verdict
    graph.set_meta("batch", BATCH)
    small = check(graph)
    if [p.id for p in small.errors] == [p.id for p in verdict.errors]:
        return small
    graph.set_meta("batch", own)
    return check(graph)


def _has_large_batch(verdict: Verdict) -> bool:
    inputs = (verdict.nodes[n.id].value for n in verdict.graph.nodes if is_input(n))
    return any(wire.shape and int(wire.shape[0]) > BATCH for value in inputs for wire in flat(value))


def _is_small(verdict: Verdict) -> bool:
    known = verdict.nodes.values()
    macs = sum(int(n.macs or 0) for n in known)
    parameters = sum(int(n.parameters or 0) for n in known)
    room = sum(int(w.bytes) for n in known for w in flat(n.value))
    return macs <= MOST_MACS and parameters <= MOST_PARAMETERS and room <= MOST_BYTES


def _out_of_memory(judgement: Judgement) -> bool:
    errors = (ran.error for ran in judgement.nodes.values() if ran.error is not None)
    return any(e.type == "MemoryError" or "allocate memory" in e.message for e in errors)


# ------------------------------------------------------------------- FLOPs


def _flop_differences(verdict: Verdict) -> list[str] | None:
    """Where PyTorch's counter (on the meta device, where it sees all products) differs; None if it saw nothing."""
    stage = MetaStage(verdict)
    judge(verdict.graph, verdict, stage)
    return _counted(verdict, stage)


def _counted(verdict: Verdict, stage: MetaStage) -> list[str] | None:
    compared = {n: flops for n, flops in stage.flops.items() if _is_counted(verdict, n)}
    if not compared:
        return None
    return list(_flops_apart(verdict, compared))


def _flops_apart(verdict: Verdict, counted: dict[str, int]) -> Iterator[str]:
    for node_id, flops in counted.items():
        ours = 2 * int(verdict.nodes[node_id].macs or 0)
        if ours != flops:
            name = verdict.graph.node(node_id).name
            yield f"{name}: {ours:,} FLOPs by the rules (2 a multiply-accumulate), {flops:,} in PyTorch"


def _is_counted(verdict: Verdict, node_id: str) -> bool:
    """Whether PyTorch's counter knows the products of this layer: it knows no bilinear ones and none with vectors."""
    layer = verdict.nodes[node_id].layer
    if isinstance(layer, Bilinear):
        return False
    sources = [verdict.carried(c.id) for c in verdict.graph.incoming(node_id)]
    return not (isinstance(layer, MatMul) and any(w.rank == 1 for value in sources for w in flat(value)))


# ------------------------------------------------------------------ answer


def _answer(verdict: Verdict, judgement: Judgement, where: str, flops: list[str] | None) -> Answer:
    import torch

    graph = verdict.graph
    ran, refused, unasked = _sorted(verdict, judgement)
    compared = ("shapes", "parameters") if verdict.runs else ("shapes",)
    batch = graph.meta.get("batch")
    return Answer(
        torch=torch.__version__.split("+")[0],
        where="cpu" if where == "cpu" else "meta",
        batch=batch if isinstance(batch, int) else None,
        compared=compared if flops is None else (*compared, "FLOPs"),
        differences=(*differences(verdict, judgement), *(flops or ())),
        ran=tuple(dict.fromkeys((ran[0], ran[-1]))) if ran else (),
        refused=refused,
        unasked=unasked,
    )


def _sorted(verdict: Verdict, judgement: Judgement) -> tuple[list[str], tuple[str, ...], tuple[str, ...]]:
    """Names of the layers that ran (in order, without inputs), that were refused, and that nobody could ask about."""
    graph = verdict.graph
    ran, refused, unasked = [], [], []
    for node_id in (*verdict.order, *(n for n in graph.node_ids if n not in set(verdict.order))):
        node, ours, theirs = graph.node(node_id), verdict.nodes[node_id], judgement.nodes.get(node_id)
        if _is_structural(ours):
            unasked.append(node.name)
        elif theirs is not None and theirs.error is not None and ours.outcome.refused is not None:
            refused.append(node.name)
        elif theirs is not None and theirs.value is not None and not is_input(node):
            ran.append(node.name)
    return ran, tuple(refused), tuple(unasked)


def _is_structural(ours: NodeVerdict) -> bool:
    return bool(ours.problems) and ours.problems[0].phase == "structure"

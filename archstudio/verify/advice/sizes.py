"""Weights, results and depths out of proportion, and what other programs do with a layer."""

from __future__ import annotations

from collections.abc import Iterator

from archstudio.layers import Problem
from archstudio.layers.families.dense import Linear
from archstudio.layers.problem import ProblemKind, advice
from archstudio.verify.advice.look import Look, rule
from archstudio.verify.advice.norms import NORMS, PLAIN_CONVOLUTIONS, SELF_NORMALISING
from archstudio.verify.advice.spatial import MERGES, POOLS, sides

DOMINATES = ProblemKind(
    "A-DOMINATES",
    advice,
    "{node} holds {percent} of all weights ({count:,})",
    "One layer that holds most of a network is usually a flattened image before a linear layer: pool first. The "
    "first linear layer of VGG-16 holds 102,764,544 of 138 million.",
    "Simonyan & Zisserman 2014 (arXiv 1409.1556); Lin et al. 2013 (arXiv 1312.4400)",
)
HUGE_MATRIX = ProblemKind(
    "A-HUGE-MATRIX",
    advice,
    "{node} multiplies with a matrix of {count:,} weights",
    "More than 10⁹ weights in one matrix are 4 GB, and three to four times that while training.",
    "Arch-Bench advisor rules, huge-linear-params",
)
LARGE_RESULT = ProblemKind(
    "A-LARGE-RESULT",
    advice,
    "{node} gives {count:,} numbers at once",
    "A tensor of more than 5·10⁷ numbers is 200 MB; in training it is kept until the backward pass.",
    "Arch-Bench advisor rules, large-activation",
)
NO_SKIP = ProblemKind(
    "A-NO-SKIP",
    advice,
    "{count} layers with weights in a row, without a shortcut or a normalisation",
    "Deep plain stacks train worse than shallow ones. Add every few layers what went in (a residual sum).",
    "He et al. 2015 (arXiv 1512.03385)",
)
FEED_FORWARD = ProblemKind(
    "A-FEED-FORWARD",
    advice,
    "{node} widens {width:,} to {inner:,}: usual is 2 to 5 times",
    "Feed-forward layers of transformers are 4 times as wide as the tokens, gated ones 8/3 times.",
    "Shazeer 2020 (arXiv 2002.05202); Arch-Bench advisor rules, swiglu-dim-convention",
)
DEPTHWISE_SLOW = ProblemKind(
    "A-DEPTHWISE-SLOW",
    advice,
    "{node} is depthwise over {channels:,} channels: few multiplications, but all of the memory traffic",
    "On GPUs such a layer is limited by memory, so it saves less time than its count of multiplications promises. Told "
    'only where the graph\'s meta `target` is "gpu".',
)
EXPORT = ProblemKind(
    "A-EXPORT",
    advice,
    "{node}: {what} may come out differently, or not at all, in ONNX opset {opset}",
    "Programs that read exported networks know fewer forms than PyTorch. Told only where the graph's meta `opset` "
    "says for which.",
    "ONNX operators: AveragePool and MaxPool ceil_mode before opset 22, Einsum, pooling of adaptive sizes",
)

MOSTLY, LEAST_DOMINANT, LEAST_LAYERS = 0.5, 1_000_000, 4
"""More than this share of all weights, at least so many, in a network of at least so many layers with weights."""
HUGE, LARGE = 1_000_000_000, 50_000_000
DEEP = 10
FEED_FORWARDS = ("feedForward", "swiglu", "geglu")
WIDENING = (2, 5)
WIDE_DEPTHWISE = 256
FIXED_CEIL_OPSET = 22


@rule
def dominant_layers(look: Look) -> Iterator[Problem]:
    """One layer with most of the weights; tables of words are large by nature."""
    weights = {n: p for n, v in look.nodes.items() if (p := v.outcome.parameters)}
    if not weights:
        return
    largest = max(weights, key=weights.__getitem__)
    count, total = int(weights[largest]), int(sum(weights.values()))
    several = len(weights) >= LEAST_LAYERS
    if several and count > MOSTLY * total and count >= LEAST_DOMINANT and look.family(largest) != "embedding":
        facts = {"count": count, "percent": f"{count / total:.0%}"}
        yield Problem(DOMINATES, largest, "structure", facts=facts)
    for node_id in weights if count > HUGE else ():
        layer = look.layer(node_id)
        if isinstance(layer, Linear) and layer.in_features * layer.out_features > HUGE:
            matrix = layer.in_features * layer.out_features
            yield Problem(HUGE_MATRIX, node_id, "structure", facts={"count": matrix})


@rule
def large_results(look: Look) -> Iterator[Problem]:
    """Layers whose result is very large; of several, the largest."""
    sizes: dict[int, int] = {}
    worst, where = LARGE, ""
    for node_id, known in look.nodes.items():
        wire = look.wire(node_id)
        if wire is None:
            continue
        count = sizes.get(id(wire))
        if count is None:
            count = sizes[id(wire)] = int(wire.elements)
        if count > worst and known.layer is not None and look.type(node_id) not in ("input", "output"):
            worst, where = count, node_id
    if where:
        yield Problem(LARGE_RESULT, where, "forward", facts={"count": worst})


@rule
def deep_plain_stacks(look: Look) -> Iterator[Problem]:
    """Many layers with weights in a graph without sums, concatenations, norms or self-normalising activations."""
    if look.has((*MERGES, *NORMS, *SELF_NORMALISING)) or any(look.of_family("attention", "recurrent")):
        return
    weighted = [n.id for n in look.of("linear", *PLAIN_CONVOLUTIONS)]
    if len(weighted) <= DEEP:
        return
    deep: dict[str, int] = {}
    counted = set(weighted)
    for node_id in look.order:
        deep[node_id] = max([deep.get(s, 0) for s in look.sources(node_id)], default=0) + (node_id in counted)
    count = max(deep.values(), default=0)
    if count > DEEP:
        yield Problem(NO_SKIP, weighted[0], "structure", facts={"count": count})


@rule
def odd_feed_forwards(look: Look) -> Iterator[Problem]:
    """Feed-forward blocks much narrower or wider than usual."""
    for node in look.of(*FEED_FORWARDS):
        layer = look.layer(node.id)
        width, inner = getattr(layer, "embed_dim", 0), getattr(layer, "ff_dim", 0)
        if not (isinstance(width, int) and isinstance(inner, int) and width and inner):
            continue
        if not WIDENING[0] <= inner / width <= WIDENING[1]:
            yield Problem(FEED_FORWARD, node.id, "structure", facts={"width": width, "inner": inner})


@rule
def slow_depthwise(look: Look) -> Iterator[Problem]:
    """Wide depthwise convolutions; only for GPUs."""
    if look.text("target") != "gpu":
        return
    for node in look.of("conv1d", "conv2d", "depthwiseConv1d", "depthwiseConv2d"):
        layer = look.layer(node.id)
        channels = int(getattr(layer, "in_channels", 0))
        depthwise = "depthwise" in look.type(node.id) or getattr(layer, "groups", 1) == channels
        if depthwise and channels >= WIDE_DEPTHWISE:
            yield Problem(DEPTHWISE_SLOW, node.id, "structure", facts={"channels": channels})


@rule
def hard_to_export(look: Look) -> Iterator[Problem]:
    """Forms that ONNX does not have, or has only since a later opset; only where one is named."""
    opset = look.number("opset")
    if opset is None:
        return
    for node in look.of(*POOLS, "einsum", "adaptiveAvgPool2d", "adaptiveMaxPool2d"):
        layer, x = look.nodes[node.id].layer, look.input(node.id)
        what = ""
        if look.type(node.id) == "einsum":
            what = "the equation" if opset < 12 else ""
        elif look.type(node.id) in POOLS:
            what = "ceilMode" if getattr(layer, "ceil_mode", False) and opset < FIXED_CEIL_OPSET else ""
        elif x is not None and layer is not None and _uneven(x.shape[-2:], sides(getattr(layer, "output_size", ()), 2)):
            what = "an adaptive size that does not divide the image"
        if what:
            yield Problem(EXPORT, node.id, "structure", facts={"what": what, "opset": int(opset)})


def _uneven(sizes: tuple[int, ...], wanted: tuple[object, ...]) -> bool:
    return any(isinstance(w, int) and w > 0 and int(s) % w for s, w in zip(sizes, wanted, strict=False))

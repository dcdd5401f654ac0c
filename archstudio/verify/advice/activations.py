"""Activations, linear maps and dropout in an order that wastes them."""

from __future__ import annotations

from collections.abc import Iterator

from archstudio.layers import Layer, Problem
from archstudio.layers.families.conv import Convolution
from archstudio.layers.families.dense import Linear
from archstudio.layers.families.recurrent import Recurrent
from archstudio.layers.problem import ProblemKind, advice
from archstudio.verify.advice.look import Look, rule
from archstudio.verify.advice.norms import DROPOUTS, PLAIN_CONVOLUTIONS

TWICE_ACTIVATED = ProblemKind(
    "A-TWICE-ACTIVATED",
    advice,
    "{node} follows {source}, another activation",
    "Two activations in a row add little; often one of them was left over.",
)
RELU_SOFTMAX = ProblemKind(
    "A-RELU-SOFTMAX",
    advice,
    "{node} makes probabilities of what {source} has cut off at zero",
    "All scores below zero become equal before the softmax, and get no gradient: a class cannot be ruled out any more.",
)
ACTIVATED_RESULT = ProblemKind(
    "A-ACTIVATED-RESULT",
    advice,
    "{node} cuts off the result itself",
    "A loss on raw scores, or a regression, wants values of both signs; a unit that is below zero for all samples "
    "learns nothing. Leave it only where results cannot be negative.",
)
SOFTMAX_RESULT = ProblemKind(
    "A-SOFTMAX-RESULT",
    advice,
    "The result is probabilities: {node} stands before the output",
    "Cross-entropy, also the one that training in this program uses, takes raw scores and applies log-softmax "
    "itself. Keep the softmax only in a model that is used, not trained.",
    "PyTorch docs, CrossEntropyLoss; Arch-Bench advisor rules, output-activation",
)
COLLAPSES = ProblemKind(
    "A-COLLAPSES",
    advice,
    "{node} follows {source} with nothing between, so both act as one",
    "Two linear maps in a row are one linear map; without an activation between them the second adds weights, not "
    "abilities. A narrow middle (a bottleneck) can be meant.",
)
SATURATES = ProblemKind(
    "A-SATURATES",
    advice,
    "{count} layers of {kind} between layers with weights: gradients shrink at each",
    "The slope of a sigmoid is at most 1/4 and that of both functions vanishes away from zero, so the first layers "
    "of a deep stack hardly learn. Gates, which multiply, are no such layers.",
    "Glorot & Bengio 2010 (AISTATS)",
)
DROPOUT_HIGH = ProblemKind(
    "A-DROPOUT-HIGH",
    advice,
    "{node} drops {percent} of all values",
    "Usual are 10 to 50 %. At 100 % nothing passes while training.",
    "Srivastava et al. 2014 (JMLR 15), appendix A",
)
DROPOUT_LAST = ProblemKind(
    "A-DROPOUT-LAST",
    advice,
    "{node} drops parts of the result itself",
    "Behind the last layer there is nothing that could learn to do without the dropped values; the loss only gets "
    "noise.",
    "Arch-Bench advisor rules, dropout-at-output",
)
DROPOUT_IDLE = ProblemKind(
    "A-DROPOUT-IDLE",
    advice,
    "The dropout of {node} does nothing: it acts between layers, and there is one",
    "PyTorch drops values between the layers of a recurrent stack, never behind the last. It warns of this.",
    "PyTorch docs, LSTM: dropout",
)

ACTIVATIONS = (
    *("relu", "relu6", "gelu", "silu", "tanh", "sigmoid", "leakyRelu", "elu", "selu", "mish", "celu"),
    *("hardSwish", "hardSigmoid", "prelu", "softplus"),
)
CUTTING = ("relu", "relu6")
HIGH_DROPOUT = 0.7
SATURATING = 3
"""This many sigmoids or tanhs between layers with weights are told of."""
_WEIGHTED = frozenset({"dense", "conv"})


@rule
def activations_in_a_row(look: Look) -> Iterator[Problem]:
    """Activations that follow an activation."""
    for node in look.of(*ACTIVATIONS):
        source = next((s for s in look.sources(node.id) if look.type(s) in ACTIVATIONS), None)
        if source is not None:
            yield Problem(TWICE_ACTIVATED, node.id, "structure", 0, facts={"source": look.name(source)})


@rule
def probabilities_of_what_was_cut(look: Look) -> Iterator[Problem]:
    """Softmax straight behind a ReLU."""
    for node in look.of("softmax", "logSoftmax"):
        source = look.source(node.id)
        if source is not None and look.type(source) in CUTTING:
            yield Problem(RELU_SOFTMAX, node.id, "structure", 0, facts={"source": look.name(source)})


@rule
def activated_results(look: Look) -> Iterator[Problem]:
    """ReLU or softmax before an output whose scores come from a linear layer; not where the graph holds its loss."""
    if any(look.of_family("loss")):
        return
    for node in look.of("output"):
        last = look.source(node.id)
        before = None if last is None else look.source(last)
        if last is None or before is None or look.family(before) != "dense":
            continue
        if look.type(last) in CUTTING:
            yield Problem(ACTIVATED_RESULT, last, "structure")
        elif look.type(last) == "softmax":
            yield Problem(SOFTMAX_RESULT, last, "structure")


@rule
def collapsing_layers(look: Look) -> Iterator[Problem]:
    """Linear layers (or 1×1 convolutions) straight behind one that nothing else reads; bottlenecks are left alone."""
    maps: dict[str, tuple[int, int, str]] = {}
    for layer, _, nodes in look.alike("linear", "lmHead", "projection", *PLAIN_CONVOLUTIONS):
        widths = _widths(layer)
        if widths is not None:
            maps.update(dict.fromkeys((n.id for n in nodes), widths))
    for node_id, second in maps.items():
        for source in look.sources(node_id):
            first = maps.get(source)
            if first is None or first[2] != second[2] or first[1] < min(first[0], second[1]):
                continue
            if len(look.targets(source)) == 1:
                yield Problem(COLLAPSES, node_id, "structure", 0, facts={"source": look.name(source)})


def _widths(layer: Layer) -> tuple[int, int, str] | None:
    """What a linear map takes and gives, and which axis it works on; None for other layers."""
    if layer.unbound:
        return None
    if isinstance(layer, Linear):
        return layer.in_features, layer.out_features, "last"
    if isinstance(layer, Convolution) and hasattr(layer, "padding"):
        point = set(layer.kernel_size) == {1} and set(layer.stride) == {1} and layer.groups == 1
        if point and (layer.padding == "same" or not any(_sizes(layer.padding))):
            return layer.in_channels, layer.out_channels, "channels"
    return None


def _sizes(padding: object) -> tuple[int, ...]:
    return tuple(padding) if isinstance(padding, list | tuple) else (int(padding),) if isinstance(padding, int) else ()


@rule
def saturating_stacks(look: Look) -> Iterator[Problem]:
    """Several sigmoids or tanhs, each alone between two layers with weights."""
    for kind in ("sigmoid", "tanh"):
        found = []
        for node in look.of(kind):
            source, target = look.source(node.id), look.target(node.id)
            if source and target and look.family(source) in _WEIGHTED and look.family(target) in _WEIGHTED:
                found.append(node.id)
        if len(found) >= SATURATING:
            yield Problem(SATURATES, found[0], "structure", facts={"count": len(found), "kind": kind})


@rule
def dropout_out_of_place(look: Look) -> Iterator[Problem]:
    """Dropout that drops nearly all, or parts of the result."""
    for node in look.of(*DROPOUTS):
        share = getattr(look.nodes[node.id].layer, "p", None)
        if isinstance(share, int | float) and share >= HIGH_DROPOUT:
            yield Problem(DROPOUT_HIGH, node.id, "structure", facts={"percent": f"{share:.0%}"})
        target = look.target(node.id)
        if target is not None and (look.type(target) == "output" or look.family(target) == "loss"):
            yield Problem(DROPOUT_LAST, node.id, "structure")


@rule
def idle_dropout(look: Look) -> Iterator[Problem]:
    """Recurrent layers of one layer with dropout."""
    for node in look.of_family("recurrent"):
        layer = look.nodes[node.id].layer
        if isinstance(layer, Recurrent) and layer.dropout and layer.num_layers == 1:
            yield Problem(DROPOUT_IDLE, node.id, "structure")

"""Losses that get something else than they take: the training runs, and learns the wrong thing."""

from __future__ import annotations

from collections.abc import Iterator

from archstudio.layers import Problem
from archstudio.layers.problem import ProblemKind, mistake
from archstudio.verify.advice.look import Look, rule

SOFTMAX_LOSS = ProblemKind(
    "M-SOFTMAX-LOSS",
    mistake,
    "{node} takes raw scores, but {source} has turned them into probabilities",
    "Cross-entropy applies log-softmax itself; a softmax before it flattens the gradient.",
    "PyTorch docs, CrossEntropyLoss: the input is expected to contain the unnormalized logits",
)
SIGMOID_LOSS = ProblemKind(
    "M-SIGMOID-LOSS",
    mistake,
    "{node} takes raw scores, but {source} has squashed them already",
    "Binary cross-entropy with logits applies the sigmoid itself; twice squashed, every score lies between 0.5 and "
    "0.73.",
    "PyTorch docs, BCEWithLogitsLoss",
)
RAW_BCE = ProblemKind(
    "M-RAW-BCE",
    mistake,
    "{node} takes probabilities, but {source} gives raw scores",
    "Binary cross-entropy takes logarithms of its input, which must lie between 0 and 1. PyTorch stops at the first "
    "score outside. Use a sigmoid before it, or better the loss that takes raw scores (bceWithLogitsLoss).",
    "PyTorch docs, BCELoss",
)
RAW_NLL = ProblemKind(
    "M-RAW-NLL",
    mistake,
    "{node} takes log-probabilities, but {source} gives {gives}",
    "The negative log-likelihood only picks the value of the right class; without a log-softmax before it the loss "
    "falls without bound while nothing is learned.",
    "PyTorch docs, NLLLoss",
)
LOSS_BROADCAST = ProblemKind(
    "M-LOSS-BROADCAST",
    mistake,
    "{node} compares {prediction} with {target}: PyTorch stretches them to fit",
    "A difference of (N, 1) and (N) is N×N: every prediction is compared with every target, and the best answer "
    "becomes the mean of all targets. PyTorch only warns.",
    "PyTorch warns: Using a target size that is different to the input size",
)

_PASSED_TOO_EARLY = {
    "crossEntropyLoss": (SOFTMAX_LOSS, frozenset({"softmax", "logSoftmax", "softmax2d"})),
    "bceWithLogitsLoss": (SIGMOID_LOSS, frozenset({"sigmoid", "softmax", "hardSigmoid"})),
}
_WEIGHTED = frozenset({"dense", "conv"})
_COMPARING = ("mseLoss", "l1Loss", "smoothL1Loss", "huberLoss")


@rule
def squashed_scores(look: Look) -> Iterator[Problem]:
    """Losses on raw scores that get probabilities."""
    for loss, (kind, types) in _PASSED_TOO_EARLY.items():
        for node in look.of(loss):
            source = next(iter(look.sources(node.id)), None)
            if source is not None and look.type(source) in types:
                yield Problem(kind, node.id, "forward", 0, facts={"source": look.name(source)})


@rule
def raw_scores(look: Look) -> Iterator[Problem]:
    """Losses on probabilities that get what a layer with weights gives; other sources may hold probabilities."""
    for node in look.of("bceLoss"):
        source = next(iter(look.sources(node.id)), None)
        if source is not None and look.family(source) in _WEIGHTED:
            yield Problem(RAW_BCE, node.id, "forward", 0, facts={"source": look.name(source)})
    for node in look.of("nllLoss"):
        source = next(iter(look.sources(node.id)), None)
        if source is None:
            continue
        gives = "probabilities" if look.type(source) == "softmax" else "raw scores"
        if gives == "probabilities" or look.family(source) in _WEIGHTED:
            yield Problem(RAW_NLL, node.id, "forward", 0, facts={"source": look.name(source), "gives": gives})


@rule
def stretched_targets(look: Look) -> Iterator[Problem]:
    """Differences of different shapes."""
    for node in look.of(*_COMPARING):
        wires = [look.wire(s) for s in look.sources(node.id)]
        if len(wires) == 2 and wires[0] and wires[1] and wires[0].shape != wires[1].shape:
            facts = {"prediction": wires[0].text(), "target": wires[1].text()}
            yield Problem(LOSS_BROADCAST, node.id, "forward", facts=facts)

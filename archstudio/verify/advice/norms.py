"""Normalisations in a place where they do little or harm, and dropout beside them."""

from __future__ import annotations

from collections.abc import Iterator

from archstudio.layers import Problem, Wire
from archstudio.layers.problem import ProblemKind, advice
from archstudio.verify.advice.look import Look, rule

BIAS_BEFORE_NORM = ProblemKind(
    "A-BIAS-BEFORE-NORM",
    advice,
    "The bias of {node} is cancelled by {norm}",
    "A normalisation over the batch subtracts the mean, and with it any constant offset of each channel.",
    "Ioffe & Szegedy 2015 (arXiv 1502.03167), section 3.2",
)
DROPOUT_BEFORE_BN = ProblemKind(
    "A-DROPOUT-BEFORE-BN",
    advice,
    "{norm} normalises what {node} has thinned out",
    "Dropout changes the variance between training and use; a batch norm behind it keeps the variance of training "
    "and is then wrong in use. Put the dropout behind the last batch norm.",
    "Li et al. 2018 (arXiv 1801.05134)",
)
NORM_TWICE = ProblemKind(
    "A-NORM-TWICE",
    advice,
    "{node} normalises what {source} has just normalised",
    "The second of two normalisations in a row finds its work done; often one was left over.",
)
NORM_AT_END = ProblemKind(
    "A-NORM-AT-END",
    advice,
    "{node} normalises the result itself",
    "A batch norm as the last layer makes scores or values depend on the other samples of the batch and fixes their "
    "mean and spread, which a regression or a loss on raw scores does not want.",
    "Arch-Bench advisor rules, bn-at-output",
)
NO_NORM = ProblemKind(
    "A-NO-NORM",
    advice,
    "{count} convolutions and no normalisation between them",
    "Deep stacks without normalisation train only with careful starting values and small steps.",
    "Ioffe & Szegedy 2015 (arXiv 1502.03167)",
)
ONE_VALUE = ProblemKind(
    "A-ONE-VALUE",
    advice,
    "In training, {node} needs more than one value a channel",
    "Batch normalisation divides by the variance over the batch; at this batch there is one value, and PyTorch "
    "refuses to train. It runs in evaluation.",
)
SMALL_BATCH = ProblemKind(
    "A-SMALL-BATCH",
    advice,
    "In training, {node} estimates mean and variance of a channel from {values} values",
    "Statistics from few values are noise; group norm or layer norm do not look across the batch.",
    "Wu & He 2018 (arXiv 1803.08494)",
)

BATCH_NORMS = ("batchNorm", "batchNorm1d", "batchNorm2d", "batchNorm3d")
INSTANCE_NORMS = ("instanceNorm1d", "instanceNorm2d", "instanceNorm3d")
NORMS = (*BATCH_NORMS, *INSTANCE_NORMS, "groupNorm", "layerNorm", "rmsNorm")
DROPOUTS = ("dropout", "dropout1d", "dropout2d", "dropout3d")
PLAIN_CONVOLUTIONS = ("conv1d", "conv2d", "conv3d", "sameConv2d", "dilatedConv2d")
SELF_NORMALISING = ("selu", "alphaDropout")
DEEP_CONVOLUTIONS = 6
"""More convolutions than this want a normalisation."""
FEW_VALUES = 16
_WEIGHTED = frozenset({"dense", "conv"})


@rule
def biases_before_norms(look: Look) -> Iterator[Problem]:
    """Convolutions and linear layers whose only reader takes the mean of each channel away."""
    for node in look.of(*BATCH_NORMS, *INSTANCE_NORMS):
        for source in look.sources(node.id):
            if look.family(source) not in _WEIGHTED or len(look.targets(source)) != 1:
                continue
            if getattr(look.nodes[source].layer, "bias", False) is True:
                yield Problem(BIAS_BEFORE_NORM, source, "structure", facts={"norm": node.name})


@rule
def dropout_before_batch_norm(look: Look) -> Iterator[Problem]:
    """Dropout that reaches a batch norm with at most one layer with weights and activations between."""
    for node in look.of(*DROPOUTS):
        here, weighted = look.target(node.id), 0
        while here is not None and weighted <= 1:
            if look.type(here) in BATCH_NORMS:
                yield Problem(DROPOUT_BEFORE_BN, node.id, "structure", facts={"norm": look.name(here)})
                break
            family = look.family(here)
            weighted += family in _WEIGHTED
            here = look.target(here) if family in ("dense", "conv", "activation") else None


@rule
def norms_in_a_row(look: Look) -> Iterator[Problem]:
    """Normalisations fed by nothing but a normalisation of the same kind of statistics."""
    for node in look.of(*NORMS):
        source = look.source(node.id)
        if source is not None and _statistics(look.type(source)) == _statistics(look.type(node.id)):
            yield Problem(NORM_TWICE, node.id, "structure", 0, facts={"source": look.name(source)})


def _statistics(type_name: str) -> str | None:
    if type_name in BATCH_NORMS:
        return "batch"
    return "token" if type_name in ("layerNorm", "rmsNorm") else type_name if type_name in NORMS else None


@rule
def norms_at_the_end(look: Look) -> Iterator[Problem]:
    """Batch norms that feed an output and follow a layer with weights."""
    for node in look.of(*BATCH_NORMS):
        target, source = look.target(node.id), look.source(node.id)
        if target is not None and look.type(target) == "output" and source and look.family(source) == "dense":
            yield Problem(NORM_AT_END, node.id, "structure")


@rule
def convolutions_without_norms(look: Look) -> Iterator[Problem]:
    """Many convolutions in a graph without any normalisation; self-normalising activations need none."""
    convolutions = list(look.of(*PLAIN_CONVOLUTIONS))
    if len(convolutions) > DEEP_CONVOLUTIONS and not look.has((*NORMS, *SELF_NORMALISING)):
        yield Problem(NO_NORM, convolutions[0].id, "structure", facts={"count": len(convolutions)})


@rule
def few_values_a_channel(look: Look) -> Iterator[Problem]:
    """Batch norms that could not train at the present batch, or hardly; few values only where the batch was chosen."""
    for node in look.of(*BATCH_NORMS):
        value = look.wire(node.id)
        if value is None or value.rank < 2:
            continue
        values = _values_a_channel(value)
        if values == 1:
            yield Problem(ONE_VALUE, node.id, "forward")
        elif 1 < values < FEW_VALUES and look.number("batch") is not None:
            yield Problem(SMALL_BATCH, node.id, "forward", facts={"values": values})


def _values_a_channel(value: Wire) -> int:
    channels = int(value.shape[1])
    return int(value.elements) // channels if channels else 0

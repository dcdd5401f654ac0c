"""Tensors put together, or reshaped, so that axes mean something else than they did."""

from __future__ import annotations

from collections.abc import Iterator

from archstudio.layers import Problem, Wire
from archstudio.layers.problem import ProblemKind, advice
from archstudio.verify.advice.look import Look, is_batch, rule

BROADCAST = ProblemKind(
    "A-BROADCAST",
    advice,
    "{node} stretches {small} to {large}",
    "The shapes differ and PyTorch broadcasts them; in a residual sum that is seldom meant.",
)
COLUMN_ROW = ProblemKind(
    "A-COLUMN-ROW",
    advice,
    "{node} makes a table {large} of a column {column} and a row {row}",
    "Adding (N, 1) and (N) gives N×N: every value meets every other. Squeeze the one or unsqueeze the other.",
    "PyTorch docs, Broadcasting semantics",
)
EATS_BATCH = ProblemKind(
    "A-EATS-BATCH",
    advice,
    "{node} mixes the batch into another axis: {gets} becomes {gives}",
    "Behind it, samples are no longer apart, and a batch of another size no longer fits. Name the batch first (-1 or "
    "its size), or start flattening at axis 1.",
)
SQUEEZED_BATCH = ProblemKind(
    "A-SQUEEZED-BATCH",
    advice,
    "{node} removes every axis of size 1, and with a batch of 1 the batch as well",
    "Name the axis to remove.",
    "PyTorch docs, squeeze: a warning about a batch dimension of size 1",
)
BATCH_AS_AXIS = ProblemKind(
    "A-BATCH-AS-AXIS",
    advice,
    "{node} reads the batch as {axis}: {gets} is taken as one sample",
    "This layer also takes single samples, without a batch; a tensor with one dimension too few runs, and the "
    "samples of the batch are mixed. An axis is missing, or something was flattened too early.",
    "PyTorch docs: unbatched inputs of Conv2d, MultiheadAttention, LSTM",
)
LINEAR_ON_WIDTH = ProblemKind(
    "A-LINEAR-ON-WIDTH",
    advice,
    "{node} works along the width of the image {gets}, not on its channels",
    "A linear layer works on the last axis. Pool or flatten the image first, or use a 1×1 convolution for channels.",
    "Arch-Bench advisor rules, linear-after-conv-no-flatten",
)
BATCH_SECOND = ProblemKind(
    "A-BATCH-SECOND",
    advice,
    "{node} expects the sequence first, but the batch comes first: samples and steps are swapped",
    "With batchFirst off, the first axis is time. PyTorch runs either way and mixes samples silently.",
    "PyTorch docs, MultiheadAttention and LSTM: batch_first",
)

SUMS = ("add", "residual", "subtract")
_UNBATCHED = {
    "conv1d": (2, "channels"), "conv2d": (3, "channels"), "conv3d": (4, "channels"),
    "maxPool1d": (2, "channels"), "maxPool2d": (3, "channels"), "avgPool1d": (2, "channels"),
    "avgPool2d": (3, "channels"), "multiHeadAttention": (2, "the sequence"),
    "lstm": (2, "time"), "gru": (2, "time"), "rnn": (2, "time"),
}  # fmt: skip
"""Layers that also take single samples: the rank of one, and what its first axis then is."""
_IMAGE_MAKERS = frozenset({"conv", "pool"})
_RESHAPES = ("reshape", "view", "flatten")


@rule
def stretched_sums(look: Look) -> Iterator[Problem]:
    """Sums of different shapes of three or more dimensions.

    Gates are products and are left alone, and so is what is the same for the whole batch (a table of positions).
    """
    for node in look.of("add", "residual"):
        wires = [look.wire(s) for s in look.sources(node.id)]
        if len(wires) < 2 or wires[0] is wires[1]:
            continue
        shapes = [w for w in wires if w is not None and w.rank >= 3]
        if len(shapes) == len(wires) and len({w.shape[1:] for w in shapes}) > 1:
            small, large = sorted(shapes, key=lambda w: int(w.elements))[:: len(shapes) - 1]
            yield Problem(BROADCAST, node.id, "forward", facts={"small": small.text(), "large": large.text()})


@rule
def columns_and_rows(look: Look) -> Iterator[Problem]:
    """Sums and differences of (N, 1) and (N)."""
    for node in look.of(*SUMS):
        wires = [look.wire(s) for s in look.sources(node.id)]
        if len(wires) != 2 or wires[0] is None or wires[1] is None or wires[0].rank == wires[1].rank:
            continue
        row, column = sorted(wires, key=lambda w: 0 if w is None else w.rank)
        if row is None or column is None or (row.rank, column.rank) != (1, 2):
            continue
        if int(column.shape[1]) == 1 < int(row.shape[0]) == int(column.shape[0]):
            large = look.wire(node.id)
            facts = {"large": "" if large is None else large.text(), "column": column.text(), "row": row.text()}
            yield Problem(COLUMN_ROW, node.id, "forward", facts=facts)


@rule
def batches_mixed_in(look: Look) -> Iterator[Problem]:
    """Reshapes after which the first axis is no longer the batch; what goes on to a loss may be flattened."""
    for node in look.of(*_RESHAPES):
        x, y = look.input(node.id), look.wire(node.id)
        if x is None or y is None or not x.rank or not y.rank or not is_batch(x.shape[0]) or int(x.shape[0]) == 1:
            continue
        if int(y.shape[0]) == int(x.shape[0]) or any(look.family(t) == "loss" for t in look.targets(node.id)):
            continue
        if not _is_restored(look, node.id):
            yield Problem(EATS_BATCH, node.id, "forward", 0, facts={"gets": x.text(), "gives": y.text()})


def _is_restored(look: Look, node_id: str) -> bool:
    """Whether a later reshape makes the batch the first axis again (windows are cut out and put back like this)."""
    x = look.input(node_id)
    for behind in look.behind(look.targets(node_id)):
        if look.type(behind) in ("reshape", "view", "unflatten"):
            y = look.wire(behind)
            if x is not None and y is not None and y.rank and int(y.shape[0]) == int(x.shape[0]):
                return True
    return False


@rule
def squeezed_batches(look: Look) -> Iterator[Problem]:
    """Squeeze without an axis."""
    for node in look.of("squeeze"):
        layer, x = look.nodes[node.id].layer, look.input(node.id)
        if x is not None and x.rank and is_batch(x.shape[0]) and getattr(layer, "dim", 0) is None:
            yield Problem(SQUEEZED_BATCH, node.id, "structure")


@rule
def batches_read_as_axes(look: Look) -> Iterator[Problem]:
    """Layers that get a batch where a single sample would have another axis."""
    for kind, (rank, axis) in _UNBATCHED.items():
        for _, x, nodes in look.alike(kind):
            if x is not None and x.rank == rank and is_batch(x.shape[0]):
                facts = {"axis": axis, "gets": x.text()}
                yield from (Problem(BATCH_AS_AXIS, n.id, "forward", 0, facts=facts) for n in nodes)


@rule
def linear_layers_on_images(look: Look) -> Iterator[Problem]:
    """Linear layers on the width of an image, straight from a convolution or pooling (through activations).

    Where the width does not fit, the error says so already.
    """
    for _, x, nodes in look.alike("linear"):
        runs = look.wire(nodes[0].id) is not None
        for node in nodes if runs and x is not None and x.rank == 4 else ():
            source = look.source(node.id)
            while source is not None and look.family(source) in ("activation", "norm"):
                source = look.source(source)
            if source is not None and x and look.family(source) in _IMAGE_MAKERS and _is_image(look.wire(source), x):
                yield Problem(LINEAR_ON_WIDTH, node.id, "forward", 0, facts={"gets": x.text()})


def _is_image(made: Wire | None, x: Wire) -> bool:
    return made is not None and made.shape == x.shape


@rule
def sequences_first(look: Look) -> Iterator[Problem]:
    """Attention and recurrent layers with the sequence first that get the batch first."""
    for node in (*look.of_family("attention"), *look.of_family("recurrent")):
        layer, x = look.nodes[node.id].layer, look.input(node.id)
        if x is not None and x.rank == 3 and getattr(layer, "batch_first", True) is False and is_batch(x.shape[0]):
            yield Problem(BATCH_SECOND, node.id, "forward", 0)

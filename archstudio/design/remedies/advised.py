"""Remedies for advice that one mechanical change can follow."""

from __future__ import annotations

from collections.abc import Iterator

from archstudio.design.moves import put_in, retype, set_values, spelled, take_out
from archstudio.design.site import Site, fixes
from archstudio.design.trial import Recipe
from archstudio.verify.advice import activations, attention, losses, merging, norms, sizes, spatial, structure, tokens


@fixes(
    norms.NORM_TWICE, norms.NORM_AT_END, norms.DROPOUT_BEFORE_BN, activations.ACTIVATED_RESULT,
    activations.SOFTMAX_RESULT, activations.DROPOUT_LAST, attention.TWO_POSITIONS,
)  # fmt: skip
def without_the_layer(site: Site) -> Iterator[Recipe]:
    """What does harm where it stands is taken out."""
    yield Recipe(f"Remove {site.node.name}", (take_out(site.id),))


@fixes(activations.RELU_SOFTMAX)
def without_the_cut(site: Site) -> Iterator[Recipe]:
    """Let the softmax see scores of both signs."""
    if site.wire is not None:
        source = site.graph.node(site.wire.source)
        yield Recipe(f"Remove {source.name}", (take_out(source.id),))


@fixes(losses.RAW_BCE)
def loss_of_raw_scores(site: Site) -> Iterator[Recipe]:
    """The loss that squashes by itself, or a sigmoid before this one."""
    yield Recipe("Make it bceWithLogitsLoss", (retype(site.id, "bceWithLogitsLoss"),))
    if site.wire is not None:
        yield Recipe("Insert sigmoid", (put_in(site.wire.id, "sigmoid"),), far=1)


@fixes(losses.RAW_NLL)
def loss_with_log_softmax(site: Site) -> Iterator[Recipe]:
    """Cross-entropy, which is both in one, or a log-softmax before this loss."""
    if site.wire is None:
        return
    if site.fact("gives") == "probabilities":
        source = site.wire.source
        yield Recipe(f"Make {site.graph.node(source).name} logSoftmax", (retype(source, "logSoftmax"),))
        return
    yield Recipe("Make it crossEntropyLoss", (retype(site.id, "crossEntropyLoss"),))
    yield Recipe("Insert logSoftmax", (put_in(site.wire.id, "logSoftmax", dim=1),), far=1)


@fixes(losses.LOSS_BROADCAST, merging.COLUMN_ROW)
def shapes_alike(site: Site) -> Iterator[Recipe]:
    """Take an axis of size 1 away from the larger, or give one to the smaller."""
    for wire in site.wires:
        name = site.graph.node(wire.source).name
        yield Recipe(f"Squeeze {name}", (put_in(wire.id, "squeeze", dim=-1),))
        yield Recipe(f"Unsqueeze {name}", (put_in(wire.id, "unsqueeze", dim=-1),), far=1)


@fixes(activations.DROPOUT_HIGH)
def half_dropout(site: Site) -> Iterator[Recipe]:
    """The largest usual share."""
    yield Recipe(f"{spelled(site.node, 'p')} 0.5", (set_values(site.id, p=0.5),))


@fixes(activations.DROPOUT_IDLE)
def no_dropout_or_another_layer(site: Site) -> Iterator[Recipe]:
    """Say that there is none, or have two layers between which it acts."""
    yield Recipe("dropout 0", (set_values(site.id, dropout=0.0),))
    yield Recipe(f"{spelled(site.node, 'numLayers')} 2", (set_values(site.id, numLayers=2),), far=1)


@fixes(spatial.EVEN_KERNEL)
def odd_kernels(site: Site) -> Iterator[Recipe]:
    """The next larger odd kernel, and the next smaller one."""
    sides = spatial.sides(site.param("kernelSize"), 1)
    for change in (1, -1):
        odd = [k + change if k % 2 == 0 else k for k in sides]
        if odd and min(odd) > 0:
            size = odd[0] if len(odd) == 1 else odd
            yield Recipe(f"{spelled(site.node, 'kernelSize')} {{kernelSize}}", (set_values(site.id, kernelSize=size),))


@fixes(spatial.STRIDE_GAP)
def stride_of_the_window(site: Site) -> Iterator[Recipe]:
    """Step as far as the window reaches."""
    kernel = site.param("kernelSize")
    yield Recipe("Stride as large as the kernel", (set_values(site.id, stride=kernel),), carry=True)


@fixes(spatial.CHECKERBOARD)
def kernel_of_whole_strides(site: Site) -> Iterator[Recipe]:
    """The next kernel that is a multiple of the stride."""
    kernel, stride = (spatial.sides(site.param(key), 1)[:1] for key in ("kernelSize", "stride"))
    if kernel and stride and stride[0] > 0:
        size = -(-kernel[0] // stride[0]) * stride[0]
        yield Recipe(f"{spelled(site.node, 'kernelSize')} {size}", (set_values(site.id, kernelSize=size),), carry=True)


@fixes(spatial.DEPTHWISE_BIAS)
def one_bias(site: Site) -> Iterator[Recipe]:
    """The later bias is enough."""
    yield Recipe(f"{spelled(site.node, 'bias')} false", (set_values(site.id, bias=False),))


@fixes(merging.EATS_BATCH)
def batch_kept_apart(site: Site) -> Iterator[Recipe]:
    """Flatten from the second axis on."""
    flat = (retype(site.id, "flatten", {"startDim": 1}),)
    yield Recipe("Flatten all but the batch", flat, carry=True)


@fixes(merging.SQUEEZED_BATCH)
def named_axis(site: Site) -> Iterator[Recipe]:
    """Name the axis of size 1 that is meant."""
    x = site.tensor
    for axis in range(1, x.rank if x is not None else 1):
        if x is not None and int(x.shape[axis]) == 1:
            yield Recipe(f"dim {axis}", (set_values(site.id, dim=axis),), carry=True)


@fixes(merging.LINEAR_ON_WIDTH)
def image_made_flat(site: Site) -> Iterator[Recipe]:
    """Pool or flatten the image first."""
    if site.wire is not None:
        for kind in ("globalAvgPool2d", "flatten"):
            drop = set_values(site.id, inFeatures=None)
            yield Recipe(f"Insert {kind}", (put_in(site.wire.id, kind), drop), carry=True)


@fixes(merging.BATCH_SECOND)
def batch_first(site: Site) -> Iterator[Recipe]:
    """Say that the batch comes first."""
    yield Recipe(f"{spelled(site.node, 'batchFirst')} true", (set_values(site.id, batchFirst=True),))


@fixes(attention.KEPT_SCORES)
def without_scores(site: Site) -> Iterator[Recipe]:
    """Give the result alone."""
    yield Recipe(f"{spelled(site.node, 'needWeights')} false", (set_values(site.id, needWeights=False),))


@fixes(attention.NO_POSITION)
def learned_positions(site: Site) -> Iterator[Recipe]:
    """A table of positions behind the tokens."""
    for node in site.graph.nodes:
        wires = site.graph.outgoing(node.id)
        if node.type in attention.TOKENS and len(wires) == 1:
            yield Recipe(f"Positions after {node.name}", (put_in(wires[0].id, "positionalEncoding"),))


@fixes(attention.NOT_CAUSAL)
def masked(site: Site) -> Iterator[Recipe]:
    """Hide later tokens."""
    if site.kind is not None and "causal" in site.kind.keys:
        yield Recipe("causal true", (set_values(site.id, causal=True),))
    elif site.kind is not None and "isCausal" in site.kind.keys:
        yield Recipe("isCausal true", (set_values(site.id, isCausal=True),))
    else:
        yield Recipe("Make it causalAttention", (retype(site.id, "causalAttention"),))


@fixes(tokens.TIE)
def one_matrix(site: Site) -> Iterator[Recipe]:
    """Score words with the table that looks them up."""
    table = str(site.fact("table"))
    yield Recipe(f"Share the matrix of {table}", (retype(site.id, "tiedLinear", {"node": table}),))


@fixes(tokens.HEAD_VOCABULARY)
def as_many_scores_as_words(site: Site) -> Iterator[Recipe]:
    """Score the words that are known."""
    rows = site.number("rows")
    if rows is not None:
        yield Recipe(f"{spelled(site.node, 'outFeatures')} {rows:,}", (set_values(site.id, outFeatures=rows),))


@fixes(tokens.VOCABULARY)
def rows_for_all_words(site: Site) -> Iterator[Recipe]:
    """A row for every word."""
    words = site.number("words")
    if words is not None:
        yield Recipe(f"{spelled(site.node, 'numEmbeddings')} {words:,}", (set_values(site.id, numEmbeddings=words),))


@fixes(tokens.UNALIGNED)
def aligned_size(site: Site) -> Iterator[Recipe]:
    """The next multiple of 8."""
    what, better = str(site.fact("what")), site.number("better")
    if better is not None:
        yield Recipe(f"{what} {better:,}", (set_values(site.id, **{what: better}),), carry=True)


@fixes(sizes.FEED_FORWARD)
def four_times_as_wide(site: Site) -> Iterator[Recipe]:
    """Four times the width of the tokens."""
    width = site.number("width")
    if width is not None:
        yield Recipe(f"{spelled(site.node, 'ffDim')} {4 * width:,}", (set_values(site.id, ffDim=4 * width),))


@fixes(sizes.EXPORT)
def without_ceil(site: Site) -> Iterator[Recipe]:
    """Round down, as every opset does."""
    if site.fact("what") == "ceilMode":
        yield Recipe(f"{spelled(site.node, 'ceilMode')} false", (set_values(site.id, ceilMode=False),), carry=True)


@fixes(structure.UNUSED_WEIGHTS)
def without_the_unused(site: Site) -> Iterator[Recipe]:
    """Take the layer out."""
    yield Recipe(f"Remove {site.node.name}", (take_out(site.id),))

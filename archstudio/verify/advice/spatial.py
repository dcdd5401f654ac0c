"""Images that get too small, lose rows, or are read with gaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from archstudio.layers import Layer, Problem, Wire
from archstudio.layers.families.conv import Convolution
from archstudio.layers.problem import ProblemKind, advice
from archstudio.verify.advice.look import Look, rule
from archstudio.verify.advice.norms import PLAIN_CONVOLUTIONS

VANISHING = ProblemKind(
    "A-VANISHING",
    advice,
    "Only {size} is left of the image at {node}, and {more} more convolutions come",
    "A kernel that sees the whole image at every place reads mostly padding. Pool or stride later, or drop layers.",
)
ODD_SIZE = ProblemKind(
    "A-ODD-SIZE",
    advice,
    "{node} halves an axis of {size}: a row is lost, and {merge} may not fit what is enlarged again",
    "An odd size halved and doubled is one smaller than it was. Choose inputs that divide by 2 as often as they are "
    "halved.",
    "Ronneberger et al. 2015 (arXiv 1505.04597), section 2: input sizes of U-Net",
)
EVEN_KERNEL = ProblemKind(
    "A-EVEN-KERNEL",
    advice,
    "{node} pads an even kernel ({kernel}) to the same size: the image shifts by half a pixel",
    "An even kernel has no middle; PyTorch pads one more on the right and below.",
    "PyTorch docs, Conv2d: padding='same'",
)
STRIDE_GAP = ProblemKind(
    "A-STRIDE-GAP",
    advice,
    "{node} steps {stride} with a window of {kernel}: some values are never read",
    "A stride larger than the window skips part of the input. A 1×1 convolution on a shortcut does so on purpose.",
    "Arch-Bench advisor rules, conv-stride-gt-kernel",
)
GRIDDING = ProblemKind(
    "A-GRIDDING",
    advice,
    "{node} is the third convolution in a row with dilation {dilation}: they read a grid with holes",
    "Equal dilations one behind the other only ever combine every second (third, …) value. Mix rates such as 1, 2, 5.",
    "Wang et al. 2018 (arXiv 1702.08502), hybrid dilated convolution",
)
PATCH_CROP = ProblemKind(
    "A-PATCH-CROP",
    advice,
    "{node} cuts {size} into patches of {patch}: {lost} at the edge are dropped",
    "Sizes that the patch divides lose nothing.",
    "Dosovitskiy et al. 2020 (arXiv 2010.11929)",
)
CHECKERBOARD = ProblemKind(
    "A-CHECKERBOARD",
    advice,
    "{node}: kernel {kernel} is no multiple of stride {stride}, so values overlap unevenly",
    "Where the kernel is no multiple of the stride, some places of the result get more contributions than their "
    "neighbours, which shows as a checkerboard. Use a multiple, or upsample and convolve.",
    "Odena et al. 2016, distill.pub/2016/deconv-checkerboard",
)
CONV_AS_LINEAR = ProblemKind(
    "A-CONV-AS-LINEAR",
    advice,
    "{node} covers its whole input at once: it is a linear layer",
    "Flatten and a linear layer do the same, are read more easily, and say that the input size is fixed.",
)
DEPTHWISE_BIAS = ProblemKind(
    "A-DEPTHWISE-BIAS",
    advice,
    "The bias of {node} is doubled by that of {follower}",
    "A constant added to each channel before a 1×1 convolution with a bias is the same as another bias of that one.",
)

POOLS = tuple(f"{kind}Pool{d}d" for kind in ("max", "avg") for d in (1, 2, 3))
TRANSPOSED = tuple(f"convTranspose{d}d" for d in (1, 2, 3))
ENLARGING = (*TRANSPOSED, "upsample", "upsamplingNearest2d", "upsamplingBilinear2d", "pixelShuffle")
MERGES = ("add", "residual", "concatenate")
SMALL = 2
"""Sides up to which a convolution reads mostly padding."""
STILL_TO_COME = 2
PATCH_LIKE = 4
"""Convolutions that step as far as their kernel of at least this cut patches."""


def sides(value: object, axes: int) -> tuple[int, ...]:
    """A size for each axis, of a number or a tuple; empty for padding given by name."""
    if isinstance(value, int):
        return (value,) * axes
    return tuple(value) if isinstance(value, list | tuple) else ()


@rule
def convolutions_of_next_to_nothing(look: Look) -> Iterator[Problem]:
    """The first convolution of a tiny image with several more to come on its path."""
    tiny: dict[str, str] = {}
    for layer, x, nodes in look.alike(*PLAIN_CONVOLUTIONS):
        space = _space(layer, x)
        if isinstance(layer, Convolution) and max(layer.kernel_size) > 1 and space and max(space) <= SMALL:
            size = "×".join(str(int(d)) for d in space)
            tiny.update(dict.fromkeys((n.id for n in nodes), size))
    for node_id, size in tiny.items():
        more = len(look.behind(look.targets(node_id)) & tiny.keys())
        if more + 1 >= STILL_TO_COME:
            yield Problem(VANISHING, node_id, "forward", 0, facts={"size": size, "more": more})
            return


def _stride(layer: Layer) -> tuple[int, ...]:
    """Steps on each axis; a pooling steps as far as its window reaches if it says nothing."""
    given = getattr(layer, "stride", None)
    return sides(getattr(layer, "kernel_size", 1) if given is None else given, layer.axes)


def _space(layer: Layer, x: Wire | None) -> Sequence[int]:
    """The spatial sizes of what a layer reads."""
    return () if x is None or x.rank <= layer.axes else x.shape[-layer.axes :]


@rule
def rows_lost_on_the_way_down(look: Look) -> Iterator[Problem]:
    """Windows of stride 2 on odd sizes, where the way up merges with the way down."""
    if not look.has(ENLARGING) or not look.has(MERGES):
        return
    merges = [n for n in look.of(*MERGES) if len(look.sources(n.id)) > 1]
    for layer, x, nodes in look.alike(*POOLS, *PLAIN_CONVOLUTIONS):
        odd = [int(d) for d in _space(layer, x) if int(d) % 2]
        if not odd or 2 not in _stride(layer):
            continue
        for node in nodes:
            behind = look.behind([node.id])
            merge = next((m.name for m in merges if m.id in behind), None)
            if merge is not None and any(look.type(n) in ENLARGING for n in behind):
                yield Problem(ODD_SIZE, node.id, "forward", 0, facts={"size": odd[0], "merge": merge})


@rule
def uneven_windows(look: Look) -> Iterator[Problem]:
    """Even kernels padded to the same size; windows that step over values; convolutions that cover all."""
    for layer, x, nodes in look.alike(*PLAIN_CONVOLUTIONS, *POOLS):
        kernel = sides(getattr(layer, "kernel_size", ()), layer.axes)
        stride = _stride(layer)
        if getattr(layer, "padding", None) == "same" and any(k % 2 == 0 for k in kernel):
            facts = {"kernel": _times(kernel)}
            yield from (Problem(EVEN_KERNEL, n.id, "structure", facts=facts) for n in nodes)
        if any(s > k for s, k in zip(stride, kernel, strict=False)) and max(kernel) > 1:
            facts = {"stride": _times(stride), "kernel": _times(kernel)}
            yield from (Problem(STRIDE_GAP, n.id, "structure", facts=facts) for n in nodes)
        if isinstance(layer, Convolution) and _covers_all(layer, x, kernel):
            yield from (Problem(CONV_AS_LINEAR, n.id, "forward", 0) for n in nodes)


def _covers_all(layer: Layer, x: Wire | None, kernel: Sequence[int]) -> bool:
    space = tuple(int(d) for d in _space(layer, x))
    bare = getattr(layer, "padding", 0) not in ("same",) and not any(sides(getattr(layer, "padding", 0), layer.axes))
    single = getattr(layer, "groups", 1) == 1 and set(sides(getattr(layer, "dilation", 1), layer.axes)) == {1}
    return bare and single and space == tuple(kernel) and max(space, default=0) > 1


def _times(sizes: Sequence[int]) -> str:
    return str(sizes[0]) if len(set(sizes)) == 1 else "×".join(map(str, sizes))


@rule
def equal_dilations(look: Look) -> Iterator[Problem]:
    """The third of three convolutions in a row with one dilation above 1."""
    rates: dict[str, tuple[int, ...]] = {}
    for layer, _, nodes in look.alike("conv1d", "conv2d", "conv3d", "dilatedConv2d"):
        rate = sides(getattr(layer, "dilation", 1), layer.axes)
        if max(rate) > 1 and max(sides(getattr(layer, "kernel_size", 1), layer.axes)) > 1:
            rates.update(dict.fromkeys((n.id for n in nodes), rate))
    for node_id, rate in rates.items():
        before = _convolution_before(look, node_id)
        first = None if before is None else _convolution_before(look, before)
        if before and first and rate == rates.get(before) == rates.get(first):
            yield Problem(GRIDDING, node_id, "structure", facts={"dilation": _times(rate)})


def _convolution_before(look: Look, node_id: str) -> str | None:
    """The convolution before, through activations and normalisations."""
    here = look.source(node_id)
    while here is not None and look.family(here) in ("activation", "norm"):
        here = look.source(here)
    return here if here is not None and look.family(here) == "conv" else None


@rule
def cropped_patches(look: Look) -> Iterator[Problem]:
    """Patches that do not divide the image."""
    for layer, x, nodes in look.alike("patchEmbed", "conv2d"):
        patch = _patch(layer)
        if x is None or x.rank < 3 or not patch:
            continue
        cut = [(int(s), side) for s, side in zip(x.shape[-2:], patch, strict=True) if int(s) % side and int(s) > side]
        if cut:
            facts = {"size": cut[0][0], "patch": cut[0][1], "lost": cut[0][0] % cut[0][1]}
            yield from (Problem(PATCH_CROP, n.id, "forward", 0, facts=facts) for n in nodes)


def _patch(layer: Layer) -> tuple[int, ...]:
    if isinstance(layer, Convolution):
        bare = not any(sides(getattr(layer, "padding", 0), 2)) and getattr(layer, "padding", 0) != "same"
        cuts = tuple(layer.kernel_size) == tuple(layer.stride) and min(layer.kernel_size) >= PATCH_LIKE
        return tuple(layer.kernel_size) if bare and cuts else ()
    return sides(getattr(layer, "patch_size", ()), 2)


@rule
def uneven_overlaps(look: Look) -> Iterator[Problem]:
    """Transposed convolutions whose kernel is no multiple of their stride."""
    for layer, _, nodes in look.alike(*TRANSPOSED):
        kernel, stride = (sides(getattr(layer, n), layer.axes) for n in ("kernel_size", "stride"))
        if any(s > 1 and k % s for k, s in zip(kernel, stride, strict=False)):
            facts = {"kernel": _times(kernel), "stride": _times(stride)}
            yield from (Problem(CHECKERBOARD, n.id, "structure", facts=facts) for n in nodes)


@rule
def doubled_biases(look: Look) -> Iterator[Problem]:
    """Depthwise convolutions with a bias whose only reader is a 1×1 convolution with another."""
    for layer, _, nodes in look.alike("depthwiseConv1d", "depthwiseConv2d", "conv1d", "conv2d"):
        if layer.unbound or getattr(layer, "bias", False) is not True:
            continue
        channels = int(getattr(layer, "in_channels", 0))
        if not (layer.type.startswith("depthwise") or 1 < channels == getattr(layer, "groups", 1)):
            continue
        for node in nodes:
            target = look.target(node.id)
            if target is not None and _adds_a_bias_at_points(look.layer(target)):
                yield Problem(DEPTHWISE_BIAS, node.id, "structure", facts={"follower": look.name(target)})


def _adds_a_bias_at_points(layer: Layer | None) -> bool:
    if not isinstance(layer, Convolution) or not layer.bias:
        return False
    return set(layer.kernel_size) == {1} and not any(sides(layer.padding, layer.axes))

"""Tensors that are put together but do not fit each other: adapt the one or the other."""

from __future__ import annotations

from collections.abc import Iterator

from archstudio.design.moves import cut, put_in, retype, set_values, spelled
from archstudio.design.remedies.sizes import adapter, resized_source
from archstudio.design.site import Site, fixes
from archstudio.design.trial import Recipe
from archstudio.graph import Connection
from archstudio.layers import Wire
from archstudio.layers.families.attention_product import MASK_AND_CAUSAL
from archstudio.layers.families.contraction import BMM, MATMUL
from archstudio.layers.families.merge import CONCAT
from archstudio.layers.families.recurrent import RNN_STATE
from archstudio.layers.heads import ATTN_IN, ATTN_PAIR
from archstudio.layers.problem import RANK, SIZE
from archstudio.layers.spread import BROADCAST

_CONVS = {3: "conv1d", 4: "conv2d", 5: "conv3d"}
_MODES = {3: "linear", 4: "bilinear", 5: "trilinear"}


@fixes(BROADCAST, CONCAT, ATTN_PAIR)
def one_input_like_the_other(site: Site) -> Iterator[Recipe]:
    """Bring one input to the shape of another, on the axes on which they must agree."""
    pairs = [(w, v) for w in site.wires if isinstance(v := site.verdict.carried(w.id), Wire)]
    if len(pairs) < 2:
        return
    port = site.problem.port or 1
    wire, x = pairs[port] if port < len(pairs) else pairs[1]
    for other, y in (p for p in pairs if p[0].id != wire.id):
        if x.rank == y.rank:
            yield from _adapted(site, wire, x, y)
            yield from _adapted(site, other, y, x)


def _adapted(site: Site, wire: Connection, x: Wire, like: Wire) -> Iterator[Recipe]:
    """Ways to bring a wire to the shape of another."""
    name = site.graph.node(wire.source).name
    free = _joined_axis(site, x)
    differing = [a for a in range(-x.rank, 0) if x.shape[a] != like.shape[a] and a != free]
    spatial = [a for a in differing if x.rank in _CONVS and a > 1 - x.rank]
    channels = 1 - x.rank
    if set(differing) <= {channels, *spatial} and x.rank in _CONVS:
        yield from _shortcut(wire, x, like, differing, name)
    if spatial and differing == spatial:
        yield from _resized(wire, x, like, spatial, name)
    if differing == [-1]:
        found = adapter(x.rank, -1, int(x.shape[-1]), int(like.shape[-1]))
        if found is not None:
            label = f"Linear {int(x.shape[-1]):,}→{int(like.shape[-1]):,} after {name}"
            yield Recipe(label, (put_in(wire.id, found[1], **found[2]),))
    if len(differing) == 1:
        axis = differing[0]
        move = resized_source(site, wire.source, axis, int(like.shape[axis]))
        if move is not None:
            yield Recipe(f"{int(like.shape[axis]):,} from {name}", (move,), far=1, carry=True)


def _shortcut(wire: Connection, x: Wire, like: Wire, differing: list[int], name: str) -> Iterator[Recipe]:
    """A 1×1 convolution, with a stride where the other tensor is smaller by a whole factor."""
    strides = []
    for axis in range(2 - x.rank, 0):
        size, wanted = int(x.shape[axis]), int(like.shape[axis])
        stride = -(-size // wanted) if wanted and axis in differing else 1
        if axis in differing and (stride < 2 or (size - 1) // stride + 1 != wanted):
            return
        strides.append(stride)
    ones = "×".join("1" * (x.rank - 2))
    gets, wanted = int(x.shape[1 - x.rank]), int(like.shape[1 - x.rank])
    stepping = max(strides, default=1)
    label = f"{ones} convolution {gets:,}→{wanted:,} after {name}" + (f", stride {stepping}" if stepping > 1 else "")
    params = {"outChannels": wanted, "kernelSize": 1} | ({"stride": strides} if stepping > 1 else {})
    yield Recipe(label, (put_in(wire.id, _CONVS[x.rank], **params),))


def _resized(wire: Connection, x: Wire, like: Wire, spatial: list[int], name: str) -> Iterator[Recipe]:
    """Pad or crop where little is missing, interpolate, or pool."""
    axes = range(-1, 1 - x.rank, -1)
    missing = {a: int(like.shape[a]) - int(x.shape[a]) for a in spatial}
    pads = [n for a in axes for n in (0, missing.get(a, 0))]
    wanted = [int(like.shape[a]) for a in reversed(axes)]
    sizes = "×".join(map(str, wanted))
    if all(abs(m) <= 3 for m in missing.values()):
        verb = "Pad" if all(m > 0 for m in missing.values()) else "Crop" if max(missing.values()) < 0 else "Pad, crop"
        label = f"{verb} {name} to {sizes}"
        yield Recipe(label, (put_in(wire.id, f"constantPad{x.rank - 2}d", padding=pads, value=0.0),))
    mode = "bilinear" if x.rank == 4 else _MODES[x.rank]
    yield Recipe(f"Resize {name} to {sizes}", (put_in(wire.id, "upsample", size=wanted, mode=mode),))
    if all(m < 0 for m in missing.values()):
        pool = f"adaptiveAvgPool{x.rank - 2}d"
        yield Recipe(f"Pool {name} to {sizes}", (put_in(wire.id, pool, outputSize=wanted),))


def _joined_axis(site: Site, x: Wire) -> int | None:
    """The axis along which a concatenation may differ."""
    if site.problem.kind is not CONCAT:
        return None
    dim = site.param("dim")
    return dim % x.rank - x.rank if isinstance(dim, int) and x.rank else None


@fixes(CONCAT)
def joined_along_another_axis(site: Site) -> Iterator[Recipe]:
    """The axis on which they differ is the one to join them along."""
    axis, x = site.axis, site.tensor
    if axis is not None and x is not None and site.kind is not None and site.kind.type == "concatenate":
        dim = axis % x.rank
        yield Recipe(f"{spelled(site.node, 'dim')} {dim}", (set_values(site.id, dim=dim),), carry=True)


@fixes(RANK)
def same_rank_for_all(site: Site) -> Iterator[Recipe]:
    """Of two inputs of different ranks, give the smaller the missing axes or take them from the larger."""
    if site.kind is None or site.kind.family != "merge" or site.wire is None:
        return
    for wire in site.wires:
        x = site.verdict.carried(wire.id)
        if isinstance(x, Wire) and x.rank == 4:
            move = put_in(wire.id, "globalAvgPool2d")
            yield Recipe(f"Global average pool after {site.graph.node(wire.source).name}", (move,), carry=True)
        if isinstance(x, Wire) and x.rank > 2:
            move = put_in(wire.id, "flatten")
            yield Recipe(f"Flatten after {site.graph.node(wire.source).name}", (move,), far=1, carry=True)


@fixes(MATMUL, ATTN_IN)
def rows_and_columns(site: Site) -> Iterator[Recipe]:
    """Turn the second matrix round, or map its rows to the width of the first."""
    x, wire, needs = site.tensor, site.wire, site.number("needs")
    if x is None or wire is None or needs is None or x.rank < 2 or site.problem.port != 1:
        return
    if site.problem.kind is MATMUL and x.shape[-1] == needs:
        yield Recipe("Transpose the second input", (put_in(wire.id, "transpose", dim0=-2, dim1=-1),), carry=True)
    first = site.wires[0]
    a = site.verdict.carried(first.id)
    gets = site.number("gets")
    if isinstance(a, Wire) and gets is not None:
        found = adapter(a.rank, -1, int(a.shape[-1]), gets)
        if found is not None:
            label = f"Linear {int(a.shape[-1]):,}→{gets:,} for the first input"
            yield Recipe(label, (put_in(first.id, found[1], **found[2]),), far=1)


@fixes(BMM)
def broadcast_instead(site: Site) -> Iterator[Recipe]:
    """A matrix product that spreads a batch of one over the other."""
    yield Recipe("Make it matmul", (retype(site.id, "matmul"),))


@fixes(RNN_STATE)
def start_from_zeros(site: Site) -> Iterator[Recipe]:
    """Without the wires that bring a state, the layer starts from zeros."""
    if len(site.wires) > 1:
        yield Recipe("Start from zeros", (cut(*(w.id for w in site.wires[1:])),))
    hidden = site.tensor
    if hidden is not None and hidden.rank:
        named = spelled(site.node, "hiddenSize")
        size = int(hidden.shape[-1])
        yield Recipe(f"{named} {size:,}", (set_values(site.id, hiddenSize=size),), far=1, carry=True)


@fixes(MASK_AND_CAUSAL)
def mask_or_causal(site: Site) -> Iterator[Recipe]:
    """Keep the mask, or keep to causal order."""
    key = site.fact("param")
    if key is not None:
        yield Recipe("Keep the mask", (set_values(site.id, **{key: False}),))
    if site.wire is not None:
        yield Recipe("Keep it causal", (cut(site.wire.id),))


@fixes(SIZE, ATTN_PAIR)
def self_attention(site: Site) -> Iterator[Recipe]:
    """Where two inputs do not belong together, the first alone often was meant."""
    if len(site.wires) > 1 and site.kind is not None and site.kind.optional_inputs >= len(site.wires) - 1:
        yield Recipe("Keep only the first input", (cut(*(w.id for w in site.wires[1:])),), far=2)

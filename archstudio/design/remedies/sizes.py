"""A layer made for another size than the wire carries: change the layer, the wire, or what is behind the wire."""

from __future__ import annotations

from collections.abc import Iterator

from archstudio.design.moves import put_in, set_from_wire, set_values, spelled
from archstudio.design.remedies.arithmetic import nearest_divisors
from archstudio.design.site import Site, fixes
from archstudio.design.trial import Move, Recipe
from archstudio.layers import find
from archstudio.layers.dim import product
from archstudio.layers.families.activation import PRELU_SIZE
from archstudio.layers.families.attention_grouped import WINDOW_TOKENS
from archstudio.layers.families.conv import CHANNELS_LAST, CONV_IN
from archstudio.layers.families.dense import LINEAR_IN
from archstudio.layers.families.modulation import SCALE_WIDTH
from archstudio.layers.families.norm_batch import NORM_SIZE
from archstudio.layers.families.position import HEADS_AXIS, POSITION_WIDTH, POSITIONS
from archstudio.layers.families.recurrent import RNN_IN
from archstudio.layers.heads import ATTN_IN
from archstudio.layers.problem import SIZE
from archstudio.verify.provenance import explain_axis

GLOBAL_POOLS = {3: "globalAvgPool1d", 4: "globalAvgPool2d", 5: "globalAvgPool3d"}
"""The layer that averages each channel away, by rank of what comes in."""

_ADAPTING_CONVS = {1: "conv1d", 2: "conv2d", 3: "conv3d"}
_CHANNELS_FIRST = {3: (0, 2, 1), 4: (0, 3, 1, 2), 5: (0, 4, 1, 2, 3)}
_CHANNELS_LAST = {3: (0, 2, 1), 4: (0, 2, 3, 1), 5: (0, 2, 3, 4, 1)}


@fixes(LINEAR_IN)
def without_space(site: Site) -> Iterator[Recipe]:
    """Features were expected, an image came: flatten it, or average over its places."""
    x, key = site.tensor, site.fact("set_by")
    if x is None or site.wire is None or x.rank < 3 or key is None:
        return
    wire, named = site.wire.id, spelled(site.node, key)
    follows = set_from_wire(site.id, key)
    if product(x.shape[1:]) == site.fact("needs"):
        yield Recipe("Flatten", (put_in(wire, "flatten"),))
    else:
        yield Recipe(f"Flatten, {named} {{{named}}}", (put_in(wire, "flatten"), follows))
    pool = GLOBAL_POOLS.get(x.rank)
    if pool is not None and x.shape[1] == site.fact("needs"):
        yield Recipe("Global average pool", (put_in(wire, pool),))
    elif pool is not None:
        yield Recipe(f"Global average pool, {named} {{{named}}}", (put_in(wire, pool), follows))


@fixes(SIZE, LINEAR_IN, CONV_IN, ATTN_IN, NORM_SIZE, PRELU_SIZE, RNN_IN, POSITION_WIDTH, CHANNELS_LAST, SCALE_WIDTH)
def size_of_the_wire(site: Site) -> Iterator[Recipe]:
    """Make the layer for the size that comes in."""
    key = site.fact("set_by")
    kind = site.kind
    if key is None or kind is None or key not in kind.keys:
        return
    named = spelled(site.node, key)
    yield Recipe(f"{named} {{{named}}}", (set_from_wire(site.id, key),), carry=True)
    gets = site.number("gets")
    if gets is not None and kind.keys[key].inferred is None and kind.keys[key].kind == "size":
        yield Recipe(f"{named} {gets:,}", (set_values(site.id, **{key: gets}),), carry=True)
    heads = next((k for k in ("numHeads", "nhead") if k in kind.keys), None)
    count = None if heads is None else site.param(heads)
    if gets and heads is not None and isinstance(count, int) and count and gets % count:
        for divisor in nearest_divisors(gets, count)[:2]:
            moves = (set_values(site.id, **{heads: divisor, key: gets}),)
            yield Recipe(f"{named} {gets:,} with {divisor:,} heads", moves, carry=True)


@fixes(POSITIONS, WINDOW_TOKENS, HEADS_AXIS)
def table_of_the_wires_size(site: Site) -> Iterator[Recipe]:
    """Make a table as long as the sequence, or a bias for as many heads as there are."""
    key, gets = site.fact("set_by"), site.number("gets")
    if key is None or gets is None:
        return
    size = gets if site.problem.kind is not WINDOW_TOKENS else round(gets**0.5)
    named = spelled(site.node, key)
    yield Recipe(f"{named} {size:,}", (set_values(site.id, **{key: size}),))


@fixes(LINEAR_IN, ATTN_IN, RNN_IN, CONV_IN, NORM_SIZE, CHANNELS_LAST, POSITION_WIDTH)
def axes_in_order(site: Site) -> Iterator[Recipe]:
    """The size that was expected stands on another axis."""
    x, needs, axis = site.tensor, site.number("needs"), site.axis
    if x is None or site.wire is None or needs is None or axis is None or x.rank not in _CHANNELS_FIRST:
        return
    if axis == -1 and x.shape[1] == needs:
        dims = _CHANNELS_LAST[x.rank]
    elif axis == 1 - x.rank and x.shape[-1] == needs:
        dims = _CHANNELS_FIRST[x.rank]
    else:
        return
    far = 0 if site.problem.kind in (CHANNELS_LAST, CONV_IN) else 1
    if x.rank == 3:
        yield Recipe("Transpose (1, 2)", (put_in(site.wire.id, "transpose", dim0=1, dim1=2),), far=far, carry=True)
        return
    move = put_in(site.wire.id, "permute", dims=list(dims))
    yield Recipe(f"Permute ({', '.join(map(str, dims))})", (move,), far=far, carry=True)


@fixes(SIZE, LINEAR_IN, CONV_IN, ATTN_IN, NORM_SIZE, RNN_IN, POSITION_WIDTH)
def size_at_its_source(site: Site) -> Iterator[Recipe]:
    """Change the layer that gave the wire its size; what else hangs on that layer is carried along."""
    needs, axis, wire = site.number("needs"), site.axis, site.wire
    if needs is None or axis is None or wire is None:
        return
    found = source_of(site, wire.source, axis)
    if found is not None:
        source, key = found
        label = f"{key} {needs:,} at {site.graph.node(source).name}"
        yield Recipe(label, (set_values(source, **{key: needs}),), far=1, carry=True)


@fixes(SIZE, LINEAR_IN, CONV_IN, ATTN_IN, RNN_IN, POSITION_WIDTH)
def adapter_before(site: Site) -> Iterator[Recipe]:
    """Put a linear layer or a 1×1 convolution between, which makes the size fit."""
    needs, axis, wire, x = site.number("needs"), site.axis, site.wire, site.tensor
    if needs is None or axis is None or wire is None or x is None:
        return
    found = adapter(x.rank, axis, int(x.shape[axis]), needs)
    if found is not None:
        label, type_name, params = found
        yield Recipe(label, (put_in(wire.id, type_name, **params),), far=2)


def adapter(rank: int, axis: int, gets: int, needs: int) -> tuple[str, str, dict[str, int]] | None:
    """Label, type and parameters of the small layer that turns one size of an axis into another."""
    if axis == -1:
        return f"Linear {gets:,}→{needs:,} before it", "linear", {"outFeatures": needs}
    spatial = rank - 2
    if axis == 1 - rank and spatial in _ADAPTING_CONVS:
        ones = "×".join("1" * spatial)
        return (
            f"{ones} convolution {gets:,}→{needs:,} before it",
            _ADAPTING_CONVS[spatial],
            {"outChannels": needs, "kernelSize": 1},
        )
    return None


def source_of(site: Site, node_id: str, axis: int) -> tuple[str, str] | None:
    """The node and parameter that set the size of an axis; None where it is not one parameter."""
    origins = explain_axis(site.graph, site.verdict, node_id, axis)
    if len(origins) != 1:
        return None
    source = site.graph.node(origins[0].node)
    kind = find(source.type)
    if source.id == site.id or kind is None or origins[0].text not in kind.keys:
        return None
    return source.id, origins[0].text


def resized_source(site: Site, node_id: str, axis: int, size: int) -> Move | None:
    """The move that gives an axis another size where it is made."""
    found = source_of(site, node_id, axis)
    return None if found is None else set_values(found[0], **{found[1]: size})

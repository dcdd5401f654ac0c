"""A tensor with too many or too few axes: join, drop, add or average axes."""

from __future__ import annotations

from collections.abc import Iterator

from archstudio.design.moves import put_in, retype, set_values, spelled
from archstudio.design.remedies.sizes import GLOBAL_POOLS
from archstudio.design.site import Site, fixes
from archstudio.design.trial import Move, Recipe
from archstudio.layers import Wire, find
from archstudio.layers.axes import AXIS
from archstudio.layers.families.dense import BILINEAR_SHAPES
from archstudio.layers.families.resize import RESIZE_MODE
from archstudio.layers.problem import RANK


@fixes(RANK)
def another_rank(site: Site) -> Iterator[Recipe]:
    """Bring the wire to a number of dimensions that the layer takes."""
    x, wire, ranks = site.tensor, site.wire, site.fact("ranks")
    if x is None or wire is None:
        return
    wanted = [r for r in ranks or () if isinstance(r, int)]
    for rank in wanted or [x.rank + 1]:
        if rank < x.rank:
            yield from _fewer_axes(wire.id, x, rank, far=int(rank < max(wanted)))
        elif rank == x.rank + 1:
            yield from _one_axis_more(wire.id, x)
        elif rank == x.rank + 2 and x.rank > 1:
            move = put_in(wire.id, "unflatten", dim=-1, unflattenedSize=[int(x.shape[-1]), 1, 1])
            yield Recipe("As channels of 1×1 images", (move,), far=1, carry=True)


def _fewer_axes(wire: str, x: Wire, rank: int, far: int) -> Iterator[Recipe]:
    if rank == 2:
        yield Recipe("Flatten", (put_in(wire, "flatten"),), far=far, carry=True)
        if x.rank in GLOBAL_POOLS:
            yield Recipe("Global average pool", (put_in(wire, GLOBAL_POOLS[x.rank]),), far=far, carry=True)
    elif rank == 3 and x.rank > 3:
        tokens: tuple[Move, ...] = (
            put_in(wire, "flatten", startDim=2),
            put_in(wire, "transpose", dim0=1, dim1=2),
        )
        yield Recipe("Places as tokens: flatten 2, transpose (1, 2)", tokens, far=far, carry=True)
        yield Recipe("Flatten from axis 2", (put_in(wire, "flatten", startDim=2),), far=far, carry=True)
    elif rank > 0:
        yield Recipe(
            f"Flatten from axis {rank - 1}", (put_in(wire, "flatten", startDim=rank - 1),), far=far, carry=True
        )
    for axis in [k for k in range(1, x.rank) if x.shape[k] == 1][: x.rank - rank]:
        yield Recipe(f"Squeeze axis {axis}", (put_in(wire, "squeeze", dim=axis),), far=far, carry=True)


def _one_axis_more(wire: str, x: Wire) -> Iterator[Recipe]:
    for axis in (1, x.rank) if x.rank > 1 else (x.rank, 0):
        yield Recipe(f"Unsqueeze axis {axis}", (put_in(wire, "unsqueeze", dim=axis),), carry=True)
    root = round(int(x.shape[1]) ** 0.5) if x.rank == 3 else 0
    if root > 1 and root * root == x.shape[1]:
        moves = (
            put_in(wire, "transpose", dim0=1, dim1=2),
            put_in(wire, "unflatten", dim=2, unflattenedSize=[root, root]),
        )
        yield Recipe(f"Tokens as a {root}×{root} image", moves, carry=True)


@fixes(RANK)
def same_layer_for_this_rank(site: Site) -> Iterator[Recipe]:
    """The same layer for sequences, images or volumes: conv2d → conv1d, batchNorm1d → batchNorm2d."""
    x, kind = site.tensor, site.kind
    if x is None or kind is None or kind.type[-2:] not in ("1d", "2d", "3d"):
        return
    other = find(f"{kind.type[:-2]}{x.rank - 2}d")
    if other is not None and other is not kind:
        yield Recipe(f"Make it {other.type}", (retype(site.id, other.type),), carry=True)


@fixes(RESIZE_MODE)
def mode_of_this_rank(site: Site) -> Iterator[Recipe]:
    """The interpolation for as many axes as there are."""
    x = site.tensor
    mode = None if x is None else {3: "linear", 4: "bilinear", 5: "trilinear"}.get(x.rank)
    for choice in (mode, "nearest"):
        if choice is not None:
            yield Recipe(f"{spelled(site.node, 'mode')} {choice}", (set_values(site.id, mode=choice),))


@fixes(AXIS)
def axis_that_exists(site: Site) -> Iterator[Recipe]:
    """An axis the wire has: the last, or the nearest to the one asked for."""
    rank, dim, key = site.number("gets"), site.number("dim"), site.fact("param")
    if rank is None or dim is None or key is None or rank < 1:
        return
    for choice in dict.fromkeys((rank - 1 if dim > 0 else -rank, -1, min(1, rank - 1))):
        yield Recipe(f"{spelled(site.node, key)} {choice}", (set_values(site.id, **{key: choice}),), carry=True)


@fixes(BILINEAR_SHAPES)
def bilinear_inputs_alike(site: Site) -> Iterator[Recipe]:
    """Flatten both inputs, so that they differ in their last axis only."""
    if len(site.wires) == 2:
        moves = [put_in(wire.id, "flatten") for wire in site.wires]
        yield Recipe("Flatten both inputs", moves, carry=True)

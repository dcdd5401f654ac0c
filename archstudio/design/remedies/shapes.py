"""Shapes, parts and positions that the elements do not fill."""

from __future__ import annotations

from collections.abc import Iterator

from archstudio.design.moves import put_in, retype, set_values, spelled, take_out
from archstudio.design.remedies.arithmetic import nearest_divisors
from archstudio.design.site import Site, fixes
from archstudio.design.trial import Recipe
from archstudio.layers import Wire
from archstudio.layers.families.fold import FOLD_BLOCKS, FOLD_CHANNELS
from archstudio.layers.families.indexing import GATHER
from archstudio.layers.families.loss import LOSS_SHAPE
from archstudio.layers.families.norm import NOT_ONE_STRETCH
from archstudio.layers.families.norm_other import ADAIN_STYLE
from archstudio.layers.families.reduce import TOPK
from archstudio.layers.families.shape import PERMUTE
from archstudio.layers.families.shape_memory import EXPAND
from archstudio.layers.families.shape_parts import INDEX, NO_TUPLE, RANGE, SPLIT
from archstudio.layers.problem import MEMORY_ORDER
from archstudio.layers.views import RESHAPE, VIEW


@fixes(RESHAPE)
def size_worked_out(site: Site) -> Iterator[Recipe]:
    """Leave one size of the new shape to be worked out (the last first), or keep the batch and join the rest."""
    key, x = site.fact("param"), site.tensor
    if key is None or x is None:
        return
    given = site.param(key)
    shape = [given] if isinstance(given, int) else list(given) if isinstance(given, list | tuple) else []
    named = spelled(site.node, key)
    for place in reversed(range(len(shape))):
        free = [1 if d == -1 else d for d in shape]
        free[place] = -1
        label = f"{named} ({', '.join(map(str, free))})"
        yield Recipe(label, (set_values(site.id, **{key: free}),), carry=True)
    if site.kind is not None and site.kind.type in ("reshape", "view"):
        batch = int(x.shape[0]) if x.rank else 1
        move = set_values(site.id, **{key: [batch, -1]})
        yield Recipe(f"{named} ({batch}, -1)", (move,), far=1, carry=True)


@fixes(VIEW, NOT_ONE_STRETCH, MEMORY_ORDER)
def elements_in_order(site: Site) -> Iterator[Recipe]:
    """A reshape copies where a view cannot; or copy the elements into order before it."""
    if site.kind is not None and site.kind.type == "view":
        yield Recipe("Make it reshape", (retype(site.id, "reshape"),), carry=True)
    if site.wire is not None:
        yield Recipe("Contiguous before it", (put_in(site.wire.id, "contiguous"),), carry=True)


@fixes(PERMUTE)
def every_axis_once(site: Site) -> Iterator[Recipe]:
    """The axes that were named, the missing ones added in their order."""
    key, rank = site.fact("param"), site.number("rank")
    given = None if key is None else site.param(key)
    if key is None or rank is None or not isinstance(given, list | tuple):
        return
    kept = list(dict.fromkeys(d % rank for d in given if isinstance(d, int) and -rank <= d < rank)) if rank else []
    whole = kept + [d for d in range(rank) if d not in kept]
    for dims in (whole, [0, *(d for d in whole if d != 0)]) if site.kind and site.kind.type == "permute" else (kept,):
        label = f"{spelled(site.node, key)} ({', '.join(map(str, dims))})"
        yield Recipe(label, (set_values(site.id, **{key: dims}),), carry=True)


@fixes(EXPAND)
def spread_only_ones(site: Site) -> Iterator[Recipe]:
    """Leave the axis as it is."""
    axis, given = site.problem.axis, site.param("shape")
    if axis is None or not isinstance(given, list | tuple):
        return
    shape = list(given)
    if -len(shape) <= axis < len(shape):
        shape[axis] = -1
        label = f"{spelled(site.node, 'shape')} ({', '.join(map(str, shape))})"
        yield Recipe(label, (set_values(site.id, shape=shape),), carry=True)


@fixes(RANGE)
def part_inside_the_axis(site: Site) -> Iterator[Recipe]:
    """As long as there is room from the start; or from the start of the axis."""
    start, gets = site.number("start"), site.number("gets")
    if start is None or gets is None:
        return
    if 0 <= start < gets:
        room = gets - start
        yield Recipe(f"{spelled(site.node, 'length')} {room:,}", (set_values(site.id, length=room),), carry=True)
    length = site.param("length")
    if isinstance(length, int) and 0 <= length <= gets:
        move = set_values(site.id, start=gets - length)
        yield Recipe(f"{spelled(site.node, 'start')} {gets - length:,}", (move,), carry=True)
    yield Recipe("The whole axis", (set_values(site.id, start=0, length=gets),), far=1, carry=True)


@fixes(INDEX)
def item_that_exists(site: Site) -> Iterator[Recipe]:
    """The last item, or the first."""
    gets = site.number("gets")
    if gets:
        for index in (-1, 0):
            yield Recipe(f"{spelled(site.node, 'index')} {index}", (set_values(site.id, index=index),), carry=True)


@fixes(GATHER)
def indices_that_fit(site: Site) -> Iterator[Recipe]:
    """Search along the axis on which there are more indices than values, or leave the surplus out."""
    axis, room = site.axis, site.number("needs")
    if axis is None or room is None or site.wire is None:
        return
    yield Recipe(f"{spelled(site.node, 'dim')} {axis}", (set_values(site.id, dim=axis),))
    yield Recipe(f"Only the first {room:,} indices", (put_in(site.wire.id, "slice", dim=axis, length=room),))


@fixes(SPLIT)
def parts_that_add_up(site: Site) -> Iterator[Recipe]:
    """The last part takes what is left, or all parts are equal."""
    gets, given = site.number("gets"), site.param("splitSize")
    if gets is None:
        return
    named = spelled(site.node, "splitSize")
    parts = [p for p in given if isinstance(p, int)] if isinstance(given, list | tuple) else []
    if len(parts) > 1:
        rest = gets - sum(parts[:-1])
        if rest > 0 and min(parts[:-1]) >= 0:
            whole = [*parts[:-1], rest]
            label = f"{named} ({', '.join(map(str, whole))})"
            yield Recipe(label, (set_values(site.id, splitSize=whole),), carry=True)
        if gets % len(parts) == 0:
            each = gets // len(parts)
            yield Recipe(f"{len(parts)} parts of {each:,}", (set_values(site.id, splitSize=each),), carry=True)
    for each in nearest_divisors(gets, max(parts[0], 1) if parts else 2)[:2]:
        yield Recipe(f"{named} {each:,}", (set_values(site.id, splitSize=each),), far=1, carry=True)


@fixes(NO_TUPLE)
def row_of_a_tensor(site: Site) -> Iterator[Recipe]:
    """There is nothing to pick: remove it, or take an element of an axis."""
    yield Recipe(f"Remove {site.node.name}", (take_out(site.id),), carry=True)
    index = site.param("index")
    params = {"dim": 1, "index": index if isinstance(index, int) else 0}
    yield Recipe("Select from axis 1", (retype(site.id, "select", params),), far=1, carry=True)


@fixes(TOPK)
def as_many_as_there_are(site: Site) -> Iterator[Recipe]:
    """As many as the axis holds."""
    gets = site.number("gets")
    if gets is not None:
        yield Recipe(f"{spelled(site.node, 'k')} {gets:,}", (set_values(site.id, k=gets),), carry=True)


@fixes(FOLD_BLOCKS, FOLD_CHANNELS)
def fold_of_these_blocks(site: Site) -> Iterator[Recipe]:
    """The picture that so many blocks make, or the window that so many values fill."""
    blocks = None if site.tensor is None else int(site.tensor.shape[-1])
    root = 0 if blocks is None else round(blocks**0.5)
    kernel, stride = site.param("kernelSize"), site.param("stride")
    if blocks and root * root == blocks and isinstance(kernel, int) and isinstance(stride, int | None):
        size = (root - 1) * (stride or 1) + kernel
        yield Recipe(f"outputSize {size}", (set_values(site.id, outputSize=size),), carry=True)
    for side in (1, 2, 3, 4, 5, 7):
        move = set_values(site.id, kernelSize=side)
        yield Recipe(f"{spelled(site.node, 'kernelSize')} {side}", (move,), far=1, carry=True)


@fixes(LOSS_SHAPE)
def prediction_like_the_target(site: Site) -> Iterator[Recipe]:
    """Bring classes to axis 1, drop an axis of one, or join what is left over."""
    wires = site.wires
    if len(wires) < 2:
        return
    x, y = (site.verdict.carried(w.id) for w in wires[:2])
    if not (isinstance(x, Wire) and isinstance(y, Wire)):
        return
    if x.rank == 3:
        yield Recipe("Transpose (1, 2)", (put_in(wires[0].id, "transpose", dim0=1, dim1=2),))
    for wire, value, name in ((wires[0], x, "the prediction"), (wires[1], y, "the target")):
        for axis in [k for k in range(1, value.rank) if value.shape[k] == 1][:2]:
            yield Recipe(f"Squeeze axis {axis} of {name}", (put_in(wire.id, "squeeze", dim=axis),))
        if value.rank > 2:
            yield Recipe(f"Flatten {name}", (put_in(wire.id, "flatten"),), far=1)
        yield Recipe(f"Unsqueeze axis 1 of {name}", (put_in(wire.id, "unsqueeze", dim=1),), far=1)
    if x.rank == y.rank and x.rank > 1 and x.shape[:-1] == y.shape[:-1]:
        wanted = int(y.shape[-1])
        label = f"Linear {int(x.shape[-1]):,}→{wanted:,} before it"
        yield Recipe(label, (put_in(wires[0].id, "linear", outFeatures=wanted),), far=2)


@fixes(ADAIN_STYLE)
def style_of_as_many_channels(site: Site) -> Iterator[Recipe]:
    """A 1×1 convolution brings the style to the channels of the content."""
    if len(site.wires) < 2:
        return
    x, style = (site.verdict.carried(w.id) for w in site.wires[:2])
    if isinstance(x, Wire) and isinstance(style, Wire) and x.rank == style.rank == 4:
        wanted = int(x.shape[1])
        label = f"1×1 convolution {int(style.shape[1]):,}→{wanted:,} for the style"
        yield Recipe(label, (put_in(site.wires[1].id, "conv2d", outChannels=wanted, kernelSize=1),))

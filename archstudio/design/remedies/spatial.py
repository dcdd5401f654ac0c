"""Windows, pads and resizes that do not fit the axis they work on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from archstudio.design.moves import drop_values, set_values, spelled, take_out
from archstudio.design.site import Site, fixes
from archstudio.design.trial import Recipe
from archstudio.graph import Node
from archstudio.layers import Wire, find
from archstudio.layers.families.conv_transposed import OUTPUT_PADDING, TRANSPOSED_EMPTY
from archstudio.layers.families.pool import POOL_EMPTY, POOL_PAD
from archstudio.layers.families.pool_other import FRACTIONAL, UNPOOL_RANGE, UNPOOL_SIZE
from archstudio.layers.families.resize import RESIZE_EMPTY, RESIZE_SIZE
from archstudio.layers.problem import EMPTY
from archstudio.layers.windows import PAD_CROPS_ALL, PAD_REFLECT, PAD_WRAP, WINDOW

LOOKS_BACK = 8
"""Layers looked at before a window that does not fit, for what shrank the axis."""


@fixes(WINDOW)
def window_that_fits(site: Site) -> Iterator[Recipe]:
    """A smaller kernel, padding around it, or no layer at all."""
    covers, gets, pad = site.number("covers"), site.number("gets"), site.number("pad") or 0
    if covers is None or gets is None or site.kind is None:
        return
    if "padding" in site.kind.keys and isinstance(site.param("padding"), int | list | tuple | None):
        more = pad + max(covers - gets - pad, 0)
        each = -(-more // 2)
        yield Recipe(f"padding {each}", (set_values(site.id, padding=each),), carry=True)
        if "dilation" in site.kind.keys and _largest(site.param("dilation")) > 1:
            yield Recipe("dilation 1", (set_values(site.id, dilation=1),), carry=True)
    key = next((k for k in (site.fact("set_by"), "kernelSize", "patchSize") if k in site.kind.keys), None)
    if key is not None and gets + pad > 0:
        dilation = max(_largest(site.param("dilation")), 1)
        size = (gets + pad - 1) // dilation + 1
        values: dict[str, Any] = {key: size}
        if pad and site.kind.family == "pool":
            values["padding"] = min(pad // 2, size // 2)
        yield Recipe(f"{spelled(site.node, key)} {size}", (set_values(site.id, **values),), carry=True)
    if site.kind.family == "pool":
        yield Recipe(f"Remove {site.node.name}", (take_out(site.id),), far=1, carry=True)


@fixes(WINDOW, EMPTY, POOL_EMPTY, PAD_REFLECT, PAD_WRAP, RESIZE_EMPTY)
def less_shrinking_before(site: Site) -> Iterator[Recipe]:
    """Padding at, or removal of, the layers before that made the axis so small."""
    for node in _before(site):
        kind = find(node.type)
        if kind is None:
            continue
        if kind.family == "pool" and kind.axes:
            yield Recipe(f"Remove {node.name}", (take_out(node.id),), far=2, carry=True)
        elif kind.family == "conv" and {"kernelSize", "padding"} <= set(kind.keys):
            kernel, field = _param(node, "kernelSize"), kind.keys["padding"]
            same = _largest(kernel) // 2
            if same and field.kind in ("padding", "tuple") and _largest(_param(node, "padding")) < same:
                move = set_values(node.id, padding=same)
                yield Recipe(f"padding {same} at {node.name}", (move,), far=2, carry=True)
            if "stride" in kind.keys and _largest(_param(node, "stride")) > 1:
                yield Recipe(f"stride 1 at {node.name}", (set_values(node.id, stride=1),), far=2, carry=True)


@fixes(PAD_REFLECT, PAD_WRAP)
def pad_within_the_axis(site: Site) -> Iterator[Recipe]:
    """As much padding as the axis allows, or zeros instead."""
    gets = site.number("gets")
    if gets is None or site.kind is None:
        return
    most = gets - 1 if site.problem.kind is PAD_REFLECT else gets
    given = site.param("padding")
    allowed = [min(p, most) for p in given] if isinstance(given, list | tuple) else most
    if "paddingMode" in site.kind.keys:
        yield Recipe("Pad with zeros", (set_values(site.id, paddingMode="zeros"),))
    text = most if isinstance(allowed, int) else "×".join(map(str, allowed))
    yield Recipe(f"padding {text}", (set_values(site.id, padding=allowed),), carry=True)


@fixes(PAD_CROPS_ALL, TRANSPOSED_EMPTY)
def crop_less(site: Site) -> Iterator[Recipe]:
    """Nothing is cut off, or as much less as leaves one element."""
    given = site.param("padding")
    if isinstance(given, list | tuple):
        kept: Any = [max(int(p), 0) if site.problem.kind is PAD_CROPS_ALL else 0 for p in given]
    else:
        kept = 0
    yield Recipe("No cropping", (set_values(site.id, padding=kept),), carry=True)


@fixes(POOL_PAD)
def pad_within_half_the_window(site: Site) -> Iterator[Recipe]:
    """As much padding as half of the window, or a window twice as wide as the padding."""
    most, pad = site.number("most"), site.number("pad")
    if most is None or pad is None:
        return
    given = site.param("padding")
    kernel = site.param("kernelSize")
    padding: Any = most
    if isinstance(given, list | tuple) and isinstance(kernel, list | tuple):
        padding = [min(p, k // 2) for p, k in zip(given, kernel, strict=False)]
    yield Recipe(f"padding {most}", (set_values(site.id, padding=padding),), carry=True)
    named = spelled(site.node, "kernelSize")
    yield Recipe(f"{named} {2 * pad}", (set_values(site.id, kernelSize=2 * pad),), far=1, carry=True)


@fixes(OUTPUT_PADDING)
def output_padding_below_stride(site: Site) -> Iterator[Recipe]:
    """The largest output padding that the stride allows, none, or a larger stride."""
    gets, stride = site.number("gets"), site.number("stride")
    dilation = site.number("dilation") or 1
    if gets is None or stride is None:
        return
    named = spelled(site.node, "outputPadding")
    for size in dict.fromkeys((max(stride, dilation) - 1, 0)):
        yield Recipe(f"{named} {size}", (set_values(site.id, outputPadding=size),), carry=True)
    yield Recipe(f"stride {gets + 1}", (set_values(site.id, stride=gets + 1),), far=1, carry=True)


@fixes(RESIZE_SIZE, RESIZE_EMPTY)
def resize_by_a_factor(site: Site) -> Iterator[Recipe]:
    """A factor alone, a size alone, and no options that need the other."""
    keys = [k for k in site.node.params if site.kind is not None and k in site.kind.keys]
    names = {site.kind.keys[k].json: k for k in keys} if site.kind is not None else {}
    extra = [names[n] for n in ("alignCorners", "recomputeScaleFactor") if n in names]
    if extra:
        yield Recipe(f"Drop {' and '.join(extra)}", (drop_values(site.id, *extra),))
    if "size" in names and "scaleFactor" in names:
        for dropped, kept in (("scaleFactor", "size"), ("size", "scaleFactor")):
            yield Recipe(f"Keep only {kept}", (drop_values(site.id, names[dropped], *extra),), carry=True)
    gone = [names[n] for n in ("size", "scaleFactor") if n in names]
    moves = (drop_values(site.id, *gone, *extra), set_values(site.id, scaleFactor=2))
    yield Recipe("scaleFactor 2", moves, far=1, carry=True)


@fixes(FRACTIONAL)
def smaller_fractional_pool(site: Site) -> Iterator[Recipe]:
    """A smaller window, or fewer of them."""
    kernel, gets, size = site.number("kernel"), site.number("gets"), site.number("size")
    if kernel is None or gets is None or size is None:
        return
    fits = gets - size + 1
    if fits >= 1:
        named = spelled(site.node, "kernelSize")
        yield Recipe(f"{named} {fits}", (set_values(site.id, kernelSize=fits),), carry=True)
    if gets - kernel + 1 >= 1:
        given = [k for k in site.node.params if site.kind is not None and k in site.kind.keys]
        ratio = [k for k in given if site.kind is not None and site.kind.keys[k].json == "outputRatio"]
        most = gets - kernel + 1
        moves = (drop_values(site.id, *ratio), set_values(site.id, outputSize=most))
        yield Recipe(f"outputSize {most}", moves, far=1, carry=True)


@fixes(UNPOOL_SIZE)
def usual_unpooled_size(site: Site) -> Iterator[Recipe]:
    """The size that undoes the pooling by itself."""
    named = spelled(site.node, "outputSize")
    yield Recipe(f"Without {named}", (drop_values(site.id, named),), carry=True)


@fixes(UNPOOL_RANGE)
def size_before_the_pooling(site: Site) -> Iterator[Recipe]:
    """The size that the pooling was given, whose places the indices name."""
    wire = site.wire
    if wire is None or site.kind is None:
        return
    for into in site.graph.incoming(wire.source):
        pooled = site.verdict.carried(into.id)
        if isinstance(pooled, Wire) and pooled.rank > site.kind.axes:
            sizes = [int(d) for d in pooled.shape[-site.kind.axes :]]
            label = f"{spelled(site.node, 'outputSize')} {'×'.join(map(str, sizes))}"
            yield Recipe(label, (set_values(site.id, outputSize=sizes),), carry=True)


def _before(site: Site) -> list[Node]:
    """The layers before, nearest first, along first inputs."""
    found: list[Node] = []
    node_id = site.id
    while len(found) < LOOKS_BACK:
        wires = site.graph.incoming(node_id)
        if not wires or wires[0].source in (site.id, *(n.id for n in found)):
            break
        node_id = wires[0].source
        found.append(site.graph.node(node_id))
    return found


def _param(node: Node, key: str) -> Any:
    kind = find(node.type)
    if kind is None or key not in kind.keys:
        return None
    given = kind.keys[key].find(node.params)
    return kind.keys[key].default if given is None else given[1]


def _largest(value: Any) -> int:
    """The largest of a number or list of numbers; 0 for anything else."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return max((_largest(v) for v in value), default=0)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0

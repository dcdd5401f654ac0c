"""Widths that do not split equally: another number of heads or groups, or another width."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from archstudio.design.moves import put_in, set_values, spelled
from archstudio.design.remedies.arithmetic import divisors, nearest_divisors, nearest_multiples
from archstudio.design.remedies.sizes import adapter, resized_source
from archstudio.design.site import Site, fixes
from archstudio.design.trial import Move, Recipe
from archstudio.layers import Wire
from archstudio.layers.families.activation_axis import GLU_ODD
from archstudio.layers.families.conv import GROUPS
from archstudio.layers.families.feedforward import MOE_TOPK
from archstudio.layers.families.recurrent import PROJ_SIZE
from archstudio.layers.families.resize import SHUFFLE
from archstudio.layers.heads import HEADS, KV_HEADS, ROPE_ODD

_WIDTHS = ("embedDim", "dModel", "hiddenDim", "dim")
_HEADS = ("numHeads", "nhead")


@fixes(HEADS)
def heads_that_divide(site: Site) -> Iterator[Recipe]:
    """Another number of heads near the present one, then another width near the present one."""
    width, heads, kind = site.number("width"), site.number("heads"), site.kind
    key = None if kind is None else next((k for k in (site.fact("param"), *_HEADS) if k in kind.keys), None)
    if width is None or heads is None or key is None:
        return
    for count in nearest_divisors(width, heads)[:4]:
        noun = "head" if count == 1 else "heads"
        yield Recipe(
            f"Use {count:,} {noun}", (set_values(site.id, **{key: count}),), note=f"{width // count:,} each", carry=True
        )
    for size in nearest_multiples(heads, width):
        yield from _another_width(site, width, size, far=1)


@fixes(KV_HEADS)
def shared_heads_that_divide(site: Site) -> Iterator[Recipe]:
    """Another number of key/value heads near the present one."""
    heads, shared = site.number("heads"), site.number("kv_heads")
    if heads is None or shared is None or site.fact("param") is None:
        return
    for count in [*nearest_divisors(heads, shared)[:3], 1]:
        noun = "head" if count == 1 else "heads"
        move = set_values(site.id, **{site.fact("param"): count})
        yield Recipe(f"Use {count:,} key/value {noun}", (move,), far=int(count == 1), carry=True)


@fixes(ROPE_ODD)
def even_features(site: Site) -> Iterator[Recipe]:
    """The even number next to an odd one, or heads that make the share of each even."""
    gets, key, kind = site.number("gets"), site.fact("param"), site.kind
    if gets is None or key is None or kind is None:
        return
    for size in (gets - 1, gets + 1):
        if key in kind.keys and size > 0:
            yield Recipe(f"{spelled(site.node, key)} {size:,}", (set_values(site.id, **{key: size}),), carry=True)
    width = next((site.param(k) for k in _WIDTHS if k in kind.keys), None)
    heads = next((k for k in _HEADS if k in kind.keys), None)
    count = None if heads is None else site.param(heads)
    if heads is not None and isinstance(width, int) and isinstance(count, int):
        for divisor in [d for d in nearest_divisors(width, count) if width // d % 2 == 0][:2]:
            yield Recipe(f"Use {divisor:,} heads", (set_values(site.id, **{heads: divisor}),), carry=True)


@fixes(GROUPS)
def groups_that_divide(site: Site) -> Iterator[Recipe]:
    """Another number of groups, which divides the channels on both sides; or another number of channels."""
    whole, parts, key = site.number("whole"), site.number("parts"), site.fact("param")
    if whole is None or parts is None or key is None:
        return
    sides = [site.param(k) for k in ("inChannels", "outChannels")]
    common = gcd(whole, *(s for s in sides if isinstance(s, int)))
    for count in [c for c in (*nearest_divisors(common, parts)[:2], 1) if c]:
        named = spelled(site.node, key)
        yield Recipe(f"{named} {count:,}", (set_values(site.id, **{key: count}),), far=int(count == 1), carry=True)
    if site.fact("whole_name") == "outChannels":
        for size in nearest_multiples(parts, whole):
            label = f"{spelled(site.node, 'outChannels')} {size:,}"
            yield Recipe(label, (set_values(site.id, outChannels=size),), far=1, carry=True)
    elif site.wires:
        yield from _channels_before(site, parts, whole)


def _channels_before(site: Site, parts: int, whole: int) -> Iterator[Recipe]:
    """Another number of channels coming in, made where they come from."""
    x = site.verdict.carried(site.wires[0].id)
    if not isinstance(x, Wire) or x.rank < 2:
        return
    for size in nearest_multiples(parts, whole):
        move = resized_source(site, site.wires[0].source, 1 - x.rank, size)
        own = next((k for k in ("inChannels", "numChannels") if spelled(site.node, k) in site.node.params), None)
        if move is not None:
            moves: list[Move] = [move] if own is None else [move, set_values(site.id, **{own: size})]
            yield Recipe(f"{size:,} channels", moves, far=1, carry=True)


@fixes(MOE_TOPK)
def experts_enough(site: Site) -> Iterator[Recipe]:
    """Fewer visits, or more experts."""
    top, experts = site.number("top_k"), site.number("experts")
    if top is None or experts is None:
        return
    for count in dict.fromkeys((min(2, experts), experts)):
        if count > 0:
            yield Recipe(f"{spelled(site.node, 'topK')} {count:,}", (set_values(site.id, topK=count),), carry=True)
    yield Recipe(
        f"{spelled(site.node, 'numExperts')} {top:,}", (set_values(site.id, numExperts=top),), far=1, carry=True
    )


@fixes(SHUFFLE)
def factor_that_divides(site: Site) -> Iterator[Recipe]:
    """A factor that splits what comes in, or channels that the factor splits."""
    x, needs, gets, axis = site.tensor, site.number("needs"), site.number("gets"), site.axis
    if x is None or site.wire is None or needs is None or gets is None or axis is None or site.kind is None:
        return
    for key, fits in (
        ("upscaleFactor", [r for r in range(2, 9) if gets % (r * r) == 0]),
        ("downscaleFactor", [r for r in divisors(gcd(*(int(d) for d in x.shape[-2:]))) if r > 1]),
        ("groups", [r for r in nearest_divisors(gets, needs) if r > 1]),
    ):
        if key in site.kind.keys:
            for count in fits[:2]:
                yield Recipe(f"{spelled(site.node, key)} {count:,}", (set_values(site.id, **{key: count}),), carry=True)
    for size in nearest_multiples(needs, gets):
        found = adapter(x.rank, axis, gets, size)
        if found is not None:
            yield Recipe(found[0], (put_in(site.wire.id, found[1], **found[2]),), far=2, carry=True)


@fixes(GLU_ODD)
def halves(site: Site) -> Iterator[Recipe]:
    """An even size on the axis that is halved, or another axis."""
    x, axis, wire = site.tensor, site.axis, site.wire
    if x is None or axis is None or wire is None:
        return
    size = int(x.shape[axis])
    for wanted in (size + 1, size - 1):
        move = resized_source(site, wire.source, axis, wanted)
        if move is not None and wanted > 0:
            yield Recipe(f"{wanted:,} before it", (move,), carry=True)
        found = adapter(x.rank, axis, size, wanted)
        if found is not None and wanted > 0:
            yield Recipe(found[0], (put_in(wire.id, found[1], **found[2]),), far=2, carry=True)
    for other in range(1, x.rank):
        if x.shape[other] % 2 == 0:
            yield Recipe(f"dim {other}", (set_values(site.id, dim=other),), far=1, carry=True)


@fixes(PROJ_SIZE)
def projection_below_hidden(site: Site) -> Iterator[Recipe]:
    """A projection must be smaller than the state."""
    hidden = site.number("needs")
    if hidden is None:
        return
    named = spelled(site.node, "projSize")
    yield Recipe(f"{named} 0", (set_values(site.id, projSize=0),), note="No projection.", carry=True)
    if hidden > 1:
        yield Recipe(f"{named} {hidden // 2:,}", (set_values(site.id, projSize=hidden // 2),), carry=True)


def _another_width(site: Site, width: int, size: int, far: int) -> Iterator[Recipe]:
    """The width of an attention layer and, with it, of what feeds it."""
    kind = site.kind
    key = None if kind is None else next((k for k in _WIDTHS if k in kind.keys and site.param(k) == width), None)
    if key is None:
        return
    moves = [set_values(site.id, **{key: size})]
    sources = (resized_source(site, wire.source, -1, size) for wire in site.wires)
    moves += [move for move in sources if move is not None]
    yield Recipe(f"Width {size:,}", moves, far=far, carry=True)

"""What layers with attention heads have in common: how a width is shared out, and what may come in."""

from __future__ import annotations

from archstudio.layers.problem import ProblemKind, Refused, error
from archstudio.layers.wire import Wire

HEADS = ProblemKind(
    "E-HEADS",
    error,
    "{node}: width {width:,} does not split into {heads:,} heads ({each:.1f} each)",
    "Every head works on an equal share of the width, so the number of heads must divide it.",
)
KV_HEADS = ProblemKind(
    "E-KV-HEADS",
    error,
    "{node}: {heads:,} query heads cannot share {kv_heads:,} key/value heads",
    "Every key/value head serves the same number of query heads, so their number must divide that of the query heads.",
)
ATTN_IN = ProblemKind(
    "E-ATTN-IN",
    error,
    "{node} expects a {what} of width {needs:,}, the wire carries {gets:,}",
    "The projections to queries, keys and values multiply the last axis by matrices of a fixed size.",
)
ATTN_PAIR = ProblemKind(
    "E-ATTN-PAIR",
    error,
    "{node}: {what} is {gets:,} long on an axis where {other} has {needs:,}",
    "Queries, keys and values belong to the same batch, and every key has one value.",
)
ROPE_ODD = ProblemKind(
    "E-ROPE-ODD",
    error,
    "{node}: {param} is {gets:,}; rotary positions turn pairs, so it must be even",
    "Rotary embedding rotates features two by two.",
)


def require_heads(width: int, heads: int, param: str = "numHeads") -> None:
    """Refuse a width that heads cannot share equally."""
    if width % heads:
        raise Refused(HEADS, width=width, heads=heads, each=width / heads, param=param)


def require_kv_heads(heads: int, kv_heads: int) -> None:
    """Refuse key/value heads that query heads cannot share equally."""
    if heads % kv_heads:
        raise Refused(KV_HEADS, heads=heads, kv_heads=kv_heads, param="numKVHeads")


def require_even(size: int, param: str) -> None:
    """Refuse an odd number of features where they are taken in pairs."""
    if size % 2:
        raise Refused(ROPE_ODD, param=param, gets=size)


def require_tokens(x: Wire, width: int, *, set_by: str = "embedDim", what: str = "sequence") -> Wire:
    """Refuse all but a float32 batch of sequences (B, T, width)."""
    x.require_rank(3)
    x.require_size(-1, width, set_by=set_by, what=what, kind=ATTN_IN)
    return x.require_float32()


def batch_major(batch: int, length: int, width: int) -> Wire:
    """(B, T, C) as a transposed view of (T, B, C), which is how PyTorch returns batch-first results."""
    return Wire.of((batch, length, width), "float32", (width, batch * width, 1))

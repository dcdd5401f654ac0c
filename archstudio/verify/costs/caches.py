"""What each attention layer of a graph keeps of the tokens it has read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from archstudio.graph import Connection
from archstudio.layers import Layer, Wire
from archstudio.layers.dim import product
from archstudio.layers.families.attention import CausalAttention, LocalAttention, MultiHeadAttention
from archstudio.layers.families.attention_grouped import (
    GroupedQueryAttention,
    LinearAttention,
    MultiHeadLatentAttention,
)
from archstudio.layers.families.attention_product import ScaledDotProductAttention
from archstudio.layers.families.shared import SharedModule
from archstudio.layers.families.transformer import (
    Transformer,
    TransformerBlock,
    TransformerDecoderLayer,
    TransformerEncoderLayer,
)
from archstudio.verify.costs.kv import CachedLayer
from archstudio.verify.ports import input_order
from archstudio.verify.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Cache:
    """What one attention keeps. `causal` says that a token sees only what came before, so that caching is exact."""

    node: str
    cached: CachedLayer
    causal: bool


def caches(verdict: Verdict) -> list[Cache]:
    """The caches of all attention layers, in the order of evaluation. A layer whose weights are used twice keeps two.

    Self-attention without a mask is listed too: it can be cached only if it is run as a decoder. Attention inside
    windows of an image keeps nothing.
    """
    found: list[Cache] = []
    for node_id in verdict.order:
        known = verdict.nodes[node_id]
        layer = known.layer.target if isinstance(known.layer, SharedModule) else known.layer
        if layer is None or known.value is None:
            continue
        wires = input_order(type(layer), verdict.graph.incoming(node_id))
        values = [value for w in wires if isinstance(value := verdict.carried(w.id), Wire)]
        found += [Cache(node_id, cached, causal) for cached, causal in _kept(layer, wires, values)]
    return found


def _kept(layer: Layer, wires: Sequence[Connection], values: Sequence[Wire]) -> Iterator[tuple[CachedLayer, bool]]:
    """What a layer keeps, and whether its attention is causal; the head width is the layer's own, not width/heads."""
    if isinstance(layer, MultiHeadLatentAttention):
        yield CachedLayer.latent(layer.kv_latent_dim + layer.rope_head_dim), layer.causal
    elif isinstance(layer, GroupedQueryAttention):
        yield CachedLayer.attention(layer.kv_heads, layer.head), layer.causal
    elif isinstance(layer, LocalAttention):
        yield CachedLayer(2 * layer.embed_dim, window=layer.window_size), layer.causal
    elif isinstance(layer, CausalAttention):
        yield CachedLayer(2 * layer.embed_dim), True
    elif isinstance(layer, TransformerBlock):
        yield CachedLayer(2 * layer.embed_dim), layer.causal
    elif isinstance(layer, MultiHeadAttention):
        yield _multi_head(layer, wires, values), False
    elif isinstance(layer, ScaledDotProductAttention):
        yield CachedLayer(_per_token(values[1]) + _per_token(values[2])), layer.is_causal
    elif isinstance(layer, LinearAttention):
        yield CachedLayer.state(layer.embed_dim * (layer.embed_dim // layer.num_heads + 1)), False
    else:
        yield from _kept_by_torch(layer, values)


def _kept_by_torch(layer: Layer, values: Sequence[Wire]) -> Iterator[tuple[CachedLayer, bool]]:
    """The layers of torch.nn: a decoder layer keeps its own keys and values and those of what it looks at."""
    if isinstance(layer, TransformerEncoderLayer):
        yield CachedLayer(2 * layer.d_model), False
    elif isinstance(layer, TransformerDecoderLayer):
        yield CachedLayer(2 * layer.d_model), False
        yield CachedLayer(2 * layer.d_model, fixed_tokens=_length(values[1], layer.batch_first)), False
    elif isinstance(layer, Transformer):
        for _ in range(layer.num_decoder_layers):
            yield CachedLayer(2 * layer.d_model), False
            yield CachedLayer(2 * layer.d_model, fixed_tokens=_length(values[0], layer.batch_first)), False


def _multi_head(layer: MultiHeadAttention, wires: Sequence[Connection], values: Sequence[Wire]) -> CachedLayer:
    """Keys and values of the sequence itself, or of another one whose length is fixed."""
    query, key = wires[0], wires[min(1, len(wires) - 1)]
    if (query.source, query.source_port) == (key.source, key.source_port):
        return CachedLayer(2 * layer.embed_dim)
    return CachedLayer(2 * layer.embed_dim, fixed_tokens=_length(values[1], layer.batch_first))


def _length(x: Wire, batch_first: bool) -> int:
    return int(x.shape[1 if x.rank == 3 and batch_first else 0])


def _per_token(x: Wire) -> int:
    """Elements of a token in (B, heads, S, d) or (B, S, d): all axes but the batch and the sequence."""
    return int(product(x.shape[1:-2]) * x.shape[-1])

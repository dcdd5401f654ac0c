"""Multi-head attention as nn.MultiheadAttention has it, and its causal and local forms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.fields import flag, number, size
from archstudio.layers.heads import ATTN_IN, ATTN_PAIR, batch_major, require_heads
from archstudio.layers.keeps import Kept, kept_input
from archstudio.layers.problem import PARAM_RANGE, RANK, Refused
from archstudio.layers.wire import Value, Wire

WIDTHS = ("hiddenDim", "dModel")
"""Other keys under which files give the width of an attention layer."""


class Attention(Layer):
    """What all forms of nn.MultiheadAttention share: one packed or three separate projections, heads, an output."""

    telling = "{embed_dim}, {num_heads} heads"

    embed_dim: int = size(from_axis=-1, at_least=1, aliases=WIDTHS, help="Width of queries and of the result.")
    num_heads: int = size(1, at_least=1, divides=("embed_dim",), torch_default=None, help="Heads that share the width.")
    dropout: float = number(0.0, help="Chance of dropping an attention weight while training.")
    bias: bool = flag(True, help="Add learned offsets in the projections.")

    key_width: int
    value_width: int
    extra_keys: int = 0

    def check(self) -> None:
        require_heads(self.embed_dim, self.num_heads)

    def check_dropout(self) -> None:
        """Refuse a chance outside 0..1, which torch notices when it draws the first mask."""
        if self.training and not 0 <= self.dropout <= 1:
            raise Refused(PARAM_RANGE, param="dropout", gets=self.dropout, needs="between 0 and 1")

    def projections(self) -> Iterator[Parameter]:
        """The input projections and their bias."""
        width = self.embed_dim
        yield Parameter("in_proj_weight", (3 * width, width))
        if self.bias:
            yield Parameter("in_proj_bias", (3 * width,))

    def parameters(self) -> Iterator[Parameter]:
        yield from self.projections()
        yield Parameter("out_proj.weight", (self.embed_dim, self.embed_dim))
        if self.bias:
            yield Parameter("out_proj.bias", (self.embed_dim,))

    def scored(self, batch: int, queries: int, keys: int, key_width: int, value_width: int) -> int:
        """MACs of the four projections and the two attention products (every score counts, masked or not)."""
        width = self.embed_dim
        projected = batch * (2 * queries * width + keys * key_width + keys * value_width) * width
        return projected + 2 * batch * queries * (keys + self.extra_keys) * width

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("embedDim") if axis == -1 else Step("", 0, axis)


@layer("multiHeadAttention", family="attention", torch="MultiheadAttention", aliases=("attention", "selfAttention"))
class MultiHeadAttention(Attention):
    """Let every position gather from all others, by similarity, in several heads at once.

    One input is query, key and value (self-attention); of two, the second is key and value; three are all of them.
    Shape: (B, T, C), (B, S, Ck), (B, S, Cv) -> (B, T, C), and (B, T, S) attention weights where they are asked for;
    unbatched (T, C) is accepted.    softmax(q·kᵀ / √(C/heads))·v    [torch.nn.MultiheadAttention]
    """

    inputs = ("query", "key", "value")
    optional_inputs = 2

    add_bias_kv: bool = flag(False, help="Append one learned key and value.")
    add_zero_attn: bool = flag(False, help="Append a key and value of zeros.")
    kdim: int | None = size(None, optional=True, at_least=1, help="Width of the keys; null is that of the queries.")
    vdim: int | None = size(None, optional=True, at_least=1, help="Width of the values; null is that of the queries.")
    batch_first: bool = flag(True, torch_default=False, help="Whether the batch is the first axis, not the second.")
    need_weights: bool = flag(
        False, torch=None, torch_default=True, help="Also return the attention weights, which costs memory."
    )
    average_attn_weights: bool = flag(True, torch=None, help="Average the returned weights over the heads.")

    @property
    def key_width(self) -> int:  # type: ignore[override]
        """Width of the keys that come in."""
        return self.embed_dim if self.kdim is None else self.kdim

    @property
    def value_width(self) -> int:  # type: ignore[override]
        """Width of the values that come in."""
        return self.embed_dim if self.vdim is None else self.vdim

    @property
    def extra_keys(self) -> int:  # type: ignore[override]
        """Keys that are appended to those that come in."""
        return int(self.add_bias_kv) + int(self.add_zero_attn)

    def roles(self, inputs: Sequence[Wire]) -> tuple[tuple[int, int, int], tuple[Wire, Wire, Wire]]:
        """Which port, and which wire, is query, key and value."""
        ports = {1: (0, 0, 0), 2: (0, 1, 1)}.get(len(inputs), (0, 1, 2))
        query, key, value = (inputs[p] for p in ports)
        return ports, (query, key, value)

    def forward(self, *inputs: Wire) -> Value:
        ports, wires = self.roles(inputs)
        self._check_inputs(ports, wires)
        self.check_dropout()
        query, key, _ = wires
        batched, length = query.rank == 3, self._length_axis(query)
        out: Wire = query.with_shape(query.shape)
        if batched and self.batch_first:
            out = batch_major(*query.shape)
        if not self.need_weights:
            return out
        heads = () if self.average_attn_weights else (self.num_heads,)
        batch = (query.shape[1 - length],) if batched else ()
        weights = (*batch, *heads, query.shape[length], key.shape[length] + self.extra_keys)
        return (out, Wire.of(weights))

    def _length_axis(self, x: Wire) -> int:
        return 1 if x.rank == 3 and self.batch_first else 0

    def _check_inputs(self, ports: tuple[int, int, int], wires: tuple[Wire, Wire, Wire]) -> None:
        query, key, value = wires
        query.require_rank(3, 2)
        widths = (("query", self.embed_dim, "embedDim"), ("key", self.key_width, "kdim"))
        for port, x, (what, width, set_by) in zip(
            ports, wires, (*widths, ("value", self.value_width, "vdim")), strict=True
        ):
            if x.rank != query.rank:
                raise Refused(RANK, port=port, needs=query.rank, gets=x.rank, ranks=(query.rank,))
            x.require_size(-1, width, set_by=set_by, what=what, port=port, kind=ATTN_IN)
            x.require_float32(port)
        for axis in range(query.rank - 1):
            if axis != self._length_axis(query) and key.shape[axis] != query.shape[axis]:
                self._refuse_pair(ports[1], axis, "the key", key, "the query", query)
            if value.shape[axis] != key.shape[axis]:
                self._refuse_pair(ports[2], axis, "the value", value, "the key", key)

    @staticmethod
    def _refuse_pair(port: int, axis: int, what: str, x: Wire, other: str, y: Wire) -> None:
        facts = {"what": what, "gets": x.shape[axis], "other": other, "needs": y.shape[axis]}
        raise Refused(ATTN_PAIR, port=port, axis=axis - x.rank, **facts)

    def projections(self) -> Iterator[Parameter]:
        width = self.embed_dim
        if self.key_width == self.value_width == width:
            yield Parameter("in_proj_weight", (3 * width, width))
        else:
            yield Parameter("q_proj_weight", (width, width))
            yield Parameter("k_proj_weight", (width, self.key_width))
            yield Parameter("v_proj_weight", (width, self.value_width))
        if self.bias:
            yield Parameter("in_proj_bias", (3 * width,))
        if self.add_bias_kv:
            yield Parameter("bias_k", (1, 1, width))
            yield Parameter("bias_v", (1, 1, width))

    def _sizes(self, inputs: Sequence[Wire]) -> tuple[int, int, int]:
        """Batch, number of queries, number of keys (without those appended)."""
        _, (query, key, _value) = self.roles(inputs)
        axis = self._length_axis(query)
        return query.shape[1 - axis] if query.rank == 3 else 1, query.shape[axis], key.shape[axis]

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return self.scored(*self._sizes(inputs), self.key_width, self.value_width)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        ports, (query, _, _) = self.roles(inputs)
        for port in sorted(set(ports)):
            for saved in kept_input(inputs[port], port, batch_first=self.batch_first):
                yield saved if saved.what == "input" else Saved.copy(port, inputs[port])
        kept = Kept(
            *self._sizes(inputs),
            self.embed_dim,
            self.num_heads,
            packed=set(ports) == {0} and query.rank == 3 and self.key_width == self.value_width == self.embed_dim,
            extra=self.extra_keys,
            weights=self.need_weights,
            dropping=self.training and self.dropout > 0,
        )
        yield Saved.own(kept.elements)

    def output_names(self) -> dict[str, tuple[int, ...]]:
        return {"output": (0,), "weights": (1,)} if self.need_weights else {"output": ()}

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        names = {1: (0, 0, 0), 2: (0, 1, 1)}.get(len(inputs), (0, 1, 2))
        call = f"{module}({', '.join(inputs[p] for p in names)}"
        if not self.need_weights:
            return f"{call}, need_weights=False)[0]"
        return f"{call})" if self.average_attn_weights else f"{call}, average_attn_weights=False)"

    @classmethod
    def example(cls, random: Random) -> Example:
        params, width = _example_widths(random)
        for name in ("addBiasKv", "addZeroAttn", "bias", "batchFirst", "needWeights", "averageAttnWeights"):
            if samples.sometimes(random, 0.25):
                params[name] = random.random() < 0.5
        count = random.choice((1, 1, 2, 3))
        shapes = _example_shapes(random, params, width, count)
        inputs = tuple(samples.wire(random, s, samples.dtype(random, 0.03)) for s in shapes)
        return Example(params, inputs, training=samples.sometimes(random, 0.3))


def _example_widths(random: Random) -> tuple[dict[str, Any], int]:
    heads = random.choice((1, 2, 3, 4))
    width = heads * random.randint(1, 4) + (1 if samples.sometimes(random, 0.07) else 0)
    params: dict[str, Any] = {"embedDim": width, "numHeads": heads}
    if samples.sometimes(random, 0.2):
        del params["embedDim"]
    if samples.sometimes(random, 0.1):
        params["dropout"] = random.choice((0.1, 1, 1.5))
    return params, width


def _example_shapes(random: Random, params: dict[str, Any], width: int, count: int) -> list[list[int]]:
    batch, queries, keys = random.randint(1, 3), random.randint(1, 5), random.randint(1, 5)
    widths = [width] * 3
    for k, name in ((1, "kdim"), (2, "vdim")):
        if count == 3 and samples.sometimes(random, 0.3):
            widths[k] = params[name] = random.randint(1, 6)
    batch_first = params.get("batchFirst", True)
    shapes = [
        [batch, t, c] if batch_first else [t, batch, c] for t, c in zip((queries, keys, keys), widths, strict=True)
    ]
    if samples.sometimes(random, 0.15):
        shapes = [[s[1 if batch_first else 0], s[2]] for s in shapes]
    if samples.sometimes(random, 0.15):
        wrong = random.choice(shapes[:count])
        wrong[random.randrange(len(wrong))] += 1
    if samples.sometimes(random, 0.04):
        random.choice(shapes[:count]).insert(0, 1)
    return shapes[:count]


@layer("crossAttention", family="attention", torch_ops=("CrossAttention",), aliases=("crossModalAttention",))
class CrossAttention(MultiHeadAttention):
    """Let one sequence gather from another: queries from the first input, keys and values from the others.

    Shape: (B, T, C), (B, S, Ck) -> (B, T, C).    [torch.nn.MultiheadAttention]
    """

    optional_inputs = 1

    def construct_code(self) -> str | None:
        return f"nn.MultiheadAttention({', '.join(self._code_arguments())})"

    @classmethod
    def example(cls, random: Random) -> Example:
        params, width = _example_widths(random)
        shapes = _example_shapes(random, params, width, random.choice((2, 2, 3)))
        return Example(params, tuple(samples.wire(random, s) for s in shapes))


class MaskedAttention(Attention):
    """Self-attention with a mask that is made from the positions."""

    def forward(self, x: Wire) -> Wire:
        x.require_rank(3, 2)
        x.require_size(-1, self.embed_dim, set_by="embedDim", what="sequence", kind=ATTN_IN)
        x.require_float32()
        self.check_dropout()
        return batch_major(*x.shape) if x.rank == 3 else x.with_shape(x.shape)

    def sizes(self, x: Wire) -> tuple[int, int]:
        """Batch and length."""
        return (x.shape[0], x.shape[1]) if x.rank == 3 else (1, x.shape[0])

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        batch, length = self.sizes(inputs[0])
        return self.scored(batch, length, length, self.embed_dim, self.embed_dim)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        batch, length = self.sizes(inputs[0])
        yield from kept_input(inputs[0], 0, batch_first=self.time_inside)
        dropping = self.training and self.dropout > 0
        packed = inputs[0].rank == 3
        kept = Kept(batch, length, length, self.embed_dim, self.num_heads, packed, dropping=dropping)
        yield Saved.own(kept.elements)

    @property
    def time_inside(self) -> bool:
        """Whether the batch is the first axis."""
        return True

    @classmethod
    def example(cls, random: Random) -> Example:
        params, width = _example_widths(random)
        shapes = _example_shapes(random, params, width, 1)
        inputs = tuple(samples.wire(random, s, samples.dtype(random, 0.03)) for s in shapes)
        return Example(params, inputs, training=samples.sometimes(random, 0.3))


@layer("causalAttention", family="attention", torch="blocks.CausalSelfAttention", aliases=("maskedSelfAttention",))
class CausalAttention(MaskedAttention):
    """Self-attention in which a position sees only itself and what came before it.

    Shape: (B, T, C) -> (B, T, C); unbatched (T, C) is accepted.    [torch.nn.MultiheadAttention with a causal mask]
    """

    batch_first: bool = flag(True, torch_default=False, help="Whether the batch is the first axis, not the second.")

    def forward(self, x: Wire) -> Wire:
        out = super().forward(x)
        return out if self.batch_first else x.with_shape(x.shape)

    def sizes(self, x: Wire) -> tuple[int, int]:
        batch, length = super().sizes(x)
        return (batch, length) if self.batch_first or x.rank == 2 else (length, batch)

    @property
    def time_inside(self) -> bool:
        return self.batch_first


@layer("localAttention", family="attention", torch="blocks.LocalAttention", aliases=("slidingWindowAttention",))
class LocalAttention(MaskedAttention):
    """Self-attention in which a position sees only those less than `window_size` away.

    Shape: (B, T, C) -> (B, T, C). Counted as it runs, with all T×T scores.    [Longformer, arXiv 2004.05150]
    """

    telling = "{embed_dim}, {num_heads} heads, window {window_size}"

    window_size: int = size(256, at_least=1, help="How far a position sees, itself included.")
    causal: bool = flag(False, help="Whether it sees only backwards.")

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield from super().saved(inputs, output)
        yield Saved.own(inputs[0].shape[-2] * inputs[0].shape[-2])

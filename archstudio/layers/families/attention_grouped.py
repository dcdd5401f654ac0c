"""Attention with shared, compressed, windowed or linearised keys and values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.families.attention import WIDTHS
from archstudio.layers.fields import flag, size
from archstudio.layers.heads import require_even, require_heads, require_kv_heads, require_tokens
from archstudio.layers.problem import ProblemKind, Refused, error
from archstudio.layers.wire import Value, Wire

WINDOW_TOKENS = ProblemKind(
    "E-WINDOW-TOKENS",
    error,
    "{node} works on windows of {needs:,} tokens, the wire carries {gets:,}",
    "Window attention takes windows that are already cut out, each flattened to windowSize² tokens.",
)


class TokenAttention(Layer):
    """Self-attention over (B, T, C) with linear projections of its own."""

    telling = "{embed_dim}, {num_heads} heads"

    embed_dim: int = size(from_axis=-1, at_least=1, aliases=(*WIDTHS, "d"), help="Width of the tokens.")
    num_heads: int = size(
        1,
        at_least=1,
        divides=("embed_dim",),
        torch_default=None,
        aliases=("nHeads", "n_heads"),
        help="Number of heads.",
    )

    def check(self) -> None:
        require_heads(self.embed_dim, self.num_heads)

    def forward(self, x: Wire) -> Wire:
        return require_tokens(x, self.embed_dim).with_shape(x.shape)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("embedDim") if axis == -1 else Step("", 0, axis)

    @classmethod
    def example(cls, random: Random) -> Example:
        params, width = token_params(random)
        return Example(params, (token_wire(random, width),), training=samples.sometimes(random, 0.3))


def token_params(random: Random) -> tuple[dict[str, Any], int]:
    """An even width and heads that mostly divide it."""
    heads = random.choice((1, 2, 3, 4))
    width = heads * 2 * random.randint(1, 3) + (1 if samples.sometimes(random, 0.07) else 0)
    return {"embedDim": width, "numHeads": heads}, width


def token_wire(random: Random, width: int) -> Wire:
    """A batch of sequences of this width, sometimes of another one, another rank or dtype."""
    shape = [random.randint(1, 3), random.randint(1, 5), width + (1 if samples.sometimes(random, 0.06) else 0)]
    if samples.sometimes(random, 0.06):
        shape = random.choice((shape[1:], [1, *shape]))
    return samples.wire(random, shape, samples.dtype(random, 0.04))


def kept_projected(x: Wire, projections: int) -> Iterator[Saved]:
    """The tokens, or the copies that each projection makes of tokens that do not lie in order."""
    yield Saved.input() if x.strides is None else Saved.own(projections * x.elements)


def linear_weights(name: str, size_in: int, size_out: int, bias: bool) -> Iterator[Parameter]:
    """Weight and bias of a linear projection."""
    yield Parameter(f"{name}.weight", (size_out, size_in))
    if bias:
        yield Parameter(f"{name}.bias", (size_out,))


@layer(
    "groupedQueryAttention",
    family="attention",
    torch="blocks.GroupedQueryAttention",
    torch_ops=("GQA",),
    aliases=("gqa", "multiQueryAttention", "mqa"),
)
class GroupedQueryAttention(TokenAttention):
    """Self-attention in which groups of query heads share one key and value head, so that less has to be cached.

    Shape: (B, T, C) -> (B, T, C). With its own `head_dim` the width need not be a multiple of the heads.
    Cached per token: 2 · kv heads · head_dim.    [arXiv 2305.13245]
    """

    telling = "{embed_dim}, {num_heads}/{kv_heads} heads"

    num_kv_heads: int | None = size(
        None,
        optional=True,
        at_least=1,
        divides=("num_heads",),
        json="numKVHeads",
        aliases=("numKvHeads", "nKvHeads", "n_kv_heads"),
        help="Key/value heads; null is one for each query head.",
    )
    head_dim: int | None = size(None, optional=True, at_least=1, help="Width of a head; null is width / heads.")
    bias: bool = flag(False, help="Add learned offsets in the projections.")
    causal: bool = flag(True, help="Whether a position sees only what came before.")
    qk_norm: bool = flag(False, help="Normalise queries and keys (RMS) before they meet.")

    @property
    def kv_heads(self) -> int:
        """Number of key/value heads."""
        return self.num_heads if self.num_kv_heads is None else self.num_kv_heads

    @property
    def head(self) -> int:
        """Width of a head."""
        return self.embed_dim // self.num_heads if self.head_dim is None else self.head_dim

    def check(self) -> None:
        if self.head_dim is None:
            require_heads(self.embed_dim, self.num_heads)
        require_kv_heads(self.num_heads, self.kv_heads)

    def parameters(self) -> Iterator[Parameter]:
        queries, keys = self.num_heads * self.head, self.kv_heads * self.head
        yield from linear_weights("q_proj", self.embed_dim, queries, self.bias)
        yield from linear_weights("k_proj", self.embed_dim, keys, self.bias)
        yield from linear_weights("v_proj", self.embed_dim, keys, self.bias)
        yield from linear_weights("o_proj", queries, self.embed_dim, self.bias)
        if self.qk_norm:
            yield Parameter("q_norm.weight", (self.head,))
            yield Parameter("k_norm.weight", (self.head,))

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        batch, length, width = inputs[0].shape
        heads = 2 * (self.num_heads + self.kv_heads) * self.head
        return batch * length * width * heads + 2 * batch * length * length * self.num_heads * self.head

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield from kept_projected(inputs[0], 3)
        yield Saved.own(self.kept(product(inputs[0].shape[:-1])))

    def kept(self, tokens: int) -> int:
        """Elements kept behind the projections: queries, keys, values, sums of exponentials, and the result."""
        queries, keys = tokens * self.num_heads * self.head, tokens * self.kv_heads * self.head
        kept = 2 * queries + 2 * keys + tokens * self.num_heads
        if self.qk_norm:
            kept += 2 * (queries + keys) + tokens * (self.num_heads + self.kv_heads)
        return kept

    @classmethod
    def example(cls, random: Random) -> Example:
        params, width = token_params(random)
        if samples.sometimes(random, 0.7):
            params["numKVHeads"] = random.randint(1, params["numHeads"])
        for name, value in (("headDim", random.randint(1, 4)), ("bias", True), ("qkNorm", True), ("causal", False)):
            if samples.sometimes(random, 0.25):
                params[name] = value
        return Example(params, (token_wire(random, width),), training=samples.sometimes(random, 0.3))


@layer("mla", family="attention", torch="blocks.MultiHeadLatentAttention", aliases=("multiHeadLatentAttention",))
class MultiHeadLatentAttention(TokenAttention):
    """Self-attention whose keys and values are made from one small latent, which is all that has to be cached.

    Shape: (B, T, C) -> (B, T, C). Queries C → h·(head + rope); latent C → latent + rope; keys and values
    latent → h·2·head; result h·head → C; no biases. Cached per token: latent + rope.    [DeepSeek-V2, arXiv 2405.04434]
    """

    telling = "{embed_dim}, {num_heads} heads, latent {kv_latent_dim}"

    kv_latent_dim: int = size(128, at_least=1, torch_default=None, help="Width of the latent that is cached.")
    rope_head_dim: int = size(
        64, at_least=0, torch_default=None, help="Rotated features of a head, shared by all heads in the key."
    )
    head_dim: int | None = size(None, optional=True, at_least=1, help="Width of a head; null is width / heads.")
    causal: bool = flag(True, help="Whether a position sees only what came before.")
    latent_norm: bool = flag(False, help="Normalise the latent (RMS) before keys and values are made from it.")

    @property
    def head(self) -> int:
        """Width of a head, without its rotated part."""
        return self.embed_dim // self.num_heads if self.head_dim is None else self.head_dim

    def check(self) -> None:
        if self.head_dim is None:
            require_heads(self.embed_dim, self.num_heads)
        require_even(self.rope_head_dim, "ropeHeadDim")

    def parameters(self) -> Iterator[Parameter]:
        width, heads, latent, rope = self.embed_dim, self.num_heads, self.kv_latent_dim, self.rope_head_dim
        yield Parameter("q_proj.weight", (heads * (self.head + rope), width))
        yield Parameter("kv_down.weight", (latent + rope, width))
        if self.latent_norm:
            yield Parameter("kv_norm.weight", (latent,))
        yield Parameter("kv_up.weight", (heads * 2 * self.head, latent))
        yield Parameter("o_proj.weight", (width, heads * self.head))

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        batch, length, _ = inputs[0].shape
        weights = sum(p.elements for p in self.parameters() if len(p.shape) == 2)
        scores = batch * length * length * self.num_heads * (2 * self.head + self.rope_head_dim)
        return batch * length * weights + scores

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """Exact but for sequences of one token and batches of one, in which PyTorch saves copies."""
        batch, length, _ = inputs[0].shape
        tokens, rope, values = batch * length, self.rope_head_dim, batch * length * self.num_heads * self.head
        yield from kept_projected(inputs[0], 2)
        yield Saved.own(tokens * (self.kv_latent_dim + rope))
        if self.latent_norm:
            yield Saved.own(tokens * (2 * self.kv_latent_dim + 1))
        if rope:
            rotated = 2 * length * rope + 2 * tokens * self.num_heads * (self.head + rope)
            yield Saved.own(rotated + tokens * self.num_heads * length + 2 * values)
        else:
            yield Saved.own(5 * values + tokens * self.num_heads)

    @classmethod
    def example(cls, random: Random) -> Example:
        params, width = token_params(random)
        rope = random.choice((0, 2, 2, 4, 4, 6, 3))
        params |= {"kvLatentDim": random.randint(1, 6), "ropeHeadDim": rope}
        if samples.sometimes(random, 0.3):
            params["headDim"] = random.randint(1, 5)
        if samples.sometimes(random, 0.3):
            params["latentNorm"] = True
        return Example(params, (token_wire(random, width),), training=samples.sometimes(random, 0.3))


@layer("windowAttention", family="attention", torch="blocks.WindowAttention", aliases=("swinAttention",))
class WindowAttention(TokenAttention):
    """Self-attention inside square windows of an image, with a learned bias per offset.

    Shape: (windows, window², C) -> the same; the windows are already cut out.    [Swin Transformer, arXiv 2103.14030]
    """

    telling = "{embed_dim}, {num_heads} heads, window {window_size}"

    window_size: int = size(7, at_least=1, help="Side of a window, in tokens.")
    qkv_bias: bool = flag(True, help="Add learned offsets to queries, keys and values.")

    def forward(self, x: Wire) -> Wire:
        require_tokens(x, self.embed_dim)
        needs = self.window_size**2
        if x.shape[1] != needs:
            raise Refused(WINDOW_TOKENS, port=0, axis=-2, needs=needs, gets=x.shape[1], set_by="windowSize")
        return x.with_shape(x.shape)

    def parameters(self) -> Iterator[Parameter]:
        width = self.embed_dim
        yield Parameter("bias_table", ((2 * self.window_size - 1) ** 2, self.num_heads))
        yield from linear_weights("qkv", width, 3 * width, self.qkv_bias)
        yield from linear_weights("proj", width, width, True)

    def buffers(self) -> Iterator[Parameter]:
        yield Parameter("offsets", (self.window_size**2, self.window_size**2), "int64")

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        windows, length, width = inputs[0].shape
        return windows * length * 4 * width * width + 2 * windows * length * length * width

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        windows, length, width = inputs[0].shape
        yield from kept_projected(inputs[0], 1)
        values = 3 if windows == 1 or length == 1 else 1
        yield Saved.own(windows * length * ((3 + values) * width + self.num_heads * length))

    @classmethod
    def example(cls, random: Random) -> Example:
        params, width = token_params(random)
        side = params["windowSize"] = random.randint(1, 3)
        if samples.sometimes(random, 0.3):
            params["qkvBias"] = False
        tokens = side**2 if samples.sometimes(random, 0.85) else random.randint(1, 9)
        x = Wire.of((random.randint(1, 3), tokens, width))
        return Example(params, (x if samples.sometimes(random, 0.8) else token_wire(random, width),))


@layer("linearAttention", family="attention", torch="blocks.LinearAttention")
class LinearAttention(TokenAttention):
    """Attention without softmax, whose cost grows with the length and not with its square.

    Shape: (B, T, C) -> (B, T, C).    φ(q)·(φ(k)ᵀ·v) / φ(q)·Σφ(k), φ = elu + 1    [arXiv 2006.16236]
    """

    bias: bool = flag(True, help="Add learned offsets in the projections.")

    def parameters(self) -> Iterator[Parameter]:
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            yield from linear_weights(name, self.embed_dim, self.embed_dim, self.bias)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        batch, length, width = inputs[0].shape
        return batch * length * width * (4 * width + 2 * (width // self.num_heads))

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """Exact but for single heads and batches of one, in which PyTorch saves copies."""
        batch, length, width = inputs[0].shape
        yield from kept_projected(inputs[0], 3)
        mixed = batch * width * (width // self.num_heads + 1) + batch * length * self.num_heads
        yield Saved.own(8 * batch * length * width + mixed)

"""Layers that mix the positions of a sequence in other ways than softmax over all pairs, or ask it questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.families.attention import WIDTHS
from archstudio.layers.families.attention_grouped import (
    TokenAttention,
    linear_weights,
    token_params,
    token_wire,
)
from archstudio.layers.families.transformer import norm_weights
from archstudio.layers.fields import flag, number, size
from archstudio.layers.heads import require_heads, require_tokens
from archstudio.layers.problem import EMPTY, Refused
from archstudio.layers.wire import Value, Wire


def kept(x: Wire, copies: int) -> Iterator[Saved]:
    """An estimate of what is kept: the tokens, and so many tensors of their size."""
    yield Saved.input()
    yield Saved.own(copies * x.elements)


@layer("mamba", family="recurrent", torch="blocks.Mamba", aliases=("selectiveSsm", "s6"))
class Mamba(Layer):
    """Selective state space: a gated recurrence whose step, input and output depend on the token.

    Shape: (B, T, C) -> (B, T, C). Inner width expand·C; the recurrence costs no matrix products, so MACs are those
    of the projections and the convolution.    h = exp(Δ·A)·h + Δ·B·x, y = C·h + D·x    [arXiv 2312.00752]
    """

    telling = "{d_model}, state {d_state}"

    d_model: int = size(from_axis=-1, at_least=1, aliases=("embedDim", "hiddenDim"), help="Width of the tokens.")
    d_state: int = size(16, at_least=1, help="Numbers of state for each inner channel.")
    d_conv: int = size(4, at_least=1, help="Tokens that the short convolution sees.")
    expand: int = size(2, at_least=1, help="Inner width in multiples of the width.")
    dt_rank: int | None = size(None, optional=True, at_least=1, help="Rank of the step; null is ⌈width / 16⌉.")

    @property
    def inner(self) -> int:
        """Channels of the recurrence."""
        return self.expand * self.d_model

    @property
    def rank(self) -> int:
        """Rank of the projection to the step size."""
        return -(-self.d_model // 16) if self.dt_rank is None else self.dt_rank

    def forward(self, x: Wire) -> Wire:
        require_tokens(x, self.d_model, set_by="dModel")
        if x.shape[1] == 0:
            raise Refused(EMPTY, port=0, axis=1, what="position")
        return x.with_shape(x.shape)

    def parameters(self) -> Iterator[Parameter]:
        inner = self.inner
        yield Parameter("A_log", (inner, self.d_state))
        yield Parameter("D", (inner,))
        yield from linear_weights("in_proj", self.d_model, 2 * inner, False)
        yield Parameter("conv.weight", (inner, 1, self.d_conv))
        yield Parameter("conv.bias", (inner,))
        yield from linear_weights("x_proj", inner, self.rank + 2 * self.d_state, False)
        yield from linear_weights("dt_proj", self.rank, inner, True)
        yield from linear_weights("out_proj", inner, self.d_model, False)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        projections = 3 * self.d_model + self.d_conv + self.rank + 2 * self.d_state + self.rank
        return product(inputs[0].shape[:-1]) * self.inner * projections

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """An estimate: the states of all positions outweigh the rest."""
        yield Saved.input()
        yield Saved.own(product(inputs[0].shape[:-1]) * self.inner * (3 * self.d_state + 8))

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("dModel") if axis == -1 else Step("", 0, axis)

    @classmethod
    def example(cls, random: Random) -> Example:
        width = random.randint(1, 5)
        params: dict[str, Any] = {"dModel": width, "dState": random.randint(1, 4)}
        chances = {"dConv": random.randint(1, 4), "expand": random.randint(1, 3), "dtRank": random.randint(1, 3)}
        params |= {name: value for name, value in chances.items() if samples.sometimes(random, 0.4)}
        return Example(params, (token_wire(random, width),))


@layer("retention", family="attention", torch="blocks.Retention", aliases=("multiScaleRetention",))
class Retention(TokenAttention):
    """Attention with a fixed decay over distance in place of softmax, in its parallel form.

    Shape: (B, T, C) -> (B, T, C); five C×C matrices, no biases.    W·(silu(g) ⊙ norm((q·kᵀ ⊙ D)·v))
    [RetNet, arXiv 2307.08621]
    """

    def parameters(self) -> Iterator[Parameter]:
        for name in ("q_proj", "k_proj", "v_proj", "g_proj", "o_proj"):
            yield from linear_weights(name, self.embed_dim, self.embed_dim, False)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return inputs[0].elements * (5 * self.embed_dim + 2 * inputs[0].shape[1])

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield from kept(inputs[0], 8)


@layer("differentialAttention", family="attention", torch="blocks.DifferentialAttention", aliases=("diffAttention",))
class DifferentialAttention(TokenAttention):
    """The difference of two attention maps, so that what both agree on by accident cancels.

    Shape: (B, T, C) -> (B, T, C); each head has two queries and keys of half its width.
    (softmax(q₁·k₁ᵀ) − λ·softmax(q₂·k₂ᵀ))·v    [arXiv 2410.05258]
    """

    lambda_init: float = number(0.8, help="What λ starts from; the paper raises it with the depth of the layer.")
    causal: bool = flag(True, help="Whether a position sees only what came before.")

    def check(self) -> None:
        require_heads(self.embed_dim, 2 * self.num_heads)

    def parameters(self) -> Iterator[Parameter]:
        half = self.embed_dim // self.num_heads // 2
        yield Parameter("lambdas", (4, half))
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            yield from linear_weights(name, self.embed_dim, self.embed_dim, False)
        yield from norm_weights("norm", 2 * half, bias=False)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return inputs[0].elements * (4 * self.embed_dim + 2 * inputs[0].shape[1])

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield from kept(inputs[0], 7)


class LatentQuestions(TokenAttention):
    """Learned latents that ask a sequence by attention."""

    @property
    def latents(self) -> int:
        """How many latents ask."""
        return 1

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("latents", (self.latents, self.embed_dim))
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            yield from linear_weights(name, self.embed_dim, self.embed_dim, True)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        batch, length, width = inputs[0].shape
        asked = self.latents * width * width * (1 + batch) + 2 * batch * self.latents * length * width
        return 2 * inputs[0].elements * width + asked

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield from kept(inputs[0], 2)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis == -1:
            return Step("embedDim")
        return Step("", 0, -3) if axis == -output.rank else Step("numLatents")


@layer("perceiverLatent", family="attention", torch="blocks.LatentCrossAttention", aliases=("latentCrossAttention",))
class PerceiverLatent(LatentQuestions):
    """A fixed number of learned latents read a sequence of any length by attention.

    Shape: (B, T, C) -> (B, latents, C).    [Perceiver, arXiv 2103.03206]
    """

    new_params = {"numLatents": 64}
    telling = "{num_latents} latents, {num_heads} heads"

    num_latents: int = size(at_least=1, aliases=("latents", "numLatent"), help="Number of latents.")

    @property
    def latents(self) -> int:
        return self.num_latents

    def forward(self, x: Wire) -> Wire:
        require_tokens(x, self.embed_dim)
        return x.with_shape((x.shape[0], self.num_latents, self.embed_dim))

    @classmethod
    def example(cls, random: Random) -> Example:
        params, width = token_params(random)
        params["numLatents"] = random.randint(1, 4)
        return Example(params, (token_wire(random, width),))


@layer("attentionPool", family="pool", torch="blocks.AttentionPool", aliases=("attentionPooling",))
class AttentionPool(LatentQuestions):
    """One learned question asked of a sequence: its answer stands for the whole.

    Shape: (B, T, C) -> (B, C).    [Set Transformer, arXiv 1810.00825]
    """

    def forward(self, x: Wire) -> Wire:
        require_tokens(x, self.embed_dim)
        return x.with_shape((x.shape[0], self.embed_dim))


@layer("dividedSpaceTimeAttention", family="attention", torch="blocks.DividedSpaceTimeAttention")
class DividedSpaceTimeAttention(Layer):
    """Attention over the frames of a video, then over the places of a frame, each added to what came in.

    Shape: (B, frames, places, C) -> the same.    [TimeSformer, arXiv 2102.05095]
    """

    telling = "{embed_dim}, {num_heads} heads"

    embed_dim: int = size(from_axis=-1, at_least=1, aliases=WIDTHS, help="Width of the tokens.")
    num_heads: int = size(1, at_least=1, divides=("embed_dim",), help="Heads that share the width.")

    def check(self) -> None:
        require_heads(self.embed_dim, self.num_heads)

    def forward(self, x: Wire) -> Wire:
        x.require_rank(4)
        x.require_size(-1, self.embed_dim, set_by="embedDim", what="features")
        return x.require_float32().with_shape(x.shape)

    def parameters(self) -> Iterator[Parameter]:
        width = self.embed_dim
        for part in ("time", "space"):
            yield from norm_weights(f"{part}_norm", width)
        for part in ("time", "space"):
            yield from linear_weights(f"{part}_qkv", width, 3 * width, True)
        for part in ("time", "space"):
            yield from linear_weights(f"{part}_proj", width, width, True)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        _, frames, places, width = inputs[0].shape
        return inputs[0].elements * (8 * width + 2 * frames + 2 * places)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield from kept(inputs[0], 12)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("embedDim") if axis == -1 else Step("", 0, axis)

    @classmethod
    def example(cls, random: Random) -> Example:
        params, width = token_params(random)
        shape = [*samples.sizes(random, 3, 1, 3), width + (1 if samples.sometimes(random, 0.08) else 0)]
        if samples.sometimes(random, 0.08):
            shape = random.choice((shape[1:], [1, *shape]))
        return Example(params, (samples.wire(random, shape, samples.dtype(random, 0.04)),))

"""Whole transformer blocks with a condition, with a convolution, and for tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.base import Example, Parameter, Saved
from archstudio.layers.catalogue import layer
from archstudio.layers.families.attention_grouped import TokenAttention, linear_weights, token_params, token_wire
from archstudio.layers.families.dense import LINEAR_IN
from archstudio.layers.families.norm_batch import BN_ONE_VALUE
from archstudio.layers.families.transformer import FF_KEYS, norm_weights
from archstudio.layers.fields import size
from archstudio.layers.heads import ATTN_PAIR, require_tokens
from archstudio.layers.problem import EMPTY, PARAM_RANGE, Refused
from archstudio.layers.wire import Value, Wire


class WithFeedForward(TokenAttention):
    """A block of attention and a feed-forward part."""

    ff_dim: int | None = size(None, optional=True, at_least=1, aliases=FF_KEYS, help="Inner width; null is 4·width.")

    @property
    def inner(self) -> int:
        """Inner width of the feed-forward part."""
        return 4 * self.embed_dim if self.ff_dim is None else self.ff_dim

    def attention_weights(self) -> Iterator[Parameter]:
        """Projections to queries, keys and values in one, and of the result."""
        yield from linear_weights("qkv", self.embed_dim, 3 * self.embed_dim, True)
        yield from linear_weights("proj", self.embed_dim, self.embed_dim, True)

    def attention_macs(self, x: Wire) -> int:
        """Of the projections and of both products with the scores."""
        return x.elements * (4 * self.embed_dim + 2 * x.shape[1])

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """An estimate: some ten tensors of the tokens' size, and the feed-forward part's."""
        x = inputs[0]
        yield Saved.input()
        yield Saved.own(10 * x.elements + 2 * x.elements // max(self.embed_dim, 1) * self.inner)

    @classmethod
    def example(cls, random: Random) -> Example:
        params, width = token_params(random)
        if samples.sometimes(random, 0.5):
            params["ffDim"] = random.randint(1, 7)
        return Example(params, (token_wire(random, width),), training=samples.sometimes(random, 0.3))


@layer("ditBlock", family="attention", torch="blocks.AdaLNZeroBlock", aliases=("adaLNBlock",))
class DitBlock(WithFeedForward):
    """Transformer block of diffusion models: a condition scales, shifts and gates attention and feed-forward part.

    Shape: (B, T, C), condition (B, D) -> (B, T, C). Norms have no weights of their own.    [DiT, arXiv 2212.09748]
    """

    inputs = ("input", "condition")

    cond_dim: int | None = size(
        None, optional=True, at_least=1, aliases=("condDim", "conditionDim"), help="Width of the condition; null: C."
    )

    @property
    def condition_width(self) -> int:
        """Width of the condition."""
        return self.embed_dim if self.cond_dim is None else self.cond_dim

    def forward(self, x: Wire, condition: Wire) -> Wire:  # type: ignore[override]
        require_tokens(x, self.embed_dim)
        condition.require_rank(2, port=1)
        if condition.shape[0] != x.shape[0]:
            facts = {"what": "condition", "other": "the sequence", "needs": x.shape[0], "gets": condition.shape[0]}
            raise Refused(ATTN_PAIR, port=1, axis=0, **facts)
        needs = self.condition_width
        condition.require_size(-1, needs, set_by="condDim", what="features", port=1, kind=LINEAR_IN)
        condition.require_float32(1)
        return x.with_shape(x.shape)

    def parameters(self) -> Iterator[Parameter]:
        yield from linear_weights("steering", self.condition_width, 6 * self.embed_dim, True)
        yield from self.attention_weights()
        yield from linear_weights("up", self.embed_dim, self.inner, True)
        yield from linear_weights("down", self.inner, self.embed_dim, True)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        x, condition = inputs
        return condition.elements * 6 * self.embed_dim + self.attention_macs(x) + 2 * x.elements * self.inner

    @classmethod
    def example(cls, random: Random) -> Example:
        made = super().example(random)
        params: dict[str, Any] = dict(made.params)
        x = made.inputs[0]
        assert isinstance(x, Wire)
        width = params["embedDim"]
        if samples.sometimes(random, 0.5):
            width = params["condDim"] = random.randint(1, 5)
        shape = [x.shape[0], width]
        if samples.sometimes(random, 0.15):
            shape[random.randrange(2)] += 1
        return Example(params, (x, samples.wire(random, shape, samples.dtype(random, 0.04))))


@layer("conformerBlock", family="attention", torch="blocks.ConformerBlock")
class ConformerBlock(WithFeedForward):
    """Block of speech models: half a feed-forward part, attention, a depthwise convolution, and the other half.

    Shape: (B, T, C) -> (B, T, C). Attention has no relative positions.    [arXiv 2005.08100]
    """

    kernel_size: int = size(31, at_least=1, aliases=("convKernelSize",), help="Steps the convolution sees; odd.")

    def check(self) -> None:
        super().check()
        if self.kernel_size % 2 == 0:
            raise Refused(PARAM_RANGE, param="kernelSize", gets=self.kernel_size, needs="odd")

    def forward(self, x: Wire) -> Wire:
        require_tokens(x, self.embed_dim)
        for axis in (0, 1):
            if x.shape[axis] == 0:
                raise Refused(EMPTY, port=0, axis=axis, what="step")
        if self.training and x.shape[0] * x.shape[1] == 1:
            raise Refused(BN_ONE_VALUE, port=0, axis=0, gets=self.embed_dim)
        return x.with_shape(x.shape)

    def parameters(self) -> Iterator[Parameter]:
        width = self.embed_dim
        yield from self._half("first")
        yield from norm_weights("attention_norm", width)
        yield from self.attention_weights()
        yield from norm_weights("conv_norm", width)
        for name, out, per_group, kernel in (("widen", 2, width, 1), ("depthwise", 1, 1, self.kernel_size)):
            yield Parameter(f"{name}.weight", (out * width, per_group, kernel))
            yield Parameter(f"{name}.bias", (out * width,))
        yield from norm_weights("batch_norm", width)
        yield Parameter("narrow.weight", (width, width, 1))
        yield Parameter("narrow.bias", (width,))
        yield from self._half("second")
        yield from norm_weights("final_norm", width)

    def _half(self, name: str) -> Iterator[Parameter]:
        yield from norm_weights(f"{name}.0", self.embed_dim)
        yield from linear_weights(f"{name}.1", self.embed_dim, self.inner, True)
        yield from linear_weights(f"{name}.3", self.inner, self.embed_dim, True)

    def buffers(self) -> Iterator[Parameter]:
        yield Parameter("batch_norm.running_mean", (self.embed_dim,))
        yield Parameter("batch_norm.running_var", (self.embed_dim,))
        yield Parameter("batch_norm.num_batches_tracked", (), "int64")

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        x = inputs[0]
        return self.attention_macs(x) + x.elements * (4 * self.inner + 3 * self.embed_dim + self.kernel_size)

    @classmethod
    def example(cls, random: Random) -> Example:
        made = super().example(random)
        more = {"kernelSize": random.choice((1, 3, 5, 5, 7, 4))} if samples.sometimes(random, 0.6) else {}
        return Example({**made.params, **more}, made.inputs, made.training)


@layer("ftTransformerBlock", family="attention", torch="blocks.FTTransformerBlock")
class FtTransformerBlock(WithFeedForward):
    """Pre-norm block over the features of a table, with a ReLU gate in its feed-forward part.

    Shape: (B, features, C) -> the same; inner width ⌊4·C/3⌋ where none is given.    [arXiv 2106.11959]
    """

    @property
    def inner(self) -> int:
        return 4 * self.embed_dim // 3 if self.ff_dim is None else self.ff_dim

    def parameters(self) -> Iterator[Parameter]:
        yield from norm_weights("attention_norm", self.embed_dim)
        yield from norm_weights("mlp_norm", self.embed_dim)
        yield from self.attention_weights()
        yield from linear_weights("up", self.embed_dim, 2 * self.inner, True)
        yield from linear_weights("down", self.inner, self.embed_dim, True)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return self.attention_macs(inputs[0]) + 3 * inputs[0].elements * self.inner

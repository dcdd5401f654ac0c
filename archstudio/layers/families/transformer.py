"""Whole transformer blocks, ours and those of torch.nn."""

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
    GroupedQueryAttention,
    linear_weights,
    token_params,
    token_wire,
)
from archstudio.layers.fields import MOST_REPEATED, choice, flag, number, size
from archstudio.layers.heads import ATTN_IN, require_heads
from archstudio.layers.keeps import Kept, feedforward_kept, kept_input
from archstudio.layers.wire import Value, Wire

FF_KEYS = ("ff", "dimFeedforward", "dim_feedforward", "mlpDim", "intermediateSize")
"""Other keys under which files give the inner width of the feed-forward part."""


def norm_weights(name: str, width: int, bias: bool = True) -> Iterator[Parameter]:
    """Weight and bias of a layer norm (an RMS norm has no bias)."""
    yield Parameter(f"{name}.weight", (width,))
    if bias:
        yield Parameter(f"{name}.bias", (width,))


@layer("transformerBlock", family="attention", torch="blocks.TransformerBlock")
class TransformerBlock(Layer):
    """Pre-norm transformer block: self-attention, then a feed-forward part, each added to what came in.

    Shape: (B, T, C) -> (B, T, C); unbatched (T, C) is accepted. With the default inner width 4·C it has 12·C² + 13·C
    parameters.    x + attention(norm(x)), then x + W₂·gelu(W₁·norm(x))    [GPT-2; arXiv 2002.04745]
    """

    telling = "{embed_dim}, {num_heads} heads"

    embed_dim: int = size(from_axis=-1, at_least=1, aliases=WIDTHS, help="Width of the tokens.")
    num_heads: int = size(1, at_least=1, divides=("embed_dim",), help="Heads that share the width.")
    ff_dim: int | None = size(None, optional=True, at_least=1, aliases=FF_KEYS, help="Inner width; null is 4·width.")
    dropout: float = number(0.0, at_least=0, at_most=1, help="Chance of dropping what is added, while training.")
    causal: bool = flag(False, help="Whether a position sees only what came before.")

    @property
    def inner(self) -> int:
        """Inner width of the feed-forward part."""
        return 4 * self.embed_dim if self.ff_dim is None else self.ff_dim

    def check(self) -> None:
        require_heads(self.embed_dim, self.num_heads)

    def forward(self, x: Wire) -> Wire:
        x.require_rank(3, 2)
        x.require_size(-1, self.embed_dim, set_by="embedDim", what="sequence", kind=ATTN_IN)
        x.require_float32()
        return x.pointwise()

    def parameters(self) -> Iterator[Parameter]:
        width = self.embed_dim
        yield from norm_weights("attention_norm", width)
        yield Parameter("attention.in_proj_weight", (3 * width, width))
        yield Parameter("attention.in_proj_bias", (3 * width,))
        yield from linear_weights("attention.out_proj", width, width, True)
        yield from norm_weights("mlp_norm", width)
        yield from linear_weights("mlp.up", width, self.inner, True)
        yield from linear_weights("mlp.down", self.inner, width, True)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        tokens, length = product(inputs[0].shape[:-1]), inputs[0].shape[-2]
        return tokens * self.embed_dim * (4 * self.embed_dim + 2 * length + 2 * self.inner)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        x = inputs[0]
        length, tokens = x.shape[-2], product(x.shape[:-1])
        kept = Kept(tokens // length if length else 0, length, length, self.embed_dim, self.num_heads)
        masks = 2 * x.elements if self.training and self.dropout > 0 else 0
        yield Saved.input() if x.strides is None else Saved.own(x.elements)
        yield Saved.own(3 * x.elements + 4 * tokens + kept.elements + masks)
        yield Saved.own(feedforward_kept(tokens, self.inner, "gelu"))

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("embedDim") if axis == -1 else Step("", 0, axis)

    @classmethod
    def example(cls, random: Random) -> Example:
        params, width = token_params(random)
        chances = {"ffDim": random.randint(1, 9), "causal": True, "dropout": random.choice((0.1, 2))}
        params |= {name: value for name, value in chances.items() if samples.sometimes(random, 0.25)}
        return Example(params, (token_wire(random, width),), training=samples.sometimes(random, 0.3))


@layer("preNormBlock", family="attention", torch="blocks.PreNormBlock", aliases=("llamaBlock", "decoderBlock"))
class PreNormBlock(GroupedQueryAttention):
    """Pre-norm block of grouped-query attention, with a choice of norm and feed-forward part.

    Shape: (B, T, C) -> (B, T, C).    x + attention(norm(x)), then x + mlp(norm(x))    [GPT-2, Llama]
    """

    ff_dim: int | None = size(None, optional=True, at_least=1, aliases=FF_KEYS, help="Inner width; null is 4·width.")
    norm: str = choice("layernorm", ("layernorm", "rmsnorm"), help="Layer norm, or RMS norm without a bias.")
    mlp: str = choice("gelu", ("gelu", "swiglu"), help="Two matrices with GELU, or three with a SiLU gate.")
    bias: bool = flag(True, help="Add learned offsets in all projections.")

    @property
    def inner(self) -> int:
        """Inner width of the feed-forward part."""
        return 4 * self.embed_dim if self.ff_dim is None else self.ff_dim

    @property
    def _wide(self) -> tuple[str, ...]:
        return ("up",) if self.mlp == "gelu" else ("gate", "up")

    def forward(self, x: Wire) -> Wire:
        super().forward(x)
        return x.pointwise()

    def parameters(self) -> Iterator[Parameter]:
        width, offset = self.embed_dim, self.norm == "layernorm"
        yield from norm_weights("attention_norm", width, offset)
        yield from (Parameter(f"attention.{p.name}", p.shape) for p in super().parameters())
        yield from norm_weights("mlp_norm", width, offset)
        for name in self._wide:
            yield from linear_weights(f"mlp.{name}", width, self.inner, self.bias)
        yield from linear_weights("mlp.down", self.inner, width, self.bias)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return super().macs(inputs, output) + product(inputs[0].shape) * self.inner * (len(self._wide) + 1)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        x = inputs[0]
        tokens = product(x.shape[:-1])
        statistics = 4 * tokens if self.norm == "layernorm" else 2 * tokens + 2 * x.elements
        yield Saved.input() if x.strides is None else Saved.own(x.elements)
        yield Saved.own(3 * x.elements + statistics + self.kept(tokens))
        yield Saved.own((2 if self.mlp == "gelu" else 4) * tokens * self.inner)

    @classmethod
    def example(cls, random: Random) -> Example:
        example = super().example(random)
        params = dict(example.params)
        chances = {"ffDim": random.randint(1, 9), "norm": "rmsnorm", "mlp": "swiglu", "bias": False}
        params |= {name: value for name, value in chances.items() if samples.sometimes(random, 0.3)}
        return Example(params, example.inputs, example.training)


class TorchTransformer(Layer):
    """Fields and counts that torch.nn's transformer modules share."""

    telling = "{d_model}, {nhead} heads, {dim_feedforward}"

    d_model: int = size(from_axis=-1, at_least=1, aliases=("embedDim", "hiddenDim", "d"), help="Width of the tokens.")
    nhead: int = size(
        1,
        at_least=1,
        divides=("d_model",),
        json="numHeads",
        torch="nhead",
        torch_default=None,
        help="Heads sharing the width.",
    )
    dim_feedforward: int = size(2048, at_least=1, aliases=("ffDim", "ff"), help="Inner width of the feed-forward part.")
    dropout: float = number(0.1, at_least=0, at_most=1, help="Chance of dropping a value while training.")
    activation: str = choice("relu", ("relu", "gelu"), help="Function inside the feed-forward part.")
    layer_norm_eps: float = number(1e-5, help="Keeps the norms from dividing by zero.")
    batch_first: bool = flag(True, torch_default=False, help="Whether the batch is the first axis, not the second.")
    norm_first: bool = flag(False, help="Norms before the parts (pre-norm), not after.")
    bias: bool = flag(True, help="Add learned offsets everywhere.")

    def check(self) -> None:
        require_heads(self.d_model, self.nhead)

    def require_sequence(self, x: Wire, port: int, rank: int | None = None) -> Wire:
        """Refuse what attention of this width does not take."""
        x.require_rank(*((3, 2) if rank is None else (rank,)), port=port)
        x.require_size(-1, self.d_model, set_by="dModel", what="sequence", port=port, kind=ATTN_IN)
        return x.require_float32(port)

    def sizes(self, x: Wire) -> tuple[int, int]:
        """Batch and length of a sequence."""
        if x.rank == 2:
            return 1, x.shape[0]
        return (x.shape[0], x.shape[1]) if self.batch_first else (x.shape[1], x.shape[0])

    def attention_macs(self, batch: int, queries: int, keys: int) -> int:
        """Four projections and two products."""
        return batch * self.d_model * (2 * (queries + keys) * self.d_model + 2 * queries * keys)

    def feedforward_macs(self, batch: int, length: int) -> int:
        """The two matrices of the feed-forward part."""
        return 2 * batch * length * self.d_model * self.dim_feedforward

    def attention_weights(self, name: str) -> Iterator[Parameter]:
        """The weights of one nn.MultiheadAttention."""
        width = self.d_model
        yield Parameter(f"{name}.in_proj_weight", (3 * width, width))
        if self.bias:
            yield Parameter(f"{name}.in_proj_bias", (3 * width,))
        yield from linear_weights(f"{name}.out_proj", width, width, self.bias)

    def saved_layer(self, x: Wire, *, port: int | None, memory: Wire | None = None) -> Iterator[Saved]:
        """What one layer keeps; `port` is where its input comes in (None: from the layer before).

        With dropout at work attention goes the slow way, and every dropout keeps a mask.
        """
        batch, length = self.sizes(x)
        dropping, tokens = self.training and self.dropout > 0, batch * length
        packed = x.rank == 3
        keys = [length] if memory is None else [length, self.sizes(memory)[1]]
        own = 0
        for k, count in enumerate(keys):
            own += self._attended(batch, length, count, packed=packed and k == 0, dropping=dropping)
        parts, width = len(keys) + 1, tokens * self.d_model
        own += parts * (2 * tokens + (width if dropping else 0)) + (2 * parts - 1) * width
        own += feedforward_kept(tokens, self.dim_feedforward, self.activation, dropping=dropping)
        if port is None:
            own += width
        elif self.norm_first:
            yield Saved.input(port) if x.strides is None else Saved.own(x.elements)
        else:
            yield from kept_input(x, port, batch_first=self.batch_first)
        yield Saved.own(own)

    def _attended(self, batch: int, queries: int, keys: int, *, packed: bool, dropping: bool) -> int:
        return Kept(batch, queries, keys, self.d_model, self.nhead, packed, dropping=dropping).elements

    def layer_weights(self, prefix: str = "", *, attentions: Sequence[str] = ("self_attn",)) -> Iterator[Parameter]:
        """The weights of one layer with these attentions: one for an encoder, two for a decoder."""
        for name in attentions:
            yield from self.attention_weights(prefix + name)
        yield from linear_weights(f"{prefix}linear1", self.d_model, self.dim_feedforward, self.bias)
        yield from linear_weights(f"{prefix}linear2", self.dim_feedforward, self.d_model, self.bias)
        for k in range(len(attentions) + 1):
            yield from norm_weights(f"{prefix}norm{k + 1}", self.d_model, self.bias)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("dModel") if axis == -1 else Step("", len(inputs) - 1, axis)

    @classmethod
    def example_params(cls, random: Random) -> tuple[dict[str, Any], int]:
        """Parameters and their width."""
        params, width = token_params(random)
        params = {"dModel": width, "numHeads": params["numHeads"], "dimFeedforward": random.randint(1, 9)}
        for name, value in (("batchFirst", False), ("normFirst", True), ("bias", False), ("activation", "gelu")):
            if samples.sometimes(random, 0.25):
                params[name] = value
        if samples.sometimes(random, 0.1):
            params["dropout"] = random.choice((0, 1, 1.5))
        return params, width


@layer(
    "transformerEncoderLayer", family="attention", torch="TransformerEncoderLayer", aliases=("transformerEncoderBlock",)
)
class TransformerEncoderLayer(TorchTransformer):
    """One encoder layer: self-attention and a feed-forward part, each added to its input and normalised.

    Shape: (B, T, C) -> (B, T, C); unbatched (T, C) is accepted.    [torch.nn.TransformerEncoderLayer]
    """

    def forward(self, x: Wire) -> Wire:
        self.require_sequence(x, 0)
        return x.pointwise() if self.norm_first else x.with_shape(x.shape)

    def parameters(self) -> Iterator[Parameter]:
        yield from self.layer_weights()

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        batch, length = self.sizes(inputs[0])
        return self.attention_macs(batch, length, length) + self.feedforward_macs(batch, length)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        return self.saved_layer(inputs[0], port=0)

    @classmethod
    def example(cls, random: Random) -> Example:
        params, width = cls.example_params(random)
        return Example(params, (token_wire(random, width),), training=samples.sometimes(random, 0.3))


@layer(
    "transformerDecoderLayer", family="attention", torch="TransformerDecoderLayer", aliases=("transformerDecoderBlock",)
)
class TransformerDecoderLayer(TorchTransformer):
    """One decoder layer: self-attention, attention to the memory, and a feed-forward part.

    Shape: (B, T, C), memory (B, S, C) -> (B, T, C).    [torch.nn.TransformerDecoderLayer]
    """

    inputs = ("target", "memory")

    def forward(self, target: Wire, memory: Wire) -> Wire:
        self.require_sequence(target, 0)
        self.require_sequence(memory, 1, target.rank)
        if target.rank == 3:
            axis = 0 if self.batch_first else 1
            memory.require_size(axis, target.shape[axis], set_by="target", what="sequences", port=1)
        return target.pointwise() if self.norm_first else target.with_shape(target.shape)

    def parameters(self) -> Iterator[Parameter]:
        yield from self.layer_weights(attentions=("self_attn", "multihead_attn"))

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        (batch, queries), (_, keys) = self.sizes(inputs[0]), self.sizes(inputs[1])
        attention = self.attention_macs(batch, queries, queries) + self.attention_macs(batch, queries, keys)
        return attention + self.feedforward_macs(batch, queries)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield from kept_input(inputs[1], 1, batch_first=self.batch_first)
        yield from self.saved_layer(inputs[0], port=0, memory=inputs[1])

    @classmethod
    def example(cls, random: Random) -> Example:
        params, width = cls.example_params(random)
        target, memory = token_wire(random, width), token_wire(random, width)
        if target.rank == memory.rank == 3 and samples.sometimes(random, 0.85):
            axis = 0 if params.get("batchFirst", True) else 1
            memory = memory.with_axis(axis, target.shape[axis])
        return Example(params, (target, memory), training=samples.sometimes(random, 0.3))


@layer("transformer", family="attention", torch="Transformer")
class Transformer(TorchTransformer):
    """Encoder and decoder stacks, each with a final norm.

    Shape: source (B, S, C), target (B, T, C) -> (B, T, C).    [torch.nn.Transformer; arXiv 1706.03762]
    """

    inputs = ("source", "target")
    telling = "{d_model}, {nhead} heads, {num_encoder_layers}+{num_decoder_layers} layers"

    num_encoder_layers: int = size(6, at_least=1, at_most=MOST_REPEATED, help="Layers of the encoder.")
    num_decoder_layers: int = size(6, at_least=1, at_most=MOST_REPEATED, help="Layers of the decoder.")

    def forward(self, source: Wire, target: Wire) -> Wire:
        self.require_sequence(source, 0)
        self.require_sequence(target, 1, source.rank)
        if source.rank == 3:
            axis = 0 if self.batch_first else 1
            target.require_size(axis, source.shape[axis], set_by="source", what="sequences", port=1)
        return target.with_shape(target.shape)

    def parameters(self) -> Iterator[Parameter]:
        for k in range(self.num_encoder_layers):
            yield from self.layer_weights(f"encoder.layers.{k}.")
        yield from norm_weights("encoder.norm", self.d_model, self.bias)
        for k in range(self.num_decoder_layers):
            yield from self.layer_weights(f"decoder.layers.{k}.", attentions=("self_attn", "multihead_attn"))
        yield from norm_weights("decoder.norm", self.d_model, self.bias)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        (batch, sources), (_, targets) = self.sizes(inputs[0]), self.sizes(inputs[1])
        encoder = self.attention_macs(batch, sources, sources) + self.feedforward_macs(batch, sources)
        decoder = self.attention_macs(batch, targets, targets) + self.attention_macs(batch, targets, sources)
        decoder += self.feedforward_macs(batch, targets)
        return self.num_encoder_layers * encoder + self.num_decoder_layers * decoder

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """The layers of both stacks and their final norms; each decoder layer keeps its copy of the memory."""
        source, target = inputs
        for k in range(self.num_encoder_layers):
            yield from self.saved_layer(source, port=0 if k == 0 else None)
        for k in range(self.num_decoder_layers):
            yield from self.saved_layer(target, port=1 if k == 0 else None, memory=source)
        copied = any(
            s.what == "own" for s in kept_input(source.with_shape(source.shape), 0, batch_first=self.batch_first)
        )
        yield Saved.own(source.elements * (self.num_decoder_layers if copied else 1))
        for x in (source, target):
            yield Saved.own(x.elements + 2 * product(x.shape[:-1]))

    @classmethod
    def example(cls, random: Random) -> Example:
        params, width = cls.example_params(random)
        params |= {"numEncoderLayers": random.randint(1, 2), "numDecoderLayers": random.randint(1, 2)}
        source, target = token_wire(random, width), token_wire(random, width)
        if source.rank == target.rank == 3 and samples.sometimes(random, 0.85):
            axis = 0 if params.get("batchFirst", True) else 1
            target = target.with_axis(axis, source.shape[axis])
        return Example(params, (source, target), training=samples.sometimes(random, 0.3))

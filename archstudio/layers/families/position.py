"""Where a token stands in its sequence: learned tables, sinusoids, rotations and distances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.fields import flag, number, size
from archstudio.layers.heads import require_even
from archstudio.layers.problem import PARAM_RANGE, ProblemKind, Refused, error
from archstudio.layers.spread import broadcast, promoted, repeated
from archstudio.layers.wire import Value, Wire, is_channels_last, pointwise_strides

POSITIONS = ProblemKind(
    "E-POSITIONS",
    error,
    "{node} has a table of {needs:,} positions, the sequence has {gets:,}",
    "Each position has a row of its own; a sequence cannot be longer than the table (or must fill it exactly).",
)
POSITION_WIDTH = ProblemKind(
    "E-POSITION-WIDTH",
    error,
    "{node} has rows of width {needs:,}, the tokens have {gets:,}",
    "The rows of the table are added to the tokens, so they must be as wide.",
)
HEADS_AXIS = ProblemKind(
    "E-HEADS-AXIS",
    error,
    "{node} has a bias for {needs:,} heads, the scores have {gets:,}",
    "Scores are (…, heads, queries, keys); every head has its own bias.",
)


class PositionTable(Layer):
    """Rows that are added to the tokens at their place."""

    telling = "{max_length} × {embed_dim}"

    max_length: int = size(
        at_least=0,
        json="maxLen",
        aliases=("maxLength", "max_length", "n", "maxPositions", "numPositions", "seqLen"),
        help="Rows: the longest sequence.",
    )
    embed_dim: int = size(
        from_axis=-1, at_least=0, aliases=("embeddingDim", "dModel", "hiddenDim", "d"), help="Width of the tokens."
    )

    def rows(self, x: Wire) -> int:
        """How many rows are added to this sequence."""
        return min(int(self.max_length), x.shape[-2], key=int)

    def table_name(self) -> str:
        """The name of the table in the state dict."""
        return "table"

    def forward(self, x: Wire) -> Wire:
        if x.rank < 2:
            x.require_rank(2, 3)
        table = Wire.of((1, self.rows(x), self.embed_dim))
        self.check_fit(x, table)
        return broadcast((x, table), x.dtype if x.dtype == "float64" else "float32")

    def check_fit(self, x: Wire, table: Wire) -> None:
        """Refuse tokens of another width and sequences that the rows neither fill nor spread over."""
        length, width = table.shape[-2:]
        if x.shape[-1] not in (1, width) and width != 1:
            facts = {"needs": width, "gets": x.shape[-1], "set_by": "embedDim"}
            raise Refused(POSITION_WIDTH, port=0, axis=-1, **facts)
        if x.shape[-2] not in (1, length) and length != 1:
            facts = {"needs": length, "gets": x.shape[-2], "set_by": "maxLen"}
            raise Refused(POSITIONS, port=0, axis=-2, **facts)

    @classmethod
    def example(cls, random: Random) -> Example:
        width, longest = 2 * random.randint(1, 3), random.randint(1, 6)
        params: dict[str, Any] = {"maxLen": longest, "embedDim": width + (1 if samples.sometimes(random, 0.08) else 0)}
        length = longest if samples.sometimes(random, 0.4) else random.randint(1, 7)
        shape = [random.randint(1, 3), length, width]
        if samples.sometimes(random, 0.2):
            shape = shape[1:] if samples.sometimes(random, 0.7) else [2, *shape]
        return Example(params, (samples.wire(random, shape, samples.dtype(random, 0.06)),))


@layer(
    "learnedPositionalEmbedding",
    family="embedding",
    torch="blocks.LearnedPositions",
    torch_ops=("LearnedPos",),
    aliases=("learnedPos", "positionalEmbedding"),
)
class LearnedPositions(PositionTable):
    """Add the first rows of a learned table to the tokens, one row a position.

    Shape: (B, T, C) -> (B, T, C), T at most the rows of the table.    [GPT-2, BERT]
    """

    new_params = {"maxLen": 512}

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("table", (1, self.max_length, self.embed_dim))


@layer(
    "learnedPositionalEmbeddingStrict",
    family="embedding",
    torch="blocks.LearnedPositionsStrict",
    torch_ops=("LearnedPosStrict",),
    aliases=("learnedPosStrict",),
)
class LearnedPositionsStrict(PositionTable):
    """Add a whole learned table to the tokens: the sequence must be exactly as long.

    Shape: (B, T, C) -> (B, T, C), T the rows of the table.    [ViT, arXiv 2010.11929]
    """

    max_length: int = size(
        from_axis=-2, at_least=0, json="maxLen", torch="length", aliases=("maxLength", "n"), help="Rows of the table."
    )

    def rows(self, x: Wire) -> int:
        return self.max_length

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("table", (1, self.max_length, self.embed_dim))


@layer(
    "positionalEncoding",
    family="embedding",
    torch="blocks.SinusoidalPositions",
    aliases=("sinusoidalPositionalEncoding", "sinusoidalEncoding"),
)
class SinusoidalPositions(PositionTable):
    """Add sines and cosines of the position; nothing is learned.

    Shape: (B, T, C) -> (B, T, C).    sin(t / 10000^(2i/C)), cos(t / 10000^(2i/C))    [arXiv 1706.03762]
    """

    max_length: int = size(5000, at_least=0, json="maxLen", aliases=("maxLength",), help="The longest sequence.")
    dropout: float = number(0.0, at_least=0, at_most=1, help="Chance of dropping a value while training.")

    def check(self) -> None:
        require_even(self.embed_dim, "embedDim")
        if self.embed_dim == 0:
            raise Refused(PARAM_RANGE, param="embedDim", gets=0, needs="at least 2")

    def buffers(self) -> Iterator[Parameter]:
        yield Parameter("table", (1, self.max_length, self.embed_dim))


@layer("rope", family="embedding", torch="blocks.RotaryEmbedding", aliases=("rotaryEmbedding", "rotaryEmbeddings"))
class RotaryEmbedding(Layer):
    """Turn pairs of features by an angle that grows with the position; for queries and keys.

    Shape: (…, T, d) -> the same; d must be even.    angle t·base^(−2i/d)    [RoFormer, arXiv 2104.09864]
    """

    telling = "{dim}"

    dim: int = size(from_axis=-1, at_least=0, aliases=("headDim", "d"), help="Features, an even number.")
    base: float = number(10_000.0, aliases=("theta", "ropeTheta"), help="How slowly the slowest pair turns.")

    def check(self) -> None:
        require_even(self.dim, "dim")

    def forward(self, x: Wire) -> Wire:
        if x.rank < 2:
            x.require_rank(2, 3, 4)
        x.require_size(-1, self.dim, set_by="dim", what="features", kind=POSITION_WIDTH)
        x.require_floating()
        halves = (*x.shape[:-1], self.dim // 2)
        angle = repeated((x.shape[-2], halves[-1]), (halves[-1], 1), halves)
        turned = pointwise_strides(halves, x.element_strides, angle)
        both = Wire.of(halves, x.dtype, turned).pointwise()
        plain = x.with_shape(x.shape)  # unless both halves are channels last, which are joined so
        return plain.channels_last() if is_channels_last(halves, both.element_strides) else plain

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.own(inputs[0].shape[-2] * self.dim, inputs[0].dtype)

    @classmethod
    def example(cls, random: Random) -> Example:
        dim = 2 * random.randint(1, 4) + (1 if samples.sometimes(random, 0.1) else 0)
        shape = [*samples.sizes(random, random.randint(0, 3), 1, 4), dim]
        if samples.sometimes(random, 0.08):
            shape[-1] += 2
        params = {"dim": dim} if samples.sometimes(random, 0.8) else {}
        return Example(params, (samples.wire(random, shape, samples.dtype(random, 0.08)),))


class ScoreBias(Layer):
    """Something added to attention scores (…, heads, T, S), by head and distance."""

    telling = "{num_heads} heads"

    num_heads: int = size(from_axis=-3, at_least=1, help="Heads of the scores.")

    def forward(self, x: Wire) -> Wire:
        if x.rank < 2:
            x.require_rank(3, 4)
        if x.rank > 2 and x.shape[-3] not in (1, self.num_heads) and self.num_heads != 1:
            raise Refused(HEADS_AXIS, port=0, axis=-3, needs=self.num_heads, gets=x.shape[-3], set_by="numHeads")
        bias = Wire.of((self.num_heads, *x.shape[-2:]), "float32", self.bias_strides(x))
        return broadcast((x, bias), x.dtype if x.dtype == "float64" else "float32")

    def bias_strides(self, x: Wire) -> tuple[int, ...] | None:
        """Memory order of the bias that is added."""
        return None

    @classmethod
    def example(cls, random: Random) -> Example:
        heads = random.randint(1, 4)
        shape = [*samples.sizes(random, random.randint(0, 1), 1, 3), heads, *samples.sizes(random, 2, 1, 4)]
        if samples.sometimes(random, 0.1):
            shape[-3] += 1
        return Example({"numHeads": heads}, (samples.wire(random, shape, samples.dtype(random, 0.08)),))


@layer("relativePositionBias", family="embedding", torch="blocks.RelativePositionBias")
class RelativePositionBias(ScoreBias):
    """Add a learned bias per head and distance to attention scores.

    Shape: (…, heads, T, S) -> the same. Farther than `max_distance` counts as that far.    [T5, arXiv 1910.10683]
    """

    max_distance: int = size(128, at_least=0, help="Distance from which on all count alike.")

    def bias_strides(self, x: Wire) -> tuple[int, ...] | None:
        heads = self.num_heads
        return (1, x.shape[-1] * heads, heads)

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("bias.weight", (2 * self.max_distance + 1, self.num_heads))

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.own(inputs[0].shape[-1] * inputs[0].shape[-2], "int64")


@layer("alibi", family="embedding", torch="blocks.Alibi")
class Alibi(ScoreBias):
    """Subtract from attention scores in proportion to the distance; nothing is learned.

    Shape: (…, heads, T, S) -> the same.    score − 2^(−8h/heads)·|t − s|    [arXiv 2108.12409]
    """

    def forward(self, x: Wire) -> Wire:
        return super().forward(x.refuse_dtypes("bool", needs="non-boolean"))

    def buffers(self) -> Iterator[Parameter]:
        yield Parameter("slopes", (self.num_heads,))


@layer("timeEmbedding", family="embedding", torch="blocks.TimeEmbedding", aliases=("timestepEmbedding",))
class TimeEmbedding(Layer):
    """Embed the time step of a diffusion model: sines and cosines, then two linear layers with SiLU between.

    Shape: (*) of any number type -> (*, dim).    [DDPM, arXiv 2006.11239]
    """

    telling = "{dim}"

    dim: int = size(256, at_least=1, torch_default=None, aliases=("embedDim",), help="Width of the result.")
    hidden_dim: int | None = size(None, optional=True, at_least=1, help="Inner width; null is that of the result.")
    frequency_dim: int = size(256, at_least=2, help="Number of sines and cosines, an even number.")

    def check(self) -> None:
        require_even(self.frequency_dim, "frequencyDim")

    @property
    def inner(self) -> int:
        """Width between the two linear layers."""
        return self.dim if self.hidden_dim is None else self.hidden_dim

    def forward(self, t: Wire) -> Wire:
        return Wire.of((*t.shape, self.dim))

    def parameters(self) -> Iterator[Parameter]:
        for k, (size_in, size_out) in ((0, (self.frequency_dim, self.inner)), (2, (self.inner, self.dim))):
            yield Parameter(f"net.{k}.weight", (size_out, size_in))
            yield Parameter(f"net.{k}.bias", (size_out,))

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return inputs[0].elements * self.inner * (self.frequency_dim + self.dim)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        times, half = inputs[0].elements, self.frequency_dim // 2
        if inputs[0].floating:
            yield Saved.own(times * half + half)
        yield Saved.own(times * (self.frequency_dim + 2 * self.inner))

    @classmethod
    def example(cls, random: Random) -> Example:
        params: dict[str, Any] = {"dim": random.randint(1, 6), "frequencyDim": random.choice((2, 4, 6, 6, 5))}
        if samples.sometimes(random, 0.4):
            params["hiddenDim"] = random.randint(1, 6)
        return Example(params, (Wire.of(samples.sizes(random, random.randint(0, 2)), samples.dtype(random, 0.5)),))


@layer("nerfPositionalEncoding", family="embedding", torch="blocks.FourierPositions", aliases=("fourierFeatures",))
class FourierPositions(Layer):
    """Sines and cosines of coordinates at doubling frequencies, so that fine detail can be told apart.

    Shape: (*, D) -> (*, D·(1 + 2·frequencies)).    sin(2ᵏπx), cos(2ᵏπx)    [NeRF, arXiv 2003.08934]
    """

    telling = "{num_frequencies} frequencies"

    num_frequencies: int = size(10, at_least=1, aliases=("numFreqs", "L"), help="Number of frequencies.")
    include_input: bool = flag(True, help="Also pass the coordinates themselves on.")

    def forward(self, x: Wire) -> Wire:
        if x.rank == 0:
            x.require_rank(1, 2)
        times = 2 * self.num_frequencies + int(self.include_input)
        return Wire.of((*x.shape[:-1], x.shape[-1] * times), promoted((x, Wire.of((1,)))))

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if inputs[0].floating:
            yield Saved.own(self.num_frequencies)
            yield Saved.own(inputs[0].elements * self.num_frequencies, promoted((inputs[0], Wire.of((1,)))))

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        times = 2 * self.num_frequencies + int(self.include_input)
        return Step(f"{int(inputs[0].shape[-1])} · {times}", 0, -1) if axis == -1 else Step("", 0, axis)

    @classmethod
    def example(cls, random: Random) -> Example:
        params: dict[str, Any] = {"numFrequencies": random.randint(1, 4)}
        if samples.sometimes(random, 0.4):
            params["includeInput"] = False
        shape = samples.sizes(random, random.choice((0, 1, 2, 3)), 1, 4)
        return Example(params, (samples.wire(random, shape, samples.dtype(random, 0.15)),))

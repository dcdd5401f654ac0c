"""Feed-forward parts of transformers, dense and routed to experts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.families.attention_grouped import linear_weights
from archstudio.layers.families.dense import LINEAR_IN
from archstudio.layers.fields import MOST_REPEATED, choice, flag, size
from archstudio.layers.problem import ProblemKind, Refused, error
from archstudio.layers.wire import Value, Wire

MOE_TOPK = ProblemKind(
    "E-MOE-TOPK",
    error,
    "{node}: a token cannot visit {top_k:,} of {experts:,} experts",
    "The router picks topK different experts for every token, so there must be at least that many.",
)


class TokenWise(Layer):
    """A function of every token by itself: (*, embed_dim) -> the same."""

    embed_dim: int = size(from_axis=-1, at_least=1, aliases=("hiddenSize", "dModel", "d"), help="Width of the tokens.")

    def forward(self, x: Wire) -> Wire:
        if x.rank == 0:
            x.require_rank(1)
        x.require_size(-1, self.embed_dim, set_by="embedDim", what="features", kind=LINEAR_IN)
        return x.require_float32().with_shape(x.shape)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("embedDim") if axis == -1 else Step("", 0, axis)


FF_KEYS = ("ff", "ffDim", "hiddenDim", "intermediateSize", "dimFeedforward", "expertDim")
"""Keys under which files give the inner width."""


class FeedForward(TokenWise):
    """An inner width, wider than the tokens, and back."""

    telling = "{embed_dim}→{inner}→{embed_dim}"

    ff_dim: int | None = size(None, optional=True, at_least=1, aliases=FF_KEYS, help="Inner width; null: see above.")

    matrices: tuple[str, ...]

    @property
    def inner(self) -> int:
        """The inner width."""
        raise NotImplementedError

    bias: bool

    def parameters(self) -> Iterator[Parameter]:
        for name in self.matrices:
            yield from linear_weights(name, self.embed_dim, self.inner, self.bias)
        yield from linear_weights("down", self.inner, self.embed_dim, self.bias)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return product(inputs[0].shape) * self.inner * (len(self.matrices) + 1)

    @classmethod
    def example(cls, random: Random) -> Example:
        width = random.randint(1, 6)
        params: dict[str, Any] = {"embedDim": width}
        if samples.sometimes(random, 0.7):
            params["ffDim"] = random.randint(1, 9)
        if samples.sometimes(random, 0.3):
            params["bias"] = random.random() < 0.5
        if "activation" in cls.fields and samples.sometimes(random, 0.5):
            params["activation"] = random.choice(("gelu", "relu", "silu", "tanh"))
        return Example(params, (feature_wire(random, width),))


def feature_wire(random: Random, width: int) -> Wire:
    """Features of this width behind up to three axes; sometimes of another width or dtype."""
    shape = [*samples.sizes(random, random.choice((0, 1, 1, 2, 2, 3)), 1, 4), width]
    if samples.sometimes(random, 0.12):
        shape[-1] += 1
    return samples.wire(random, shape, samples.dtype(random, 0.05))


@layer("feedForward", family="dense", torch="blocks.MLP", torch_ops=("FeedForward",), aliases=("mlp", "ffn"))
class Mlp(FeedForward):
    """Two linear layers with an activation between, for every token by itself.

    Shape: (*, C) -> (*, C), inner width 4·C where none is given.    W₂·gelu(W₁·x)    [arXiv 1706.03762]
    """

    matrices = ("up",)
    bias: bool = flag(True, help="Add learned offsets.")
    activation: str = choice("gelu", ("gelu", "relu", "silu"), help="Function between the two layers.")

    @property
    def inner(self) -> int:
        return 4 * self.embed_dim if self.ff_dim is None else self.ff_dim

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()
        inner = product(inputs[0].shape[:-1]) * self.inner
        yield Saved.own(inner if self.activation == "relu" else 2 * inner)


class GatedFeedForward(FeedForward):
    """One linear layer gated by the activation of another, and one back."""

    matrices = ("gate", "up")
    bias: bool = flag(False, help="Add learned offsets.")

    @property
    def inner(self) -> int:
        return 8 * self.embed_dim // 3 if self.ff_dim is None else self.ff_dim

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()
        yield Saved.own(4 * product(inputs[0].shape[:-1]) * self.inner)


@layer("swiglu", family="dense", torch="blocks.SwiGLU", aliases=("gatedMlp",))
class SwiGlu(GatedFeedForward):
    """Feed-forward part in which one linear layer is gated by SiLU of another.

    Shape: (*, C) -> (*, C), inner width ⌊8·C/3⌋ where none is given.    W₃·(silu(W₁·x) ⊙ W₂·x)    [arXiv 2002.05202]
    """


@layer("geglu", family="dense", torch="blocks.GEGLU")
class GeGlu(GatedFeedForward):
    """Feed-forward part in which one linear layer is gated by GELU of another.

    Shape: (*, C) -> (*, C), inner width ⌊8·C/3⌋ where none is given.    W₃·(gelu(W₁·x) ⊙ W₂·x)    [arXiv 2002.05202]
    """


@layer("mixtureOfExperts", family="dense", torch="blocks.MixtureOfExperts", aliases=("sparseMoe",))
class MixtureOfExperts(TokenWise):
    """Send every token to its best few of many feed-forward experts, and mix what they return.

    Shape: (*, C) -> (*, C). A bias-free router C → experts, then top_k bias-free experts C → h → C a token, with GELU,
    or SwiGLU with a third matrix where `gated`. MACs count the experts a token visits.    [arXiv 1701.06538]
    """

    new_params = {"hiddenDim": 256, "numExperts": 8, "topK": 2}
    telling = "{embed_dim}→{hidden_dim}, {top_k} of {num_experts}"

    hidden_dim: int = size(
        at_least=1, aliases=("expertDim", "ff", "ffDim", "intermediateSize"), help="Inner width of an expert."
    )
    num_experts: int = size(
        8, at_least=1, at_most=MOST_REPEATED, torch_default=None, aliases=("nExperts", "n_experts"), help="All experts."
    )
    top_k: int = size(1, at_least=1, torch_default=None, help="Experts that a token visits.")
    gated: bool = flag(False, help="Whether experts are SwiGLU (three matrices).")

    def check(self) -> None:
        if self.top_k > self.num_experts:
            raise Refused(MOE_TOPK, top_k=self.top_k, experts=self.num_experts, param="topK")

    def expert_weights(self, prefix: str) -> Iterator[Parameter]:
        """The matrices of one expert."""
        for name in ("gate", "up") if self.gated else ("up",):
            yield Parameter(f"{prefix}.{name}.weight", (self.hidden_dim, self.embed_dim))
        yield Parameter(f"{prefix}.down.weight", (self.embed_dim, self.hidden_dim))

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("router.weight", (self.num_experts, self.embed_dim))
        for k in range(self.num_experts):
            yield from self.expert_weights(f"experts.{k}")

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        visited = self.top_k * (3 if self.gated else 2) * self.hidden_dim
        return product(inputs[0].shape) * (self.num_experts + visited)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """The router's choice; for every visit its place, what the expert takes and gives, and what lies between."""
        tokens = product(inputs[0].shape[:-1])
        visits = tokens * self.top_k
        yield Saved.input()
        yield Saved.own(tokens * (self.num_experts + self.top_k + 1))
        yield Saved.own(3 * visits, "int64")
        yield Saved.own(visits * (3 * self.embed_dim + self._between + 1))

    @property
    def _between(self) -> int:
        """Elements that an expert keeps between its first and its last matrix, for each token."""
        return (4 if self.gated else 2) * self.hidden_dim

    @classmethod
    def example(cls, random: Random) -> Example:
        width, experts = random.randint(1, 5), random.randint(1, 4)
        params: dict[str, Any] = {"embedDim": width, "hiddenDim": random.randint(1, 6), "numExperts": experts}
        params["topK"] = random.randint(1, experts + (1 if samples.sometimes(random, 0.3) else 0))
        if samples.sometimes(random, 0.4):
            params["gated"] = random.random() < 0.5
        return Example(params, (feature_wire(random, width),))


@layer("moeLayer", family="dense", torch_ops=("MoE",), aliases=("moe", "swigluMoe"))
class MoeLayer(MixtureOfExperts):
    """Mixture of SwiGLU experts, as in Mixtral: a bias-free router and top_k experts of three matrices a token.

    Shape: (*, C) -> (*, C).    [arXiv 2401.04088]
    """

    new_params = {"hiddenDim": 256, "numExperts": 8, "topK": 2}

    gated: bool = flag(True, torch_default=False, help="Whether experts are SwiGLU (three matrices).")

    def construct_code(self) -> str | None:
        return f"blocks.MixtureOfExperts({', '.join(self._code_arguments())})"


@layer("sharedExpertMoE", family="dense", torch="blocks.SharedExpertMoE", aliases=("deepSeekMoe",))
class SharedExpertMoe(MixtureOfExperts):
    """Mixture of experts of which some are visited by every token.

    Shape: (*, C) -> (*, C).    [DeepSeekMoE, arXiv 2401.06066]
    """

    new_params = {"hiddenDim": 256, "numExperts": 8, "topK": 2}

    num_shared_experts: int = size(1, at_least=0, at_most=MOST_REPEATED, help="Experts that every token visits.")
    gated: bool = flag(True, help="Whether experts are SwiGLU (three matrices).")

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("routed.router.weight", (self.num_experts, self.embed_dim))
        for k in range(self.num_experts):
            yield from self.expert_weights(f"routed.experts.{k}")
        for k in range(self.num_shared_experts):
            yield from self.expert_weights(f"shared.{k}")

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        shared = self.num_shared_experts * (3 if self.gated else 2) * self.hidden_dim
        return super().macs(inputs, output) + product(inputs[0].shape) * shared

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield from super().saved(inputs, output)
        yield Saved.own(product(inputs[0].shape[:-1]) * self.num_shared_experts * self._between)

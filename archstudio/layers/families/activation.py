"""Functions applied to each element by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, ClassVar

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Saved
from archstudio.layers.catalogue import layer
from archstudio.layers.fields import choice, flag, number, size
from archstudio.layers.problem import PARAM_RANGE, ProblemKind, Refused, error
from archstudio.layers.wire import INTEGER, Value, Wire

INPLACE = "Overwrite the input to save memory."

PRELU_SIZE = ProblemKind(
    "E-PRELU-SIZE",
    error,
    "{node} has {needs:,} slopes, the wire carries {gets:,} channels",
    "PReLU has one slope for everything or one for each channel (axis 1).",
)


class Pointwise(Layer):
    """What functions of single elements share."""

    keeps: ClassVar[str] = "input"
    """What backward needs: the input, the output, or nothing."""
    refuses: ClassVar[frozenset[str]] = INTEGER | {"bool"}
    """The dtypes that PyTorch has no kernel for (measured, CPU)."""
    takes: ClassVar[str] = "floating-point"
    inplace: bool = False

    def forward(self, x: Wire) -> Wire:
        x.refuse_dtypes(*self.refuses, needs=self.takes)
        result = x.pointwise(None if x.floating or self.keeps_integers else "float32")
        return x if self.inplace and result.dtype == x.dtype else result

    @property
    def keeps_integers(self) -> bool:
        """Whether integers stay integers; otherwise they become float32."""
        return False

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if self.keeps and inputs[0].floating:
            yield Saved(self.keeps)

    @classmethod
    def random_params(cls, random: Random) -> dict[str, Any]:
        """Parameters to try."""
        return {}

    @classmethod
    def example(cls, random: Random) -> Example:
        dtype = samples.dtype(random, 0.2)
        if cls.refuses and samples.sometimes(random, 0.12):
            dtype = random.choice(sorted(cls.refuses))
        x = samples.wire(random, samples.sizes(random, random.randint(0, 4)), dtype)
        return Example(cls.random_params(random), (x,), training=samples.sometimes(random, 0.5))


class Clipping(Pointwise):
    """Functions that clip, which integers take too."""

    refuses = frozenset({"bool"})
    takes = "real"

    @property
    def keeps_integers(self) -> bool:
        return True


@layer("relu", family="activation", torch="ReLU")
class ReLU(Clipping):
    """Zero what is negative: max(x, 0).    [torch.nn.ReLU]"""

    keeps = "output"
    inplace: bool = flag(False, help=INPLACE)


@layer("relu6", family="activation", torch="ReLU6")
class ReLU6(Clipping):
    """Clip to the range 0 to 6: min(max(x, 0), 6).    [torch.nn.ReLU6]"""

    inplace: bool = flag(False, help=INPLACE)


@layer("hardTanh", family="activation", torch="Hardtanh")
class Hardtanh(Clipping):
    """Clip to a range: min(max(x, min_val), max_val).    [torch.nn.Hardtanh]"""

    telling = "{min_val} to {max_val}"

    min_val: float = number(-1.0, help="Lowest value going out.")
    max_val: float = number(1.0, help="Highest value going out.")
    inplace: bool = flag(False, help=INPLACE)

    def check(self) -> None:
        if self.max_val <= self.min_val:
            raise Refused(PARAM_RANGE, param="maxVal", gets=self.max_val, needs=f"above minVal ({self.min_val:g})")

    def forward(self, x: Wire) -> Wire:
        if self.min_val < 0:
            x.refuse_dtypes("uint8", needs="signed")
        return super().forward(x)

    @classmethod
    def random_params(cls, random: Random) -> dict[str, Any]:
        return {} if samples.sometimes(random, 0.5) else {"minVal": random.choice((-2, 0, 0.5)), "maxVal": 0.4}


@layer("threshold", family="activation", torch="Threshold")
class Threshold(Clipping):
    """Keep what is above the threshold and put a fixed value elsewhere.    [torch.nn.Threshold]"""

    telling = "> {threshold} else {value}"
    new_params = {"threshold": 0.1, "value": 0.0}

    threshold: float = number(help="What is above it passes.")
    value: float = number(help="What the rest becomes.")
    inplace: bool = flag(False, help=INPLACE)

    @classmethod
    def random_params(cls, random: Random) -> dict[str, Any]:
        return {"threshold": random.choice((0, 0.5)), "value": 2}


@layer("gelu", family="activation", torch="GELU")
class GELU(Pointwise):
    """Weigh each value by the chance that a normal variable lies below it: x·Φ(x).    [torch.nn.GELU]"""

    approximate: str = choice("none", ("none", "tanh"), help="Use the exact Φ or a formula with tanh.")

    @classmethod
    def random_params(cls, random: Random) -> dict[str, Any]:
        return random.choice(({}, {"approximate": "tanh"}))


@layer("silu", family="activation", torch="SiLU", aliases=("swish",))
class SiLU(Pointwise):
    """Weigh each value by its own sigmoid: x·σ(x).    [torch.nn.SiLU]"""

    inplace: bool = flag(False, help=INPLACE)


@layer("mish", family="activation", torch="Mish")
class Mish(Pointwise):
    """x·tanh(softplus(x)).    [torch.nn.Mish]"""

    inplace: bool = flag(False, help=INPLACE)


@layer("tanh", family="activation", torch="Tanh")
class Tanh(Pointwise):
    """Squash to the range −1 to 1.    [torch.nn.Tanh]"""

    keeps = "output"
    refuses = frozenset()


@layer("sigmoid", family="activation", torch="Sigmoid")
class Sigmoid(Pointwise):
    """Squash to the range 0 to 1: 1/(1 + e⁻ˣ).    [torch.nn.Sigmoid]"""

    keeps = "output"
    refuses = frozenset()


@layer("leakyRelu", family="activation", torch="LeakyReLU")
class LeakyReLU(Pointwise):
    """Let a little of what is negative pass: x where x > 0, else slope·x.    [torch.nn.LeakyReLU]"""

    telling = "slope {negative_slope}"

    negative_slope: float = number(0.01, help="Factor for negative values.")
    inplace: bool = flag(False, help=INPLACE)


@layer("elu", family="activation", torch="ELU")
class ELU(Pointwise):
    """x where x > 0, else α·(eˣ − 1).    [torch.nn.ELU]"""

    alpha: float = number(1.0, help="Negative values end at −α.")
    inplace: bool = flag(False, help=INPLACE)


@layer("celu", family="activation", torch="CELU")
class CELU(Pointwise):
    """x where x > 0, else α·(exp(x/α) − 1), smooth for every α.    [torch.nn.CELU]"""

    alpha: float = number(1.0, help="Negative values end at −α; not 0.")
    inplace: bool = flag(False, help=INPLACE)

    def forward(self, x: Wire) -> Wire:
        if self.alpha == 0:
            raise Refused(PARAM_RANGE, param="alpha", gets=self.alpha, needs="other than 0")
        return super().forward(x)

    @classmethod
    def random_params(cls, random: Random) -> dict[str, Any]:
        return random.choice(({}, {"alpha": 0}, {"alpha": 2}))


@layer("selu", family="activation", torch="SELU")
class SELU(Pointwise):
    """A scaled ELU that keeps mean 0 and variance 1 from layer to layer.    [torch.nn.SELU]"""

    inplace: bool = flag(False, help=INPLACE)


@layer("hardSwish", family="activation", torch="Hardswish")
class Hardswish(Pointwise):
    """Swish of straight pieces: x·min(max(x + 3, 0), 6)/6.    [torch.nn.Hardswish]"""

    inplace: bool = flag(False, help=INPLACE)


@layer("hardSigmoid", family="activation", torch="Hardsigmoid")
class Hardsigmoid(Pointwise):
    """Sigmoid of straight pieces: min(max(x + 3, 0), 6)/6.    [torch.nn.Hardsigmoid]"""

    inplace: bool = flag(False, help=INPLACE)


@layer("hardShrink", family="activation", torch="Hardshrink")
class Hardshrink(Pointwise):
    """Zero what lies within ±λ.    [torch.nn.Hardshrink]"""

    lambd: float = number(0.5, help="Half the width of the range that becomes 0 (λ).")


@layer("softShrink", family="activation", torch="Softshrink")
class Softshrink(Pointwise):
    """Zero what lies within ±λ and move the rest towards 0 by λ.    [torch.nn.Softshrink]"""

    lambd: float = number(0.5, at_least=0, late=True, help="Half the width of the range that becomes 0 (λ).")

    @classmethod
    def random_params(cls, random: Random) -> dict[str, Any]:
        return random.choice(({}, {"lambd": -1}, {"lambd": 0}))


@layer("softplus", family="activation", torch="Softplus")
class Softplus(Pointwise):
    """A smooth ReLU: log(1 + exp(β·x))/β.    [torch.nn.Softplus]"""

    beta: float = number(1.0, help="How sharp the bend is (β).")
    threshold: float = number(20.0, help="Above this β·x the function is taken as x.")


@layer("softsign", family="activation", torch="Softsign")
class Softsign(Pointwise):
    """Squash to the range −1 to 1: x/(1 + |x|).    [torch.nn.Softsign]"""

    refuses = frozenset({"bool"})
    takes = "real"

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if inputs[0].floating:
            yield Saved.input()
            yield Saved.own(inputs[0].elements, inputs[0].dtype)


@layer("tanhShrink", family="activation", torch="Tanhshrink")
class Tanhshrink(Pointwise):
    """x − tanh(x).    [torch.nn.Tanhshrink]"""

    keeps = "output"
    refuses = frozenset({"bool"})
    takes = "real"

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if inputs[0].floating:
            yield Saved.own(inputs[0].elements, inputs[0].dtype)


@layer("logSigmoid", family="activation", torch="LogSigmoid")
class LogSigmoid(Pointwise):
    """log(σ(x)), computed without overflow.    [torch.nn.LogSigmoid]"""

    def forward(self, x: Wire) -> Wire:
        return x.require_floating().with_shape(x.shape)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()
        yield Saved.own(inputs[0].elements, inputs[0].dtype)


@layer("rrelu", family="activation", torch="RReLU")
class RReLU(Pointwise):
    """Leaky ReLU whose slope is drawn at random in training and is the middle of the range after it.

    x where x > 0, else a·x with a between lower and upper.    [torch.nn.RReLU]
    """

    telling = "{lower}–{upper}"

    lower: float = number(1 / 8, help="Smallest slope.")
    upper: float = number(1 / 3, help="Largest slope.")
    inplace: bool = flag(False, help=INPLACE)

    def forward(self, x: Wire) -> Wire:
        if self.training:
            x.refuse_dtypes("float16", needs="float32")
        if self.lower > self.upper:
            raise Refused(PARAM_RANGE, param="lower", gets=self.lower, needs=f"at most upper ({self.upper:g})")
        result = super().forward(x)
        return result if self.inplace else result.with_shape(x.shape)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()
        yield Saved.own(inputs[0].elements, inputs[0].dtype)

    @classmethod
    def random_params(cls, random: Random) -> dict[str, Any]:
        return random.choice(({}, {"lower": 0.1, "upper": 0.1}, {"lower": 0.5}))


@layer("prelu", family="activation", torch="PReLU")
class PReLU(Pointwise):
    """Leaky ReLU whose slope is learned, for everything or for each channel.

    Shape: (B, C, *) -> the same; a slope for each channel takes C = num_parameters.    [torch.nn.PReLU]
    """

    num_parameters: int = size(1, at_least=0, late=True, help="1, or the number of channels (axis 1).")
    init: float = number(0.25, help="Slope before training.")

    def check(self) -> None:
        if self.num_parameters < 0:
            raise Refused(PARAM_RANGE, param="numParameters", gets=self.num_parameters, needs="at least 0")

    def forward(self, x: Wire) -> Wire:
        x.require_float32()
        channels = x.shape[1] if x.rank > 1 else 1
        if self.num_parameters not in (1, channels) or (self.num_parameters != 1 and x.rank == 0):
            raise Refused(PRELU_SIZE, port=0, axis=1, needs=self.num_parameters, gets=channels, set_by="numParameters")
        return super().forward(x)

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("weight", (self.num_parameters,))

    @classmethod
    def random_params(cls, random: Random) -> dict[str, Any]:
        return random.choice(({}, {}, {"numParameters": random.randint(1, 3)}))

"""Normalisation of each sample by itself: layer, group, RMS and local response norms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Saved
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.families.conv import GROUPS
from archstudio.layers.families.norm_batch import BN_ONE_VALUE, NORM_SIZE
from archstudio.layers.fields import flag, number, size, sizes
from archstudio.layers.problem import PARAM_RANGE, ProblemKind, Refused, error
from archstudio.layers.wire import Value, Wire, is_channels_last, is_stretch

NOT_ONE_STRETCH = ProblemKind(
    "E-LRN-MEMORY",
    error,
    "{node} needs a wire that lies in memory in order",
    "PyTorch takes the last axes as one without copying. After a permute, add a contiguous.",
)
EPS = "Added under the root so that nothing is divided by zero."


class LastAxes(Layer):
    """What norms over the last axes share."""

    telling = "{normalized_shape}"

    normalized_shape: tuple[int, ...] = sizes(
        from_axis=-1,
        at_least=0,
        aliases=("dim", "d", "hiddenDim", "headDim"),
        help="Sizes of the last axes, taken together.",
    )

    def forward(self, x: Wire) -> Wire:
        count = len(self.normalized_shape)
        if count == 0:
            raise Refused(PARAM_RANGE, param="normalizedShape", gets="empty", needs="at least one size")
        x.require_rank_at_least(count)
        for axis in range(-count, 0):
            needs = self.normalized_shape[axis]
            x.require_size(axis, needs, set_by="normalizedShape", what="values", kind=NORM_SIZE)
        x.require_floating()
        return x.with_shape(x.shape)

    def rows(self, x: Wire) -> int:
        """How many times the norm is taken."""
        return product(x.shape[: x.rank - len(self.normalized_shape)])

    @classmethod
    def random_params(cls, random: Random) -> dict[str, object]:
        """Parameters beside the shape."""
        choices: tuple[dict[str, object], ...] = ({}, {}, {"elementwiseAffine": False}, {"eps": 0.001})
        return dict(random.choice(choices))

    @classmethod
    def example(cls, random: Random) -> Example:
        shape = samples.sizes(random, random.randint(0 if samples.sometimes(random) else 1, 4), 1, 5)
        params = cls.random_params(random)
        if samples.sometimes(random, 0.8):
            count = random.randint(1, 2)
            params["normalizedShape"] = list(shape[-count:])
            if samples.sometimes(random, 0.2):
                params["normalizedShape"] = random.choice(([], [3], 4, [2, 5]))
        return Example(params, (samples.wire(random, shape, samples.dtype(random)),))


@layer("layerNorm", family="norm", torch="LayerNorm")
class LayerNorm(LastAxes):
    """Give the last axes of each position mean 0 and variance 1, then scale and shift them.

    Shape: (*, normalized_shape) -> the same; (x − E[x]) / √(Var[x] + ε)·γ + β    [torch.nn.LayerNorm]
    """

    eps: float = number(1e-5, help=EPS)
    elementwise_affine: bool = flag(True, help="Scale and shift by learned numbers.")
    bias: bool = flag(True, help="Shift, where elementwiseAffine scales.")

    def forward(self, x: Wire) -> Wire:
        if self.elementwise_affine:
            x.refuse_dtypes("float64", needs="float32")
        return super().forward(x)

    def parameters(self) -> Iterator[Parameter]:
        if self.elementwise_affine:
            yield Parameter("weight", self.normalized_shape)
            if self.bias:
                yield Parameter("bias", self.normalized_shape)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()
        yield Saved.own(2 * self.rows(inputs[0]), "float32" if self.elementwise_affine else inputs[0].dtype)

    @classmethod
    def random_params(cls, random: Random) -> dict[str, object]:
        params = super().random_params(random)
        return {**params, "bias": False} if samples.sometimes(random, 0.5) else params


@layer("rmsNorm", family="norm", torch="RMSNorm", torch_ops=("RMSN",), aliases=("qkNorm",))
class RMSNorm(LastAxes):
    """Divide the last axes by their root mean square, then scale them; nothing is shifted.

    Shape: (*, normalized_shape) -> the same; x / √(mean(x²) + ε)·γ    [torch.nn.RMSNorm]
    """

    eps: float | None = number(None, optional=True, help=EPS + " Null: the smallest step of the type.")
    elementwise_affine: bool = flag(True, help="Scale by learned numbers.")

    def forward(self, x: Wire) -> Wire:
        y = super().forward(x)
        if x.strides is None or not is_channels_last(x.shape, x.strides):
            return y
        return x.pointwise()  # PyTorch takes another way there, of single steps that keep the memory order

    def parameters(self) -> Iterator[Parameter]:
        if self.elementwise_affine:
            yield Parameter("weight", self.normalized_shape)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """The input (half precision as float32), the inverse root of each row, and what is scaled."""
        x = inputs[0]
        dtype = "float64" if x.dtype == "float64" else "float32"
        yield Saved.input() if x.dtype == dtype else Saved.own(x.elements)
        yield Saved.own(self.rows(x), dtype)
        if self.elementwise_affine:
            yield Saved.own(x.elements, dtype)


@layer("groupNorm", family="norm", torch="GroupNorm")
class GroupNorm(Layer):
    """Give each group of channels of each sample mean 0 and variance 1, then scale and shift each channel.

    Shape: (B, C, *) -> the same.    [torch.nn.GroupNorm]
    """

    telling = "{num_groups} groups of {num_channels}"
    new_params = {"numGroups": 1}

    num_groups: int = size(divides=("num_channels",), help="Groups the channels are split into.")
    num_channels: int = size(from_axis=1, at_least=0, help="Number of channels (axis 1).")
    eps: float = number(1e-5, help=EPS)
    affine: bool = flag(True, help="Scale and shift each channel by learned numbers.")

    def check(self) -> None:
        if self.num_groups == 0:
            raise Refused(PARAM_RANGE, param="numGroups", gets=0, needs="at least 1")
        if self.num_channels % self.num_groups:
            raise Refused(
                GROUPS, whole_name="numChannels", whole=self.num_channels, parts=self.num_groups, param="numGroups"
            )

    def forward(self, x: Wire) -> Wire:
        if self.num_groups < 0:
            raise Refused(PARAM_RANGE, param="numGroups", gets=self.num_groups, needs="at least 1")
        x.require_rank_at_least(2)
        if self.affine:
            x.require_size(1, self.num_channels, set_by="numChannels", kind=NORM_SIZE)
            x.refuse_dtypes("float64", needs="float32")
        x.require_floating()
        if x.shape[1] % self.num_groups:
            raise Refused(
                GROUPS, port=0, axis=1, whole_name="channels", whole=x.shape[1], parts=self.num_groups,
                param="numGroups",
            )  # fmt: skip
        if x.shape[0] * (x.shape[1] // self.num_groups) * product(x.shape[2:]) == 1:
            raise Refused(BN_ONE_VALUE, port=0, axis=1, gets=1)
        return x.with_shape(x.shape).in_format_of(x)

    def parameters(self) -> Iterator[Parameter]:
        if self.affine:
            yield Parameter("weight", (self.num_channels,))
            yield Parameter("bias", (self.num_channels,))

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()
        yield Saved.own(2 * inputs[0].shape[0] * self.num_groups, "float32" if self.affine else inputs[0].dtype)

    @classmethod
    def example(cls, random: Random) -> Example:
        groups, rank = random.randint(1, 3), random.choice((2, 3, 4, 5, 1))
        channels = groups * random.randint(1, 3)
        params = {"numGroups": groups, "numChannels": channels, "affine": random.choice((True, True, False))}
        if samples.sometimes(random, 0.2):
            params["numGroups"] = random.choice((0, -groups, 2, 4))
        if samples.sometimes(random, 0.2):
            params["numChannels"] = random.randint(1, 6)
        if samples.sometimes(random, 0.1):
            del params["numChannels"]
        shape = (random.randint(1, 3), channels, *samples.sizes(random, 3, 1, 3))[:rank]
        return Example(params, (samples.wire(random, shape, samples.dtype(random)),))


@layer("localResponseNorm", family="norm", torch="LocalResponseNorm", aliases=("lrn",))
class LocalResponseNorm(Layer):
    """Divide each channel by the strength of its neighbours, as in AlexNet.

    Shape: (B, C, *) -> the same; b = a·(k + α/n·Σ a²)^−β over n neighbouring channels.    [torch.nn.LocalResponseNorm]
    """

    telling = "size {size}"
    new_params = {"size": 5}

    size: int = size(at_least=1, late=True, help="Number of channels that count as neighbours (n).")
    alpha: float = number(0.0001, help="Factor of the sum (α).")
    beta: float = number(0.75, help="Exponent (β).")
    k: float = number(1.0, help="Added so that nothing is divided by zero.")

    def forward(self, x: Wire) -> Wire:
        x.require_rank_at_least(3)
        if x.elements == 0:
            return x
        x.refuse_dtypes("int32", "int16", "int8", "uint8", "bool", needs="floating-point")
        if x.rank > 3:
            x.refuse_dtypes("float16", "bfloat16", needs="float32")
            self._require_one_stretch(x)
        return x.pointwise(None if x.floating else "float32")

    @staticmethod
    def _require_one_stretch(x: Wire) -> None:
        """PyTorch views the axes after the third as one, which their order in memory must allow."""
        strides = x.pointwise().element_strides
        if not is_stretch(x.shape[3:], strides[3:]):
            raise Refused(NOT_ONE_STRETCH, port=0, axis=-1)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """The input, its padded squares, and base and result of the power."""
        x = inputs[0]
        if x.floating:
            yield Saved.input()
            yield Saved.own(x.elements // max(x.shape[1], 1) * (x.shape[1] + self.size - 1), x.dtype)
            yield Saved.own(2 * x.elements, x.dtype)

    @classmethod
    def example(cls, random: Random) -> Example:
        shape = samples.sizes(random, random.choice((2, 3, 4, 5)), 1, 4)
        size_ = random.randint(0 if samples.sometimes(random) else 1, 5)
        return Example({"size": size_}, (samples.wire(random, shape, samples.dtype(random)),))

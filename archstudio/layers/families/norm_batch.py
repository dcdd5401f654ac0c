"""Normalisation over a batch or a sample, with running statistics: batch and instance norms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import ClassVar

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Saved
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.fields import channels, flag, number, size
from archstudio.layers.problem import EMPTY, PARAM_RANGE, ProblemKind, Refused, error
from archstudio.layers.wire import Value, Wire

NORM_SIZE = ProblemKind(
    "E-NORM-SIZE",
    error,
    "{node} normalises {needs:,} {what}, the wire carries {gets:,}",
    "The running statistics and scales of a normalisation have a fixed size.",
)
BN_ONE_VALUE = ProblemKind(
    "E-BN-ONE-VALUE",
    error,
    "{node} gets a single value a channel in training",
    "The variance of one value says nothing, so PyTorch refuses. A larger batch or a layer norm mends it; in "
    "evaluation it runs.",
)
INSTANCE_ONE_VALUE = ProblemKind(
    "E-INSTANCE-ONE-VALUE",
    error,
    "{node} gets images of a single element",
    "Instance norm takes mean and variance over each image of each channel; one element has no variance.",
)
MOMENTUM = "Share of the newest batch in the running statistics; null averages all batches alike."


class Statistics(Layer):
    """What batch and instance norms share."""

    telling = "{num_features}"
    ranks: ClassVar[tuple[int, ...]]

    num_features: int = size(from_axis=1, at_least=0, help="Number of channels (axis 1).")
    eps: float = number(1e-5, help="Added to the variance so that nothing is divided by zero.")
    momentum: float | None = number(0.1, optional=True, help=MOMENTUM)
    affine: bool
    track_running_stats: bool

    def parameters(self) -> Iterator[Parameter]:
        if self.affine:
            yield Parameter("weight", (self.num_features,))
            yield Parameter("bias", (self.num_features,))

    def buffers(self) -> Iterator[Parameter]:
        if self.track_running_stats:
            yield Parameter("running_mean", (self.num_features,))
            yield Parameter("running_var", (self.num_features,))
            yield Parameter("num_batches_tracked", (), "int64")

    @classmethod
    def random_params(cls, random: Random, width: int) -> dict[str, object]:
        """Parameters to try with so many channels on the wire."""
        params: dict[str, object] = {} if samples.sometimes(random, 0.2) else {"numFeatures": width}
        if samples.sometimes(random):
            params["numFeatures"] = width + 1
        for key in ("affine", "trackRunningStats"):
            if samples.sometimes(random, 0.3):
                params[key] = random.choice((True, False))
        if samples.sometimes(random, 0.2):
            params["momentum"] = random.choice((None, 0.3))
        return params

    @classmethod
    def example(cls, random: Random) -> Example:
        width = random.randint(1, 4)
        rank = random.choice(cls.ranks) if samples.sometimes(random, 0.95) else random.randint(1, 5)
        low = 1 if samples.sometimes(random, 0.3) else 2
        shape = (random.randint(1, 3), width, *samples.sizes(random, 3, low, low + 1))[:rank]
        x = samples.wire(random, shape, samples.dtype(random))
        return Example(cls.random_params(random, width), (x,), training=samples.sometimes(random, 0.5))


class BatchNorm(Statistics):
    """What batch norms of all ranks share."""

    affine: bool = flag(True, help="Scale and shift each channel by learned numbers.")
    track_running_stats: bool = flag(True, help="Keep running statistics for evaluation.")

    def forward(self, x: Wire) -> Wire:
        x.require_rank(*self.ranks)
        if self.affine or self.track_running_stats:
            x.require_size(1, self.num_features, set_by="numFeatures", kind=NORM_SIZE)
            x.refuse_dtypes("float64", needs="float32")
        x.require_floating()
        if self.eps < 0 or (self.by_batch and self.eps == 0):
            needs = "above 0" if self.by_batch else "at least 0"
            raise Refused(PARAM_RANGE, param="eps", gets=self.eps, needs=needs)
        if x.shape[1] == 0:
            raise Refused(NORM_SIZE, port=0, axis=1, needs=self.num_features, gets=0, what="channels")
        if self.by_batch and product(x.shape) == x.shape[1]:
            raise Refused(BN_ONE_VALUE, port=0, axis=0, gets=x.shape[1])
        return x.with_shape(x.shape).in_format_of(x, loose=True)

    @property
    def by_batch(self) -> bool:
        """Whether this batch's own statistics are used, rather than the running ones."""
        return self.training or not self.track_running_stats

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()
        if self.by_batch:
            with_weights = self.affine or self.track_running_stats
            yield Saved.own(2 * inputs[0].shape[1], "float32" if with_weights else inputs[0].dtype)


@layer("batchNorm", family="norm", torch="blocks.BatchNorm")
class BatchNormByRank(BatchNorm):
    """Batch norm for sequences, images or volumes, whichever the wire carries.

    Shape: (B, C), (B, C, L), (B, C, H, W) or (B, C, D, H, W) -> the same.    [torch.nn.BatchNorm1d, 2d, 3d]
    """

    ranks = (2, 3, 4, 5)
    rank: int | None = None
    """The rank of the wire, once forward has seen it."""

    def forward(self, x: Wire) -> Wire:
        y = super().forward(x)
        self.rank = x.rank
        return y

    def construct_code(self) -> str | None:
        """torch's class for the rank, if it is known."""
        if self.rank is None:
            return super().construct_code()
        return f"nn.BatchNorm{max(self.rank - 2, 1)}d({', '.join(self._code_arguments())})"


@layer("batchNorm1d", family="norm", torch="BatchNorm1d", torch_ops=("LazyBatchNorm1d",))
class BatchNorm1d(BatchNorm):
    """Give each channel mean 0 and variance 1 over the batch, then scale and shift it.

    Shape: (B, C) or (B, C, L) -> the same; the channels are axis 1 in both.    [torch.nn.BatchNorm1d]
    """

    ranks = (2, 3)


@layer("batchNorm2d", family="norm", torch="BatchNorm2d", torch_ops=("LazyBatchNorm2d",))
class BatchNorm2d(BatchNorm):
    """Give each channel mean 0 and variance 1 over the images of the batch, then scale and shift it.

    Shape: (B, C, H, W) -> the same; (x − E[x]) / √(Var[x] + ε)·γ + β    [torch.nn.BatchNorm2d]
    """

    ranks = (4,)


@layer("batchNorm3d", family="norm", torch="BatchNorm3d", torch_ops=("LazyBatchNorm3d",))
class BatchNorm3d(BatchNorm):
    """Give each channel mean 0 and variance 1 over the volumes of the batch, then scale and shift it.

    Shape: (B, C, D, H, W) -> the same.    [torch.nn.BatchNorm3d]
    """

    ranks = (5,)


class InstanceNorm(Statistics):
    """What instance norms share: statistics of each sample and channel by itself."""

    num_features: int = channels(at_least=0, help="Number of channels (the axis before the spatial ones).")
    affine: bool = flag(False, help="Scale and shift each channel by learned numbers.")
    track_running_stats: bool = flag(False, help="Keep running statistics for evaluation.")

    def forward(self, x: Wire) -> Wire:
        x.require_rank(self.axes + 2, self.axes + 1)
        if self.affine or self.track_running_stats:
            x.require_size(-self.axes - 1, self.num_features, set_by="numFeatures", kind=NORM_SIZE)
        if self.affine:
            x.refuse_dtypes("float64", needs="float32")
        x.require_floating()
        if self.affine and 0 in x.shape[: -self.axes]:  # PyTorch looks at the first scale of the first sample
            axis = x.shape.index(0) - x.rank
            raise Refused(EMPTY, port=0, axis=axis, gets=0, what="scale")
        by_sample = self.training or not self.track_running_stats
        if by_sample and product(x.shape[-self.axes :]) == 1:
            raise Refused(INSTANCE_ONE_VALUE, port=0, axis=-1, gets=1)
        return x.with_shape(x.shape)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """The input, mean and deviation of each sample and channel, and statistics and scales repeated for each."""
        x = inputs[0]
        yield Saved.input()
        samples_and_channels = product(x.shape[: -self.axes])
        copies = 2 + self.affine + 2 * (self.track_running_stats and self.training)
        yield Saved.own(copies * samples_and_channels, "float32" if self.affine else x.dtype)


@layer("instanceNorm1d", family="norm", torch="InstanceNorm1d", torch_ops=("LazyInstanceNorm1d",))
class InstanceNorm1d(InstanceNorm):
    """Give each sequence of each channel mean 0 and variance 1.

    Shape: (B, C, L) or (C, L) -> the same.    [torch.nn.InstanceNorm1d]
    """

    axes = 1
    ranks = (3, 2)


@layer(
    "instanceNorm2d",
    family="norm",
    torch="InstanceNorm2d",
    torch_ops=("LazyInstanceNorm2d",),
    aliases=("instanceNorm",),
)
class InstanceNorm2d(InstanceNorm):
    """Give each image of each channel mean 0 and variance 1.

    Shape: (B, C, H, W) or (C, H, W) -> the same.    [torch.nn.InstanceNorm2d]
    """

    axes = 2
    ranks = (4, 3)


@layer("instanceNorm3d", family="norm", torch="InstanceNorm3d", torch_ops=("LazyInstanceNorm3d",))
class InstanceNorm3d(InstanceNorm):
    """Give each volume of each channel mean 0 and variance 1.

    Shape: (B, C, D, H, W) or (C, D, H, W) -> the same.    [torch.nn.InstanceNorm3d]
    """

    axes = 3
    ranks = (5, 4)

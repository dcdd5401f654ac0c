"""Losses that compare a prediction with a target element by element."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.families.merge import spreading_wires
from archstudio.layers.fields import choice, flag, number
from archstudio.layers.problem import DTYPE, PARAM_RANGE, ProblemKind, Refused, error
from archstudio.layers.spread import broadcast, promoted, spread_strides, spread_type
from archstudio.layers.wire import Value, Wire, pointwise_strides

LOSS_SHAPE = ProblemKind(
    "E-LOSS-SHAPE",
    error,
    "{node}: the target is {gets}, this prediction needs {needs}",
    "The loss compares every number of the prediction with one number of the target.",
)


class Loss(Layer):
    """A prediction and a target become one number (or one for each element)."""

    inputs = ("input", "target")

    reduction: str = choice("mean", ("mean", "sum", "none"), help="One mean, one sum, or a number for each element.")

    def result_type(self, prediction: Wire, target: Wire) -> str:
        """The dtype of the loss; Refused for numbers it does not take."""
        dtype = spread_type(prediction, target)
        if "float" not in dtype:
            raise Refused(DTYPE, port=0, needs="floating-point", gets=prediction.dtype)
        return dtype

    def forward(self, prediction: Wire, target: Wire) -> Wire:
        dtype = self.result_type(prediction, target)
        each = broadcast(self.memory_order(prediction, target), dtype)
        return each if self.reduction == "none" else Wire.of((), dtype)

    def memory_order(self, prediction: Wire, target: Wire) -> tuple[Wire, Wire]:
        """The one whose memory order the result takes comes first."""
        return prediction, target

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("", 0, axis)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input(0)
        yield Saved.input(1)

    @classmethod
    def example(cls, random: Random) -> Example:
        params: dict[str, Any] = {}
        if samples.sometimes(random, 0.4):
            params["reduction"] = random.choice(("mean", "sum", "none"))
        prediction, target = spreading_wires(random, 2, 0.1)
        if samples.sometimes(random, 0.5):
            target = Wire.of(prediction.shape, target.dtype)
        return Example(params, (prediction, target))


def require_same_shape(prediction: Wire, target: Wire) -> None:
    """Refuse a target of another shape."""
    if prediction.shape != target.shape:
        raise Refused(LOSS_SHAPE, port=1, needs=prediction.text(), gets=target.text())


@layer("mseLoss", family="loss", torch="MSELoss", torch_ops=("MSE",), aliases=("mse", "meanSquaredError"))
class MseLoss(Loss):
    """Mean of squared differences. Different shapes are spread, which is rarely what was meant.

    Shape: (*), (*) -> one number.    (x − y)²    [torch.nn.MSELoss]
    """


@layer("l1Loss", family="loss", torch="L1Loss", torch_ops=("L1",), aliases=("mae", "meanAbsoluteError"))
class L1Loss(Loss):
    """Mean of absolute differences.

    Shape: (*), (*) -> one number.    |x − y|    [torch.nn.L1Loss]
    """

    def result_type(self, prediction: Wire, target: Wire) -> str:
        for port, x in enumerate((prediction, target)):
            x.refuse_dtypes("bool", needs="non-boolean", port=port)
        if self.reduction != "mean":
            dtype = spread_type(prediction, target)
            return dtype if self.reduction == "none" or "float" in dtype else "int64"
        return super().result_type(prediction, target)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        each = broadcast(inputs, spread_type(inputs[0], inputs[1]))
        if each.floating and any(x.floating for x in inputs):
            yield Saved.own(each.elements, each.dtype)


@layer("smoothL1Loss", family="loss", torch="SmoothL1Loss", torch_ops=("SmoothL1",))
class SmoothL1Loss(Loss):
    """Squared for small differences, absolute for large ones.

    Shape: (*), (*) -> one number.    [torch.nn.SmoothL1Loss]
    """

    beta: float = number(1.0, at_least=0, late=True, help="Difference at which it changes.")


@layer("huberLoss", family="loss", torch="HuberLoss", torch_ops=("Huber",), aliases=("huber",))
class HuberLoss(Loss):
    """Squared for small differences, linear for large ones.

    Shape: (*), (*) -> one number.    [torch.nn.HuberLoss]
    """

    delta: float = number(1.0, help="Difference at which it changes.")

    def result_type(self, prediction: Wire, target: Wire) -> str:
        return prediction.require_floating().dtype

    def forward(self, prediction: Wire, target: Wire) -> Wire:
        """PyTorch makes room for the result in the memory order of the prediction alone."""
        if self.delta <= 0:
            raise Refused(PARAM_RANGE, param="delta", gets=self.delta, needs="above 0")
        loss = super().forward(prediction, target)
        if self.reduction != "none":
            return loss
        order = pointwise_strides(loss.shape, spread_strides(prediction, loss.shape))
        return Wire.of(loss.shape, loss.dtype, order)


@layer("bceLoss", family="loss", torch="BCELoss", torch_ops=("BCE",), aliases=("bce", "binaryCrossEntropy"))
class BceLoss(Loss):
    """Cross-entropy of probabilities between 0 and 1.

    Shape: (*), (*) -> one number; the shapes must be equal.    [torch.nn.BCELoss]
    """

    def result_type(self, prediction: Wire, target: Wire) -> str:
        dtype = prediction.require_floating().dtype
        if target.dtype != dtype:
            raise Refused(DTYPE, port=1, needs=dtype, gets=target.dtype)
        return dtype

    def forward(self, prediction: Wire, target: Wire) -> Wire:
        require_same_shape(prediction, target)
        dtype = self.result_type(prediction, target)
        return prediction.pointwise() if self.reduction == "none" else Wire.of((), dtype)


@layer(
    "bceWithLogitsLoss",
    family="loss",
    torch="BCEWithLogitsLoss",
    torch_ops=("BCEWithLogits",),
    aliases=("bceWithLogits", "binaryCrossEntropyWithLogits"),
)
class BceWithLogitsLoss(Loss):
    """Cross-entropy of one logit for each yes-or-no answer; the sigmoid is part of it.

    Shape: (*), (*) -> one number; the shapes must be equal.    [torch.nn.BCEWithLogitsLoss]
    """

    def result_type(self, prediction: Wire, target: Wire) -> str:
        prediction.require_floating()
        return target.require_floating(1).dtype

    def memory_order(self, prediction: Wire, target: Wire) -> tuple[Wire, Wire]:
        return target, prediction

    def forward(self, prediction: Wire, target: Wire) -> Wire:
        require_same_shape(prediction, target)
        return super().forward(prediction, target)


@layer("klDivLoss", family="loss", torch="KLDivLoss", torch_ops=("KLDiv",), aliases=("klDivergence", "kl"))
class KlDivLoss(Loss):
    """Divergence of a distribution from the target; takes log-probabilities.

    Shape: (*), (*) -> one number.    y·(log y − x)    [torch.nn.KLDivLoss]
    """

    reduction: str = choice(
        "mean", ("mean", "batchmean", "sum", "none"), help="One mean, one sum, or a number for each element."
    )
    log_target: bool = flag(False, help="Whether the target is logarithmic too.")

    def result_type(self, prediction: Wire, target: Wire) -> str:
        prediction.require_floating()
        target.require_floating(1)
        return promoted((prediction, target))

    def forward(self, prediction: Wire, target: Wire) -> Wire:
        """A product of target and prediction is taken from something of the target."""
        loss = super().forward(prediction, target)
        if self.reduction != "none":
            return loss
        own = spread_strides(target, loss.shape)
        product = pointwise_strides(loss.shape, own, spread_strides(prediction, loss.shape))
        return Wire.of(loss.shape, loss.dtype, pointwise_strides(loss.shape, own, product))


@layer("poissonNLLLoss", family="loss", torch="PoissonNLLLoss", torch_ops=("PoissonNLL",))
class PoissonNllLoss(Loss):
    """Likelihood of counts, of which the logarithm of the mean is predicted.

    Shape: (*), (*) -> one number.    exp(x) − y·x    [torch.nn.PoissonNLLLoss]
    """

    log_input: bool = flag(True, help="Whether the prediction is logarithmic.")
    full: bool = flag(False, help="Add the Stirling term.")

    def result_type(self, prediction: Wire, target: Wire) -> str:
        if prediction.dtype == target.dtype == "bool":
            prediction.require_floating()
        mean = prediction.with_shape(prediction.shape, prediction.dtype if prediction.floating else "float32")
        return promoted((mean, broadcast((prediction, target), promoted((prediction, target)))))

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        prediction, target = inputs
        if target.floating:
            yield Saved.input(0)
        if prediction.floating:
            yield Saved.input(1)
            if self.log_input:
                yield Saved.own(prediction.elements, prediction.dtype)

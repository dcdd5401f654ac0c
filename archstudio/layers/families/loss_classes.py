"""Losses that compare scores of classes, or distances of examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.families.loss import LOSS_SHAPE, Loss
from archstudio.layers.fields import choice, flag, integer, number
from archstudio.layers.problem import DTYPE, EMPTY, PARAM_RANGE, RANK, Refused
from archstudio.layers.spread import broadcast, promoted
from archstudio.layers.wire import FLOATING, Value, Wire


class ClassLoss(Loss):
    """Scores of classes against the index of the right one."""

    ignore_index: int = integer(-100, help="Target that counts for nothing.")

    def require_classes(self, x: Wire, target: Wire) -> None:
        """Refuse a target that is not one class index for each place; classes are axis 1 (0 without a batch)."""
        if x.rank == 0:
            x.require_rank(1, 2)
        needs = (*x.shape[:1], *x.shape[2:]) if x.rank > 1 else ()
        if target.shape != needs and not (x.rank == 1 and target.shape == (1,)):
            text = "×".join(str(int(d)) for d in needs) or "scalar"
            raise Refused(LOSS_SHAPE, port=1, needs=text, gets=target.text(), classes=int(x.shape[min(1, x.rank - 1)]))
        bytes_too = x.rank < 3 or (target.elements == 0 and self.reduction != "none")
        if target.dtype != "int64" and not (bytes_too and target.dtype == "uint8"):
            raise Refused(DTYPE, port=1, needs="int64", gets=target.dtype)
        x.require_floating()
        if x.shape[min(1, x.rank - 1)] == 0 and target.elements:
            raise Refused(EMPTY, port=0, axis=min(1, x.rank - 1) - x.rank, gets=0, what="classes")

    def forward(self, prediction: Wire, target: Wire) -> Wire:
        self.require_classes(prediction, target)
        each = target.shape if self.reduction == "none" and prediction.rank > 1 else ()
        return Wire.of(each, prediction.dtype)

    @classmethod
    def example(cls, random: Random) -> Example:
        params: dict[str, Any] = {}
        if samples.sometimes(random, 0.4):
            params["reduction"] = random.choice(("mean", "sum", "none"))
        if "label_smoothing" in cls.fields and samples.sometimes(random, 0.2):
            params["labelSmoothing"] = random.choice((0.1, 0.2, 1.5))
        shape = list(samples.sizes(random, random.choice((1, 2, 2, 3, 4, 5)), 1, 4))
        target = [*shape[:1], *shape[2:]] if len(shape) > 1 else []
        dtype = random.choice(("int64", "int64", "int64", "int64", "uint8", "int32", "float32"))
        if samples.sometimes(random, 0.15):
            target, dtype = list(shape), random.choice(("float32", "float32", "int64"))
        if target and samples.sometimes(random, 0.1):
            target[random.randrange(len(target))] += 1
        if samples.sometimes(random, 0.06):
            target = random.choice((shape[:-1], [1], []))
        x = samples.wire(random, shape, samples.dtype(random, 0.08))
        return Example(params, (x, Wire.of(target, dtype)))


@layer(
    "crossEntropyLoss", family="loss", torch="CrossEntropyLoss", torch_ops=("CrossEntropy",), aliases=("crossEntropy",)
)
class CrossEntropyLoss(ClassLoss):
    """Cross-entropy of class scores (logits); the softmax is part of it.

    Shape: (N, classes, …) and class indices (N, …), or (classes) and a scalar -> one number. A target of the shape of
    the scores holds probabilities.    −log softmax(x)[y]    [torch.nn.CrossEntropyLoss]
    """

    label_smoothing: float = number(0.0, help="Share of the target that goes to all classes alike.")

    def forward(self, prediction: Wire, target: Wire) -> Wire:
        if not 0 <= self.label_smoothing <= 1:
            raise Refused(PARAM_RANGE, param="labelSmoothing", gets=self.label_smoothing, needs="between 0 and 1")
        if prediction.shape != target.shape:
            loss = super().forward(prediction, target)
            if self.label_smoothing and prediction.rank < target.rank + 1:
                raise Refused(LOSS_SHAPE, port=1, needs="scalar", gets=target.text(), classes=prediction.shape[0])
            return loss
        return self._probabilities(prediction, target)

    def _probabilities(self, x: Wire, target: Wire) -> Wire:
        x.require_floating()
        if not target.floating:
            raise Refused(DTYPE, port=1, needs="floating-point", gets=target.dtype)
        if self.ignore_index >= 0:  # -1 and less match no class, so PyTorch does not mind them
            needs = "negative where the target holds probabilities"
            raise Refused(PARAM_RANGE, param="ignoreIndex", gets=self.ignore_index, needs=needs)
        if x.rank == 0:
            x.require_rank(1, 2)
        places = (*x.shape[:1], *x.shape[2:]) if x.rank > 1 else ()
        return Wire.of(places if self.reduction == "none" else (), promoted((x, target)))

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        x, target = inputs
        yield Saved.own(x.elements, x.dtype)
        yield Saved.input(1)
        if x.shape != target.shape:
            yield Saved.own(1, x.dtype)


@layer("nllLoss", family="loss", torch="NLLLoss", torch_ops=("NLL",), aliases=("nll", "negativeLogLikelihood"))
class NllLoss(ClassLoss):
    """Negative log-likelihood of the right class; takes log-probabilities (log-softmax).

    Shape: (N, classes, …) and class indices (N, …), or (classes) and a scalar -> one number.    [torch.nn.NLLLoss]
    """

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()
        yield Saved.input(1)
        yield Saved.own(1, inputs[0].dtype)


def _as_float(dtype: str) -> str:
    """The dtype of a length of vectors of this one."""
    return dtype if dtype in FLOATING else "float32"


class DistanceLoss(Layer):
    """Distances of examples, reduced to one number."""

    reduction: str = choice("mean", ("mean", "sum", "none"), help="One mean, one sum, or a number for each example.")

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return None

    def reduced(self, x: Wire) -> Wire:
        """The loss for each example, or the one number."""
        return x if self.reduction == "none" else Wire.of((), x.dtype)


@layer("tripletMarginLoss", family="loss", torch="TripletMarginLoss", aliases=("tripletLoss",))
class TripletMarginLoss(DistanceLoss):
    """Keep an anchor nearer to a positive than to a negative example.

    Shape: three of (N, D) -> one number.    max(d(a, p) − d(a, n) + margin, 0)    [torch.nn.TripletMarginLoss]
    """

    inputs = ("anchor", "positive", "negative")

    margin: float = number(1.0, help="By how much it should be nearer.")
    p: float = number(2.0, help="Kind of length: 1 sums, 2 is Euclidean.")
    swap: bool = flag(False, help="Also compare the positive with the negative example.")

    def check(self) -> None:
        if self.margin <= 0:
            raise Refused(PARAM_RANGE, param="margin", gets=self.margin, needs="greater than 0")

    def forward(self, anchor: Wire, positive: Wire, negative: Wire) -> Wire:
        for port, x in enumerate((anchor, positive, negative)):
            if x.rank != anchor.rank:
                raise Refused(RANK, port=port, needs=anchor.rank, gets=x.rank, ranks=(anchor.rank,))
            x.refuse_dtypes("bool", needs="non-boolean", port=port)
        each = self._differences(anchor, positive, negative)
        gaps = [Wire.of(x.shape[:-1], x.dtype) for x in each]
        return self.reduced(broadcast(gaps, promoted(gaps)))

    def _differences(self, anchor: Wire, positive: Wire, negative: Wire) -> list[Wire]:
        """The pairs whose distance is taken, spread to one shape; whole numbers become float32."""
        pairs = [(anchor, positive), (anchor, negative)] + ([(positive, negative)] if self.swap else [])
        return [broadcast(pair, _as_float(promoted(pair))) for pair in pairs]

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """Every difference, its length, and the loss of each example."""
        each = self._differences(*inputs)
        for x in each:
            yield Saved.own(x.elements + product(x.shape[:-1]), x.dtype)
        yield Saved.own(max(product(x.shape[:-1]) for x in each), each[0].dtype)

    @classmethod
    def example(cls, random: Random) -> Example:
        shape = samples.sizes(random, random.randint(1, 3), 1, 4)
        params: dict[str, Any] = {"margin": random.choice((0.5, 1, 2, 0))} if samples.sometimes(random, 0.4) else {}
        if samples.sometimes(random, 0.3):
            params |= {"reduction": random.choice(("sum", "none")), "swap": True}
        shapes = [list(shape) for _ in range(3)]
        if samples.sometimes(random, 0.2):
            wrong = random.choice(shapes)
            wrong[random.randrange(len(wrong))] += 1
        return Example(params, tuple(Wire.of(s, samples.dtype(random, 0.1)) for s in shapes))


@layer("cosineEmbeddingLoss", family="loss", torch="CosineEmbeddingLoss")
class CosineEmbeddingLoss(DistanceLoss):
    """Turn two vectors to each other where the target is 1, and apart where it is −1.

    Shape: (N, D), (N, D), targets (N) -> one number; unbatched (D), (D), scalar.    [torch.nn.CosineEmbeddingLoss]
    """

    inputs = ("a", "b", "target")

    margin: float = number(0.0, help="Cosine below which different vectors are far enough apart.")

    def forward(self, a: Wire, b: Wire, target: Wire) -> Wire:
        target.require_rank(0, 1, port=2)
        for port, x in enumerate((a, b)):
            x.require_rank(target.rank + 1, port=port)
        each = broadcast((a, b), promoted([Wire.of((1,), _as_float(x.dtype)) for x in (a, b)]))
        places = Wire.of(each.shape[:-1], each.dtype)
        return self.reduced(broadcast((places, target), each.dtype))

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """Both vectors, their squared lengths and products, the cosine and its parts, and where the target is which."""
        places = max(product(x.shape[:-1]) for x in inputs[:2])
        yield from (Saved.input(port) for port in range(2))
        yield Saved.own(5 * places, inputs[0].dtype)
        yield Saved.own(2 * places, "bool")

    @classmethod
    def example(cls, random: Random) -> Example:
        batch = [random.randint(1, 3)] * random.choice((0, 1, 1, 1, 2))
        width = random.randint(1, 4)
        shapes = [[*batch, width], [*batch, width], list(batch)]
        if samples.sometimes(random, 0.15):
            shapes[random.randrange(2)][-1] += 1
        params = {"reduction": random.choice(("mean", "sum", "none"))} if samples.sometimes(random, 0.5) else {}
        return Example(params, tuple(Wire.of(s, samples.dtype(random, 0.1)) for s in shapes))

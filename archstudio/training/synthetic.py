"""Generates built-in data sets that a fitting model really can learn, and says how well the best model would do."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from archstudio.training.description import InputSpec, Loss, RunDescription, SyntheticData, target_shape
from archstudio.training.fitting import (
    NothingFits,
    check_trainable,
    is_free,
    reconstructed_input,
    sequence_input,
)
from archstudio.training.patterns import (
    Array,
    Drawn,
    Floats,
    Integers,
    Pattern,
    pattern_for,
    smooth_basis,
    softmax,
)
from archstudio.training.sources import Ceiling, Dataset, Split

_MAX_BYTES = 2**30
_HIDDEN = 16
_WORDS = 64
_PAIR_GROUPS = 4
"""Few, since a model sees a group only through who matches whom."""


@dataclass(frozen=True)
class _Frame:
    """What every task needs: the description, its data part, and three independent streams of random numbers."""

    description: RunDescription
    data: SyntheticData
    structure: np.random.Generator
    train: np.random.Generator
    validation: np.random.Generator

    @property
    def inputs(self) -> tuple[InputSpec, ...]:
        return self.description.inputs

    def sizes(self) -> tuple[tuple[int, np.random.Generator], tuple[int, np.random.Generator]]:
        """Samples and stream of each split: the splits do not depend on each other's size."""
        return (self.data.train_size, self.train), (self.data.validation_size, self.validation)

    def output_shape(self, loss: Loss) -> tuple[int, ...]:
        return self.description.outputs[loss.output].sample_shape

    def target_shape(self, loss: Loss) -> tuple[int, ...]:
        return target_shape(loss, self.description.outputs[loss.output])


def generate(description: RunDescription) -> Dataset:
    """Return the synthetic data set of a description: the same description, the same arrays.

    Raises `NothingFits` when the task does not fit the inputs, outputs and losses, or the data would be too large.
    """
    data = description.data
    if not isinstance(data, SyntheticData):
        raise TypeError(f"the data are of kind {data.kind}, not synthetic")
    check_trainable(description.inputs, description.outputs)
    _check_size(description, data)
    streams = [np.random.Generator(np.random.PCG64(s)) for s in np.random.SeedSequence(data.seed).spawn(3)]
    frame = _Frame(description, data, *streams)
    return _TASKS[data.task](frame)


def _check_size(description: RunDescription, data: SyntheticData) -> None:
    numbers = sum(prod(spec.sample_shape) for spec in description.inputs)
    numbers += sum(prod(target_shape(loss, description.outputs[loss.output])) for loss in description.losses)
    total = 8 * numbers * (data.train_size + data.validation_size)
    if total > _MAX_BYTES:
        raise NothingFits(
            f"{data.train_size + data.validation_size:,} samples",
            f"they would take {total:,} bytes, above the limit of {_MAX_BYTES:,}",
            "Ask for fewer samples.",
        )


def _classes(frame: _Frame) -> Dataset:
    """Each sample belongs to a class; every input shows it, every target follows from it."""
    rooms = [frame.output_shape(loss)[-1] for loss in frame.description.losses if loss.counts_classes]
    groups = min(frame.data.classes, max(rooms, default=2))
    patterns = _patterns(frame, groups)
    codes = [_class_code(loss, frame, groups) for loss in frame.description.losses]
    splits, evidences = [], []
    for size, rng in frame.sizes():
        labels = rng.permutation(np.arange(size) % groups)
        drawn = [pattern.draw(labels, rng) for pattern in patterns]
        splits.append(Split(tuple(part.values for part in drawn), tuple(code[labels] for code in codes)))
        evidences.append(_joint_evidence(drawn))
    ceiling = _bayes_accuracy(frame.description.losses[0], codes[0], evidences[1], splits[1].targets[0])
    return Dataset(splits[0], splits[1], ceiling)


def _class_code(loss: Loss, frame: _Frame, groups: int) -> Array:
    """Return (groups, *target shape): the target of each class."""
    shape = frame.target_shape(loss)
    labels = np.arange(groups).reshape(-1, *(1 for _ in shape))
    steps = np.arange(prod(shape)).reshape(1, *shape)
    if loss.counts_classes:
        # the same at every position, for a model need not know where it is
        return np.broadcast_to(labels % frame.output_shape(loss)[-1], (groups, *shape)).astype(np.int64)
    if loss.kind == "bce_logits":
        return np.asarray((labels >> (steps % max(1, (groups - 1).bit_length()))) & 1, np.float32)
    table = frame.structure.standard_normal((groups, *shape))
    return np.asarray(table, np.float32)


def _bayes_accuracy(loss: Loss, code: Array, evidence: Floats, targets: Array) -> Ceiling | None:
    """The accuracy, on the very samples, of the rule that knows how they were made."""
    if not loss.has_accuracy:
        return None
    posterior = softmax(evidence)
    flat = code.reshape(len(code), -1)
    options = np.unique(flat)
    scores = np.stack([posterior @ (flat == option).astype(np.float64) for option in options])
    best = options[np.argmax(scores, axis=0)]
    return _accuracy_ceiling(float(np.mean(best == targets.reshape(len(targets), -1))))


def _accuracy_ceiling(value: float) -> Ceiling:
    words = f"The best possible rule is right in {value:.1%} of the validation targets."
    return Ceiling("val_accuracy", value, words)


def _pairs(frame: _Frame) -> Dataset:
    """The first input and the others belong to the same group, or not; the target says which."""
    loss = frame.description.losses[0]
    if loss.kind != "bce_logits" or sum(map(is_free, frame.inputs)) < 2 or prod(frame.target_shape(loss)) != 1:
        raise NothingFits("pairs", "they need two inputs and one score, yes or no", "Choose the task 'classes'.")
    groups = min(_PAIR_GROUPS, frame.data.classes)
    patterns = _patterns(frame, groups)
    first = next(index for index, spec in enumerate(frame.inputs) if is_free(spec))
    splits, ceilings = [], []
    for size, rng in frame.sizes():
        match = rng.permutation(np.arange(size) % 2)
        one = rng.integers(groups, size=size)
        other = np.where(match == 1, one, (one + rng.integers(1, groups, size=size)) % groups)
        drawn = [pattern.draw(one if i == first else other, rng) for i, pattern in enumerate(patterns)]
        target = match.astype(np.float32).reshape(size, *frame.target_shape(loss))
        splits.append(Split(tuple(part.values for part in drawn), (target,)))
        left = softmax(drawn[first].evidence)
        right = softmax(_joint_evidence([part for i, part in enumerate(drawn) if i != first]))
        same = np.sum(left * right, axis=1)
        believed = same > (1 - same) / (groups - 1)  # equal chances before; a mismatch has groups - 1 ways
        ceilings.append(float(np.mean(believed == (match == 1))))
    return Dataset(splits[0], splits[1], _accuracy_ceiling(ceilings[1]))


def _next_token(frame: _Frame) -> Dataset:
    """A Markov chain: the target at each position is the token after it."""
    loss = _per_position_loss(frame)
    shape = frame.target_shape(loss)
    index = sequence_input(frame.inputs, shape)
    vocabulary = frame.inputs[index].max_index if index is not None else None
    if index is None or vocabulary is None or len(shape) != 1:
        raise NothingFits("next-token data", f"no index input has the {shape} positions of the output", "Add one.")
    words = min(_WORDS, vocabulary + 1, frame.output_shape(loss)[-1])
    chain = softmax(5 * (1 - frame.data.difficulty) * frame.structure.standard_normal((words, words)))
    others = _patterns(frame, frame.data.classes)
    splits, rights = [], []
    for size, rng in frame.sizes():
        tokens = _walk(chain, size, shape[0] + 1, rng)
        inputs = _with_noise_inputs(frame, others, index, tokens[:, :-1], size, rng)
        splits.append(Split(inputs, (tokens[:, 1:].copy(),)))
        rights.append(float(np.mean(np.argmax(chain, axis=1)[tokens[:, :-1]] == tokens[:, 1:])))
    return Dataset(splits[0], splits[1], _accuracy_ceiling(rights[1]))


def _walk(chain: Floats, size: int, length: int, rng: np.random.Generator) -> Integers:
    """Return (size, length) states of the chain, from a uniform start."""
    cumulative = np.cumsum(chain, axis=1)
    states = np.empty((size, length), np.int64)
    states[:, 0] = rng.integers(len(chain), size=size)
    for step in range(1, length):
        above = rng.random(size)[:, None] > cumulative[states[:, step - 1]]
        states[:, step] = np.minimum(above.sum(axis=1), len(chain) - 1)
    return states


def _tagging(frame: _Frame) -> Dataset:
    """Every position carries a tag that follows from what stands there, up to noise."""
    loss = _per_position_loss(frame)
    shape = frame.target_shape(loss)
    index = sequence_input(frame.inputs, shape)
    if index is None:
        raise NothingFits("tagging data", f"no input has the {shape} positions of the output", "Add one.")
    tags = min(frame.data.classes, frame.output_shape(loss)[-1])
    spec = frame.inputs[index]
    element = InputSpec(spec.name, spec.sample_shape[-1:] if spec.is_float else (), spec.dtype, spec.max_index, None)
    pattern = pattern_for(element, tags, frame.data.difficulty, frame.structure)
    others = _patterns(frame, frame.data.classes)
    splits, rights = [], []
    for size, rng in frame.sizes():
        labels = rng.integers(tags, size=size * prod(shape))
        drawn = pattern.draw(labels, rng)
        values = drawn.values.reshape(size, *spec.sample_shape)
        inputs = _with_noise_inputs(frame, others, index, values, size, rng)
        splits.append(Split(inputs, (labels.reshape(size, *shape),)))
        rights.append(float(np.mean(np.argmax(drawn.evidence, axis=1) == labels)))
    return Dataset(splits[0], splits[1], _accuracy_ceiling(rights[1]))


def _regression(frame: _Frame) -> Dataset:
    """Targets are a smooth random function of the inputs, of unit variance, plus noise."""
    losses = [_not_classes(loss) for loss in frame.description.losses]
    patterns = _patterns(frame, 1)
    noise = 0.5 * frame.data.difficulty
    teachers: list[_Teacher] | None = None
    splits = []
    for size, rng in frame.sizes():
        drawn = [pattern.draw(np.zeros(size, np.int64), rng) for pattern in patterns]
        features = np.concatenate([part.features for part in drawn], axis=1)
        if teachers is None:
            teachers = [_Teacher(features, frame.target_shape(loss), frame.structure) for loss in losses]
        clean = [teacher(features) for teacher in teachers]
        noisy = tuple((y + noise * rng.standard_normal(y.shape)).astype(np.float32) for y in clean)
        splits.append(Split(tuple(part.values for part in drawn), noisy))
    return Dataset(splits[0], splits[1], _error_floor(losses[0], noise))


def _error_floor(loss: Loss, noise: float) -> Ceiling | None:
    if loss.kind != "mse":
        return None
    words = f"The noise in the targets has a variance of {noise**2:.3g}; no model is expected to get below it."
    return Ceiling("val_loss", noise**2 * loss.weight, words)


class _Teacher:
    """A random two-layer network from features (n, k) to targets (n, *shape) of unit variance."""

    def __init__(self, features: Floats, shape: tuple[int, ...], rng: np.random.Generator) -> None:
        self._shape = shape
        width = features.shape[1]
        self._first = rng.standard_normal((width, _HIDDEN)) / np.sqrt(max(1, width))
        rows = min(_HIDDEN, prod(shape))
        self._second = rng.standard_normal((_HIDDEN, rows)) / np.sqrt(_HIDDEN)
        self._basis = smooth_basis(rows, shape, rng)
        sample = self._raw(features)
        self._mean, self._scale = sample.mean(), sample.std() or 1.0

    def __call__(self, features: Floats) -> Floats:
        scaled: Floats = ((self._raw(features) - self._mean) / self._scale).reshape(len(features), *self._shape)
        return scaled

    def _raw(self, features: Floats) -> Floats:
        raw: Floats = np.tanh(features @ self._first) @ self._second @ self._basis
        return raw


def _reconstruction(frame: _Frame) -> Dataset:
    """The target of each loss is the input that has its shape."""
    copied = []
    for loss in frame.description.losses:
        index = reconstructed_input(frame.inputs, frame.description.outputs[loss.output])
        if index is None or loss.kind not in ("mse", "l1", "huber"):
            raise NothingFits(
                f"output {loss.output}", "no float input has its shape, or the loss compares no copies", "Use MSE."
            )
        copied.append(index)
    patterns = _patterns(frame, frame.data.classes)
    splits = []
    for size, rng in frame.sizes():
        groups = rng.integers(frame.data.classes, size=size)
        values = tuple(pattern.draw(groups, rng).values for pattern in patterns)
        splits.append(Split(values, tuple(values[index] for index in copied)))
    freedom = max(8, frame.data.classes)
    words = f"The patterns have at most {freedom} degrees of freedom; a bottleneck at least as wide can reach 0."
    return Dataset(splits[0], splits[1], Ceiling("val_loss", 0.0, words))


def _patterns(frame: _Frame, groups: int) -> list[Pattern]:
    return [pattern_for(spec, groups, frame.data.difficulty, frame.structure) for spec in frame.inputs]


def _joint_evidence(drawn: Sequence[Drawn]) -> Floats:
    """Given the group, inputs are independent, so their log-likelihoods add."""
    return np.asarray(np.sum([part.evidence for part in drawn], axis=0), np.float64)


def _with_noise_inputs(
    frame: _Frame, patterns: Sequence[Pattern], index: int, values: Array, size: int, rng: np.random.Generator
) -> tuple[Array, ...]:
    """Return all inputs: `values` at `index`; the others say nothing of the target."""
    groups = rng.integers(frame.data.classes, size=size)
    return tuple(
        np.ascontiguousarray(values) if i == index else pattern.draw(groups, rng).values
        for i, pattern in enumerate(patterns)
    )


def _per_position_loss(frame: _Frame) -> Loss:
    losses = frame.description.losses
    if len(losses) != 1 or losses[0].kind != "cross_entropy_per_position":
        raise NothingFits(
            "this task", "it needs exactly one loss, cross-entropy per position", "Choose the task 'classes'."
        )
    return losses[0]


def _not_classes(loss: Loss) -> Loss:
    if loss.has_accuracy:
        raise NothingFits("regression data", f"the loss {loss.kind} needs classes", "Choose the task 'classes'.")
    return loss


_TASKS = {
    "classes": _classes,
    "pairs": _pairs,
    "next_token": _next_token,
    "tagging": _tagging,
    "regression": _regression,
    "reconstruction": _reconstruction,
}

"""Draws input arrays that carry a hidden group number, and the exact evidence each sample holds for each group."""

from dataclasses import dataclass
from math import prod
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from archstudio.training.description import InputSpec
from archstudio.training.fitting import is_mask, is_positions

Array = NDArray[Any]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_LATENT_SIZE = 8
_COARSE_SIZE = 4
_WORDS = 64
_IDS_A_GROUP = 4
_BLOCK = 256


@dataclass(frozen=True)
class Drawn:
    """Samples of one input.

    `values` (n, *sample shape); `evidence` (n, groups), the log-likelihood of each group; `features` (n, k), a short
    real-valued summary that a smooth target can be made of.
    """

    values: Array
    evidence: Floats
    features: Floats


class Pattern(Protocol):
    """A way to generate one input."""

    def draw(self, groups: Integers, rng: np.random.Generator) -> Drawn:
        """Return one sample for each entry of `groups` (n,)."""
        ...


def pattern_for(spec: InputSpec, groups: int, difficulty: float, rng: np.random.Generator) -> Pattern:
    """Return the generator that suits an input's type and shape; `rng` decides what the groups look like."""
    shape = spec.sample_shape
    if is_mask(spec):
        return Constant(np.zeros(shape, bool) if spec.dtype == "bool" else np.ones(shape, _numpy_dtype(spec)), groups)
    if is_positions(spec):
        return Constant(np.broadcast_to(np.arange(shape[-1]), shape), groups)
    if spec.is_float:
        return Waves(shape, groups, difficulty, rng)
    if spec.dtype == "bool":
        return Bits(shape, groups, difficulty, rng)
    assert spec.max_index is not None  # check_trainable refused it otherwise
    return Tokens(shape, spec.max_index + 1, groups, difficulty, rng)


class Constant:
    """The same value for every sample: positions, masks that mask nothing."""

    def __init__(self, value: Array, groups: int) -> None:
        self._value = value
        self._groups = groups

    def draw(self, groups: Integers, rng: np.random.Generator) -> Drawn:
        """Return copies of the value; they say nothing of the group."""
        n = len(groups)
        values = np.broadcast_to(self._value, (n, *self._value.shape)).copy()
        return Drawn(values, np.zeros((n, self._groups)), np.zeros((n, 0)))


class Waves:
    """Real vectors, sequences or images: a Gaussian cloud a group, in a few smooth directions.

    x = z·basis·scale with z ~ N(mean[group], I) and orthonormal rows, so the evidence in x is the evidence in z.
    """

    def __init__(self, shape: tuple[int, ...], groups: int, difficulty: float, rng: np.random.Generator) -> None:
        size = prod(shape)
        latent = min(size, max(_LATENT_SIZE, groups))
        self._shape = shape
        self._basis = smooth_basis(latent, shape, rng)
        self._means = _means(groups, latent, rng) * separation(difficulty)
        energy = latent + float(np.mean(np.sum(self._means**2, axis=1)))
        self._scale = np.sqrt(size / energy)
        self._spread = np.sqrt(energy / latent)

    def draw(self, groups: Integers, rng: np.random.Generator) -> Drawn:
        """Return float32 samples of about unit variance an entry."""
        latent = self._means[groups] + rng.standard_normal((len(groups), self._means.shape[1]))
        values = np.empty((len(groups), *self._shape), np.float32)
        rows = (self._basis * self._scale).astype(np.float32)
        for start in range(0, len(groups), _BLOCK):  # in blocks: a whole set in float64 may not fit in memory
            block = slice(start, start + _BLOCK)
            values[block] = (latent[block].astype(np.float32) @ rows).reshape(-1, *self._shape)
        distance = np.stack([np.sum((latent - mean) ** 2, axis=1) for mean in self._means], axis=1)
        return Drawn(values, -distance / 2, latent / self._spread)


class Tokens:
    """Index lists: independent words, each group preferring words of its own; also single ids."""

    def __init__(
        self, shape: tuple[int, ...], vocabulary: int, groups: int, difficulty: float, rng: np.random.Generator
    ) -> None:
        self._shape = shape
        length = max(1, prod(shape))
        words = _WORDS if length > 1 else _IDS_A_GROUP * groups  # a lone id must come often enough to be learnt
        self._words = np.sort(rng.permutation(vocabulary)[: max(words, groups)])
        count = len(self._words)
        favour = separation(difficulty) / np.sqrt(length) if length > 1 else separation(difficulty)
        own = np.arange(count)[None, :] % groups == np.arange(groups)[:, None]
        strength = favour * np.where(own, 2.0, 0.0) + 0.1 * rng.standard_normal((groups, count))
        self._probabilities = softmax(strength)
        self._values = rng.standard_normal((count, _LATENT_SIZE))

    def draw(self, groups: Integers, rng: np.random.Generator) -> Drawn:
        """Return int64 indices."""
        n, length = len(groups), prod(self._shape)
        cumulative = np.cumsum(self._probabilities, axis=1)
        uniform = rng.random((n, length))
        places = np.empty((n, length), np.int64)
        for group in range(len(cumulative)):
            chosen = groups == group
            places[chosen] = np.searchsorted(cumulative[group], uniform[chosen], side="right")
        places = np.minimum(places, len(self._words) - 1)
        logs = np.log(self._probabilities)
        evidence = np.stack([np.sum(row[places], axis=1) for row in logs], axis=1)
        features = np.sum(self._values[places], axis=1) / np.sqrt(length)
        return Drawn(self._words[places].reshape(n, *self._shape), evidence, features)


class Bits:
    """Independent yes/no entries, each group with probabilities of its own."""

    def __init__(self, shape: tuple[int, ...], groups: int, difficulty: float, rng: np.random.Generator) -> None:
        self._shape = shape
        strength = separation(difficulty) / np.sqrt(max(1, prod(shape)))
        self._probabilities = 1 / (1 + np.exp(-strength * rng.standard_normal((groups, prod(shape)))))

    def draw(self, groups: Integers, rng: np.random.Generator) -> Drawn:
        """Return booleans."""
        probability = self._probabilities[groups]
        bits = rng.random(probability.shape) < probability
        yes, no = np.log(self._probabilities), np.log1p(-self._probabilities)
        evidence = bits @ yes.T + ~bits @ no.T
        return Drawn(bits.reshape(len(groups), *self._shape), evidence, 2.0 * bits[:, :_LATENT_SIZE] - 1)


def separation(difficulty: float) -> float:
    """Return the distance of a group's mean from the centre, in standard deviations of the noise: 6 down to 0.5."""
    return 0.5 + 5.5 * (1 - difficulty)


def softmax(scores: Floats) -> Floats:
    """Return probabilities along the last axis."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    normal: Floats = powers / powers.sum(axis=-1, keepdims=True)
    return normal


def smooth_basis(rows: int, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Return (rows, elements) orthonormal patterns of `shape`, smooth along every axis that is a place or a time.

    Vectors (rank 1) have no such axis; in sequences (rank 2) it is the first, in images all but the first (channels).
    """
    if not shape:
        return np.ones((1, 1))
    places = {1: (), 2: (0,)}.get(len(shape), tuple(range(1, len(shape))))
    coarse = [min(_COARSE_SIZE, size) if axis in places else size for axis, size in enumerate(shape)]
    field = rng.standard_normal((rows, *coarse))
    for axis in places:
        field = _stretched(field, axis + 1, shape[axis])
    # tiny rough part: coarse fields alone may have fewer dimensions than there are rows
    field = field + 1e-3 * rng.standard_normal(field.shape)
    basis, _ = np.linalg.qr(field.reshape(rows, -1).T)
    return np.ascontiguousarray(basis.T)


def _stretched(field: Floats, axis: int, size: int) -> Floats:
    """Return the field linearly interpolated to `size` entries along `axis`."""
    coarse = field.shape[axis]
    at = np.linspace(0, coarse - 1, size)
    low = np.minimum(at.astype(np.int64), max(coarse - 2, 0))
    high = np.minimum(low + 1, coarse - 1)
    share = (at - low).reshape([-1 if k == axis else 1 for k in range(field.ndim)])
    result: Floats = np.take(field, low, axis) * (1 - share) + np.take(field, high, axis) * share
    return result


def _means(groups: int, size: int, rng: np.random.Generator) -> Floats:
    """Return (groups, size) unit vectors, orthogonal where there is room; on a line, equally spaced points."""
    if size == 1:
        line: Floats = (np.arange(groups, dtype=np.float64) - (groups - 1) / 2).reshape(-1, 1)
        return line
    if groups <= size:
        square, _ = np.linalg.qr(rng.standard_normal((size, size)))
        return np.asarray(square[:groups], np.float64)
    directions = rng.standard_normal((groups, size))
    units: Floats = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    return units


def _numpy_dtype(spec: InputSpec) -> np.dtype[Any]:
    return np.dtype(np.float32 if spec.is_float else np.int64)

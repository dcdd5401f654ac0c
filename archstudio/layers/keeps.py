"""What attention and its neighbours keep for backward, in elements (measured with saved_tensors_hooks, CPU)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from archstudio.layers.base import Saved
from archstudio.layers.wire import Wire


@dataclass(frozen=True, slots=True)
class Kept:
    """One call of nn.MultiheadAttention: what it keeps beside what comes in.

    `keys` counts those that come in, `extra` those that are appended; `packed` says that queries, keys and values are
    made in one piece; `weights` that attention weights are returned; `dropping` that dropout is at work.
    """

    batch: int
    queries: int
    keys: int
    width: int
    heads: int
    packed: bool = True
    extra: int = 0
    weights: bool = False
    dropping: bool = False

    @property
    def elements(self) -> int:
        """Number of elements kept."""
        result = self.batch * self.queries * self.width
        return self._projected(result) + self._scores() + result

    def _projected(self, queries: int) -> int:
        """Queries, keys and values, with the copies that scaling makes."""
        keys = self.batch * (self.keys + self.extra) * self.width
        fused = not self.weights and not self.dropping
        made = 3 * queries if self.packed and (fused or not self.extra) else 2 * keys + (queries if fused else 0)
        if self.packed and fused and self.extra:
            made += 2 * keys
        if self.weights:
            return made + queries
        return made + (queries + keys if self.dropping else 0)

    def _scores(self) -> int:
        """The logarithms of sums that the flash kernel keeps, or the T×S weights of the slow ways."""
        rows = self.batch * self.heads * self.queries
        if not self.weights and not self.dropping:
            return rows
        return rows * (self.keys + self.extra) * (3 if self.dropping else 1)


def kept_input(x: Wire, port: int, *, batch_first: bool) -> Iterator[Saved]:
    """A sequence that projections keep; batch-first ones are copied to have time outermost."""
    moved = x
    if x.rank == 3 and batch_first:
        strides = x.element_strides
        moved = Wire.of((x.shape[1], x.shape[0], x.shape[2]), x.dtype, (strides[1], strides[0], strides[2]))
    yield Saved.input(port) if moved.strides is None else Saved.own(x.elements, x.dtype)


def feedforward_kept(tokens: int, inner: int, activation: str, *, dropping: bool = False) -> int:
    """Between two linear layers: what the activation keeps, and what the second layer takes."""
    once = tokens * inner
    if dropping:
        return 3 * once
    return once if activation == "relu" else 2 * once

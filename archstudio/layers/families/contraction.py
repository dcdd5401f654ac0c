"""Products that sum over an axis."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.contractions import Contracted, contract
from archstudio.layers.dim import product
from archstudio.layers.fields import text
from archstudio.layers.problem import DTYPE, RANK, ProblemKind, Refused, error
from archstudio.layers.spread import broadcast_shapes
from archstudio.layers.wire import Value, Wire

MATMUL = ProblemKind(
    "E-MATMUL",
    error,
    "{node}: rows of {needs:,} do not meet columns of {gets:,}",
    "The last axis of the first tensor is summed with the second last of the second, so both must be as long.",
)
BMM = ProblemKind(
    "E-BMM",
    error,
    "{node}: a batch of {needs:,} matrices does not meet one of {gets:,}",
    "A batched product takes equally many matrices on both sides and does not spread.",
)
EINSUM_TEXT = ProblemKind(
    "E-EINSUM",
    error,
    "{node}: {equation} {reason}",
    "Each input has its letters, one an axis; after -> stand those of the result, which occur on the left.",
)
EINSUM_SIZE = ProblemKind(
    "E-EINSUM-SIZE",
    error,
    "{node}: letter {letter} is {needs:,} in one place and {gets:,} in another",
    "A letter stands for one size wherever it occurs (1 spreads).",
)


def same_dtype(wires: Sequence[Wire]) -> str:
    """The dtype that all factors must share; Refused otherwise."""
    for port, x in enumerate(wires):
        if x.dtype != wires[0].dtype:
            raise Refused(DTYPE, port=port, needs=wires[0].dtype, gets=x.dtype)
    if wires[0].dtype == "bool":
        raise Refused(DTYPE, port=0, needs="non-boolean", gets="bool")
    return wires[0].dtype


class Product(Layer):
    """Two tensors multiplied as matrices."""

    inputs = ("a", "b")

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        if inputs[0].floating:
            yield Saved.input(0)
            yield Saved.input(1)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        a, b = inputs
        if b.rank == 1:
            return Step("", 0, axis - 1)
        if axis == -1:
            return Step("", 1, -1)
        if a.rank == 1:
            return Step("", 1, axis - 1)
        return Step("", 0 if -axis <= a.rank and a.shape[axis] == output.shape[axis] else 1, axis)

    def shape_formula(self, inputs: Sequence[Wire], output: Value) -> str:
        a, b = inputs
        if a.rank < 2 or b.rank < 2:
            return ""
        n, k, m = (int(d) for d in (a.shape[-2], a.shape[-1], b.shape[-1]))
        return f"({n}×{k})·({k}×{m}) = {n}×{m}"


@layer("matmul", family="merge", torch_ops=("MatMul", "Matmul"), aliases=("matrixMultiply", "dotProduct"))
class MatMul(Product):
    """Matrix product over the last two axes; the axes before them spread.

    Shape: (…, n, k), (…, k, m) -> (…, n, m); vectors count as one row or one column.    [torch.matmul]
    """

    def forward(self, a: Wire, b: Wire) -> Wire:
        for port, x in enumerate((a, b)):
            if x.rank == 0:
                x.require_rank(1, 2, port=port)
        meets = b.shape[0] if b.rank == 1 else b.shape[-2]
        if a.shape[-1] != meets:
            raise Refused(MATMUL, port=1, axis=-1 if b.rank == 1 else -2, needs=a.shape[-1], gets=meets)
        dtype = same_dtype((a, b))
        outer = broadcast_shapes((a.shape[:-2], b.shape[:-2]))
        rows = () if a.rank == 1 else (a.shape[-2],)
        columns = () if b.rank == 1 else (b.shape[-1],)
        return Wire.of((*outer, *rows, *columns), dtype)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        assert isinstance(output, Wire)
        return output.elements * inputs[0].shape[-1]

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """Both factors; one that spreads over the axes of the other is copied to its full size first."""
        if not inputs[0].floating:
            return
        both = min(x.rank for x in inputs) > 2
        outer = broadcast_shapes([x.shape[:-2] for x in inputs]) if both else ()
        for port, x in enumerate(inputs):
            spreads = both and product(x.shape[:-2]) != product(outer)
            yield Saved.own(product(outer) * product(x.shape[-2:]), x.dtype) if spreads else Saved.input(port)

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"{inputs[0]} @ {inputs[1]}"

    @classmethod
    def example(cls, random: Random) -> Example:
        n, k, m = samples.sizes(random, 3, 1, 4)
        outer = samples.sizes(random, random.choice((0, 1, 1, 2)), 1, 3)
        a, b = [*outer, n, k], [*outer, k, m]
        if outer and samples.sometimes(random, 0.4):
            b = b[random.randint(1, len(outer)) :]
        if samples.sometimes(random, 0.15):
            a = a[-1:]
        if samples.sometimes(random, 0.15):
            b = [k]
        if samples.sometimes(random, 0.2):
            wrong = random.choice((a, b))
            wrong[random.randrange(len(wrong))] += 1
        dtype = samples.dtype(random, 0.15)
        other = samples.dtype(random) if samples.sometimes(random, 0.1) else dtype
        return Example({}, (samples.wire(random, a, dtype), samples.wire(random, b, other)))


@layer("bmm", family="merge", torch_ops=("BMM", "Bmm"), aliases=("batchMatmul",))
class BatchMatMul(Product):
    """One matrix product for each element of a batch.

    Shape: (B, n, k), (B, k, m) -> (B, n, m).    [torch.bmm]
    """

    def forward(self, a: Wire, b: Wire) -> Wire:
        a.require_rank(3)
        b.require_rank(3, port=1)
        if a.shape[0] != b.shape[0]:
            raise Refused(BMM, port=1, axis=0, needs=a.shape[0], gets=b.shape[0])
        if a.shape[2] != b.shape[1]:
            raise Refused(MATMUL, port=1, axis=-2, needs=a.shape[2], gets=b.shape[1])
        return Wire.of((a.shape[0], a.shape[1], b.shape[2]), same_dtype((a, b)))

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        assert isinstance(output, Wire)
        return output.elements * inputs[0].shape[-1]

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"torch.bmm({inputs[0]}, {inputs[1]})"

    @classmethod
    def example(cls, random: Random) -> Example:
        batch, n, k, m = samples.sizes(random, 4, 1, 4)
        a, b = [batch, n, k], [batch, k, m]
        if samples.sometimes(random, 0.25):
            wrong = random.choice((a, b))
            wrong[random.randrange(len(wrong))] += 1
        if samples.sometimes(random, 0.06):
            a = a[1:]
        dtype = samples.dtype(random, 0.15)
        return Example({}, (samples.wire(random, a, dtype), samples.wire(random, b, dtype)))


def _labels(term: str, rank: int) -> tuple[str, ...]:
    """The letters of a term, one an axis; axes behind the dots are numbered from the last one."""
    before, dots, after = term.partition("...")
    count = rank - len(before) - len(after) if dots else 0
    return (*before, *(f"...{k}" for k in range(count, 0, -1)), *after)


EXAMPLES = (
    *("bij,bjk->bik", "bhqd,bhkd->bhqk", "ij->ji", "ij,j->i", "i,j->ij", "bi,bi->b", "...ij,...jk->...ik"),
    *("bij,bjk", "ii->i", "ij,jk,kl->il", "bi,bj->bijk", "b i, b j -> b i j", "ij,ij", "ijk->", "bi->bii"),
    *("bnd,hd->bnh", "...d,d->...", "bti,btj->bij"),
)
"""Equations that the random examples draw from, two of them wrong."""


@layer("einsum", family="merge", torch_ops=("Einsum",))
class Einsum(Layer):
    """Multiply tensors and sum over the letters that the result does not have.

    Shape: as the equation says, `bij,bjk->bik`; `...` stands for any axes.    [torch.einsum]
    """

    inputs = ("input",)
    variadic = True
    telling = "{equation}"

    equation: str = text(aliases=("subscripts", "formula"), help="Letters of each input, then -> those of the result.")

    def parts(self) -> tuple[list[str], str | None]:
        """Letters of each input, and of the result where they are given."""
        compact = self.equation.replace(" ", "")
        left, arrow, right = compact.partition("->")
        pattern = r"[A-Za-z]*(\.\.\.)?[A-Za-z]*"
        terms = left.split(",")
        if not all(re.fullmatch(pattern, t) for t in (*terms, right)):
            raise Refused(EINSUM_TEXT, param="equation", equation=self.equation, reason="is not an equation")
        return terms, right if arrow else None

    def forward(self, *wires: Wire) -> Wire:
        terms, _ = self.parts()
        if len(terms) != len(wires):
            raise self._refused(f"speaks of {len(terms)} inputs, there are {len(wires)}")
        contracted = self._contracted(wires)
        if contracted.multiplied:
            same_dtype(wires)
        return contracted.result

    def _contracted(self, wires: Sequence[Wire]) -> Contracted:
        terms, result = self.parts()
        sizes, free = self._sizes(terms, wires)
        if result is None:
            letters = "".join(terms).replace("...", "")
            result = "..." + "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
        self._check_result(result, sizes)
        operands = [(_labels(term, x.rank), x) for term, x in zip(terms, wires, strict=True)]
        return contract(operands, _labels(result, len(result.replace("...", "")) + len(free)))

    def _refused(self, reason: str) -> Refused:
        return Refused(EINSUM_TEXT, param="equation", equation=self.equation, reason=reason)

    def _sizes(self, terms: Sequence[str], wires: Sequence[Wire]) -> tuple[dict[str, int], tuple[int, ...]]:
        """The size of every letter, and the axes behind the dots."""
        sizes: dict[str, int] = {}
        dots: list[tuple[int, ...]] = []
        for port, (term, x) in enumerate(zip(terms, wires, strict=True)):
            named = len(term.replace("...", ""))
            if named > x.rank or (named < x.rank and "..." not in term):
                raise Refused(RANK, port=port, needs=named, gets=x.rank, ranks=(named,))
            before = len(term.partition("...")[0]) if "..." in term else named
            after = x.rank - (named - before)
            self._note(sizes, term.replace("...", ""), (*x.shape[:before], *x.shape[after:]), port)
            dots.append(x.shape[before:after] if "..." in term else ())
        return sizes, broadcast_shapes(dots)

    @staticmethod
    def _note(sizes: dict[str, int], letters: str, shape: Sequence[int], port: int) -> None:
        own: dict[str, int] = {}
        for letter, size in zip(letters, shape, strict=True):
            known = own.get(letter, sizes.get(letter, size))
            if size != known and (letter in own or 1 not in (size, known)):
                raise Refused(EINSUM_SIZE, port=port, letter=letter, needs=known, gets=size, param="equation")
            own[letter] = size
            sizes[letter] = known if size == 1 else size

    def _check_result(self, result: str, sizes: Mapping[str, int]) -> None:
        letters = result.replace("...", "")
        for letter in letters:
            if letter not in sizes:
                raise self._refused(f"has {letter} only in the result")
            if letters.count(letter) > 1:
                raise self._refused(f"has {letter} twice in the result")

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return self._contracted(inputs).macs

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        for port in range(len(inputs) if len(inputs) > 1 else 0):
            yield Saved.input(port)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return None

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"torch.einsum({self.equation!r}, {', '.join(inputs)})"

    @classmethod
    def example(cls, random: Random) -> Example:
        equation = random.choice(EXAMPLES)
        sizes = {c: random.randint(1, 4) for c in "bijkhqdnlt"}
        dots = samples.sizes(random, random.randint(0, 2), 1, 3)
        wires = []
        for term in equation.replace(" ", "").partition("->")[0].split(","):
            head, mark, tail = term.partition("...")
            shape = [*(sizes[c] for c in head), *(dots if mark else ()), *(sizes[c] for c in tail)]
            if samples.sometimes(random, 0.08):
                shape[random.randrange(len(shape))] = random.randint(1, 4)
            wires.append(samples.wire(random, shape))
        if samples.sometimes(random, 0.05):
            wires.append(wires[0])
        return Example({"equation": equation}, tuple(wires))

"""Tables that turn indices into vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.fields import choice, flag, integer, size
from archstudio.layers.problem import EMPTY, PARAM_RANGE, ProblemKind, Refused, error
from archstudio.layers.wire import Value, Wire

INDEX_TYPE = ProblemKind(
    "E-INDEX-DTYPE",
    error,
    "{node} looks up whole numbers, the wire carries {gets}",
    "An index into a table must be int64 or int32. Give the input that type.",
)
OFFSETS = ProblemKind(
    "E-OFFSETS",
    error,
    "{node}: {reason}",
    "Where bags have different lengths, a second input says at which place of a flat list each bag starts.",
)


def require_index(x: Wire, port: int = 0) -> Wire:
    """Refuse what is not int64 or int32."""
    if x.dtype not in ("int64", "int32"):
        raise Refused(INDEX_TYPE, port=port, gets=x.dtype, needs="int64")
    return x


class Table(Layer):
    """A table of vectors, one row an index."""

    telling = "{num_embeddings} × {embedding_dim}"
    index_inputs = (0,)

    num_embeddings: int = size(
        at_least=0, aliases=("vocabSize", "numTokens"), help="Rows: how many different indices there are."
    )
    embedding_dim: int = size(at_least=0, aliases=("embedDim", "dModel", "hiddenDim"), help="Width of a row.")
    padding_idx: int | None = integer(None, optional=True, help="Row that stays as it is and counts for nothing.")

    def check(self) -> None:
        rows, index = self.num_embeddings, self.padding_idx
        if index is not None and not -rows <= index < rows and index != 0:
            raise Refused(PARAM_RANGE, param="paddingIdx", gets=index, needs=f"between {-rows} and {rows - 1}")

    def require_rows(self, x: Wire) -> None:
        """Refuse to look anything up in a table without rows."""
        if self.num_embeddings == 0 and x.elements:
            raise Refused(PARAM_RANGE, param="numEmbeddings", gets=0, needs="at least 1")

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("weight", (self.num_embeddings, self.embedding_dim))

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("embeddingDim") if axis == -1 else Step("", 0, axis + 1)

    @classmethod
    def example_table(cls, random: Random) -> dict[str, Any]:
        """Parameters of a small table."""
        params: dict[str, Any] = {"numEmbeddings": random.randint(1, 9), "embeddingDim": random.randint(1, 6)}
        if samples.sometimes(random, 0.2):
            params["paddingIdx"] = random.randint(-3, 9)
        return params


@layer("embedding", family="embedding", torch="Embedding", aliases=("tokenEmbedding",))
class Embedding(Table):
    """Look up a learned vector for every index.

    Shape: (*) of int64 or int32 -> (*, embedding_dim).    [torch.nn.Embedding]
    """

    new_params = {"numEmbeddings": 30000, "embeddingDim": 128}

    def forward(self, x: Wire) -> Wire:
        require_index(x)
        self.require_rows(x)
        return Wire.of((*x.shape, self.embedding_dim))

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()

    @classmethod
    def example(cls, random: Random) -> Example:
        params = cls.example_table(random)
        dtype = random.choice(("int64", "int64", "int64", "int32", "int16", "float32", "bool"))
        return Example(params, (samples.wire(random, samples.sizes(random, random.randint(0, 3), 1, 4), dtype),))


@layer("segmentEmbedding", family="embedding", aliases=("tokenTypeEmbedding",))
class SegmentEmbedding(Embedding):
    """Look up a learned vector for the segment (first or second sentence) that a token belongs to.

    Shape: (*) of int64 or int32 -> (*, embedding_dim).    [BERT, arXiv 1810.04805]
    """

    new_params = {"embeddingDim": 128}
    num_embeddings: int = size(
        2, at_least=0, torch_default=None, aliases=("numSegments", "typeVocabSize"), help="Number of segments."
    )

    def construct_code(self) -> str | None:
        return f"nn.Embedding({', '.join(self._code_arguments())})"


@layer("embeddingBag", family="embedding", torch="EmbeddingBag")
class EmbeddingBag(Table):
    """Look up several vectors and reduce them to one.

    Shape: (bags, count) -> (bags, embedding_dim), or a flat list of indices and the start of each bag.
    [torch.nn.EmbeddingBag]
    """

    new_params = {"numEmbeddings": 30000, "embeddingDim": 128}
    inputs = ("indices", "offsets")
    optional_inputs = 1

    mode: str = choice("mean", ("sum", "mean", "max"), help="How a bag becomes one vector.")
    include_last_offset: bool = flag(False, help="Whether the last offset is the end of the last bag.")

    def check(self) -> None:
        rows, index = self.num_embeddings, self.padding_idx
        if index is not None and not -rows <= index < rows:
            raise Refused(PARAM_RANGE, param="paddingIdx", gets=index, needs=f"between {-rows} and {rows - 1}")

    def forward(self, x: Wire, offsets: Wire | None = None) -> Wire:
        x.require_rank(2 if offsets is None else 1, 1 if offsets is None else 2)
        if x.rank == 2:
            if offsets is not None:
                raise Refused(OFFSETS, port=1, reason="bags of equal length take no offsets")
            bags = x.shape[0]
        elif offsets is None:
            raise Refused(OFFSETS, port=0, reason="a flat list of indices needs offsets")
        else:
            offsets.require_rank(1, port=1)
            require_index(offsets, 1)
            bags = offsets.shape[0] - int(self.include_last_offset)
            if bags == 0 and self.include_last_offset and (self.mode == "max" or self.padding_idx is not None):
                raise Refused(OFFSETS, port=1, reason="no bags are left, and PyTorch would write outside its memory")
        require_index(x)
        self.require_rows(x)
        if x.rank == 2 and x.shape[1] == 0:
            raise Refused(EMPTY, port=0, axis=-1, gets=0, what="index")
        return Wire.of((bags, self.embedding_dim))

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """Indices, where bags start, which bag each index is in, and for a maximum which index gave it."""
        assert isinstance(output, Wire)
        indices, bags, dtype = inputs[0].elements, output.shape[0], inputs[0].dtype
        starts = bags if len(inputs) == 1 else inputs[1].shape[0]
        yield Saved.input(0)
        yield Saved.input(1) if len(inputs) == 2 else Saved.own(bags, dtype)
        if self.mode != "sum":
            yield Saved.own(indices + 1, dtype)
        yield Saved.own(starts + (output.elements if self.mode == "max" else bags), dtype)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("embeddingDim") if axis == -1 else Step("", len(inputs) - 1, -inputs[-1].rank)

    @classmethod
    def example(cls, random: Random) -> Example:
        params = cls.example_table(random)
        if samples.sometimes(random, 0.5):
            params["mode"] = random.choice(("sum", "mean", "max"))
        if samples.sometimes(random, 0.2):
            params["includeLastOffset"] = True
        dtype = random.choice(("int64", "int64", "int64", "int32", "float32", "int16"))
        rank = random.choice((2, 2, 1, 1, 3))
        wires = [Wire.of(samples.sizes(random, rank, 1, 4), dtype)]
        if rank == 1 or samples.sometimes(random, 0.1):
            wires.append(Wire.of((random.randint(1, 3),), dtype))
        return Example(params, tuple(wires))

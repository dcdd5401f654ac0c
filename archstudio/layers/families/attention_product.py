"""The bare attention product, without projections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Saved
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.fields import flag, number
from archstudio.layers.heads import ATTN_IN, ATTN_PAIR, KV_HEADS
from archstudio.layers.problem import DTYPE, PARAM_RANGE, RANK, ProblemKind, Refused, error
from archstudio.layers.spread import BROADCAST, broadcast_shapes
from archstudio.layers.wire import Value, Wire

MASK_AND_CAUSAL = ProblemKind(
    "E-MASK-CAUSAL",
    error,
    "{node} has a mask and is causal; for these shapes PyTorch takes one of the two",
    "A causal mask is made by itself; join it to your own mask and leave isCausal off. Only PyTorch's flash kernel "
    "takes both: (batch, heads, length, width) throughout, equal widths, no dropout, a mask of 2 or 4 dimensions.",
)


@layer(
    "scaledDotProductAttention",
    family="attention",
    torch_ops=("SDPA", "ScaledDotProductAttention"),
    aliases=("sdpa", "dotProductAttention"),
)
class ScaledDotProductAttention(Layer):
    """Weigh values by how well keys match queries; the heads are already an axis of their own.

    Shape: (…, heads, T, d), (…, heads, S, d), (…, heads, S, dv) -> (…, heads, T, dv); an optional mask is spread over
    (…, heads, T, S).    softmax(q·kᵀ / √d)·v    [torch.nn.functional.scaled_dot_product_attention]
    """

    inputs = ("query", "key", "value", "mask")
    optional_inputs = 1

    dropout_p: float = number(0.0, help="Chance of dropping an attention weight, in evaluation too.")
    is_causal: bool = flag(False, help="Whether a position sees only what came before.")
    scale: float | None = number(None, optional=True, help="Factor on the scores; null is 1/√d.")
    enable_gqa: bool = flag(False, help="Let groups of query heads share a key/value head.")

    def forward(self, *inputs: Wire) -> Wire:
        query, key, value = inputs[:3]
        self._check_parts(query, key, value)
        scores = broadcast_shapes((self._outer(query), self._outer(key, query)))
        if len(inputs) == 4:
            self._check_mask(inputs[3], (*scores, query.shape[-2], key.shape[-2]), query)
        if not 0 <= self.dropout_p <= 1:
            raise Refused(PARAM_RANGE, param="dropoutP", gets=self.dropout_p, needs="between 0 and 1")
        self._check_kernel(inputs)
        outer = broadcast_shapes((scores, self._outer(value, query)), first_port=1)
        shape = (*outer, query.shape[-2], value.shape[-1])
        if self.fused(inputs):
            return query.pointwise()
        return Wire.of(shape, query.dtype)

    def _check_parts(self, query: Wire, key: Wire, value: Wire) -> None:
        for port, x in enumerate((query, key, value)):
            if x.rank < (3 if self.enable_gqa else 2):
                raise Refused(RANK, port=port, needs="at least 2", gets=x.rank, ranks=())
            if x.dtype != query.dtype:
                raise Refused(DTYPE, port=port, needs=query.dtype, gets=x.dtype)
        query.require_floating()
        if key.shape[-1] != query.shape[-1]:
            raise Refused(
                ATTN_IN, port=1, axis=-1, what="key", needs=query.shape[-1], gets=key.shape[-1], set_by="query"
            )
        if value.shape[-2] != key.shape[-2]:
            facts = {"what": "the value", "gets": value.shape[-2], "other": "the key", "needs": key.shape[-2]}
            raise Refused(ATTN_PAIR, port=2, axis=-2, **facts)
        if self.enable_gqa:
            for port, x in ((1, key), (2, value)):
                if x.shape[-3] == 0 or query.shape[-3] % x.shape[-3]:
                    raise Refused(KV_HEADS, port=port, axis=-3, heads=query.shape[-3], kv_heads=x.shape[-3])

    def _outer(self, x: Wire, query: Wire | None = None) -> tuple[int, ...]:
        """The axes before the last two, with the heads that grouped queries repeat."""
        outer = x.shape[:-2]
        return (*outer[:-1], query.shape[-3]) if self.enable_gqa and query is not None else outer

    def _check_mask(self, mask: Wire, scores: tuple[int, ...], query: Wire) -> None:
        if mask.dtype not in ("bool", "float32", query.dtype):
            raise Refused(DTYPE, port=3, needs=f"bool or {query.dtype}", gets=mask.dtype)
        if mask.rank > len(scores):
            raise Refused(RANK, port=3, needs=f"at most {len(scores)}", gets=mask.rank, ranks=())
        for axis in range(-mask.rank, 0):
            if mask.shape[axis] not in (1, scores[axis]):
                raise Refused(BROADCAST, port=3, axis=axis, gets=mask.shape[axis], needs=scores[axis])

    def _check_kernel(self, inputs: Sequence[Wire]) -> None:
        """Refuse masks that the kernel PyTorch chooses, or the choice itself, does not take."""
        if len(inputs) < 4:
            return
        mask = inputs[3]
        if mask.rank < 2 and self._equal_parts(inputs):  # the choice looks at the mask's last two axes
            mask.require_rank_at_least(2, 3)
        if self.is_causal and not self.fused(inputs):
            raise Refused(MASK_AND_CAUSAL, port=3, param="isCausal")

    def fused(self, inputs: Sequence[Wire]) -> bool:
        """Whether PyTorch takes its flash kernel on a CPU, which keeps no scores and the query's memory order."""
        masked_right = all(x.rank in (2, 4) for x in inputs[3:])
        query, _, value = inputs[:3]
        contiguous_rows = all(x.element_strides[-1] == 1 for x in inputs[:3] if x.rank)
        filled = all(0 not in x.shape for x in inputs[:3])
        equal = query.shape[-1] == value.shape[-1] and self._equal_parts(inputs)
        return masked_right and contiguous_rows and filled and equal

    def _equal_parts(self, inputs: Sequence[Wire]) -> bool:
        """Whether batch and heads are equal throughout, and nothing is dropped."""
        query, key, value = inputs[:3]
        return (
            self.dropout_p == 0
            and query.rank == key.rank == value.rank == 4
            and query.shape[0] == key.shape[0] == value.shape[0]
            and key.shape[1] == value.shape[1]
            and (self.enable_gqa or query.shape[1] == key.shape[1])
        )

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        assert isinstance(output, Wire)
        query, key, value = inputs[:3]
        pairs = product(output.shape[:-1]) * key.shape[-2]
        return pairs * (query.shape[-1] + value.shape[-1])

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """Exact for the flash kernel; on the slow way, scaled copies and scores, without those that spreading makes."""
        assert isinstance(output, Wire)
        rows = product(output.shape[:-1])
        if self.fused(inputs):
            yield from (Saved.input(port) for port in range(3))
            yield Saved.output()
            yield Saved.own(rows, output.dtype)
            return
        scores = rows * inputs[1].shape[-2] * (3 if self.dropout_p > 0 else 1)
        yield Saved.own(inputs[0].elements + inputs[1].elements + scores, output.dtype)
        yield Saved.input(2)

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        arguments = [*inputs, *self._code_arguments()]
        return f"F.scaled_dot_product_attention({', '.join(arguments)})"

    @classmethod
    def example(cls, random: Random) -> Example:
        chances = {"isCausal": True, "enableGqa": True, "dropoutP": 0.5, "scale": 0.1}
        params = {name: value for name, value in chances.items() if samples.sometimes(random, 0.2)}
        heads, queries, keys, width = (random.randint(1, 4) for _ in range(4))
        kv_heads = random.choice((1, 1, 2, heads)) if samples.sometimes(random, 0.5) else heads
        outer = [random.randint(1, 2)] * random.choice((1, 1, 1, 1, 0, 2))
        value_width = width if samples.sometimes(random, 0.8) else random.randint(1, 4)
        shapes = [
            [*outer, heads, queries, width],
            [*outer, kv_heads, keys, width],
            [*outer, kv_heads, keys, value_width],
        ]
        if samples.sometimes(random, 0.25):
            masks = ([queries, keys], [heads, queries, keys], [1, keys], [keys], [queries, keys + 1], [1, 1, 1, keys])
            shapes.append(random.choice(masks))
        if samples.sometimes(random, 0.1):
            random.choice(shapes)[-1] += 1
        if samples.sometimes(random, 0.05):
            shapes = [s[-2:] for s in shapes]
        dtype = samples.dtype(random, 0.08)
        wires = [samples.wire(random, s, dtype) for s in shapes]
        if len(wires) == 4 and samples.sometimes(random, 0.5):
            wires[3] = Wire.of(wires[3].shape, "bool")
        return Example(params, tuple(wires))

"""Runs layers on tensors without numbers (the meta device): for graphs too large for real ones, and to count FLOPs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from archstudio.layers import Layer, Value
from archstudio.layers.families.recurrent import Recurrent
from archstudio.torchcode.judging.blind_spots import refuse_blind_spot
from archstudio.torchcode.stage import Call, Stage
from archstudio.torchcode.tensors import random_value
from archstudio.verify.verdict import Verdict

LONG_SEQUENCE = 16
"""Steps above which a recurrent layer is run for two steps only: the meta device takes milliseconds for each."""
_SHORT = 2


class MetaStage(Stage):
    """Shapes, dtypes and operations without numbers.

    `flops` are those PyTorch's counter saw at each node. `trusted` are nodes whose result depends on numbers (a router
    that chooses experts): they cannot run here, and what comes out of them is taken from the rules.
    """

    def __init__(self, verdict: Verdict) -> None:
        from torch.utils.flop_counter import FlopCounterMode

        self._verdict = verdict
        self._counter = FlopCounterMode(display=False)
        self.flops: dict[str, int] = {}
        self.trusted: set[str] = set()

    @contextmanager
    def around(self) -> Iterator[None]:
        """The meta device, the counter, and the checks that the meta device leaves out."""
        import torch

        with ExitStack() as modes:
            modes.enter_context(torch.device("meta"))
            modes.enter_context(self._counter)
            modes.enter_context(_cpu_checks())
            yield

    def value(self, wires: Value, limit: int) -> Any:
        """Tensors without numbers like these wires."""
        return random_value(wires, limit)

    def run(self, node_id: str, layer: Layer | None, inputs: Sequence[Any], call: Call) -> Any:
        """What the layer returns; counts its FLOPs."""
        before = self._counter.get_total_flops()
        steps = _steps(layer, inputs)
        try:
            value = call(inputs) if steps is None else _lengthened(_shortened(layer, inputs, call), layer, steps)
        except (RuntimeError, NotImplementedError) as error:
            known = self._verdict.nodes[node_id].value
            if known is None or not _needs_numbers(error):
                raise
            self.trusted.add(node_id)
            return random_value(known)
        counted = self._counter.get_total_flops() - before
        self.flops[node_id] = counted if steps is None else counted * steps // _SHORT
        return value


def _needs_numbers(error: Exception) -> bool:
    text = str(error)
    return "meta" in text and any(word in text for word in ("item()", "nonzero", "data-dependent", "no data", "unique"))


def _cpu_checks() -> Any:
    from torch.utils._python_dispatch import TorchDispatchMode

    class CpuChecks(TorchDispatchMode):  # type: ignore[no-untyped-call]
        """Looks at every operation before it runs."""

        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            refuse_blind_spot(func._schema.name.removeprefix("aten::"), args)
            return func(*args, **(kwargs or {}))

    return CpuChecks()  # type: ignore[no-untyped-call]


# ------------------------------------------------ recurrent layers: two steps instead of all


def _steps(layer: Layer | None, inputs: Sequence[Any]) -> int | None:
    """How many steps a long recurrent layer makes; None for all else."""
    if not isinstance(layer, Recurrent) or not inputs or inputs[0].ndim not in (2, 3):
        return None
    steps = int(inputs[0].shape[_time_axis(layer, inputs[0].ndim)])
    return steps if steps > LONG_SEQUENCE else None


def _time_axis(layer: Layer | None, rank: int) -> int:
    return 1 if isinstance(layer, Recurrent) and layer.batch_first and rank == 3 else 0


def _shortened(layer: Layer | None, inputs: Sequence[Any], call: Call) -> Any:
    x = inputs[0]
    return call([x.narrow(_time_axis(layer, x.ndim), 0, _SHORT), *inputs[1:]])


def _lengthened(value: Any, layer: Layer | None, steps: int) -> Any:
    """The result as it would be for all steps, in the memory order that all steps give."""
    import torch

    output, *states = value
    axis = _time_axis(layer, output.ndim)
    order = [axis, *(k for k in range(output.ndim) if k != axis)]
    sizes = [steps if k == axis else output.shape[k] for k in order]
    back = [order.index(k) for k in range(output.ndim)]
    return (torch.empty(sizes, dtype=output.dtype).permute(back), *states)

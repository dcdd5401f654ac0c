"""One layer alone, asked of real PyTorch: what it gives, what it costs, and whether the rules say the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from types import SimpleNamespace
from typing import Any

from archstudio.layers import Layer, entries
from archstudio.layers.base import Example
from archstudio.torchcode.allowed import allowed_because, stricter_because
from archstudio.torchcode.judgement import Ran, TorchError, outcome_differences
from archstudio.torchcode.lenient import Unwritable, as_written, call_of
from archstudio.torchcode.running import attempt, counts, guarded, quietly, run_code
from archstudio.torchcode.tensors import described, random_value
from archstudio.torchcode.twists import twisted
from archstudio.verify.outcome import Outcome, evaluate

WITHOUT_EXAMPLE = frozenset({"input", "output", "sharedModule", "tiedLinear"})
"""Types that mean something only inside a graph: its ends, and those that use another node's weights."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A random layer, what the rules and PyTorch said of it, and where they disagree.

    `allowed` says why a disagreement is PyTorch's own (see `allowed.py`); `differences` is empty then.
    """

    entry: type[Layer]
    example: Example
    ours: Outcome
    theirs: Ran
    differences: tuple[str, ...]
    allowed: str | None = None


def trials(count: int, seed: int, *, at_edges: bool = False) -> Iterator[Trial]:
    """So many random layers, all types in turn; the same for the same seed and catalogue.

    `at_edges` twists every example in one place (see `twists.py`), where the rules may also be stricter than PyTorch.
    """
    random = Random(seed)
    types = [entry for entry in entries() if entry.type not in WITHOUT_EXAMPLE]
    for k in range(count):
        yield trial(types[k % len(types)], random, at_edge=at_edges)


def trial(entry: type[Layer], random: Random, *, at_edge: bool = False) -> Trial:
    """One random layer of a type, tried."""
    example = entry.example(random)
    if at_edge:
        example = twisted(entry, example, random)
    ours = evaluate(entry, example.params, example.inputs, example.training, None)
    theirs = judge_example(entry, example)
    differences = tuple(outcome_differences(ours, theirs))
    allowed = allowed_because(entry.type, example, ours, differences)
    if allowed is None and at_edge:
        allowed = stricter_because(entry.type, example, ours, differences)
    return Trial(entry, example, ours, theirs, () if allowed else differences, allowed)


def judge_example(entry: type[Layer], example: Example) -> Ran:
    """What PyTorch does with one layer and its inputs, without a graph."""
    try:
        layer = as_written(entry, example.params, example.inputs, training=example.training)
    except Unwritable as refusal:
        return Ran(error=TorchError(refusal.phase, "TypeError", str(refusal)))
    with quietly():
        return _run(layer, example)


def _run(layer: Layer, example: Example) -> Ran:
    this = SimpleNamespace()
    counted: tuple[int | None, int | None] = (None, None)
    construct = layer.construct_code()
    if construct is not None:
        made = attempt("construct", lambda: run_code(construct, {}))
        if isinstance(made, TorchError):
            return Ran(error=made)
        this.layer = guarded(made.train(example.training))
        counted = counts([made])
    value = attempt("forward", lambda: _called(layer, this, [random_value(v) for v in example.inputs]))
    if isinstance(value, TorchError):
        return Ran(None, value, *counted)
    return Ran(described(value), None, *counted)


def _called(layer: Layer, this: SimpleNamespace, inputs: Sequence[Any]) -> Any:
    names = [f"x{k}" for k in range(len(inputs))]
    return run_code(call_of(layer, "self.layer", names), {"self": this, **dict(zip(names, inputs, strict=True))})


def flops_of_example(layer: Layer, example: Example) -> int:
    """Floating-point operations that PyTorch's own counter sees, on tensors without numbers (the meta device)."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    this = SimpleNamespace()
    construct = layer.construct_code()
    with quietly(), torch.device("meta"), FlopCounterMode(display=False) as counter:
        if construct is not None:
            this.layer = run_code(construct, {}).train(example.training)
        _called(layer, this, [_on_meta(random_value(v)) for v in example.inputs])
    return int(counter.get_total_flops())


def _on_meta(value: Any) -> Any:
    return tuple(map(_on_meta, value)) if isinstance(value, tuple) else value.to("meta")

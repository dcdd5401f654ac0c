"""What real PyTorch said of a graph or a layer, and where the rules say otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, Union

from archstudio.layers import Phase, Value, Wire
from archstudio.verify.outcome import Outcome
from archstudio.verify.verdict import NodeVerdict, Verdict


@dataclass(frozen=True, slots=True)
class Tensor:
    """One tensor that PyTorch returned; strides in elements, None for one without numbers, whose memory is not real."""

    shape: tuple[int, ...]
    dtype: str
    strides: tuple[int, ...] | None
    contiguous: bool


Returned: TypeAlias = Union[Tensor, "tuple[Returned, ...]"]


@dataclass(frozen=True, slots=True)
class TorchError:
    """What PyTorch raised, and whether in the module's constructor or in forward."""

    phase: Phase
    type: str
    message: str


@dataclass(frozen=True, slots=True)
class Ran:
    """What happened to one layer; all None for one that could not run because another failed before it.

    `parameters` and `buffers` count elements, None where the module was not made.
    """

    value: Returned | None = None
    error: TorchError | None = None
    parameters: int | None = None
    buffers: int | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What PyTorch said of a graph: of every node by id, and of the whole (shared weights counted once)."""

    nodes: Mapping[str, Ran]
    parameters: int
    buffers: int
    order: tuple[str, ...] = field(default=())

    @property
    def first_error(self) -> tuple[str, TorchError] | None:
        """The node and the error a program would stop at: constructors in file order come first, then forward."""
        failed = [(n, ran.error) for n, ran in self.nodes.items() if ran.error is not None]
        made = [(n, error) for n, error in failed if error.phase != "forward"]
        if made:
            return made[0]
        place = {n: k for k, n in enumerate(self.order)}
        return min(failed, key=lambda found: place[found[0]], default=None)


def differences(verdict: Verdict, judgement: Judgement) -> list[str]:
    """Everything on which the rules and PyTorch disagree, one sentence each; empty if they agree."""
    found: list[str] = []
    for node_id, ran in judgement.nodes.items():
        name = verdict.graph.node(node_id).name
        found += (f"{name}: {text}" for text in _node_differences(verdict.nodes[node_id], ran))
    if verdict.runs and not found:
        for what, ours, theirs in (
            ("parameters", verdict.parameters, judgement.parameters),
            ("elements of buffers", verdict.buffers, judgement.buffers),
        ):
            if ours != theirs:
                found.append(f"the rules count {ours} {what}, PyTorch {theirs}")
    return found


def _node_differences(ours: NodeVerdict, ran: Ran) -> Iterator[str]:
    if ran == Ran() or (ran.error is None and ran.value is None and ours.state == "waiting"):
        return  # PyTorch was not asked: what comes before it failed
    if ours.problems and ours.problems[0].phase == "structure":
        return
    yield from outcome_differences(ours.outcome, ran)


def outcome_differences(ours: Outcome, ran: Ran) -> Iterator[str]:
    """Everything on which a rule's outcome and what PyTorch did disagree."""
    if ours.refused is not None or ran.error is not None:
        yield from _error_differences(ours, ran)
        return
    if ours.value is None or ran.value is None:
        ours_is, theirs_is = ("nothing" if value is None else "a value" for value in (ours.value, ran.value))
        yield f"the rules give {ours_is}, PyTorch {theirs_is}"
        return
    yield from value_differences(ours.value, ran.value)
    if (ours.parameters or 0) != (ran.parameters or 0):
        yield f"the rules count {ours.parameters} parameters, PyTorch {ran.parameters}"
    if (ours.buffers or 0) != (ran.buffers or 0):
        yield f"the rules count {ours.buffers} elements of buffers, PyTorch {ran.buffers}"


def _error_differences(ours: Outcome, ran: Ran) -> Iterator[str]:
    if ours.refused is None and ran.error is not None:
        yield f"the rules accept, PyTorch raises in {ran.error.phase}: {ran.error.type}: {ran.error.message}"
    elif ours.refused is not None and ran.error is None:
        yield f"the rules refuse in {ours.phase} ({ours.refused.kind.code} {ours.refused.facts}), PyTorch runs"
    elif ran.error is not None and ours.refused is not None and ours.phase != ran.error.phase:
        yield (
            f"the rules refuse in {ours.phase} ({ours.refused.kind.code} {ours.refused.facts}), "
            f"PyTorch in {ran.error.phase} ({ran.error.type}: {ran.error.message})"
        )


def value_differences(ours: Value, theirs: Returned) -> Iterator[str]:
    """Where the structure, a shape, a dtype or the memory order differ."""
    if isinstance(ours, Wire) and isinstance(theirs, Tensor):
        yield from _tensor_differences(ours, theirs)
    elif isinstance(ours, tuple) and isinstance(theirs, tuple) and len(ours) == len(theirs):
        for part, other in zip(ours, theirs, strict=True):
            yield from value_differences(part, other)
    else:
        yield f"the rules give {_structure(ours)}, PyTorch {_structure(theirs)}"


def _tensor_differences(ours: Wire, theirs: Tensor) -> Iterator[str]:
    shape = tuple(int(d) for d in ours.shape)
    if shape != theirs.shape:
        yield f"shape {shape} by the rules, {theirs.shape} in PyTorch"
        return
    if ours.dtype != theirs.dtype:
        yield f"dtype {ours.dtype} by the rules, {theirs.dtype} in PyTorch"
    if theirs.strides is None:
        return
    contiguous = ours.strides is None
    if contiguous != theirs.contiguous or (
        not contiguous and _telling(shape, ours.element_strides) != _telling(shape, theirs.strides)
    ):
        yield f"{shape}: strides {ours.element_strides} by the rules, {theirs.strides} in PyTorch"


def _telling(shape: tuple[int, ...], strides: tuple[int, ...]) -> tuple[int, ...]:
    """Strides of the axes along which there is a step to make."""
    return tuple(stride for size, stride in zip(shape, strides, strict=True) if size > 1)


def _structure(value: Value | Returned) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(_structure(v) for v in value)})"
    return "a tensor"

"""Writes `train.py`, the training loop of a candidate, the part of the files that decides every random number."""

from archstudio.intuition.candidates.spec import CandidateSpec, RecordedProtocol

_TRAIN = '''\
"""The training loop of this candidate; its last test measurement is what counts."""

import math
from collections.abc import Callable

import torch
from torch import nn

from loss import loss_fn
from model import Model
from optimizer import build_optimizer
@functions@

def train_and_eval(
    train_x: torch.Tensor,
    train_y: torch.Tensor,
    test_x: torch.Tensor,
    test_y: torch.Tensor,
@validation_arguments@    *,
    steps: int = @steps@,
    batch_size: int = @batch_size@,
    seed: int = 0,
    fail_threshold: float = math.inf,
    device: str = "@device@",
    progress_callback: Callable[[int, float | None], None] | None = None,
) -> dict[str, object]:
    """Train once from `seed`; the callback hears each step, with the measurement where one was made."""
    torch.manual_seed(seed)
@batches_stream@    model = Model().to(device)
    optimizer = build_optimizer(model)
    train_x, train_y = train_x.to(device), train_y.to(device)
    test_x, test_y = test_x.to(device), test_y.to(device)
@prepare@    curve: list[float] = []
    curve_samples: list[int] = []
    failed = False
    for step in range(1, steps + 1):
        model.train()
        rows = @rows@
        loss = loss_fn(model, model(train_x[rows]), train_y[rows])
        if not math.isfinite(loss.item()):
            failed = True
            break
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
@evaluate@
        if progress_callback is not None:
            progress_callback(step, value)
@finish@
'''

_MEASURE_MSE = '''

@torch.inference_mode()
def measure(model: nn.Module, x: torch.Tensor, y: torch.Tensor) -> float:
    """Mean squared error over a whole split."""
    model.eval()
    return torch.mean((model(x) - y) ** 2).item()
'''

_MEASURE_CE = '''

@torch.inference_mode()
def measure(model: nn.Module, x: torch.Tensor, y: torch.Tensor) -> float:
    """Mean cross-entropy, in nats, over a whole split."""
    model.eval()
    return nn.functional.cross_entropy(model(x).flatten(0, -2), y.flatten()).item()
'''

_ACCURACY = '''

@torch.inference_mode()
def accuracy(model: nn.Module, x: torch.Tensor, y: torch.Tensor) -> float:
    """Share of right answers over a whole split."""
    model.eval()
    return (model(x).argmax(dim=-1) == y).float().mean().item()
'''

_SCHEDULE = '''

def evaluation_steps(steps: int, points: int = @points@) -> set[int]:
    """Steps to measure after: spaced evenly in their logarithm, the last one included."""
    return {round(steps ** (point / (points - 1))) for point in range(points)} | {steps}
'''

_EVALUATE = """\
        value = measure(model, @split@_x, @split@_y)
        if not math.isfinite(value):
            failed = True
            break
        curve.append(value)
        curve_samples.append(step * batch_size)"""

_FINISH_BY_CURVE = """\
    final = curve[-1] if curve else math.inf
"""
_FINISH_BY_TEST = """\
    final = math.inf if failed else measure(model, test_x, test_y)
"""
_RESULT = """\
    return {
        "failed": failed or not final <= fail_threshold,
        "final_@metric@": final,
@accuracy@        "eval_samples": curve_samples,
        "step_metrics": curve,
    }"""

BATCHES_AFTER = 2**32
"""Under separate streams batches are drawn from this number plus the seed, so that no seed's two streams coincide."""


def train_source(spec: CandidateSpec) -> str:
    """Return `train.py`, which defines `train_and_eval`."""
    protocol = spec.protocol or RecordedProtocol()
    separate = protocol.separate_streams
    values = {
        "functions": _functions(spec, protocol),
        "validation_arguments": _lines("    validation_x: torch.Tensor,", "    validation_y: torch.Tensor,")
        if protocol.validation
        else "",
        "batches_stream": f"    batches = torch.Generator().manual_seed({BATCHES_AFTER} + seed)\n" if separate else "",
        "prepare": _prepare(protocol),
        "rows": "torch.randint(len(train_x), (batch_size,), generator=batches).to(device)"
        if separate
        else "torch.randint(len(train_x), (batch_size,), device=device)",
        "evaluate": _evaluate(protocol),
        "finish": _finish(spec, protocol),
        "device": spec.device,
        "steps": str(spec.budget.training_steps),
        "batch_size": str(spec.budget.batch_size),
    }
    text = _TRAIN
    for key, value in values.items():
        text = text.replace(f"@{key}@", value)
    return text


def _functions(spec: CandidateSpec, protocol: RecordedProtocol) -> str:
    measure = _MEASURE_MSE if spec.metric == "test_mse" else _MEASURE_CE
    schedule = _SCHEDULE.replace("@points@", str(protocol.evaluations)) if protocol.evaluations else ""
    return measure + (_ACCURACY if spec.has_accuracy else "") + schedule


def _prepare(protocol: RecordedProtocol) -> str:
    lines = []
    if protocol.validation:
        lines.append("    validation_x, validation_y = validation_x.to(device), validation_y.to(device)")
    if protocol.evaluations:
        lines.append("    due = evaluation_steps(steps)")
    return _lines(*lines)


def _evaluate(protocol: RecordedProtocol) -> str:
    block = _EVALUATE.replace("@split@", "validation" if protocol.validation else "test")
    if protocol.evaluations is None:
        return block
    inner = "\n".join(f"    {line}" for line in block.splitlines())
    return f"        value = None\n        if step in due:\n{inner}"


def _finish(spec: CandidateSpec, protocol: RecordedProtocol) -> str:
    finish = _FINISH_BY_TEST if protocol.validation else _FINISH_BY_CURVE
    accuracy = '        "final_test_accuracy": math.nan if failed else accuracy(model, test_x, test_y),\n'
    result = _RESULT.replace("@accuracy@", accuracy if spec.has_accuracy else "")
    return (finish + result).replace("@metric@", spec.metric)


def _lines(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)

"""Ranking tasks: some candidates with their curves to calibrate on, others to put in order, and the key apart."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

import numpy as np

from archstudio.intuition.questions.choose import CannotAsk
from archstudio.intuition.questions.words import loss_lines, model_lines, optimizer_lines
from archstudio.intuition.truth.sets import Candidate

Layout = Literal["cyclic", "anchored"]
MOST_CURVE_POINTS = 64


@dataclass(frozen=True)
class RankingTask:
    """Calibration candidates K1 …, targets T1 …; `order` is the targets by ascending mean."""

    name: str
    calibration: tuple[Candidate, ...]
    targets: tuple[Candidate, ...]

    @property
    def order(self) -> tuple[str, ...]:
        """The labels of the targets, best first."""
        means = [_mean(candidate) for candidate in self.targets]
        return tuple(f"T{i + 1}" for i in np.argsort(means, kind="stable"))


def ranking_tasks(
    candidates: Sequence[Candidate],
    *,
    layout: Layout,
    count: int = 12,
    calibration: int = 5,
    targets: int = 5,
    stride: int = 5,
    seed: int | None = None,
) -> list[RankingTask]:
    """Return tasks over candidates that were not excluded; raises `CannotAsk`.

    Cyclic: windows around the row of candidates, `stride` apart; targets of one window calibrate the next, so tasks
    shown together leak. Anchored: all share the first candidates as calibration, and no target occurs twice. The row
    is in the order of ids, or shuffled by `seed`.
    """
    usable = sorted((c for c in candidates if not c.summary.excluded), key=lambda c: (c.folder.parent.name, c.id))
    if seed is not None:
        Random(seed).shuffle(usable)
    if min(count, calibration, targets, stride) < 1 or len(usable) < calibration + targets:
        raise CannotAsk(
            f"{calibration} + {targets} candidates a ranking task, and {len(usable)} are usable. Ask for less."
        )
    if layout == "cyclic":
        return [_window(usable, number, number * stride, calibration, targets) for number in range(count)]
    if (most := (len(usable) - calibration) // targets) < count:
        raise CannotAsk(f"{len(usable)} candidates give {most} anchored tasks, not {count}. Ask for fewer.")
    anchors, rest = tuple(usable[:calibration]), usable[calibration:]
    chunks = (rest[number * targets : (number + 1) * targets] for number in range(count))
    return [RankingTask(_name(number), anchors, tuple(chunk)) for number, chunk in enumerate(chunks)]


def _name(number: int) -> str:
    return f"rq_{number + 1:02d}"


def _window(row: Sequence[Candidate], number: int, start: int, calibration: int, targets: int) -> RankingTask:
    window = [row[(start + i) % len(row)] for i in range(calibration + targets)]
    return RankingTask(_name(number), tuple(window[:calibration]), tuple(window[calibration:]))


def _mean(candidate: Candidate) -> float:
    assert candidate.summary.mean is not None  # not excluded, so some seed survived
    return candidate.summary.mean


@dataclass(frozen=True)
class BlindBundle:
    """What takers get, and what they must not."""

    items: dict[str, Any]
    key: dict[str, Any]


def blind_bundle(tasks: Sequence[RankingTask], seed: int) -> BlindBundle:
    """Return tasks in shuffled order with targets X1 … shuffled, without ids, folders or data-set names."""
    rng = Random(seed)
    shuffled = list(tasks)
    rng.shuffle(shuffled)
    items, answers = [], {}
    for number, task in enumerate(shuffled):
        name = f"bq_{number + 1:02d}"
        targets = list(enumerate(task.targets))
        rng.shuffle(targets)
        labels = {f"T{old + 1}": f"X{new + 1}" for new, (old, _) in enumerate(targets)}
        calibration = [_shown(f"K{i + 1}", c, with_curve=True) for i, c in enumerate(task.calibration)]
        shown = [_shown(f"X{i + 1}", c, with_curve=False) for i, (_, c) in enumerate(targets)]
        items.append({"name": name, "calibration": calibration, "targets": shown})
        answers[name] = [labels[label] for label in task.order]
    return BlindBundle(
        {"schema_version": "ranking_blind_bundle_v1", "questions": items},
        {"schema_version": "ranking_blind_answer_key_v1", "answers": answers},
    )


def _shown(label: str, candidate: Candidate, *, with_curve: bool) -> dict[str, Any]:
    spec = candidate.spec
    lines = [*model_lines(spec.model), *optimizer_lines(spec.optimizer), *loss_lines(spec.loss)]
    shown: dict[str, Any] = {"label": label, "setting": lines, "budget": spec.budget.as_json()}
    if with_curve:
        curves = candidate.curves()
        points = np.unique(np.linspace(0, len(curves.samples) - 1, MOST_CURVE_POINTS).round().astype(int))
        shown["curve"] = {
            "samples": curves.samples[points].tolist(),
            "mean": curves.mean[points].tolist(),
            "std": curves.std[points].tolist(),
        }
        shown["final_mean"] = _mean(candidate)
    return shown

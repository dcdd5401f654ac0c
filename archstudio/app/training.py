"""Training the open graph: what is trained on what, by which engine, and what became of it. No widgets."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import get_args

from archstudio.app.document import Document
from archstudio.app.training_data import prepared
from archstudio.app.training_settings import OptimiserKind, TrainSettings, recipe
from archstudio.files.home import runs_path
from archstudio.graph.digest import architecture_digest
from archstudio.torchcode import specs as torch_specs
from archstudio.torchcode.program import GraphHasErrors
from archstudio.torchcode.source import source_of
from archstudio.training.description import (
    Evaluation,
    InputSpec,
    Loss,
    LossKind,
    ModelSource,
    OutputSpec,
    RunDescription,
)
from archstudio.training.engine import RunBusy, RunHandle, RunStatus
from archstudio.training.engines import EngineChoice, open_engine
from archstudio.training.fitting import NothingFits
from archstudio.training.kept_engine import KeptEngine
from archstudio.training.probe import as_probe
from archstudio.training.recommend import Recommendation, fitting_losses, loss_in_words, recommend
from archstudio.training.store import RunStore, StoredRun

_OPTIMISER_TITLES: dict[OptimiserKind, str] = {
    "adamw": "AdamW",
    "adam": "Adam",
    "sgd": "SGD",
    "rmsprop": "RMSprop",
    "adagrad": "Adagrad",
}
_LOSS_TITLES: dict[LossKind, str] = {
    "cross_entropy": "cross-entropy",
    "cross_entropy_per_position": "cross-entropy per position",
    "bce_logits": "binary cross-entropy",
    "mse": "mean squared error",
    "l1": "mean absolute error",
    "huber": "Huber",
}
EVALUATIONS_A_RUN = 40
"""Validation is measured about so often in a run, so that its curve has a shape."""


class CannotTrain(ValueError):
    """The graph cannot be trained as it is; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Trainable:
    """A graph ready to be trained: what goes in and out, and the recommended settings."""

    document: Document
    inputs: tuple[InputSpec, ...]
    outputs: tuple[OutputSpec, ...]
    recommended: Recommendation

    @property
    def losses(self) -> tuple[LossKind, ...]:
        """Losses that fit the trained output, the recommended one first."""
        return fitting_losses(self.inputs, self.outputs[self.recommended.losses[0].output])

    def reasons(self, settings: TrainSettings) -> tuple[str, ...]:
        """What will be trained on what, in sentences."""
        told = self.recommended.reasons
        if settings.loss is not None and settings.loss != self.losses[0]:
            chosen = self.chosen_losses(settings)[0]
            told = (loss_in_words(chosen, self.outputs[chosen.output], self.inputs), *told[1:])
        return told if settings.data is None else (*told[:-1], f"Data: {settings.data.words}.")

    def chosen_losses(self, settings: TrainSettings) -> tuple[Loss, ...]:
        if settings.loss is None:
            return self.recommended.losses
        return (self.recommended.losses[0].model_copy(update={"kind": settings.loss}),)

    def describe(self, settings: TrainSettings) -> RunDescription:
        """The complete description of a run on made-up data, with the graph's program as it is now."""
        made = self.recommended
        batch = settings.batch_size or made.batch_size
        budget = max(batch, settings.budget_samples or made.budget_samples)
        data = (
            made.data
            if settings.difficulty is None
            else made.data.model_copy(update={"difficulty": settings.difficulty})
        )
        chosen = replace(
            made,
            losses=self.chosen_losses(settings),
            data=data,
            lr=settings.lr or made.lr,
            batch_size=batch,
            budget_samples=budget,
            evaluation=Evaluation(every_samples=max(batch, budget // EVALUATIONS_A_RUN)),
            schedule=made.schedule.model_copy(
                update={"warmup_samples": min(made.schedule.warmup_samples, budget // 10)}
            ),
        )
        described = chosen.describe(
            _model(self.document),
            self.inputs,
            self.outputs,
            seeds=tuple(range(settings.seeds)),
            title=self.document.title,
        )
        return recipe(described, settings)


REFUSED = (
    "The graph has problems that PyTorch refuses. Mend them first; the Problems dock lists them, or 'archstudio check'."
)


def trainable(document: Document) -> Trainable:
    """What the open graph would be trained as; CannotTrain says why it cannot."""
    verdict = document.verdict
    if not verdict.runs:
        raise CannotTrain(REFUSED)
    try:
        takes, gives = torch_specs.io_specs(document.graph, verdict)
    except GraphHasErrors as refused:
        raise CannotTrain(f"There is nothing to train: {refused}.") from refused
    _refuse_empty(takes, gives)
    inputs = tuple(InputSpec(**asdict(spec)) for spec in takes)
    outputs = tuple(OutputSpec(**asdict(spec)) for spec in gives)
    try:
        recommended = recommend(inputs, outputs)
    except NothingFits as nothing:
        raise CannotTrain(str(nothing)) from nothing
    return Trainable(document, inputs, outputs, recommended)


def _model(document: Document) -> ModelSource:
    source = source_of(document.graph, document.verdict)
    return ModelSource(digest=architecture_digest(document.graph), source=source)


def _refuse_empty(takes: Sequence[torch_specs.InputSpec], gives: Sequence[torch_specs.OutputSpec]) -> None:
    """PyTorch runs on tensors without a number in them; there is nothing to learn from those."""
    tensors = [(f"The input {spec.name}", spec.shape) for spec in takes] + [("An output", spec.shape) for spec in gives]
    for name, shape in tensors:
        if 0 in shape:
            sizes = "×".join(map(str, shape))
            raise CannotTrain(f"{name} is {sizes}: a size of 0 leaves nothing to train on. Make every size 1 or more.")


class TrainingDesk:
    """The engine of this process, started when the first run is, and closed with the window."""

    def __init__(self, root: Path | None = None, choice: EngineChoice | None = None) -> None:
        self._root = root
        self._choice = choice or EngineChoice()
        self._engine: KeptEngine | None = None
        self._forgotten: list[str] = []

    @property
    def choice(self) -> EngineChoice:
        """Which engine trains, or would."""
        return self._choice

    @property
    def workers(self) -> int:
        """How many seeds are trained at once; of a cluster that runs already, at least."""
        if self._choice.scheduler is not None:
            return self._choice.workers or 1
        return self._choice.workers or os.cpu_count() or 1

    @property
    def opens_at_once(self) -> bool:
        """Whether using the engine keeps nobody waiting: it is there, or it is this machine's own."""
        return self._engine is not None or self._choice.name == "local"

    def release(self) -> KeptEngine | None:
        """Give the engine away, to be closed elsewhere; the next use opens one again."""
        engine, self._engine = self._engine, None
        return engine

    def adopt(self, choice: EngineChoice, engine: KeptEngine | None) -> None:
        """Train with this from now on; None opens an engine with its first use."""
        self._choice, self._engine = choice, engine
        if engine is not None:
            self._clear_away(engine)

    @property
    def started(self) -> bool:
        """Whether there is an engine, and so perhaps runs."""
        return self._engine is not None

    @property
    def engine(self) -> KeptEngine:
        """The engine; started by the first use. NoEngine, SaveFailed or UnusableHome where that is impossible."""
        if self._engine is None:
            self._engine = open_engine(self._root or runs_path(), self._choice)
            self._clear_away(self._engine)
        return self._engine

    def _clear_away(self, engine: KeptEngine) -> None:
        while self._forgotten:
            run_id = self._forgotten.pop()
            engine.stop(run_id)
            with suppress(RunBusy):  # then it is another window's
                engine.delete(run_id)

    def start(self, document: Document, settings: TrainSettings) -> RunHandle:
        """Submit a run of the graph; CannotTrain if it cannot be trained.

        The very same run made before is not made again; if it was stopped or failed, `go_on` takes it up.
        """
        return self.submit(trainable(document), settings)

    def submit(self, ready: Trainable, settings: TrainSettings) -> RunHandle:
        """Submit a run of what is ready; UnusableFile if the file of one's own does not fit it."""
        return self._submit(ready, settings, ready.describe(settings))

    def probe(self, ready: Trainable, settings: TrainSettings) -> RunHandle:
        """Submit the measurement of a run instead of the run; whoever reads it deletes it."""
        return self._submit(ready, settings, as_probe(ready.describe(settings)))

    def forget_later(self, run_id: str) -> None:
        """Delete what an earlier window left behind, as soon as there is an engine."""
        self._forgotten.append(run_id)

    def _submit(self, ready: Trainable, settings: TrainSettings, description: RunDescription) -> RunHandle:
        if settings.data is None:
            return self.engine.submit(description)
        with prepared(ready, settings.data, description.losses) as made:
            owned = description.model_copy(update={"data": made.data})
            return self.engine.submit(owned, tensors=made.path)

    def go_on(self, run_id: str) -> None:
        """Let a held or stopped run go on where it was, and try failed seeds again."""
        self.engine.go_on(run_id)

    def delete(self, run_id: str) -> None:
        """Remove a run that is over, with its files; RunBusy if it is not."""
        self.engine.delete(run_id)

    @property
    def store(self) -> RunStore:
        """The runs on disk; reading them starts no engine."""
        return RunStore(self._root or runs_path()) if self._engine is None else self._engine.store

    def stored_ids(self) -> list[str]:
        """Ids of all runs on disk."""
        return list(self.store)

    def stored(self, run_id: str) -> StoredRun:
        """A run on disk; UnusableFile if it is gone or damaged."""
        return self.store.get(run_id)

    def status(self, run_id: str) -> RunStatus | None:
        """The state of a run in this engine; None while there is no engine, or it does not know the run."""
        if self._engine is None:
            return None
        try:
            return self._engine.status(run_id)
        except KeyError:
            return None

    def close(self) -> None:
        """Stop at the next step, to go on next time, and end every worker."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None


def optimiser_kinds() -> tuple[OptimiserKind, ...]:
    """All optimisers, the default first."""
    return get_args(OptimiserKind)


def optimiser_title(kind: OptimiserKind) -> str:
    """What an optimiser is called."""
    return _OPTIMISER_TITLES[kind]


def loss_title(kind: LossKind) -> str:
    """What a loss is called."""
    return _LOSS_TITLES[kind]

"""Chooses loss, target, data and settings from the shapes of a model's inputs and outputs, and says why in words."""

from dataclasses import dataclass

from archstudio.training.description import (
    AdamW,
    Clip,
    Evaluation,
    InputSpec,
    Loss,
    LossKind,
    ModelSource,
    OutputSpec,
    RunDescription,
    Schedule,
    SyntheticData,
    SyntheticTask,
    sample_bytes,
)
from archstudio.training.fitting import NothingFits, check_trainable, is_free, natural_task

_DATA_BYTES = 256 * 2**20
_TRAIN_SIZE, _VALIDATION_SIZE = 2048, 512
_BATCH_SIZE = 32
_LR = 1e-3  # torch's own default for Adam and AdamW
_BUDGET_SAMPLES = 32_768


@dataclass(frozen=True)
class Recommendation:
    """The parts of a description that fit a model, and one sentence for each choice."""

    losses: tuple[Loss, ...]
    data: SyntheticData
    optimiser: AdamW
    lr: float
    schedule: Schedule
    clip: Clip | None
    batch_size: int
    budget_samples: int
    evaluation: Evaluation
    reasons: tuple[str, ...]

    def describe(
        self,
        model: ModelSource,
        inputs: tuple[InputSpec, ...],
        outputs: tuple[OutputSpec, ...],
        *,
        seeds: tuple[int, ...] = (0,),
        title: str = "",
    ) -> RunDescription:
        """Return the whole description of a run of `model` with these settings."""
        return RunDescription(
            title=title,
            model=model,
            inputs=inputs,
            outputs=outputs,
            data=self.data,
            losses=self.losses,
            optimiser=self.optimiser,
            lr=self.lr,
            schedule=self.schedule,
            clip=self.clip,
            budget_samples=self.budget_samples,
            batch_size=self.batch_size,
            evaluation=self.evaluation,
            seeds=seeds,
        )


def recommend(inputs: tuple[InputSpec, ...], outputs: tuple[OutputSpec, ...]) -> Recommendation:
    """Return settings that a model with these inputs and outputs can be trained with at once.

    Raises `NothingFits`, naming the input or output and why.
    """
    check_trainable(inputs, outputs)
    losses, loss_reasons = _losses(inputs, outputs)
    task, task_reason = natural_task(inputs, outputs, losses)
    batch_size = _batch_size(inputs)
    data = _data(task, batch_size, sample_bytes(inputs, outputs))
    return Recommendation(
        losses=losses,
        data=data,
        optimiser=AdamW(),
        lr=_LR,
        schedule=Schedule(kind="cosine", warmup_samples=batch_size * 10),
        clip=Clip(),
        batch_size=batch_size,
        budget_samples=max(batch_size, min(_BUDGET_SAMPLES, 16 * data.train_size)),
        evaluation=Evaluation(every_samples=max(batch_size, data.train_size // 2)),
        reasons=(*loss_reasons, task_reason),
    )


def fitting_losses(inputs: tuple[InputSpec, ...], output: OutputSpec) -> tuple[LossKind, ...]:
    """Return the losses that fit one output's shape, the recommended one first."""
    shape = output.sample_shape
    regression: tuple[LossKind, ...] = ("mse", "l1", "huber")
    if _is_reconstruction(inputs, output):
        classes: tuple[LossKind, ...] = ("cross_entropy",) if len(shape) == 1 and shape[0] > 1 else ()
        return (*regression, *classes, "bce_logits")
    if shape in ((), (1,)):
        return ("bce_logits", *regression)
    if len(shape) == 1:
        return ("cross_entropy", "bce_logits", *regression)
    if len(shape) == 2 and shape[-1] > 1:
        return ("cross_entropy_per_position", *regression, "bce_logits")
    return (*regression, "bce_logits")


def loss_in_words(loss: Loss, output: OutputSpec, inputs: tuple[InputSpec, ...]) -> str:
    """Return one sentence that says what the loss is, which target it needs, and which shape led to it."""
    shape = "×".join(str(size) for size in output.shape)
    last = output.sample_shape[-1] if output.sample_shape else 1
    if loss.kind == "cross_entropy":
        return f"The output {shape} is taken as raw scores for {last:,} classes: cross-entropy, one class a sample."
    if loss.kind == "cross_entropy_per_position":
        return (
            f"The output {shape} is taken as raw scores for {last:,} classes at each position: cross-entropy per "
            "position, classes on the last axis, one class a position."
        )
    if loss.kind == "bce_logits":
        return f"The output {shape} is taken as the raw score of yes against no: binary cross-entropy with logits."
    name = {"mse": "mean squared error", "l1": "mean absolute error", "huber": "Huber loss"}[loss.kind]
    if _is_reconstruction(inputs, output):
        return f"The output {shape} has the shape of an input, as in an autoencoder: {name} between the two."
    return f"The output {shape} is taken as real values: {name} against a target of the same shape."


def _losses(inputs: tuple[InputSpec, ...], outputs: tuple[OutputSpec, ...]) -> tuple[tuple[Loss, ...], tuple[str, ...]]:
    trained = [index for index, output in enumerate(outputs) if output.is_float]
    copies = [index for index in trained if _is_reconstruction(inputs, outputs[index])]
    if copies and len(outputs) > 1:
        trained = copies[:1]
    losses = tuple(Loss(kind=fitting_losses(inputs, outputs[i])[0], output=i) for i in trained)
    reasons = [loss_in_words(loss, outputs[loss.output], inputs) for loss in losses]
    if left := [str(index + 1) for index in range(len(outputs)) if index not in trained]:
        reasons.append(f"No loss is set on output {', '.join(left)}.")
    return losses, tuple(reasons)


def _is_reconstruction(inputs: tuple[InputSpec, ...], output: OutputSpec) -> bool:
    """A lone number is a score, not a copy of an input."""
    return output.sample_shape not in ((), (1,)) and any(
        spec.is_float and spec.sample_shape == output.sample_shape for spec in inputs if is_free(spec)
    )


def _batch_size(inputs: tuple[InputSpec, ...]) -> int:
    """The batch the shapes were written for if it is more than one, since a reshape may depend on it."""
    drawn = [spec.shape[spec.batch_axis] for spec in inputs if spec.batch_axis is not None]
    return drawn[0] if drawn and drawn[0] > 1 else _BATCH_SIZE


def _data(task: SyntheticTask, batch_size: int, bytes_each: int) -> SyntheticData:
    fits = _DATA_BYTES // bytes_each
    if fits < 2 * batch_size:
        raise NothingFits(
            "the model",
            f"one sample takes {bytes_each:,} bytes, so {2 * batch_size} of them exceed {_DATA_BYTES:,} bytes",
            "Use smaller inputs, or a smaller batch.",
        )
    share = min(1.0, fits / (_TRAIN_SIZE + _VALIDATION_SIZE))

    def whole_batches(size: int) -> int:
        return max(1, int(size * share) // batch_size) * batch_size

    return SyntheticData(
        task=task, train_size=whole_batches(_TRAIN_SIZE), validation_size=whole_batches(_VALIDATION_SIZE)
    )

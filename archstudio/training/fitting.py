"""Says which synthetic task fits a model's inputs and outputs, or why none does."""

from archstudio.training.description import InputSpec, Loss, OutputSpec, SyntheticTask


class NothingFits(Exception):
    """No built-in data fits the model; says which part of it stands in the way, why, and what to do."""

    def __init__(self, part: str, reason: str, remedy: str) -> None:
        self.part = part
        self.reason = reason
        self.remedy = remedy
        super().__init__(part, reason, remedy)

    def __str__(self) -> str:
        return f"No built-in data fits {self.part}: {self.reason}. {self.remedy}"


def check_trainable(inputs: tuple[InputSpec, ...], outputs: tuple[OutputSpec, ...]) -> None:
    """Raise `NothingFits` unless every input can be generated and at least one output can be trained."""
    if not inputs:
        raise NothingFits("the model", "it has no input", "Add an input.")
    if not any(map(is_free, inputs)):
        raise NothingFits("the inputs", "they are only positions and masks, by their names", "Rename one, or add one.")
    for spec in inputs:
        if not spec.is_float and spec.dtype != "bool" and spec.max_index is None:
            raise NothingFits(
                f"input '{spec.name}'",
                f"it holds integers ({spec.dtype}) but no layer says how large they may be",
                "Lead it to an embedding, or make it float32.",
            )
    unbatched = [spec.name for spec in inputs if spec.batch_axis is None]
    if unbatched and len(unbatched) < len(inputs):
        raise NothingFits(
            f"input '{unbatched[0]}'",
            "it has no batch axis while other inputs have one",
            "Give every input a batch axis, or none.",
        )
    if not any(output.is_float for output in outputs):
        kinds = ", ".join(output.dtype for output in outputs) or "none"
        raise NothingFits(
            "the outputs", f"none of them holds real numbers ({kinds}), so no gradient flows", "Output the raw scores."
        )


def is_positions(spec: InputSpec) -> bool:
    """Whether an integer input counts positions (by its name), and is therefore 0, 1, 2, … for every sample."""
    length = spec.sample_shape[-1] if spec.sample_shape else 0
    fits = spec.max_index is not None and spec.max_index >= length - 1 and length > 0
    return fits and not spec.is_float and "pos" in spec.name.lower()


def is_mask(spec: InputSpec) -> bool:
    """Whether an input is a mask (by its name): nothing is masked in built-in data."""
    return "mask" in spec.name.lower()


def is_free(spec: InputSpec) -> bool:
    """Whether an input carries information, which positions and masks do not."""
    return not (is_positions(spec) or is_mask(spec))


def sequence_input(inputs: tuple[InputSpec, ...], positions: tuple[int, ...]) -> int | None:
    """Return the last input that has one entry, or one vector, at each of the output's positions.

    The last, since a decoder's own input comes after what it attends to.
    """
    for index in reversed(range(len(inputs))):
        spec = inputs[index]
        shape = spec.sample_shape[:-1] if spec.is_float else spec.sample_shape
        if is_free(spec) and spec.dtype != "bool" and shape == positions:
            return index
    return None


def natural_task(
    inputs: tuple[InputSpec, ...], outputs: tuple[OutputSpec, ...], losses: tuple[Loss, ...]
) -> tuple[SyntheticTask, str]:
    """Return the built-in task that suits the losses, and one sentence that says what its data are."""
    if len(losses) > 1:
        return "classes", "Data: each sample belongs to a class, and every output's target follows from it."
    loss = losses[0]
    shape = outputs[loss.output].sample_shape
    if loss.kind == "cross_entropy_per_position":
        return _per_position(inputs, shape)
    if loss.kind == "bce_logits" and shape in ((), (1,)) and sum(map(is_free, inputs)) > 1:
        return "pairs", "Data: inputs that belong together or not; the target says whether they do."
    if loss.kind in ("cross_entropy", "bce_logits"):
        return "classes", "Data: samples of several classes, each class with a pattern of its own."
    if reconstructed_input(inputs, outputs[loss.output]) is not None:
        return "reconstruction", "Data: smooth patterns with few degrees of freedom; the target is the input itself."
    return "regression", "Data: the target is a smooth function of the inputs, plus noise."


def reconstructed_input(inputs: tuple[InputSpec, ...], output: OutputSpec) -> int | None:
    """Return the number of the float input that has the output's shape, None if there is none."""
    for index, spec in enumerate(inputs):
        if spec.is_float and is_free(spec) and spec.sample_shape == output.sample_shape:
            return index
    return None


def _per_position(inputs: tuple[InputSpec, ...], shape: tuple[int, ...]) -> tuple[SyntheticTask, str]:
    index = sequence_input(inputs, shape[:-1])
    if index is None:
        return "classes", "Data: samples of several classes; the target at every position is the sample's class."
    spec = inputs[index]
    if spec.max_index is not None and shape[-1] == spec.max_index + 1 and len(shape) == 2:
        return "next_token", "Data: sequences from a Markov chain; the target at each position is the next token."
    return "tagging", "Data: sequences; the target at each position is the tag of what stands there."

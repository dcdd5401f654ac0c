"""Writes the text of a question: data set, protocol, and each choice in words and in its very code. No results."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from archstudio.intuition.candidates.source import candidate_sources
from archstudio.intuition.candidates.spec import CandidateSpec
from archstudio.intuition.datasets.source import formula_of, synthesize_source
from archstudio.intuition.datasets.spec import BigramParams, DatasetSpec, FormulaParams, TabularParams
from archstudio.intuition.formulas.text import mathematics
from archstudio.intuition.questions.words import loss_lines, model_lines, optimizer_lines

TEMPLATE_VERSION = "1.0"

_INTRO = """\
This question is about modelling intuition. It describes one data set and several training set-ups, the choices. \
Every choice is trained on the same data set with the budget given below. Say which choice ends with the best (lowest) \
value of the metric on held-out test data. Judge by reasoning about architecture, optimiser, loss and data; no \
training results are shown."""


def prompt(
    dataset: DatasetSpec, choices: Sequence[tuple[str, CandidateSpec]], *, seeds: range, varying: Sequence[str]
) -> str:
    """Return the text for choices with their letters."""
    first = choices[0][1]
    shared = "batch_size" not in varying and all(spec.budget == first.budget for _, spec in choices)
    sections = [
        _INTRO,
        f"## Data set\n\n{_data_words(dataset)}\n\n```python\n{_excerpt(dataset)}\n```",
        f"## Protocol\n\n{_bullets(_protocol(dataset, first))}",
        f"## Sample budget\n\n{_budget_words(first, shared=shared)}",
        f"## Metric\n\n{_bullets(_metric(first, seeds))}",
        "## Choices",
        *(_choice(letter, spec, with_schedule=not shared) for letter, spec in choices),
        f"## Your answer\n\nReply with one letter ({', '.join(letter for letter, _ in choices)}).",
    ]
    return "\n\n".join(sections) + "\n"


def _bullets(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _data_words(dataset: DatasetSpec) -> str:
    params = dataset.params
    if isinstance(params, BigramParams):
        return (
            f"Windows of {params.context_length} tokens from a Markov chain over {params.vocab_size} tokens; the "
            "target at each position is the token that follows. All splits share one transition matrix."
        )
    if isinstance(params, TabularParams):
        return (
            f"{params.input_dim} standard normal features; a binary label says whether a noisy score of the rule "
            f"{params.rule_family} over features {params.active_features} is above a threshold."
        )
    formula = mathematics(formula_of(params, dataset.dataset_id), many=params.input_dim is not None)
    return f"Regression without noise of\n\ny = {formula}"


def _excerpt(dataset: DatasetSpec) -> str:
    """Return the functions of the generated program, cut from its very text."""
    source = synthesize_source(dataset)
    parts = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return "\n\n\n".join(filter(None, (ast.get_source_segment(source, node) for node in parts)))


def _protocol(dataset: DatasetSpec, spec: CandidateSpec) -> list[str]:
    params, protocol = dataset.params, spec.protocol
    validation = f", {params.validation_size} validation" if params.validation_size else ""
    lines = [f"Samples: {params.train_size} train{validation}, {params.test_size} test"]
    if isinstance(params, FormulaParams):
        low, high = params.domain
        lines.append(f"Inputs uniform in [{low}, {high}], from point seed {params.point_sampling.seed}")
    elif isinstance(params, BigramParams):
        lines.append(f"Sequence seed {params.sequence_seed}; table seed {params.table_seed}")
    else:
        lines.append(f"Point seed {params.point_sampling.seed}; label noise {params.noise_std}")
    lines.append("Minibatches are drawn uniformly with replacement")
    if protocol is not None and protocol.separate_streams:
        lines.append("Each run seeds initialisation and batches apart; one seed gives all choices the same batches")
    else:
        lines.append("Each run sets the global seed once, before the model is built")
    return [*lines, f"Device: {spec.device}"]


def _budget_words(spec: CandidateSpec, *, shared: bool) -> str:
    if shared:
        return f"The same for all choices:\n\n{_schedule(spec)}"
    return f"Every choice sees {spec.budget.total_samples_seen} samples; how, stands with each."


def _schedule(spec: CandidateSpec) -> str:
    budget = spec.budget
    return _bullets(
        [
            f"training_steps: {budget.training_steps}",
            f"batch_size: {budget.batch_size}",
            f"total_samples_seen: {budget.total_samples_seen} (= training_steps × batch_size)",
        ]
    )


def _metric(spec: CandidateSpec, seeds: range) -> list[str]:
    return [
        f"{spec.metric} on the test split, measured at the end of training",
        f"{len(seeds)} runs of each choice, seeds {seeds.start} … {seeds.stop - 1}",
        "The choice with the lowest mean is right",
    ]


def _choice(letter: str, spec: CandidateSpec, *, with_schedule: bool) -> str:
    files = candidate_sources(spec)
    blocks = [f"### Choice {letter}"]
    if with_schedule:
        blocks.append(f"Schedule\n\n{_schedule(spec)}")
    for title, lines, name in (
        ("Model", model_lines(spec.model), "model.py"),
        ("Optimizer", optimizer_lines(spec.optimizer), "optimizer.py"),
        ("Loss", loss_lines(spec.loss), "loss.py"),
    ):
        blocks.append(f"{title}\n\n{_bullets(lines)}\n\n```python\n{_without_docstring(files[name])}\n```")
    return "\n\n".join(blocks)


def _without_docstring(source: str) -> str:
    """Return a file without its first sentence, which says nothing about the choice."""
    return source.split('"""\n', 1)[1].strip()

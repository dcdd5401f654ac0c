"""The facts that the briefs of the twelve curated tasks state, and whether a graph does them.

The facts are read from the published texts, not from the limits the rubric checks. Five of the published reference
solutions pass the rubric without doing all their brief says: deepen-resnet adds one stage where a couple are asked
for, two-tower-retrieval has one tower, dlrm-ctr-ranking one embedding table, and text-encoder and
semantic-search-encoder give one vector a token instead of one a text.
"""

from functools import cache
from typing import Final, TypeAlias

from archstudio.bench.facts import (
    Bottleneck,
    EndsIn,
    Exact,
    Fact,
    FactResult,
    Input,
    Keeps,
    KeepsTheRest,
    Layers,
    OneVectorEach,
    OnPath,
    OutputWidth,
    ParameterRange,
    SplitsIntoHeads,
    Stages,
    Towers,
    check_facts,
)
from archstudio.bench.generate import GeneratedTask, SplitReader
from archstudio.bench.task_files import FiledTask, curated_original, same_as
from archstudio.bench.tasks import Task, start_model
from archstudio.bench.vocabulary import NONLINEARITIES, NORMS
from archstudio.edits.actions.model import Model

_LINEAR: Final = frozenset({"linear"})
_CONV: Final = frozenset({"conv2d"})
_RELU: Final = frozenset({"relu"})
_ATTENTION: Final = frozenset({"multiHeadAttention", "selfAttention", "attention", "transformerBlock"})


AnyTask: TypeAlias = Task | GeneratedTask | FiledTask
"""Curated, generated here, or read from a file."""

_SPLITS: Final = SplitReader()


def brief_facts(task: AnyTask) -> tuple[Fact, ...]:
    """The checkable facts of a task's brief; none for a task that is neither curated nor generated here."""
    original = original_of(task)
    if isinstance(original, Task):
        return _curated().get(original.id, ())
    if original is None:
        return ()
    wording = task.origin.wording if isinstance(task, FiledTask) and task.origin else "complete"
    return original.facts_said(wording)


def original_of(task: AnyTask) -> Task | GeneratedTask | None:
    """The curated or generated task that a filed one is an unaltered copy of; None if it is of neither kind."""
    if not isinstance(task, FiledTask):
        return task
    if task.origin is None:
        return curated_original(task)
    made = _SPLITS.task(task.origin.tier, task.origin.seed, task.origin.index)
    return made if same_as(task, made.start, [made.constraints]) else None


def check_brief(task: AnyTask, model: Model, exact: Exact | None = None) -> list[FactResult]:
    """Each fact of the brief against `model`; `exact` holds what the exact verdict knows of it."""
    return check_facts(brief_facts(task), model, exact)


def does_the_brief(results: list[FactResult]) -> bool | None:
    """False when any fact fails, else None while any is unknown, else True."""
    verdicts = {result.holds for result in results}
    return False if False in verdicts else None if None in verdicts else True


@cache
def _curated() -> dict[str, tuple[Fact, ...]]:
    return {
        "cnn-cifar": (
            Input((3, 32, 32)),
            OutputWidth((10,), "classes"),
            Stages(_CONV, NONLINEARITIES, 2, None, "conv layers with a nonlinearity"),
            EndsIn("linear"),
            ParameterRange(50_000_000),
        ),
        "mlp-tabular": (
            Input((32,)),
            OutputWidth((1, 2), "values for a binary answer"),
            Stages(_LINEAR, _RELU, 2, 3, "hidden linear layers with ReLU"),
            EndsIn("linear"),
            ParameterRange(5_000_000),
        ),
        "text-encoder": (
            OnPath(("embedding",)),
            Stages(_ATTENTION, frozenset(), 2, None, "attention blocks"),
            SplitsIntoHeads(),
            EndsIn("linear"),
            OneVectorEach("prediction a text"),
        ),
        "fix-broken-attention": (
            SplitsIntoHeads(),
            Keeps((("attn", "multiHeadAttention"),)),
            KeepsTheRest(start_model("broken-attention"), ("attn",)),
        ),
        "deepen-resnet": (
            Input((3, 32, 32)),
            OutputWidth((10,), "classes"),
            Stages(_CONV, _RELU, 3, None, "conv stages with ReLU (1 at the start, a couple more asked for)"),
            EndsIn("linear"),
            ParameterRange(80_000_000),
        ),
        "add-normalization": (
            Input((64,)),
            OutputWidth((10,), "values"),
            Stages(_LINEAR, NORMS, 1, None, "linear layers with a norm before the next"),
            Keeps.all_of(start_model("unstable-mlp")),
        ),
        "scale-under-budget": (
            ParameterRange(100_000_000, 15_000_000),
            OnPath(("transformerBlock",)),
            SplitsIntoHeads(),
            EndsIn("linear"),
        ),
        "autoencoder": (
            Input((784,)),
            Bottleneck(below=784),
            OutputWidth((784,), "values"),
            Stages(_LINEAR, frozenset(), 2, None, "linear layers, encoder and decoder"),
        ),
        **_retrieval_and_ranking(),
    }


def _retrieval_and_ranking() -> dict[str, tuple[Fact, ...]]:
    return {
        "two-tower-retrieval": (
            Towers("embedding", 2),
            Stages(_LINEAR, NONLINEARITIES, 1, None, "projection layers with a nonlinearity"),
            ParameterRange(30_000_000),
        ),
        "dlrm-ctr-ranking": (
            Layers(("embedding",), 2, "embedding tables for categorical features"),
            Stages(_LINEAR, NONLINEARITIES, 2, None, "linear layers with a nonlinearity, bottom and top"),
            OutputWidth((1,), "probability"),
            EndsIn("linear"),
            ParameterRange(100_000_000),
        ),
        "bst-sequence-ranking": (
            OnPath(("embedding",)),
            Stages(_ATTENTION, frozenset(), 1, None, "self-attention blocks"),
            SplitsIntoHeads(),
            Stages(_LINEAR, frozenset(), 2, None, "linear layers in the head"),
            EndsIn("linear"),
            ParameterRange(50_000_000),
        ),
        "semantic-search-encoder": (
            OnPath(("embedding",)),
            Stages(_ATTENTION, frozenset(), 1, None, "self-attention blocks"),
            SplitsIntoHeads(),
            EndsIn("linear"),
            OneVectorEach("vector a text"),
            ParameterRange(40_000_000),
        ),
    }

"""The twelve curated tasks, their starts and their references carry the published figures."""

import pytest

from archstudio.bench.grade import Submission, grade
from archstudio.bench.tasks import UnknownName, curated_task, curated_tasks, start_model
from archstudio.edits.actions.engine import apply

PUBLISHED = {
    "cnn-cifar": (80, 19_936),
    "mlp-tabular": (80, 4_160),
    "text-encoder": (63, 3_971_584),
    "fix-broken-attention": (60, 3_040_200),
    "deepen-resnet": (80, 5_360),
    "add-normalization": (88, 9_472),
    "scale-under-budget": (63, 21_652_480),
    "autoencoder": (80, 434_176),
    "two-tower-retrieval": (78, 3_208_192),
    "dlrm-ctr-ranking": (84, 6_418_464),
    "bst-sequence-ranking": (80, 6_498_560),
    "semantic-search-encoder": (63, 8_040_448),
}


def test_the_tasks_come_in_published_order() -> None:
    assert [task.id for task in curated_tasks()] == list(PUBLISHED)


@pytest.mark.parametrize("task_id", PUBLISHED)
@pytest.mark.parametrize("rubric", [2, 3])
def test_every_reference_passes_with_its_published_score_and_parameters(task_id: str, rubric: int) -> None:
    task = curated_task(task_id, rubric)  # type: ignore[arg-type]
    solved = apply(task.model(), task.reference())
    result = grade(task, solved.model, Submission.of(task.reference()))
    assert solved.errors == []
    assert result.failures == ()
    assert (result.score, result.params) == PUBLISHED[task_id]


@pytest.mark.parametrize("task_id", PUBLISHED)
def test_no_start_passes_untouched_under_rubric_3(task_id: str) -> None:
    task = curated_task(task_id)
    assert not grade(task, task.model(), Submission()).passed


def test_under_rubric_2_scaling_passes_untouched() -> None:
    task = curated_task("scale-under-budget", 2)
    assert grade(task, task.model(), Submission()).passed
    assert grade(task, task.model(), Submission()).params == 9_253_376


def test_a_start_is_a_fresh_copy_every_time() -> None:
    start_model("tiny-cnn")["components"].clear()
    assert len(start_model("tiny-cnn")["components"]) == 5


def test_unknown_names_are_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"no starting graph 'nope'.*empty-image"):
        start_model("nope")
    with pytest.raises(UnknownName, match=r"no task 'nope'.*cnn-cifar"):
        curated_task("nope")
    with pytest.raises(UnknownName, match="no rubric '1'"):
        curated_tasks(1)  # type: ignore[arg-type]

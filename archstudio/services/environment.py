"""The benchmark's environment as pure functions: tasks, grades and the turns of an episode."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from archstudio.bench.brief import AnyTask
from archstudio.bench.generate import GeneratedTask, SplitReader, Tier
from archstudio.bench.grade import Grade, Measured, Submission, grade
from archstudio.bench.observation import observe
from archstudio.bench.tasks import Task, UnknownName, curated_task, curated_tasks
from archstudio.bench.three_verdicts import judge_model
from archstudio.edits.actions import Applied, Model, apply
from archstudio.services.limits import MOST_TASKS, MOST_TURNS
from archstudio.services.requests import BadRequest, actions_of, count_of, seed_of, split_of, text_of, whole
from archstudio.services.verdict_record import finite


@dataclass(frozen=True)
class TaskName:
    """Which task is meant: a curated one by id, or one of a split by its place."""

    id: str | None = None
    tier: Tier | None = None
    seed: int = 0
    index: int = 0

    def as_json(self) -> dict[str, Any]:
        """The name as plain data."""
        return {"id": self.id, "tier": self.tier, "seed": self.seed, "index": self.index}


@dataclass(frozen=True)
class Turn:
    """An episode between two turns."""

    task: TaskName
    model: Model
    submitted: Submission
    turn: int
    most_turns: int

    def as_json(self) -> dict[str, Any]:
        """The state as plain data; a graph may hold NaN, which Python's JSON keeps."""
        return {
            "task": self.task.as_json(),
            "model": self.model,
            "count": self.submitted.count,
            "types": list(self.submitted.types),
            "turn": self.turn,
            "mostTurns": self.most_turns,
        }


def turn_of(state: dict[str, Any]) -> Turn:
    """The state from what `Turn.as_json` gave."""
    submitted = Submission(state["count"], tuple(state["types"]))
    return Turn(TaskName(**state["task"]), state["model"], submitted, state["turn"], state["mostTurns"])


_TASKS_KEPT: Final = 512


class TooFar(Exception):
    """A task is not at hand and `away` others come before it; to be looked for where there is time."""

    def __init__(self, away: int) -> None:
        super().__init__(f"{away} tasks come before it")
        self.away = away


@dataclass
class Environment:
    """Finds tasks; keeps those asked for last, and where the tasks of the latest splits start in their streams."""

    splits: SplitReader = field(default_factory=SplitReader)
    most_draws: int | None = None
    """Tasks that may be drawn on the way to one; None is no limit."""
    _curated: dict[str, Task] = field(default_factory=lambda: {task.id: task for task in curated_tasks()})
    _recent: OrderedDict[TaskName, GeneratedTask] = field(default_factory=OrderedDict)

    def task(self, name: TaskName) -> AnyTask:
        """The task of a name that was read from a request. Raises TooFar."""
        if name.id is not None:
            return self._curated[name.id]
        found = self._recent.get(name)
        if found is None:
            found = self._recent[name] = self._drawn(name)
            if len(self._recent) > _TASKS_KEPT:
                self._recent.popitem(last=False)
        return found

    def _drawn(self, name: TaskName) -> GeneratedTask:
        assert name.tier is not None
        if self.most_draws is not None:
            away = name.index - self.splits.known(name.tier, name.seed)
            if away > self.most_draws:
                raise TooFar(away)
        return self.splits.task(name.tier, name.seed, name.index)

    def tasks(self, tier: Tier | None, seed: int, count: int) -> Iterator[dict[str, Any]]:
        """The rows of a split, one at a time."""
        if tier is None:
            made: Iterator[Task | GeneratedTask] = iter(curated_tasks()[:count])
        else:
            made = (self.splits.task(tier, seed, index) for index in range(count))
        for index, task in enumerate(made):
            yield {
                "index": index,
                "id": task.id,
                "spec": task.spec,
                "observation": observe(task.model()),
                "constraints": dict(task.constraints),
            }


def task_named(body: dict[str, Any]) -> TaskName:
    """The task a request names, by `taskId` or by `seed`, `count`, `index` and `split`. BadRequest: 404, 400."""
    if body.get("taskId") is not None:
        task_id = text_of(body["taskId"], "taskId")
        try:
            curated_task(task_id)
        except UnknownName as unknown:
            raise BadRequest(str(unknown), status=404, field="taskId") from None
        return TaskName(id=task_id)
    tier, seed, count = split_of(body.get("split")), seed_of(body.get("seed")), count_of(body.get("count"))
    if tier is None:
        count = min(count, len(curated_tasks()))
    index = whole(body.get("index"), "index", 0, min(count, MOST_TASKS) - 1)
    return TaskName(id=curated_tasks()[index].id) if tier is None else TaskName(None, tier, seed, index)


def graded(environment: Environment, body: dict[str, Any]) -> dict[str, Any]:
    """The answer to /grade. With `verdicts`: true, whether it runs and does the brief, too. BadRequest."""
    task, actions = environment.task(task_named(body)), actions_of(body)
    applied, submitted = apply(task.model(), actions), Submission.of(actions)
    if body.get("verdicts") is True:
        made = judge_model(task, applied.model, submitted, action_errors=tuple(map(str, applied.errors)))
        others = {"runs": made.runs, "doesTheBrief": made.does_the_brief, "passesAllThree": made.passes_all}
        return {**grade_record(made.grade, applied), **others, "refusals": list(made.refusals)}
    return grade_record(grade(task, applied.model, submitted, Measured()), applied)


def started(environment: Environment, body: dict[str, Any]) -> tuple[Turn, dict[str, Any]]:
    """A new episode and the answer to its start, without its id. BadRequest."""
    name = task_named(body)
    most = whole(body.get("maxTurns"), "maxTurns", -(2**53), 2**53, default=3)
    task = environment.task(name)
    turn = Turn(name, task.model(), Submission(), 0, min(max(most, 1), MOST_TURNS))
    seen = observe(turn.model)
    return turn, {"taskId": task.id, "spec": task.spec, "observation": seen, "turn": 0, "maxTurns": turn.most_turns}


def stepped(environment: Environment, turn: Turn, actions: list[Any]) -> tuple[Turn | None, dict[str, Any]]:
    """The episode after one more turn (None when it is over), and the answer. Counts and types add up over turns."""
    task = environment.task(turn.task)
    applied, submitted = apply(turn.model, actions), turn.submitted.then(Submission.of(actions))
    made, number = grade(task, applied.model, submitted, Measured()), turn.turn + 1
    done = made.passed or number >= turn.most_turns
    record = {
        **grade_record(made, applied),
        "observation": observe(applied.model),
        "feedback": [failure.text for failure in made.failures],
        "turn": number,
        "done": done,
    }
    return None if done else Turn(turn.task, applied.model, submitted, number, turn.most_turns), record


def grade_record(made: Grade, applied: Applied) -> dict[str, Any]:
    """A grade in the original's fields."""
    return {
        "taskId": made.task_id,
        "pass": made.passed,
        "score": finite(made.score),
        "params": finite(made.params),
        "blockers": [blocker.text for blocker in made.blockers],
        "failures": [failure.text for failure in made.failures],
        "applied": applied.applied,
        "applyErrors": [error.text for error in applied.errors],
        "reward": reward(made.passed, made.score, len(applied.errors)),
    }


def reward(passed: bool, score: float, errors: int) -> float:
    """1 for a pass, up to half a point for the score, less a tenth for each of up to three failed actions."""
    worth = score if abs(score) < float("inf") else 0.0
    return float(passed) + 0.5 * worth / 100 - 0.1 * min(errors, 3)

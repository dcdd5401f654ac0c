"""Questions on disk: a run folder of `question.json` and `prompt.txt`, whole once its `run.json` is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from archstudio.files.atomic import save_atomic
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.candidates.spec import AXES
from archstudio.intuition.datasets.folder import Dataset
from archstudio.intuition.ids import short_hash
from archstudio.intuition.profile import Family, LoadedProfile, Size
from archstudio.intuition.questions.choose import (
    CannotAsk,
    Chosen,
    choose,
    question_type,
    varying_axes,
)
from archstudio.intuition.questions.prompt import TEMPLATE_VERSION, prompt
from archstudio.intuition.questions.shortcuts import shortcut_report
from archstudio.intuition.records import Number, Record, json_bytes, read_record
from archstudio.intuition.truth.sets import Candidate, CandidateSet
from archstudio.intuition.truth.summary import Metric

QUESTION_FILE = "question.json"
PROMPT_FILE = "prompt.txt"
RUN_FILE = "run.json"
REPORT_FILE = "report.json"

QuestionType = Literal["architecture_only", "optimizer_only", "loss_only", "mixed"]
Letter = Annotated[str, Field(pattern=r"^[A-Z]$")]


class Choice(Record):
    """One choice, with paths relative to the data root."""

    letter: Letter
    candidate_id: str
    candidate_path: str
    candidate_set_path: str


class QuestionBudget(Record):
    """The budget of all choices, or, `mixed`, of each."""

    total_samples_seen: int | list[int]
    mixed: Literal[True] | None = None


class QuestionSignificance(Record):
    """How far the winner is ahead; `relative_gap` is ours."""

    passed: bool
    gap: Number
    win_rate: Number
    metric: Metric
    relative_gap: Number | None = None


class QuestionEvaluation(Record):
    """How the truth was found."""

    selection_metric: Metric
    n_seeds: Size
    base_seed: int
    device: Literal["cpu", "cuda"]


class PromptRecord(Record):
    """Where the prompt stands."""

    template_version: str
    rendered_path: str


class QuestionRecord(Record):
    """What `question.json` holds. It contains the answer."""

    schema_version: Literal["1.0"] = "1.0"
    profile_hash: str | None = None
    family: Family
    dataset_id: str
    budget: QuestionBudget
    type: QuestionType
    invariant_axes: list[str]
    varying_axes: list[str]
    candidate_sets: list[str]
    num_choices: Size
    choices: Annotated[list[Choice], Field(min_length=2)]
    correct_letter: Letter
    significance: QuestionSignificance
    evaluation: QuestionEvaluation
    prompt: PromptRecord
    question_id: Annotated[str, Field(pattern=r"^q_[0-9a-f]{6,64}$")]
    profile: str | None = None
    question_run_id: str | None = None
    question_run_path: str | None = None

    @model_validator(mode="after")
    def _letters_are_right(self) -> Self:
        letters = [choice.letter for choice in self.choices]
        if letters != [chr(ord("A") + i) for i in range(self.num_choices)]:
            raise ValueError(f"the letters are {letters} for {self.num_choices} choices")
        if self.correct_letter not in letters:
            raise ValueError(f"the right letter {self.correct_letter} is none of {letters}")
        return self


class RunRecord(Record):
    """What `run.json` holds."""

    schema_version: Literal["1.0"] = "1.0"
    run_id: str
    dataset_id: str
    family: Family
    candidate_sets: list[str]
    num_questions: Size
    num_choices: Size
    candidate_reuse_policy: str
    question_ids: list[str]
    seed: int
    profile: str
    profile_hash: str
    created_at: str


@dataclass(frozen=True)
class Question:
    """A question and its choices' candidates, in the order of the letters."""

    folder: Path
    record: QuestionRecord
    candidates: tuple[Candidate, ...]

    @property
    def id(self) -> str:
        """The question's id."""
        return self.record.question_id


def chosen_questions(
    profile: LoadedProfile, dataset: Dataset, sets: Sequence[CandidateSet], *, count: int, choices: int, seed: int
) -> tuple[list[Question], list[Chosen]]:
    """Return questions over finished sets without writing them; their folders say where they would be.

    Raises `CannotAsk`, `UnusableFile`.
    """
    pool = _pool(profile, dataset, sets)
    rules, generation = profile.content.significance, profile.content.question_generation
    chosen = choose(pool, count=count, choices=choices, rules=rules, generation=generation, seed=seed)
    set_paths = [_relative(candidate_set.folder, dataset) for candidate_set in sets]
    content = {"sets": set_paths, "n": count, "c": choices, "seed": seed, "profile_hash": profile.hash}
    run_id = f"run_{count}q_{choices}c_{short_hash(content, profile.content.id_digits)}"
    folder = dataset.folder / "questions" / run_id
    return [_question(profile, dataset, set_paths, one, folder) for one in chosen], chosen


def make_questions(
    profile: LoadedProfile, dataset: Dataset, sets: Sequence[CandidateSet], *, count: int, choices: int, seed: int
) -> list[Question]:
    """Choose questions over finished sets and write them as one run; making them again gives the same questions.

    Raises `CannotAsk`, `UnusableFile`, `SaveFailed`.
    """
    questions, chosen = chosen_questions(profile, dataset, sets, count=count, choices=choices, seed=seed)
    set_paths = [_relative(candidate_set.folder, dataset) for candidate_set in sets]
    folder = questions[0].folder.parent
    for question in questions:
        _write(question, dataset)
    save_atomic(folder / REPORT_FILE, json_bytes(shortcut_report(chosen)), backups=0)
    if not (folder / RUN_FILE).is_file():
        record = RunRecord(
            run_id=folder.name,
            dataset_id=dataset.id,
            family=dataset.spec.family,
            candidate_sets=set_paths,
            num_questions=count,
            num_choices=choices,
            candidate_reuse_policy="globally_disjoint_within_run",
            question_ids=[question.id for question in questions],
            seed=seed,
            profile=profile.name,
            profile_hash=profile.hash,
            created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        save_atomic(folder / RUN_FILE, json_bytes(record.as_json()), backups=0)
    return questions


def _pool(profile: LoadedProfile, dataset: Dataset, sets: Sequence[CandidateSet]) -> list[Candidate]:
    """Return all candidates once; they must have been judged alike."""
    if not sets:
        raise CannotAsk("Name at least one set of candidates.")
    pool = {candidate.id: candidate for of in sets for candidate in of.candidates}
    for candidate in pool.values():
        spec, summary = candidate.spec, candidate.summary
        if spec.dataset_id != dataset.id:
            raise CannotAsk(f"The candidate {candidate.id} is of the data set {spec.dataset_id}, not {dataset.id}.")
        if spec.profile_hash not in (None, profile.hash):
            made_under = f"{spec.profile} ({spec.profile_hash})"
            raise CannotAsk(f"The candidate {candidate.id} was made under {made_under}, not {profile.name}.")
        truth = profile.content.ground_truth
        if (summary.base_seed, summary.n_seeds) != (truth.base_seed, truth.n_seeds):
            raise CannotAsk(f"The candidate {candidate.id} has {summary.n_seeds} seeds, the profile {truth.n_seeds}.")
    return sorted(pool.values(), key=lambda candidate: candidate.id)


def _question(
    profile: LoadedProfile, dataset: Dataset, set_paths: list[str], chosen: Chosen, run_folder: Path
) -> Question:
    candidates = chosen.candidates
    first, varying = candidates[0], varying_axes(candidates)
    letters = [chr(ord("A") + i) for i in range(len(candidates))]
    budgets = [candidate.spec.budget.total_samples_seen for candidate in candidates]
    mixed = len(set(budgets)) > 1
    content: dict[str, Any] = {
        "profile_hash": profile.hash,
        "family": dataset.spec.family,
        "dataset_id": dataset.id,
        "budget": {"total_samples_seen": budgets, "mixed": True} if mixed else {"total_samples_seen": budgets[0]},
        "type": question_type(varying),
        "invariant_axes": [axis for axis in (*AXES, "batch_size") if axis not in varying],
        "varying_axes": varying,
        "candidate_sets": set_paths,
        "num_choices": len(candidates),
        "choices": [
            {
                "letter": letter,
                "candidate_id": candidate.id,
                "candidate_path": _relative(candidate.folder, dataset),
                "candidate_set_path": _relative(candidate.folder.parent, dataset),
            }
            for letter, candidate in zip(letters, candidates, strict=True)
        ],
        "correct_letter": letters[chosen.judged.winner],
        "significance": {
            "passed": chosen.judged.passed,
            "gap": chosen.judged.gap,
            "win_rate": chosen.judged.win_rate,
            "metric": first.spec.metric,
            "relative_gap": chosen.judged.relative_gap,
        },
        "evaluation": {
            "selection_metric": first.spec.metric,
            "n_seeds": first.summary.n_seeds,
            "base_seed": first.summary.base_seed,
            "device": first.spec.device,
        },
    }
    question_id = "q_" + short_hash(content, profile.content.id_digits)
    folder = run_folder / question_id
    record = QuestionRecord.model_validate(
        {
            **content,
            "prompt": {
                "template_version": TEMPLATE_VERSION,
                "rendered_path": _relative(folder / PROMPT_FILE, dataset),
            },
            "question_id": question_id,
            "profile": profile.name,
            "question_run_id": run_folder.name,
            "question_run_path": _relative(run_folder, dataset),
        }
    )
    return Question(folder, record, candidates)


def _relative(path: Path, dataset: Dataset) -> str:
    return path.relative_to(dataset.root).as_posix()


def question_prompt(question: Question, dataset: Dataset) -> str:
    """Return the text of a question, written from the specs."""
    record = question.record
    lettered = [(c.letter, of.spec) for c, of in zip(record.choices, question.candidates, strict=True)]
    first = record.evaluation.base_seed
    seeds = range(first, first + record.evaluation.n_seeds)
    return prompt(dataset.spec, lettered, seeds=seeds, varying=record.varying_axes)


def _write(question: Question, dataset: Dataset) -> None:
    question.folder.mkdir(parents=True, exist_ok=True)
    save_atomic(question.folder / PROMPT_FILE, question_prompt(question, dataset).encode(), backups=0)
    save_atomic(question.folder / QUESTION_FILE, json_bytes(question.record.as_json()), backups=0)


def open_questions(run_folder: Path) -> list[QuestionRecord]:
    """Return the questions of a run in its order; raises `UnusableFile`, also for a run that is not finished."""
    path = run_folder / RUN_FILE
    if not path.is_file():
        remedy = "Choose a run's folder; it holds run.json."
        raise UnusableFile(str(run_folder), problem="There is no finished run of questions in it", remedy=remedy)
    run = read_record(RunRecord, path)
    return [read_record(QuestionRecord, run_folder / name / QUESTION_FILE) for name in run.question_ids]

"""What a model is asked: the questions of a run, a data folder or a pack, each with its letters and its right one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.candidates.spec import SPEC_FILE, CandidateSpec
from archstudio.intuition.datasets.folder import Dataset, open_dataset
from archstudio.intuition.datasets.spec import PARAMS, DatasetSpec
from archstudio.intuition.packs.bake import BakedChoice, BakedQuestion
from archstudio.intuition.packs.export import load_questions
from archstudio.intuition.packs.read import is_pack_path, read_questions
from archstudio.intuition.profile import FAMILIES
from archstudio.intuition.questions.prompt import prompt
from archstudio.intuition.questions.record import RUN_FILE, Question, question_prompt
from archstudio.intuition.records import checked

InOrder: TypeAlias = Callable[[Sequence[int]], str]
"""The text of a question with its choices in an order."""


@dataclass(frozen=True)
class Item:
    """One question. `candidates` stand in the order of `letters`."""

    id: str
    family: str
    type: str
    letters: tuple[str, ...]
    correct: str
    candidates: tuple[str, ...]
    prompt: str
    in_order: InOrder | None = None
    """The prompt with the choices in another order; None where only the finished text is known."""

    @property
    def chance(self) -> float:
        """How often a guess is right."""
        return 1 / len(self.letters)

    def candidate(self, letter: str) -> str:
        """The candidate behind a letter."""
        return self.candidates[self.letters.index(letter)]

    def moved(self) -> Item:
        """The question with every choice one place further on, so that none keeps its letter. ValueError if it cannot.

        The same candidate is right under another letter.
        """
        if self.in_order is None:
            raise ValueError(f"The choices of {self.id} cannot be put in another order: only its text is known.")
        order = [len(self.letters) - 1, *range(len(self.letters) - 1)]
        candidates = tuple(self.candidates[place] for place in order)
        right = self.letters[candidates.index(self.candidate(self.correct))]
        return Item(self.id, self.family, self.type, self.letters, right, candidates, self.in_order(order))


def read_items(path: Path, key: Path | None = None) -> list[Item]:
    """The questions of a pack, of a run's folder, or of every finished run under a folder. Raises UnusableFile.

    `key` is the key file of a blind pack of ours.
    """
    items = list(_pack(path, key) if path.is_file() or is_pack_path(path) else _folder(path))
    if not items:
        remedy = "Choose a run's folder (it holds run.json), a folder that has runs below it, or a pack."
        raise UnusableFile(str(path), problem="There are no questions in it", remedy=remedy)
    if len({item.id for item in items}) < len(items):
        raise UnusableFile(str(path), problem="Two of its questions have the same id", remedy="Ask one run alone.")
    return items


def _pack(path: Path, key: Path | None) -> Iterator[Item]:
    pack = read_questions(path, key)
    for entry in pack.questions:
        question = pack.by_id[entry.id]
        choices = sorted(question.detail.choices, key=lambda choice: choice.letter)
        yield Item(
            id=question.id,
            family=question.family,
            type=question.type,
            letters=tuple(choice.letter for choice in choices),
            correct=question.reveal.correct_letter,
            candidates=tuple(choice.candidate_id for choice in choices),
            prompt=question.detail.prompt,
            in_order=_packed_in_order(question, choices),
        )


def _packed_in_order(question: BakedQuestion, choices: Sequence[BakedChoice]) -> InOrder | None:
    """The text of a packed question with its choices in another order; None unless it is written as ours are."""
    data, evaluation = question.detail.dataset, question.evaluation or {}
    first, count = evaluation.get("base_seed"), evaluation.get("n_seeds")
    if data.family not in FAMILIES or not isinstance(first, int) or not isinstance(count, int):
        return None
    try:
        params = checked(PARAMS[data.family], data.params, question.id)
        specs = [checked(CandidateSpec, choice.files.get(SPEC_FILE), question.id) for choice in choices]
    except UnusableFile:
        return None  # of a kind not known here: the finished text is all there is
    dataset = DatasetSpec.model_construct(family=data.family, params=params, dataset_id=data.dataset_id)
    letters = [choice.letter for choice in choices]

    def in_order(order: Sequence[int]) -> str:
        lettered = [(letter, specs[place]) for letter, place in zip(letters, order, strict=True)]
        return prompt(dataset, lettered, seeds=range(first, first + count), varying=question.varying_axes or [])

    return in_order if in_order(range(len(letters))) == question.detail.prompt else None


def _folder(path: Path) -> Iterator[Item]:
    runs = [path] if (path / RUN_FILE).is_file() else sorted(file.parent for file in _run_files(path))
    for run in runs:
        dataset = open_dataset(run.parents[1])
        for question in load_questions(run, dataset):
            yield _item(question, dataset)


def _run_files(root: Path) -> Iterator[Path]:
    return (file for file in root.rglob(RUN_FILE) if file.parent.parent.name == "questions")


def _item(question: Question, dataset: Dataset) -> Item:
    record = question.record
    letters = tuple(choice.letter for choice in record.choices)
    first = record.evaluation.base_seed
    seeds = range(first, first + record.evaluation.n_seeds)

    def in_order(order: Sequence[int]) -> str:
        lettered = [(letter, question.candidates[place].spec) for letter, place in zip(letters, order, strict=True)]
        return prompt(dataset.spec, lettered, seeds=seeds, varying=record.varying_axes)

    return Item(
        id=record.question_id,
        family=record.family,
        type=record.type,
        letters=letters,
        correct=record.correct_letter,
        candidates=tuple(choice.candidate_id for choice in record.choices),
        prompt=question_prompt(question, dataset),
        in_order=in_order,
    )

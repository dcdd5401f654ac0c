"""Makes a pack of ours of questions with answers: each is taken apart into what is shown and what is kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from archstudio.files.atomic import save_atomic
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.candidates.spec import SPEC_FILE, CandidateSpec, candidate_id
from archstudio.intuition.datasets.spec import PARAMS, dataset_id
from archstudio.intuition.packs.bake import BakedChoice, BakedDataset, BakedQuestion, BakeFile
from archstudio.intuition.packs.pack import (
    NO_LICENCE,
    SUFFIX,
    Answer,
    Asked,
    KeyedResult,
    PackedChoice,
    PackedData,
    QuestionPack,
    assembled,
)
from archstudio.intuition.profile import FAMILIES
from archstudio.intuition.records import checked

_SEEDS = ("n_seeds", "base_seed", "device")
_CHANGED = "It was changed or damaged; make it again."


def make_pack(
    bakes: Sequence[BakeFile], *, title: str, seed: int = 0, blind: bool = False, licence: str = NO_LICENCE
) -> QuestionPack:
    """Return a pack of all questions of some BakeFiles, such as `bake(questions, dataset, title=…)` makes them.

    The same questions, title, seed and licence give the same bytes, in whatever order they come. Raises `UnusableFile`
    for a question that contradicts itself, or that comes twice.
    """
    data: dict[str, PackedData] = {}
    answers: dict[str, tuple[Asked, Answer]] = {}
    for question in (bake.by_id[entry.id] for bake in bakes for entry in bake.questions):
        shown = _data(question.detail.dataset, question.id)
        asked = _asked(question, shown)
        if asked.id in answers:
            raise UnusableFile(question.id, problem="The same question comes twice", remedy="Name each folder once.")
        data[shown.name] = shown
        answers[asked.id] = asked, _answer(question)
    if not answers:
        raise UnusableFile(title, problem="There are no questions to pack", remedy="Name a run of questions.")
    return assembled(data, answers, title=title, seed=seed, blind=blind, licence=licence)


def write_pack(
    out: Path,
    bakes: Sequence[BakeFile],
    *,
    title: str,
    seed: int = 0,
    blind: bool = False,
    licence: str = NO_LICENCE,
    key: Path | None = None,
) -> QuestionPack:
    """Make a pack and save it at `out` as `save_pack` does; raises `UnusableFile`, `SaveFailed`."""
    pack = make_pack(bakes, title=title, seed=seed, blind=blind, licence=licence)
    save_pack(pack, out, key)
    return pack


def save_pack(pack: QuestionPack, out: Path, key: Path | None = None) -> Path | None:
    """Write a pack: one file where the name ends in `.iqpack`, else a folder. Raises `SaveFailed`.

    The key of a blind pack goes to `key`, by default beside the pack with `.key`; its place is returned.
    """
    if out.suffix == SUFFIX:
        save_atomic(out, pack.file_bytes(), backups=0)
    else:
        out.mkdir(parents=True, exist_ok=True)
        for name, content in pack.members().items():
            save_atomic(out / name, content, backups=0)
    if not pack.blind or pack.answers is None:
        return None
    place = key or default_key(out)
    save_atomic(place, pack.key_bytes(), backups=0)
    return place


def default_key(out: Path) -> Path:
    """Where the key of a blind pack goes unless another place is named."""
    return out.with_suffix(".key") if out.suffix == SUFFIX else out.with_name(f"{out.name}.key")


def _data(dataset: BakedDataset, question: str) -> PackedData:
    digits = None
    if dataset.params is not None and dataset.family in FAMILIES:
        digits = len(dataset.dataset_id.partition("_")[2])
        params = checked(PARAMS[dataset.family], dataset.params, question, ("detail", "dataset", "params"))
        expected = dataset_id(dataset.family, params, digits)
        if expected != dataset.dataset_id:
            problem = f"The data set's id is not the digest of its parameters, which is {expected}"
            raise UnusableFile(question, problem=problem, value=dataset.dataset_id, remedy=_CHANGED)
    return PackedData(
        family=dataset.family,
        metric=dataset.selection_metric,
        params=dataset.params,
        plot=dataset.plot,
        example=dataset.example,
        files=_programs(dataset.files or {}),
        tensor_shapes=dataset.tensor_shapes,
        digits=digits,
    )


def _asked(question: BakedQuestion, data: PackedData) -> Asked:
    """What is shown of a question; its title, its run and its paths are left out."""
    detail, evaluation = question.detail, question.evaluation or {}
    return Asked(
        data=data.name,
        family=question.family,
        type=question.type,
        metric=question.metric or data.metric or "test_metric",
        budget=question.budget,
        profile=question.profile or None,
        profile_hash=question.profile_hash or None,
        seeds={name: evaluation[name] for name in _SEEDS if isinstance(evaluation.get(name), int | str)},
        invariant_axes=question.invariant_axes,
        varying_axes=question.varying_axes,
        prompt=detail.prompt,
        shared=detail.shared,
        choices=[_choice(one, question) for one in sorted(detail.choices, key=lambda choice: choice.letter)],
    )


def _choice(choice: BakedChoice, question: BakedQuestion) -> PackedChoice:
    spec, digits = _spec(choice, question)
    return PackedChoice(
        letter=choice.letter,
        color=choice.color,
        variant=choice.variant,
        model_lines=choice.model_lines,
        optimizer_lines=choice.optimizer_lines,
        loss_lines=choice.loss_lines,
        files=_programs(choice.files),
        spec=spec,
        digits=digits,
    )


def _spec(choice: BakedChoice, question: BakedQuestion) -> tuple[dict[str, Any] | None, int | None]:
    """The set-up without its ids, and how many digits its own has; none where it is of a kind not known here."""
    content = choice.files.get(SPEC_FILE)
    if not isinstance(content, dict):
        return None, None
    try:
        spec = checked(CandidateSpec, content, question.id)
    except UnusableFile:
        return None, None  # of a later profile: it is shown by its lines
    digits = len(spec.candidate_id) - len("c_")
    expected = candidate_id(spec, digits)
    its_own = spec.candidate_id == choice.candidate_id == expected
    if not its_own or spec.dataset_id != question.detail.dataset.dataset_id:
        problem = f"The id of choice {choice.letter} is not that of its set-up on this data set, which is {expected}"
        raise UnusableFile(question.id, problem=problem, value=choice.candidate_id, remedy=_CHANGED)
    return {name: value for name, value in content.items() if name not in ("candidate_id", "dataset_id")}, digits


def _programs(files: dict[str, Any]) -> dict[str, str]:
    """The Python files; others may hold ids and results."""
    return {name: text for name, text in sorted(files.items()) if name.endswith(".py") and isinstance(text, str)}


def _answer(question: BakedQuestion) -> Answer:
    reveal = question.reveal
    return Answer(
        correct=reveal.correct_letter,
        ranked=[
            KeyedResult(letter=row.letter, metric=row.metric, mean=row.mean, std=row.std, label=row.label)
            for row in reveal.ranked
        ],
        curves=reveal.curves,
        source_id=question.id,
        candidates={choice.letter: choice.candidate_id for choice in question.detail.choices},
        dataset_id=question.dataset_id,
    )

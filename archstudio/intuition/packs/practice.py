"""Makes packs to practise on from a folder of trained candidates, in a process of its own: `-m … FOLDER OUT`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from archstudio.files.atomic import SaveFailed, save_atomic
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.datasets.folder import Dataset, open_dataset
from archstudio.intuition.datasets.spec import SPEC_FILE
from archstudio.intuition.packs.bake import BakeFile, bake_bytes
from archstudio.intuition.packs.export import bake, load_questions
from archstudio.intuition.packs.ranking_pack import ranking_pack
from archstudio.intuition.packs.read import is_pack_path, read_pack
from archstudio.intuition.profile_file import load_profile
from archstudio.intuition.questions.choose import CannotAsk
from archstudio.intuition.questions.ranking import ranking_tasks
from archstudio.intuition.questions.record import RUN_FILE, Question, chosen_questions
from archstudio.intuition.records import json_bytes
from archstudio.intuition.truth.conform import find_datasets
from archstudio.intuition.truth.sets import SET_FILE, CandidateSet, open_set

MOST_QUESTIONS = 12
CHOICES = 3
CALIBRATION, TARGETS = 3, 5


@dataclass(frozen=True)
class MadePack:
    """A pack that was written."""

    path: str
    title: str
    questions: int


@dataclass(frozen=True)
class Made:
    """What came of a folder: packs, and why there are no more."""

    packs: tuple[MadePack, ...]
    problems: tuple[str, ...]


def make_practice(folder: Path, out: Path) -> Made:
    """Write packs of the questions in a folder, of questions over its sets where it has none, and of rankings.

    The folder may be a data root, a data set, a set of candidates or a run of questions; nothing is written into it.
    One that is a pack itself is the one pack. Raises `UnusableFile`, `SaveFailed`. Imports torch.
    """
    if is_pack_path(folder):
        manifest = read_pack(folder).manifest
        return Made((MadePack(str(folder), manifest.title, manifest.n),), ())
    out.mkdir(parents=True, exist_ok=True)
    problems: list[str] = []
    baked: list[BakeFile] = []
    made: list[MadePack] = []
    for dataset in _datasets(folder):
        try:
            questions = _questions(dataset, folder, problems)
            if questions:
                baked.append(bake(questions, dataset, title=dataset.id))
            made += _rankings(dataset, folder, out, problems)
        except UnusableFile as fault:
            problems.append(str(fault))
    if baked:
        pack = _joined(baked, folder.name)
        path = out / "questions.json"
        save_atomic(path, bake_bytes(pack), backups=0)
        made.insert(0, MadePack(str(path), f"Choices from {folder.name}", len(pack.questions)))
    return Made(tuple(made), tuple(problems))


def _datasets(folder: Path) -> list[Dataset]:
    """The data sets in a folder, or the one it lies in."""
    for place in (folder, *folder.parents[:4]):
        if (place / SPEC_FILE).is_file():
            return [open_dataset(place)]
    return find_datasets(folder)


def _questions(dataset: Dataset, folder: Path, problems: list[str]) -> list[Question]:
    runs = sorted(path.parent for path in dataset.folder.glob(f"questions/*/{RUN_FILE}"))
    chosen = [run for run in runs if run.is_relative_to(folder)] or runs
    if chosen:
        by_id = {question.id: question for run in chosen for question in load_questions(run, dataset)}
        return list(by_id.values())
    sets = _sets(dataset, folder)
    if not sets:
        problems.append(f"{dataset.id}: there are no questions and no finished sets of candidates.")
        return []
    return _fresh(dataset, sets, problems)


def _sets(dataset: Dataset, folder: Path) -> list[CandidateSet]:
    folders = sorted(path.parent for path in dataset.folder.glob(f"candidates/*/{SET_FILE}"))
    return [open_set(one) for one in [f for f in folders if f.is_relative_to(folder)] or folders]


def _fresh(dataset: Dataset, sets: Sequence[CandidateSet], problems: list[str]) -> list[Question]:
    """As many questions as can be asked, up to a dozen."""
    try:
        profile = load_profile(sets[0].record.profile)
    except UnusableFile as unknown:
        problems.append(str(unknown))
        return []
    for count in range(MOST_QUESTIONS, 0, -1):
        try:
            return chosen_questions(profile, dataset, sets, count=count, choices=CHOICES, seed=0)[0]
        except CannotAsk as reason:
            last = str(reason)
    problems.append(f"{dataset.id}: {last}")
    return []


def _rankings(dataset: Dataset, folder: Path, out: Path, problems: list[str]) -> Iterator[MadePack]:
    candidates = [c for of in _sets(dataset, folder) for c in of.candidates if not c.summary.excluded]
    count = (len(candidates) - CALIBRATION) // TARGETS
    if count < 1:
        return
    try:
        tasks = ranking_tasks(
            candidates, layout="anchored", count=count, calibration=CALIBRATION, targets=TARGETS, seed=0
        )
    except CannotAsk as reason:
        problems.append(f"{dataset.id}: {reason}")
        return
    title = f"Rankings on {dataset.id}"
    pack = ranking_pack(tasks, dataset, title=title, layout="anchored", seed=0, with_results=True)
    path = out / f"ranking-{dataset.id}.json"
    save_atomic(path, json_bytes(pack.as_json()), backups=0)
    yield MadePack(str(path), title, len(pack.questions))


def _joined(packs: Sequence[BakeFile], title: str) -> BakeFile:
    """One pack of several, in their order."""
    contents = [pack.as_json() for pack in packs]
    entries = [entry for content in contents for entry in content["questions"]]
    for order, entry in enumerate(entries):
        entry["order"] = order
    by_id = {name: question for content in contents for name, question in content["byId"].items()}
    collection = {"title": f"Questions from {title}", "question_count": len(entries), "note": "Contains the answers."}
    content = {"schema_version": 1, "ordered": True, "collection": collection, "questions": entries, "byId": by_id}
    return BakeFile.model_validate(content)


def main() -> int:
    """Make packs and say on standard output what came of it, as one line of JSON; 1 if nothing could be done."""
    folder, out = (Path(argument).absolute() for argument in sys.argv[1:3])
    try:
        made = make_practice(folder, out)
    except (UnusableFile, SaveFailed) as fault:
        sys.stdout.write(json.dumps({"fault": str(fault)}) + "\n")
        return 1
    sys.stdout.write(json.dumps(asdict(made)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

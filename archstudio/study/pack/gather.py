"""Makes the items of a study, and their keys, from the sources its protocol names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from archstudio.bench.brief import AnyTask
from archstudio.bench.generate import GeneratedTask, generate
from archstudio.bench.observation import observe
from archstudio.bench.task_files import FiledTask, Origin, read_tasks
from archstudio.bench.tasks import Task, UnknownName, curated_tasks
from archstudio.edits.actions.model import Model
from archstudio.files.unusable import UnusableFile
from archstudio.graph.document import from_document, to_document
from archstudio.intuition.packs.bake import BakedQuestion
from archstudio.intuition.packs.read import read_questions
from archstudio.study.items import GraphItem, GraphKey, Item, Key, Option, QuestionItem, QuestionKey, Row, text_digest
from archstudio.study.protocol.model import Attention
from archstudio.study.protocol.sources import Curated, Generated, QuestionPack, Source, TaskFile
from archstudio.study.records import Block, Wording

_DATASET_SHOWN: Final = ("family", "datasetId", "params", "plot", "example")


@dataclass(frozen=True)
class Made:
    """An item and its key; attention items have none, their text says the answer."""

    item: Item
    key: Key | None


def gather(sources: Sequence[Source], base: Path, block: Block) -> list[Made]:
    """All items of some sources in order; raises `UnusableFile`, `UnknownName`. Paths are relative to `base`."""
    made = [each for source in sources for each in _from(source, base, block)]
    twice = {each.item.id for each in made if sum(other.item.id == each.item.id for other in made) > 1}
    if twice:
        raise UnusableFile(
            "protocol", problem=f"two items have the id {sorted(twice)[0]!r}", remedy="Leave one of them out."
        )
    return made


def attention_item(check: Attention) -> Made:
    """An attention check as a question with an instructed answer."""
    names = [f"{check.id}-{place}" for place in range(len(check.choices))]
    options = [
        Option(candidate_id=name, letter=chr(ord("A") + place), model=[text])
        for place, (name, text) in enumerate(zip(names, check.choices, strict=True))
    ]
    return Made(
        QuestionItem(
            id=check.id,
            block="attention",
            family="attention",
            instance=check.id,
            title="A question about this study",
            brief=check.text,
            text=check.text,
            text_sha256=text_digest(check.text),
            wording="fact-equal",
            options=options,
            instructed=names[check.instructed],
        ),
        None,
    )


def _from(source: Source, base: Path, block: Block) -> Iterator[Made]:
    match source:
        case Curated():
            yield from _curated(source, block)
        case Generated():
            told: Wording = "fact-equal" if source.wording == "original-facts" else "richer"
            for index, task in enumerate(generate(source.tier, source.count, source.seed)):
                origin = Origin(source.tier, source.seed, index, source.wording)
                yield _task(task, block, told, brief=task.brief(source.wording), origin=origin)
        case TaskFile():
            yield from _filed(base / source.path, source.wording, block)
        case QuestionPack():
            yield from _questions(source, base, block)


def _curated(source: Curated, block: Block) -> Iterator[Made]:
    tasks = {task.id: task for task in curated_tasks(source.rubric)}
    for name in source.tasks or tasks:
        if name not in tasks:
            raise UnknownName("task", name, tuple(tasks))
        yield _task(tasks[name], block, "byte-equal", brief=tasks[name].spec)


def _filed(path: Path, wording: Wording, block: Block) -> Iterator[Made]:
    for row in read_tasks(path):
        if not isinstance(row, FiledTask):
            remedy = "Correct the row, or take it out."
            raise UnusableFile(path.name, place=row.place, problem=f"is no task: {row.reason}", remedy=remedy)
        yield _task(row, block, wording, brief=row.spec, origin=row.origin)


def _task(task: AnyTask, block: Block, wording: Wording, *, brief: str, origin: Origin | None = None) -> Made:
    """A task as an item. Its text is the brief and the graph in the form models read it."""
    model = task.model()
    text = f"{brief}\n\n{observe(model)}\n"
    item = GraphItem(
        id=_named(task.id, block),
        block=block,
        family=_family(task),
        instance=task.id,
        title=task.id,
        brief=brief,
        text=text,
        text_sha256=text_digest(text),
        wording=wording,
        start=_document(task.id, model),
    )
    key = GraphKey(
        task_id=task.id,
        task_kind=task.kind,
        spec=task.spec if origin is None else brief,
        budget=dict(task.budget),
        constraints=dict(task.constraints),
        origin=None if origin is None else asdict(origin),
    )
    return Made(item, key)


def _named(name: str, block: Block) -> str:
    """Practice items have names of their own, since every generated split counts from 0."""
    return f"practice-{name}" if block == "practice" else name


def _family(task: AnyTask) -> str:
    if isinstance(task, Task):
        return "curated"
    if isinstance(task, GeneratedTask):
        return task.family
    parts = task.id.split("-")
    return parts[1] if parts[0] == "gen" and len(parts) == 3 else task.kind


def _document(name: str, model: Model) -> dict[str, Any]:
    """A model in the form of documents; refused where a window could not open it."""
    read = from_document({**model, "name": name}, file=name)
    read.extra.clear()
    return to_document(read)


def _questions(source: QuestionPack, base: Path, block: Block) -> Iterator[Made]:
    pack = read_questions(base / source.path, None if source.key is None else base / source.key)
    for entry in pack.questions:
        yield _question(pack.by_id[entry.id], source.wording, block)


def _question(question: BakedQuestion, wording: Wording, block: Block) -> Made:
    detail, reveal = question.detail, question.reveal
    named = {choice.letter: choice.candidate_id for choice in detail.choices}
    metric = question.metric or detail.dataset.selection_metric or ""
    shown = detail.dataset.model_dump(mode="json", by_alias=True, exclude_none=True)
    item = QuestionItem(
        id=_named(question.id, block),
        block=block,
        family=question.family,
        instance=question.dataset_id,
        title=question.title,
        brief=question.title,
        text=detail.prompt,
        text_sha256=text_digest(detail.prompt),
        wording=wording,
        metric=metric,
        shared=[Row(label=row.label, value=row.value) for row in detail.shared],
        dataset={name: shown[name] for name in _DATASET_SHOWN if name in shown},
        options=[
            Option(
                candidate_id=choice.candidate_id,
                letter=choice.letter,
                rows=[Row(label=row.label, value=row.value) for row in choice.variant],
                model=choice.model_lines,
                optimizer=choice.optimizer_lines,
                loss=choice.loss_lines,
            )
            for choice in detail.choices
        ],
    )
    means = {named[row.letter]: None if row.mean is None else float(row.mean) for row in reveal.ranked}
    return Made(item, QuestionKey(correct=named[reveal.correct_letter], means=means, metric=metric))

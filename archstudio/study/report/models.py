"""Model rows for the join table: from imported result files only, and only where the items are those of the study."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from archstudio.bench.results.outcomes import Outcome, is_rubric_1, outcomes
from archstudio.bench.results.records import read_results
from archstudio.bench.results.runs import Run, is_run, read_run
from archstudio.files.strict_json import read_json
from archstudio.files.unusable import UnusableFile
from archstudio.study.records import CONDITIONS, Condition, Item, Records
from archstudio.study.report.rows import Row, State

_CONDITIONS: Final[Mapping[str, Condition]] = {
    "single shot": "single_shot",
    "round 1": "single_shot",
    "without tool": "single_shot",
    "up to 3 rounds": "verifier_turns_3",
    "with tool": "verifier_tool",
    "static": "blind",
    "sequential feedback": "full_sequential_feedback",
}
"""Which condition the people compared with a model worked under, by how the model was run."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Rows of a file that no figure uses, and why."""

    source: str
    model: str
    way: str
    rows: int
    reason: str


@dataclass(frozen=True, slots=True)
class ModelRows:
    """What was imported."""

    rows: tuple[Row, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    files: tuple[str, ...] = ()


def read_models(paths: Sequence[Path], records: Records) -> ModelRows:
    """Rows of result files (Arch-Bench's forms, our own runs, ArchitectureIQ run folders). UnusableFile if unreadable.

    A row is used where its item, its split and its way of running have a counterpart in the study.
    """
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    items = {item.id: item for item in records.items if item.block == "main"}
    names = _names(paths)
    for path, name in zip(paths, names, strict=True):
        for trial in _trials(path, name):
            kept, dropped = _fitting(trial, items, records)
            rows += kept
            left_out += dropped
    return ModelRows(tuple(rows), tuple(left_out), tuple(names))


def _names(paths: Sequence[Path]) -> list[str]:
    """The files' names without their folders, numbered where two are alike."""
    seen: Counter[str] = Counter()
    made = []
    for path in paths:
        seen[path.name] += 1
        made.append(path.name if seen[path.name] == 1 else f"{path.name} ({seen[path.name]})")
    return made


@dataclass(frozen=True, slots=True)
class Trial:
    """One model run one way, as one file tells it."""

    source: str
    model: str
    way: str
    split: str | None
    """None: its items' ids are the same nowhere else."""
    grader: str
    """"rubric 1", "rubric 2"; empty where the file does not say."""
    outcomes: tuple[tuple[str, Mapping[str, Any]], ...]
    """Item ids, and fields of the row."""


def _trials(path: Path, name: str) -> Iterator[Trial]:
    if path.is_dir():
        yield _questions_trial(path, name)
        return
    results: Any = read_run(path) if is_run(path) else read_results(path)
    grader = "" if isinstance(results, Run) else "rubric 1" if is_rubric_1(results) else "rubric 2"
    by_setting: dict[Any, list[Outcome]] = {}
    for outcome in outcomes(results):
        by_setting.setdefault(outcome.setting, []).append(outcome)
    if not by_setting:
        yield Trial(name, str(getattr(results, "who", "")), "totals only", None, grader, ())
    for setting, mine in by_setting.items():
        split = setting.split.removesuffix(", rubric 1")
        fields = tuple((outcome.task_id, _fields(outcome)) for outcome in mine)
        yield Trial(name, setting.model, setting.way, split, grader, fields)


def _fields(outcome: Outcome) -> dict[str, Any]:
    state: State = "error" if outcome.errored else "answered"
    passed = None if outcome.errored else outcome.passed
    kinds = () if outcome.errored else tuple(dict.fromkeys(outcome.categories))
    return {
        "state": state,
        "passed": passed,
        "score": None if outcome.errored else outcome.score,
        "tokens": outcome.tokens,
        "failure_categories": kinds,
    }


def _questions_trial(folder: Path, source: str) -> Trial:
    """A run folder of ArchitectureIQ's runner: `run.json`, and a file a question under `results/`."""
    head = read_json(folder / "run.json")
    files = sorted((folder / "results").glob("*.json"))
    if not isinstance(head, dict) or not files:
        remedy = "Name a folder with run.json and results/."
        raise UnusableFile(folder.name, problem="is no run of questions with results", remedy=remedy)
    model = head.get("model")
    name = model.get("name") if isinstance(model, dict) else model
    answers = [_answer(file) for file in files]
    protocol = head.get("protocol", "blind")  # our own runs say it; the reference's tell by what each answer was told
    way = "sequential feedback" if protocol != "blind" or any(told for _, _, told in answers) else "static"
    return Trial(source, str(name), way, None, "", tuple((item, fields) for item, fields, _ in answers))


def _answer(file: Path) -> tuple[str, Mapping[str, Any], bool]:
    value = read_json(file)
    if not isinstance(value, dict) or not isinstance(value.get("question_id"), str):
        raise UnusableFile(file.name, problem="holds no answer to a question", remedy="It needs a question_id.")
    right = value.get("correct")
    failed = value.get("fault") is not None
    fields = {
        "state": "error" if failed else "answered",
        "passed": None if failed else right is True,  # a reply without a readable letter is wrong
        "choice": str(value.get("chosen_candidate") or value.get("parsed_letter") or ""),
        "tokens": _tokens(value.get("usage")),
    }
    return value["question_id"], fields, "history" in value


def _tokens(usage: object) -> float | None:
    if not isinstance(usage, dict):
        return None
    counts = [usage.get("total_tokens")] if "total_tokens" in usage else [*usage.values()]
    known = [count for count in counts if isinstance(count, int | float)]
    return sum(known) if known else None


def _fitting(trial: Trial, items: Mapping[str, Item], records: Records) -> tuple[list[Row], list[LeftOut]]:
    condition = _CONDITIONS.get(trial.way)
    reason = _reason(trial, condition, records)
    if reason or condition is None:
        return [], [LeftOut(trial.source, trial.model, trial.way, len(trial.outcomes), reason)]
    rows = [
        _row(trial, condition, items[item_id], fields)
        for item_id, fields in trial.outcomes
        if item_id in items and (trial.split is None or same_split(trial.split, items[item_id].split))
    ]
    others = len(trial.outcomes) - len(rows)
    told = "other items than the study's"
    return rows, [LeftOut(trial.source, trial.model, trial.way, others, told)] if others else []


def _reason(trial: Trial, condition: Condition | None, records: Records) -> str:
    if not trial.outcomes:
        return "totals without a row an item"
    if trial.grader == "rubric 1":
        return "graded by rubric 1, people by another"
    if condition is None:
        return "no condition of people is run this way"
    return "" if condition in records.study.conditions else f"nobody worked under {condition}"


def _row(trial: Trial, condition: Condition, item: Item, fields: Mapping[str, Any]) -> Row:
    return Row(
        respondent_type="model",
        respondent_id=f"{trial.model} · {trial.way} · {trial.source}",
        simulated=False,
        condition=condition,
        item_id=item.id,
        kind=item.kind,
        family=item.family,
        instance=item.instance,
        block="main",
        wording="byte-equal",
        chance=item.chance,
        grader=trial.grader,
        source=trial.source,
        way=trial.way,
        **fields,
    )


def same_split(one: str, other: str) -> bool:
    """Whether two names mean the same tasks: the original's "generated" tier is "core"; counts do not matter."""
    return _split_key(one) == _split_key(other)


def _split_key(text: str) -> tuple[str, str]:
    words = re.split(r"[\s,]+", text.strip().lower())
    seed = re.search(r"seed\D*(\d+)", text.lower())
    kind = "core" if words[0] == "generated" else words[0]
    return kind, seed.group(1) if seed else ""


def condition_order(rows: Sequence[Row]) -> list[Condition]:
    """The conditions people worked under, in the order of the specification."""
    seen = {row.condition for row in rows if row.respondent_type == "human"}
    return [condition for condition in CONDITIONS if condition in seen]

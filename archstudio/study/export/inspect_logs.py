"""Evaluation logs as Inspect AI writes them, one a person and condition, so that its viewer and tools read people too.

The format is Inspect's log file, version 2 (https://inspect.aisi.org.uk/eval-logs.html); it is written here without it.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from archstudio.study.records import Attempt, Item, Records, Response, Session
from archstudio.study.redaction import Redactor
from archstudio.study.report.rows import Row

_VERSION: Final = 2
_ZIP_DATE: Final = (1980, 1, 1, 0, 0, 0)
"""The same content gives the same bytes."""


def inspect_logs(records: Records, rows: Sequence[Row], redactor: Redactor) -> dict[str, bytes]:
    """File name → content, a `.json` and an `.eval` for each log; excluded people have logs too, marked so."""
    made: dict[str, bytes] = {}
    for log in _logs(records, rows, redactor):
        name = f"{log['eval']['metadata']['condition']}_{log['eval']['metadata']['participant_id']}"
        made[f"{name}.json"] = json.dumps(log, ensure_ascii=False, indent=1).encode()
        made[f"{name}.eval"] = _zipped(log)
    return made


def _logs(records: Records, rows: Sequence[Row], redactor: Redactor) -> Iterator[dict[str, Any]]:
    mine: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.respondent_type == "human" and row.block == "main" and not row.repeat:
            mine.setdefault((row.respondent_id, row.condition), []).append(row)
    sessions = {session.id: session for session in records.sessions}
    items = {item.id: item for item in records.items}
    answers = _answers(records)
    for (person, condition), theirs in sorted(mine.items()):
        sittings = sorted({row.session_id for row in theirs}, key=lambda name: (sessions[name].started_at, name))
        samples = [_sample(row, items[row.item_id], answers, redactor) for row in theirs]
        yield _log(records, [sessions[name] for name in sittings], person, condition, theirs, samples)


def _answers(records: Records) -> dict[tuple[str, str], list[Attempt | Response]]:
    made: dict[tuple[str, str], list[Attempt | Response]] = {}
    given: tuple[Attempt | Response, ...] = (*records.attempts, *records.responses)
    for each in given:
        made.setdefault((each.session_id, each.item_id), []).append(each)
    return made


def _log(
    records: Records, sittings: Sequence[Session], person: str, condition: str, rows: Sequence[Row], samples: list[Any]
) -> dict[str, Any]:
    study = records.study
    simulated = any(row.simulated for row in rows)
    known = sha256(f"{study.id}/{person}/{condition}".encode()).hexdigest()[:22]
    metadata = {
        "participant_id": person,
        "condition": condition,
        "simulated": simulated,
        "excluded_by": sorted({row.excluded_by for row in rows if row.excluded_by}),
        "grader_version": study.grader_version,
        "plan_version": study.plan_version,
        "sessions": [session.id for session in sittings],
    }
    spec = {
        "eval_id": known,
        "run_id": known,
        "created": sittings[0].started_at,
        "task": f"{study.benchmark}/{condition}",
        "task_id": study.id,
        "task_version": study.plan_version,
        "tags": ["human-baseline", *(["simulated"] if simulated else [])],
        "dataset": {"name": study.split, "samples": len(rows), "sample_ids": [row.item_id for row in rows]},
        "model": f"{'simulated' if simulated else 'human'}/{person}",
        "config": {},
        "packages": {"archstudio": study.app_version},
        "metadata": metadata,
    }
    return {
        "version": _VERSION,
        "status": "success",
        "eval": spec,
        "plan": {"name": condition, "steps": []},
        "results": _results(rows),
        "stats": {"started_at": sittings[0].started_at, "completed_at": sittings[-1].ended_at or ""},
        "samples": samples,
    }


def _results(rows: Sequence[Row]) -> dict[str, Any]:
    scored = [row for row in rows if row.scored]
    metrics = {}
    if scored:
        accuracy = sum(row.passed is True for row in scored) / len(scored)
        metrics = {"accuracy": {"name": "accuracy", "value": accuracy, "params": {}}}
    score = {"name": "passed", "scorer": "passed", "params": {}, "metrics": metrics, "scored_samples": len(scored)}
    return {"total_samples": len(rows), "completed_samples": len(scored), "scores": [score]}


def _sample(
    row: Row, item: Item, answers: Mapping[tuple[str, str], Sequence[Attempt | Response]], redactor: Redactor
) -> dict[str, Any]:
    given = answers.get((row.session_id, row.item_id), [])
    text = json.dumps([redactor.value(_told(each)) for each in given], ensure_ascii=False)
    metadata = {
        "family": row.family,
        "wording": row.wording,
        "state": row.state,
        "excluded_by": row.excluded_by,
        "score": row.score,
        "runs": row.runs,
        "does_the_brief": row.does_the_brief,
        "submissions": row.n_submits,
        "audits": row.n_audits,
        "failure_categories": list(row.failure_categories),
    }
    sample: dict[str, Any] = {
        "id": row.item_id,
        "epoch": 1,
        "input": f"Text with sha256 {item.prompt_sha256 or item.sha256}",
        "target": item.key or "",
        "messages": [],
        "output": {"model": "human", "choices": [_choice(text)]},
        "scores": {"passed": {"value": "C" if row.passed else "I", "answer": row.choice}} if row.scored else {},
        "metadata": metadata,
    }
    if row.active_ms is not None:
        sample["working_time"] = row.active_ms / 1000
    return sample


def _choice(text: str) -> dict[str, Any]:
    return {"message": {"role": "assistant", "content": text}, "stop_reason": "stop"}


def _told(answer: Attempt | Response) -> dict[str, Any]:
    """What was answered, as data; free text stays in the session's log."""
    if isinstance(answer, Attempt):
        kind = {"kind": answer.kind, "number": answer.number, "passed": answer.grade.passed}
        return {**kind, "actions": [dict(action) for action in answer.plan], "failures": list(answer.grade.failures)}
    return {"kind": "response", "choice": answer.candidate_id, "probabilities": dict(answer.probabilities)}


def _zipped(log: Mapping[str, Any]) -> bytes:
    header = {key: value for key, value in log.items() if key != "samples"}
    start = {"version": log["version"], "eval": log["eval"], "plan": log["plan"]}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        _put(archive, "_journal/start.json", start)
        for sample in log["samples"]:
            _put(archive, f"samples/{sample['id']}_epoch_{sample['epoch']}.json", sample)
        _put(archive, "summaries.json", [_summary(sample) for sample in log["samples"]])
        _put(archive, "header.json", header)
    return stream.getvalue()


def _summary(sample: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("id", "epoch", "input", "target", "metadata", "scores", "working_time")
    return {**{key: sample[key] for key in kept if key in sample}, "completed": True}


def _put(archive: zipfile.ZipFile, name: str, content: Any) -> None:
    info = zipfile.ZipInfo(name, _ZIP_DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, json.dumps(content, ensure_ascii=False))

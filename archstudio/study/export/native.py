"""People's rows in the benchmarks' own result forms, so that their tools put them on the same tables as models."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from archstudio.bench.results.boards import exported
from archstudio.bench.results.records import Leaderboard, RepairRounds, ToolUse
from archstudio.files.strict_json import dump_json
from archstudio.study.records import Attempt, Condition, Records
from archstudio.study.redaction import Redactor
from archstudio.study.report.rows import Row, counted

_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Choices as shown, first to last."""


def native_files(records: Records, rows: Sequence[Row], redactor: Redactor) -> dict[str, bytes]:
    """File name → content: leaderboard, repair rounds and tool use of Arch-Bench; run folders of ArchitectureIQ.

    Excluded rows are left out. `assisted` has no counterpart and no file.
    """
    people = [row for row in rows if row.respondent_type == "human"]
    used = list(counted(people, with_excluded=False))
    by_condition: dict[Condition, list[Row]] = {}
    for row in used:
        by_condition.setdefault(row.condition, []).append(row)
    writer = _Writer(records, redactor)
    made: dict[str, bytes] = {}
    for condition, mine in by_condition.items():
        if condition == "single_shot":
            made["leaderboard.json"] = _file(exported(writer.leaderboard(mine)))
        elif condition == "verifier_turns_3":
            made["repair-rounds.json"] = _file(exported(writer.rounds(mine)))
        elif condition == "verifier_tool":
            made.update(writer.tool_use(mine))
        elif condition in ("blind", "full_sequential_feedback"):
            made.update(writer.question_runs(condition, mine))
    return made


def _file(content: Any) -> bytes:
    return dump_json(content).encode()


class _Writer:
    """Knows the study while files are written."""

    def __init__(self, records: Records, redactor: Redactor) -> None:
        self._records, self._redactor = records, redactor
        self._last: dict[tuple[str, str], Attempt] = {}
        for each in records.attempts:
            if each.kind == "submit":
                self._last[each.session_id, each.item_id] = each
        self._items = {item.id: item for item in records.items}
        self._orders = {session.id: session.option_orders for session in records.sessions}
        self._letters = {(each.session_id, each.item_id): each.choice for each in records.responses}
        self._made_at = max((session.ended_at or session.started_at for session in records.sessions), default="")

    def leaderboard(self, rows: Sequence[Row]) -> Leaderboard:
        """One reply a task."""
        return Leaderboard.model_validate(
            {
                "benchmark": 1,
                "split": self._split(rows),
                "models": {_provider(row): _model(row) for row in rows},
                "generatedAt": self._made_at,
                "board": [],
                "rows": [self._try(row) for row in rows],
            }
        )

    def rounds(self, rows: Sequence[Row]) -> RepairRounds:
        """Up to three rounds."""
        models = {_provider(row): _model(row) for row in rows}
        return RepairRounds.model_validate(
            {
                "split": self._split(rows),
                "turns": 3,
                "generatedAt": self._made_at,
                "results": [{"provider": provider, "model": model} for provider, model in models.items()],
                "rows": [self._repaired(row) for row in rows],
            }
        )

    def tool_use(self, rows: Iterable[Row]) -> dict[str, bytes]:
        """One file a person: the form names one model."""
        made: dict[str, bytes] = {}
        for person, mine in _by_person(rows).items():
            split = self._split(mine)
            results = {
                "provider": _provider(mine[0]),
                "model": _model(mine[0]),
                "tier": split["kind"],
                "count": len(mine),
                "seed": split.get("seed", 0),
                "rows": [self._with_tool(row) for row in mine],
            }
            made[f"tool-use-{person}.json"] = _file(ToolUse.model_validate(results).plain())
        return made

    def question_runs(self, condition: Condition, rows: Iterable[Row]) -> dict[str, bytes]:
        """A folder a person: run.json, and an answer a file."""
        made: dict[str, bytes] = {}
        for person, mine in _by_person(rows).items():
            folder = f"{condition}-{person}"
            made[f"{folder}/run.json"] = _file(self._run_head(condition, mine))
            for row in mine:
                made[f"{folder}/results/{row.item_id}.json"] = _file(self._answer(condition, row))
        return made

    def _run_head(self, condition: Condition, rows: Sequence[Row]) -> dict[str, Any]:
        answered = [row for row in rows if row.state in ("answered", "timeout")]
        right = sum(row.passed is True for row in answered)
        parsed = sum(row.state == "answered" for row in answered)
        return {
            "run_id": f"{condition}_{rows[0].respondent_id}",
            "created_at": self._made_at,
            "questions_root": self._records.study.split,
            "model": {"name": _model(rows[0])},
            "summary": {
                "total_questions": len(rows),
                "parsed": parsed,
                "unparsed": len(rows) - parsed,
                "correct": right,
                "accuracy": right / parsed if parsed else None,
            },
        }

    def _answer(self, condition: Condition, row: Row) -> dict[str, Any]:
        history: dict[str, Any] = {"history": []} if condition == "full_sequential_feedback" else {}
        item = self._items[row.item_id]
        shown = self._orders.get(row.session_id, {}).get(row.item_id, ())
        right = _LETTERS[shown.index(item.key)] if item.key in shown else None
        return {
            "question_id": row.item_id,
            "prompt_hash": item.prompt_sha256,
            "ground_truth_letter": right,
            "parsed_letter": self._letters.get((row.session_id, row.item_id)),
            "correct": row.passed is True,
            "num_choices": item.n_choices,
            "chosen_candidate": row.choice or None,
            "question_type": "not recorded",
            "family": row.family,
            "seconds": None if row.active_ms is None else row.active_ms / 1000,
            **history,
        }

    def _failures(self, row: Row) -> list[str]:
        if row.passed or not row.scored:
            return []
        last = self._last.get((row.session_id, row.item_id))
        if last is None:
            return ["no submission within the time limit"]
        return [self._redactor.text(text) for text in last.grade.failures]

    def _try(self, row: Row) -> dict[str, Any]:
        last = self._last.get((row.session_id, row.item_id))
        return {
            "provider": _provider(row),
            "taskId": row.item_id,
            "status": "PASS" if row.passed else "ERROR" if row.passed is None else "FAIL",
            "score": (row.score or 0) if row.scored else 0,
            "pass": row.passed is True,
            "params": None if last is None else last.grade.params,
            "blockers": [],
            "failures": self._failures(row),
            "failureCategories": list(row.failure_categories),
            "tokens": 0,
            "ms": row.active_ms or 0,
            **_left(row),
        }

    def _repaired(self, row: Row) -> dict[str, Any]:
        return {
            "provider": _provider(row),
            "taskId": row.item_id,
            "passAtTurn1": row.first_passed is True,
            "passFinal": row.passed is True,
            "turnsUsed": row.n_submits or 0,
            "tokens": 0,
            "finalFailures": self._failures(row),
            **_left(row),
        }

    def _with_tool(self, row: Row) -> dict[str, Any]:
        return {
            "arm": "tool",
            "taskId": row.item_id,
            "pass": row.passed is True,
            "score": row.score or 0,
            "audits": row.n_audits or 0,
            "failures": self._failures(row),
            **_left(row),
        }

    def _split(self, rows: Sequence[Row]) -> dict[str, Any]:
        """A split as result files name it; what we call "core" is "generated" there."""
        text = next(item.split for item in self._records.items if item.id == rows[0].item_id)
        kind = re.split(r"[\s,]+", text.strip())[0]
        seed = re.search(r"seed\D*(\d+)", text)
        count = len({row.item_id for row in rows})
        named = {"kind": "generated" if kind == "core" else kind, "count": count}
        return {**named, "seed": int(seed.group(1))} if seed else named


def _left(row: Row) -> dict[str, str]:
    return {} if row.scored else {"error": "left without a submission"}


def _by_person(rows: Iterable[Row]) -> dict[str, list[Row]]:
    made: dict[str, list[Row]] = {}
    for row in rows:
        made.setdefault(row.respondent_id, []).append(row)
    return made


def _provider(row: Row) -> str:
    return f"human-{row.respondent_id[:12]}"


def _model(row: Row) -> str:
    return f"{'simulated' if row.simulated else 'human'}/{row.respondent_id}"


def json_lines(lines: Iterable[Any]) -> bytes:
    """One JSON document a line."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()

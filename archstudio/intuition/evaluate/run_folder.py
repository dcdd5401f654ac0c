"""The folder of an evaluation: its settings, a record a question, every reply that was paid for, and the report."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from archstudio.files.atomic import save_atomic
from archstudio.files.strict_json import read_json
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.evaluate.items import Item
from archstudio.intuition.evaluate.scores import Scored
from archstudio.intuition.evaluate.talk import Answered, Protocol
from archstudio.intuition.records import json_bytes
from archstudio.llm import Sampling

RUN_FILE: Final = "run.json"
REPLIES_FILE: Final = "replies.jsonl"
RUN_SCHEMA: Final = "archstudio.iq-eval/1"


@dataclass(frozen=True)
class EvalSettings:
    """What makes an evaluation the same evaluation. Neither address nor key belong to it."""

    model: str
    protocol: Protocol
    sampling: Sampling
    questions: str
    """Digest of the questions' ids and texts, in their order."""
    moved: bool
    """Whether every question is also asked with its choices in another order."""

    def as_json(self) -> dict[str, Any]:
        """The settings as they are kept."""
        return {
            "model": {"name": self.model, **self.sampling.as_json()},
            "protocol": self.protocol,
            "questions_digest": self.questions,
            "order_check": self.moved,
        }


def digest_of(items: Sequence[Item]) -> str:
    """A digest of what is asked."""
    told = json.dumps([[item.id, item.prompt] for item in items])
    return hashlib.sha256(told.encode()).hexdigest()


class RunExists(ValueError):
    """A folder that cannot take this run; `reason` says why and what to do."""

    def __init__(self, folder: Path, reason: str) -> None:
        self.folder, self.reason = folder, reason
        super().__init__(f"{folder}: {reason}")


class EvalFolder:
    """Writes an evaluation; everything in it is whole at every moment."""

    def __init__(self, folder: Path, settings: EvalSettings, *, resume: bool) -> None:
        """Start it, or go on in one of the same settings. Raises RunExists, UnusableFile, SaveFailed."""
        self.folder, self._settings = folder, settings
        before = folder / RUN_FILE
        self._created = datetime.now(UTC).isoformat(timespec="seconds")
        if before.is_file():
            if not resume:
                raise RunExists(folder, "there is a run in it. Add --resume to go on, or choose another folder.")
            self._created = self._same(before)
        folder.mkdir(parents=True, exist_ok=True)
        self.finish(None, None)

    @property
    def replies(self) -> Path:
        """Where replies are kept."""
        return self.folder / REPLIES_FILE

    def keep(self, made: Answered, *, moved: bool = False) -> None:
        """Write the record of one question."""
        folder = self.folder / ("results_moved" if moved else "results")
        folder.mkdir(exist_ok=True)
        save_atomic(folder / f"{made.item.id}.json", json_bytes(made.as_json()), backups=0)

    def finish(self, summary: dict[str, Any] | None, ledger: dict[str, Any] | None) -> dict[str, Any]:
        """Write what the run comes to; returns the record."""
        record = {
            "schema": RUN_SCHEMA,
            "run_id": self.folder.name,
            "created_at": self._created,
            **self._settings.as_json(),
            "finished": summary is not None,
            "summary": summary,
            "ledger": ledger,
        }
        save_atomic(self.folder / RUN_FILE, json_bytes(record), backups=0)
        return record

    def _same(self, path: Path) -> str:
        """When the run of these settings was begun."""
        record = read_json(path)
        wanted = self._settings.as_json()
        if not isinstance(record, dict) or record.get("schema") != RUN_SCHEMA:
            raise RunExists(self.folder, "what is in it was not made here. Choose another folder.")
        other = [name for name, value in wanted.items() if record.get(name) != value]
        if other:
            raise RunExists(self.folder, f"the run in it has another {', '.join(other)}. Choose another folder.")
        return str(record.get("created_at"))


def scored(made: Answered) -> Scored:
    """An answer as scores want it."""
    return _scored(made.as_json(), made.item.id)


def read_scored(folder: Path) -> list[Scored]:
    """The answers of a run, also of one that the reference's own runner made. Raises UnusableFile."""
    files = sorted((folder / "results").glob("*.json"))
    if not files:
        remedy = "Choose the folder of a run of 'archstudio iq eval'; it holds the folder results."
        raise UnusableFile(str(folder), problem="There are no answers in it", remedy=remedy)
    return [_scored(read_json(file), f"{folder.name}/results/{file.name}") for file in files]


def _scored(record: object, name: str) -> Scored:
    if not isinstance(record, dict):
        raise UnusableFile(name, problem="is no record of an answer", remedy="Make the run again.")
    try:
        letter = record["parsed_letter"]
        return Scored(
            question_id=str(record["question_id"]),
            prompt_hash=str(record["prompt_hash"]),
            family=str(record["family"]),
            type=str(record["question_type"]),
            choices=int(record.get("num_choices", 2)),
            letter=None if letter is None else str(letter),
            right_letter=str(record["ground_truth_letter"]),
            candidate=record.get("chosen_candidate"),
            fault=record.get("fault"),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UnusableFile(name, problem=f"lacks {error}", remedy="Make the run again.") from None

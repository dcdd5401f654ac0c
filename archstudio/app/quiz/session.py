"""A session: one question at a time, each answer on disk before anything is revealed."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from archstudio.app.quiz.item import ItemKey, QuizItem
from archstudio.app.quiz.order import ordered_by
from archstudio.app.quiz.packs import QuizPack
from archstudio.app.quiz.record import Answer, Protocol, SessionRecord
from archstudio.files.unusable import UnusableFile

Keep = Callable[[SessionRecord], None]
"""Brings a session's record onto the disk, and returns only then; raises `SaveFailed`."""


class CannotAnswer(ValueError):
    """The answer is refused: there is one already, or it does not fit the question."""


@dataclass(frozen=True)
class Feedback:
    """What is revealed of the question in front."""

    answer: Answer
    key: ItemKey

    @property
    def right(self) -> bool:
        """Whether the right choice was given, or every pair of a ranking is in order."""
        if self.answer.order is not None:
            return tuple(self.answer.order) == self.key.order
        return self.answer.choice == self.key.right


class QuizSession:
    """Questions of a pack under a protocol. Steps change nothing unless `keep` has brought them onto the disk.

    `blind` reveals nothing at all; `full_sequential_feedback` reveals each question once it is answered, in order;
    `practice` does so too, and any question can be gone to and left at any time.
    """

    def __init__(
        self, pack: QuizPack, record: SessionRecord, keep: Keep, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.pack = pack
        self.record = record
        self._keep = keep
        self._clock = clock
        self._spent: dict[str, float] = {}
        self._shown_at: float | None = None

    # ---------------------------------------------------------------- reading

    @property
    def protocol(self) -> Protocol:
        """What is revealed when."""
        return self.record.protocol

    @property
    def count(self) -> int:
        """Number of questions."""
        return len(self.record.order)

    @property
    def number(self) -> int:
        """Number of the question in front, from 1; one more than `count` once all are over."""
        return self.record.position + 1

    @property
    def finished(self) -> bool:
        """Whether the last question is over."""
        return self.record.position >= self.count

    @property
    def item(self) -> QuizItem | None:
        """The question in front, None once all are over."""
        if self.finished:
            return None
        item = self.pack.item(self.record.order[self.record.position])
        return item.blinded() if self.protocol == "blind" else item

    @property
    def answers(self) -> Mapping[str, Answer]:
        """The answers given so far, by question."""
        return {answer.item: answer for answer in self.record.answers}

    @property
    def answer(self) -> Answer | None:
        """The answer to the question in front, if it has one."""
        return None if self.finished else self.answers.get(self.record.order[self.record.position])

    @property
    def feedback(self) -> Feedback | None:
        """What may be shown about the question in front: nothing before its answer, and nothing when blind."""
        answer = self.answer
        if answer is None or self.protocol == "blind" or self.pack.key is None:
            return None
        key = self.pack.key.get(answer.item)
        return None if key is None else Feedback(answer, key)

    @property
    def may_try(self) -> bool:
        """Whether own settings may be trained now: never when blind, after the answer with feedback, else always."""
        if self.protocol == "practice":
            return True
        return self.protocol != "blind" and self.answer is not None

    @property
    def may_score(self) -> bool:
        """Whether results may be shown: as feedback is given, or when a blind session is over."""
        return self.pack.key is not None and (self.protocol != "blind" or self.record.finished_at is not None)

    @property
    def can_go_on(self) -> bool:
        """Whether `next` goes somewhere: practice may leave a question open, the others may not."""
        return not self.finished and (self.answer is not None or self.protocol == "practice")

    # --------------------------------------------------------------- stepping

    def shown(self) -> None:
        """The question is before the person's eyes; its time runs."""
        if self._shown_at is None and self.answer is None:
            self._shown_at = self._clock()

    def hidden(self) -> None:
        """The question is out of sight; its time stands still."""
        if self._shown_at is not None and not self.finished:
            item = self.record.order[self.record.position]
            self._spent[item] = self._spent.get(item, 0.0) + self._clock() - self._shown_at
        self._shown_at = None

    def answer_choice(self, probabilities: Mapping[str, float], choice: str, reason: str = "") -> Answer:
        """Record a choice with the probability of each; raises `CannotAnswer`, and `SaveFailed` (nothing changes)."""
        item = self._open_item("choice")
        if set(probabilities) != set(item.labels):
            raise CannotAnswer(f"Give a probability for each of {', '.join(item.labels)}.")
        if choice not in probabilities or probabilities[choice] < max(probabilities.values()):
            raise CannotAnswer(f"{choice} is not the most probable choice.")
        return self._record(item, {"choice": choice, "probabilities": dict(probabilities)}, reason)

    def answer_order(self, order: Sequence[str], reason: str = "") -> Answer:
        """Record a ranking, best first; raises `CannotAnswer`, and `SaveFailed` (nothing changes)."""
        item = self._open_item("ranking")
        if sorted(order) != sorted(item.labels):
            raise CannotAnswer(f"Put each of {', '.join(item.labels)} in its place once.")
        return self._record(item, {"order": list(order)}, reason)

    def _open_item(self, kind: str) -> QuizItem:
        item = self.item
        if item is None or self.answer is not None:
            raise CannotAnswer("This question is answered; an answer cannot be changed.")
        if item.kind != kind:
            raise CannotAnswer(f"This question is answered by a {item.kind}.")
        return item

    def _record(self, item: QuizItem, given: Mapping[str, object], reason: str) -> Answer:
        self.hidden()
        content = {
            "item": item.id,
            "kind": item.kind,
            **given,
            "reason": reason.strip(),
            "seconds": round(self._spent.get(item.id, 0.0), 3),
            "answered_at": _now(),
        }
        answer = Answer.model_validate(content)
        try:
            self._step(answers=[*self.record.answers, answer])
        except BaseException:
            self.shown()
            raise
        return answer

    def write_lesson(self, lesson: str) -> None:
        """Keep what was learnt from the question in front; raises `CannotAnswer` before its answer, `SaveFailed`."""
        answer = self.answer
        if answer is None:
            raise CannotAnswer("There is nothing to learn from a question before it is answered.")
        if lesson.strip() == answer.lesson:
            return
        changed = answer.model_copy(update={"lesson": lesson.strip()})
        self._step(answers=[changed if one.item == answer.item else one for one in self.record.answers])

    def next(self) -> None:
        """Go to the next question, or to the end; raises `CannotAnswer` if this one must be answered first."""
        if not self.can_go_on:
            raise CannotAnswer("Answer this question first.")
        self.hidden()
        position = self.record.position + 1
        over = position >= self.count
        self._step(position=position, finished_at=_now() if over else self.record.finished_at)

    def go_to(self, number: int) -> None:
        """Go to a question by its number, from 1; only in practice. Raises `CannotAnswer`, `SaveFailed`."""
        if self.protocol != "practice":
            raise CannotAnswer("The questions of this session come one after the other.")
        if not 1 <= number <= self.count:
            raise CannotAnswer(f"There are the questions 1 to {self.count}.")
        self.hidden()
        self._step(position=number - 1)

    def _step(self, **changes: object) -> None:
        changed = self.record.model_copy(update=changes)
        self._keep(changed)
        self.record = changed


def begin(
    pack: QuizPack,
    *,
    protocol: Protocol,
    seed: int | None,
    keep: Keep,
    items: Sequence[str] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> QuizSession:
    """Start a session over all questions of a pack, or over some; its record is kept at once. Raises `SaveFailed`."""
    asked = ordered_by(seed, list(items) if items is not None else [item.id for item in pack.items])
    record = SessionRecord(
        session=secrets.token_hex(8),
        pack_sha256=pack.sha256,
        pack_name=pack.name,
        pack_title=pack.title,
        protocol=protocol,
        seed=seed,
        order=asked,
        position=0,
        answers=[],
        started_at=_now(),
    )
    keep(record)
    return QuizSession(pack, record, keep, clock)


def resume(
    pack: QuizPack, record: SessionRecord, keep: Keep, clock: Callable[[], float] = time.monotonic
) -> QuizSession:
    """Go on with a session; raises `UnusableFile` if the pack is not the one it was begun with."""
    if pack.sha256 != record.pack_sha256:
        raise UnusableFile(
            pack.name,
            problem="This is not the pack the session was begun with: its bytes differ",
            value=f"sha256 {pack.sha256[:12]}…, expected {record.pack_sha256[:12]}…",
            remedy="Open the original file, or begin a new session.",
        )
    known = {item.id for item in pack.items}
    if missing := [item for item in record.order if item not in known]:
        raise UnusableFile(pack.name, problem=f"The pack has no question {missing[0]}", place="$")
    return QuizSession(pack, record, keep, clock)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")

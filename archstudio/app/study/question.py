"""A question of a study as the page of questions takes it: one item, answered into the session's log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from archstudio.app.quiz.item import ItemKey, QuizItem, Result, Row, ShownChoice, ShownData
from archstudio.app.quiz.packs import QuizPack
from archstudio.app.quiz.record import LONGEST_TEXT, Answer, SessionRecord
from archstudio.app.quiz.session import CannotAnswer, Feedback, QuizSession
from archstudio.app.quiz.wording import ABSENT, in_card_order
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.datasets.spec import PARAMS
from archstudio.intuition.packs.bake import Plot
from archstudio.intuition.records import checked
from archstudio.study.items import Option, QuestionItem
from archstudio.study.log.store import LogFailed
from archstudio.study.session import QuestionDesk
from archstudio.study.session.desks import NotNow

_UNUSED_SHA256 = "0" * 64


class StudyQuestion(QuizSession):
    """Holds one question; `QuizPage` shows it. What is answered is in the log before the page goes on."""

    def __init__(self, desk: QuestionDesk, number: int, count: int) -> None:
        self.desk = desk
        self._number, self._count = number, count
        self._left = False
        item = quiz_item(desk)
        pack = QuizPack("", "", _UNUSED_SHA256, (item,), None, True, b"")
        record = SessionRecord(
            session="0" * 16,
            pack_sha256=_UNUSED_SHA256,
            pack_name="",
            pack_title="",
            protocol="full_sequential_feedback" if desk.reveals else "blind",
            order=[item.id],
            position=0,
            answers=[] if desk.shown.answered is None else [_given(desk, desk.shown.answered.data)],
            started_at="",
        )
        super().__init__(pack, record, lambda _: None)

    @property
    def number(self) -> int:
        """Its place among all items of the session, from 1."""
        return self._number

    @property
    def count(self) -> int:
        """How many items the session has."""
        return self._count

    @property
    def finished(self) -> bool:
        """Whether the question was left."""
        return self._left

    @property
    def may_try(self) -> bool:
        """Own settings are no part of studies."""
        return False

    @property
    def may_score(self) -> bool:
        """Scores are no part of studies; the answer to this question may be."""
        return False

    @property
    def feedback(self) -> Feedback | None:
        """The answer, once one was given and only where the condition reveals it; revealing is recorded."""
        answer = self.answer
        if answer is None or not self.desk.reveals or self.desk.shown.locked:
            return None
        revealed = self.desk.reveal()
        letters = self.desk.letters
        means = sorted(revealed.means.items(), key=lambda each: (each[1] is None, each[1] or 0.0))
        results = tuple(Result(letters[name], mean, None) for name, mean in means)
        return Feedback(answer, ItemKey(letters[revealed.correct], results))

    def answer_choice(self, probabilities: Mapping[str, float], choice: str, reason: str = "") -> Answer:
        """Record the answer in the session; raises `CannotAnswer` where it was not."""
        if self.answer is not None:
            raise CannotAnswer("This question is answered; an answer cannot be changed.")
        named = {letter: name for name, letter in self.desk.letters.items()}
        try:
            self.desk.answer(named[choice], {named[one]: share for one, share in probabilities.items()}, reason)
        except (NotNow, LogFailed) as refused:
            raise CannotAnswer(str(refused)) from refused
        answered = self.desk.shown.answered
        assert answered is not None  # it was just given
        given = _given(self.desk, answered.data)
        self.record = self.record.model_copy(update={"answers": [given]})
        return given

    def write_lesson(self, lesson: str) -> None:
        """Keep the note here; it is recorded, once, when the question is left."""
        answer = self.answer
        if answer is not None:
            changed = answer.model_copy(update={"lesson": lesson.strip()})
            self.record = self.record.model_copy(update={"answers": [changed]})

    def next(self) -> None:
        """Leave the question; with feedback its lesson is recorded. Raises `CannotAnswer`."""
        answer = self.answer
        if answer is None:
            raise CannotAnswer("Answer this question first.")
        if self.desk.reveals and not self.desk.shown.locked:
            try:
                self.desk.done(answer.lesson)
            except (NotNow, LogFailed) as refused:
                raise CannotAnswer(str(refused)) from refused
        self._left = True

    def shown(self) -> None:
        """The session keeps the time."""

    def hidden(self) -> None:
        """The session keeps the time."""


def quiz_item(desk: QuestionDesk) -> QuizItem:
    """The question as it is shown: choices in this person's order, under this person's letters."""
    item = desk.item
    by_id = {option.candidate_id: option for option in item.options}
    options = [by_id[name] for name in desk.order]
    attention = item.instructed is not None
    return QuizItem(
        id=item.id,
        kind="choice",
        type="",
        metric=item.metric,
        seeds=None,
        shared=tuple(Row(row.label, row.value, differs=False) for row in item.shared),
        data=ShownData(family="") if attention else _data(item),
        choices=tuple(_choices(desk, options)),
        prompt="",
        question=item.brief,
    )


def _choices(desk: QuestionDesk, options: list[Option]) -> list[ShownChoice]:
    tables = [_rows(option) for option in options]
    labels = in_card_order(dict.fromkeys(label for table in tables for label in table))
    same = {label for label in labels if len({table.get(label) for table in tables}) == 1}
    return [
        ShownChoice(
            desk.letters[option.candidate_id],
            tuple(Row(label, table.get(label, ABSENT), differs=label not in same) for label in labels),
        )
        for option, table in zip(options, tables, strict=True)
    ]


def _rows(option: Option) -> dict[str, str]:
    """What a card says: the rows, or where there are none the lines about its parts."""
    if option.rows:
        return {row.label: row.value for row in option.rows}
    parts = {"model": option.model, "optimizer": option.optimizer, "loss": option.loss}
    return {name: ", ".join(lines) for name, lines in parts.items() if lines}


def _data(item: QuestionItem) -> ShownData:
    """The data set's card; its id is not shown, since other files name results by it."""
    shown, family = item.dataset, item.family
    params = plot = None
    if family in PARAMS and isinstance(shown.get("params"), dict):
        try:
            params = checked(PARAMS[family], shown["params"], item.id)
        except UnusableFile:
            params = None  # of a later profile: the card goes without its formula
    if isinstance(shown.get("plot"), dict):
        plot = checked(Plot, shown["plot"], item.id)
    return ShownData(family=family, params=params, plot=plot)


def _given(desk: QuestionDesk, data: Mapping[str, Any]) -> Answer:
    """An answer of the log as the page shows it."""
    letters = [desk.letters[name] for name in desk.order]
    said = data.get("why") or {}
    return Answer(
        item=desk.item.id,
        kind="choice",
        choice=desk.letters[data["candidate"]],
        probabilities=dict(zip(letters, data["p"], strict=True)),
        reason=str(said.get("text", ""))[:LONGEST_TEXT],
        seconds=0.0,
        answered_at="",
    )

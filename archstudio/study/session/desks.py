"""What a person does to one item: edits and submits a graph, or answers a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from archstudio.bench.task_files import FiledTask
from archstudio.edits.base import Edit, EditRefused
from archstudio.edits.plan import Plan, plan
from archstudio.graph import Graph
from archstudio.graph.digest import document_digest
from archstudio.study.conditions import Conduct
from archstudio.study.items import GraphItem, QuestionItem, shown_letters
from archstudio.study.log.events import EventKind
from archstudio.study.pack.read import StudyPack
from archstudio.study.session.grading import Graded, graded
from archstudio.study.session.progress import Shown, Work
from archstudio.study.session.recorder import Recorder
from archstudio.study.session.texts import kept_text

SUM_TOLERANCE = 1e-6


class NotNow(ValueError):
    """What was asked for is not possible at this point of the session; the text says why."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What may be told after an audit or a submission. `passed` is None where the condition tells nothing."""

    number: int
    passed: bool | None
    failures: tuple[str, ...]
    report: Mapping[str, Any] | None
    """A dry run's whole report, for audits."""
    locked: bool
    """Whether the item is done."""


class GraphDesk:
    """One task at work. `graph` is the recorder's own copy: the window keeps another and reports every edit."""

    def __init__(self, item: GraphItem, shown: Shown, pack: StudyPack, conduct: Conduct, recorder: Recorder) -> None:
        assert shown.work is not None
        self.item, self.shown = item, shown
        self._work: Work = shown.work
        self._recorder, self._conduct = recorder, conduct
        self._task = pack.graph_key(item).task(item, pack.protocol.limits.actions)
        limits = [conduct.submissions, pack.protocol.limits.attempts]
        self.attempts_allowed: int | None = min((limit for limit in limits if limit is not None), default=None)

    @property
    def task(self) -> FiledTask:
        """The task with the limits that bind; only conditions that show the grade may show them."""
        return self._task

    @property
    def graph(self) -> Graph:
        """A copy of the graph as recorded: what a window opens, also after a crash."""
        return self._work.graph.copy()

    @property
    def turn_start(self) -> Graph:
        """A copy of the graph that the present turn began with: what its plan starts from."""
        return self._work.turn_start.copy()

    @property
    def attempts_left(self) -> int | None:
        """Submissions left; None without limit."""
        return None if self.attempts_allowed is None else self.attempts_allowed - self.shown.count("submit")

    def edited(self, edit: Edit, how: Literal["do", "undo", "redo"] = "do") -> None:
        """An edit was made in the window, taken back, or made again (`edit` is then what was applied).

        Raises `NotNow` while the item is hidden or locked, `EditRefused` for an edit that does not fit the graph.
        """
        self._require_open()
        self._recorder.touched()
        match how:
            case "do":
                self._check_fits(edit)
                self._recorder.record(EventKind.EDIT, {"e": edit.to_json()})
            case "undo":
                self._recorder.record(EventKind.UNDO, self._back(edit, self._work.steps_back(edit)))
            case "redo":
                self._recorder.record(EventKind.REDO, self._back(edit, self._work.steps_forward(edit)))

    def matches(self, graph: Graph) -> bool:
        """Whether the window's graph is the recorded one; it is asked before each submission."""
        return document_digest(graph) == document_digest(self._work.graph)

    def preview(self) -> Plan:
        """The plan that *Submit* would send, and what it cannot say; nothing is recorded."""
        return plan(self._work.turn_start, self._work.graph)

    def audit(self) -> Feedback:
        """A dry-run grade, where the condition has one; it is counted."""
        if not self._conduct.audits:
            raise NotNow(f"the condition {self._conduct.condition} has no audits")
        self._require_open()
        made = self._graded()
        number = self.shown.count("audit") + 1
        self._recorder.touched()
        self._recorder.record(EventKind.AUDIT, {"n": number, **made.record(), "told": made.failures})
        return Feedback(number, made.verdicts.passes_rubric, tuple(made.failures), made.rehearsal(), False)

    def submit(self, explanation: str = "") -> Feedback:
        """Submit the graph; the item is locked when it passed (and that may be told) or no attempt is left."""
        self._require_open()
        made = self._graded()
        number = self.shown.count("submit") + 1
        told = made.failures if self._conduct.tells_failures else []
        data: dict[str, Any] = {"n": number, **made.record(), "told": told}
        if explanation:
            data["why"] = kept_text(explanation)
        self._recorder.touched()
        self._recorder.record(EventKind.SUBMIT, data)
        self.settle()
        passed = made.verdicts.passes_rubric if self._conduct.tells_failures else None
        return Feedback(number, passed, tuple(told), None, self.shown.locked)

    def settle(self) -> None:
        """Lock the item if it is done; also after a crash between submitting and locking."""
        if self.shown.locked or not self.shown.count("submit"):
            return
        left = self.attempts_left
        if left is not None and left <= 0:
            told = self.attempts_allowed != 1
            reason = "passed" if told and self.shown.passed else "attempts" if told else "submitted"
            self._recorder.record(EventKind.LOCKED, {"reason": reason})
        elif self._conduct.tells_failures and self.shown.passed:
            self._recorder.record(EventKind.LOCKED, {"reason": "passed"})

    def _graded(self) -> Graded:
        return graded(self._task, self._work.turn_start, self._work.graph, self._work.used)

    def _check_fits(self, edit: Edit) -> None:
        """Try the edit and take it back, so that nothing is recorded that cannot be replayed."""
        edit.apply(self._work.graph).apply(self._work.graph)

    def _back(self, edit: Edit, steps: int | None) -> dict[str, Any]:
        if steps is not None:
            return {"n": steps}
        self._check_fits(edit)
        return {"e": edit.to_json()}

    def _require_open(self) -> None:
        _require_open(self.shown)


@dataclass(frozen=True, slots=True)
class Reveal:
    """The answer to a question: the right candidate, and what the metric of each ended at (None: all seeds failed)."""

    correct: str
    means: Mapping[str, float | None]
    right: bool


class QuestionDesk:
    """One question at work; `order` are candidate ids as this person sees them, first to last."""

    def __init__(
        self, item: QuestionItem, shown: Shown, order: Sequence[str], pack: StudyPack, conduct: Conduct, to: Recorder
    ) -> None:
        self.item, self.shown = item, shown
        self.order = tuple(order)
        self.letters = shown_letters(self.order)
        self._pack, self._conduct, self._recorder = pack, conduct, to

    @property
    def reveals(self) -> bool:
        """Whether the answer is shown once one was given; attention items never tell."""
        return self._conduct.reveals and self.item.instructed is None

    def answer(self, choice: str, probabilities: Mapping[str, float] | None = None, explanation: str = "") -> None:
        """Answer with a candidate id and a probability for each candidate (they sum to 1; without: all on `choice`).

        Final: the item is locked unless the condition goes on to reveal. Raises `NotNow`.
        """
        _require_open(self.shown)
        if self.shown.answered is not None:
            raise NotNow("this question is answered")
        given = probabilities or {name: float(name == choice) for name in self.order}
        values = [float(given.get(name, -1.0)) for name in self.order]
        if choice not in self.order or set(given) != set(self.order):
            raise NotNow("an answer names one of the choices, and gives each a probability")
        if any(not 0 <= value <= 1 for value in values) or abs(sum(values) - 1) > SUM_TOLERANCE:
            raise NotNow("probabilities lie between 0 and 1 and add up to 1")
        data: dict[str, Any] = {"choice": self.letters[choice], "candidate": choice, "p": values}
        if explanation:
            data["why"] = kept_text(explanation)
        self._recorder.touched()
        self._recorder.record(EventKind.ANSWER, data)
        self.settle()

    def reveal(self) -> Reveal:
        """The answer, after one was given; raises `NotNow` before that and where the condition reveals nothing."""
        answered = self.shown.answered
        if not self.reveals:
            raise NotNow("this condition reveals no answers")
        if answered is None:
            raise NotNow("first a prediction, then the answer")
        key = self._pack.question_key(self.item)
        if key is None:
            raise NotNow("this study holds no answers")
        if answered.revealed is None:
            self._recorder.record(EventKind.REVEAL, {"correct": key.correct, "means": key.means})
        return Reveal(key.correct, key.means, answered.data["candidate"] == key.correct)

    def done(self, lesson: str = "") -> None:
        """Note a lesson, and lock the item."""
        answered = self.shown.answered
        if answered is None or answered.revealed is None:
            raise NotNow("first the answer is revealed")
        if self.shown.locked:
            raise NotNow("the item is locked")
        if lesson:
            self._recorder.record(EventKind.LESSON, kept_text(lesson))
        self._recorder.record(EventKind.LOCKED, {"reason": "answered"})

    def settle(self) -> None:
        """Lock the item if nothing is to come; also after a crash between answering and locking."""
        if self.shown.answered is not None and not self.reveals and not self.shown.locked:
            self._recorder.record(EventKind.LOCKED, {"reason": "answered"})


def _require_open(shown: Shown) -> None:
    if shown.locked:
        raise NotNow("the item is locked")
    if not shown.time.running:
        raise NotNow("the item is hidden; its clock stands still")


__all__ = ["EditRefused", "Feedback", "GraphDesk", "NotNow", "QuestionDesk", "Reveal"]

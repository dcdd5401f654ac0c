"""Runs simulated participants through the very engine that the window drives."""

from __future__ import annotations

from pathlib import Path

from archstudio.bench.brief import original_of
from archstudio.bench.tasks import Task, corrected_solution
from archstudio.edits.base import Batch, Edit, EditRefused
from archstudio.edits.from_actions import actions_to_edit
from archstudio.study.pack.read import StudyPack
from archstudio.study.protocol.questionnaire import Field
from archstudio.study.session import GraphDesk, ManualClock, QuestionDesk, Session, Start
from archstudio.study.simulated.person import Person, people

_QUITS = 0.01
"""Chance to end early, an item."""


def simulate(pack: StudyPack, folder: Path, count: int, *, seed: int = 0, first: int = 0) -> list[Path]:
    """Let `count` simulated people take part; returns their sessions' files. The same seed does the same again."""
    return [play(pack, folder, person) for person in people(count, seed, first)]


def play(pack: StudyPack, folder: Path, person: Person, *, synchronous: str = "OFF") -> Path:
    """One simulated session from consent to debrief. Nothing of it needs to survive a power cut."""
    clock = ManualClock()
    clock.at_ms += person.number * 3_600_000
    start = Start(person.participant_id, person.number, simulated=True)
    session = Session.start(pack, folder, start, clock=clock, synchronous=synchronous)
    session.agree(pack.consent_points)
    clock.advance(30)
    session.answer_questionnaire(_answers(pack, person))
    session.begin_items()
    while (desk := session.present()) is not None:
        _one_item(session, desk, person, clock)
        if session.stage == "items" and person.chance(_QUITS):
            session.quit()
            break
    if session.stage == "debrief":
        session.finish()
    session.close()
    return session.path


def _answers(pack: StudyPack, person: Person) -> dict[str, object]:
    known = person.profile()
    asked = {field.name: field for field in pack.questionnaire}
    answers = {name: value for name, value in known.items() if name in asked}
    missing = (field for name, field in asked.items() if name not in answers and not field.optional)
    return answers | {field.name: _any_answer(field) for field in missing}


def _any_answer(field: Field) -> object:
    match field.kind:
        case "choice":
            return field.options[0]
        case "several":
            return list(field.options[:1])
        case "text":
            return "simulated"
        case _:
            return field.low or 0


def _one_item(session: Session, desk: GraphDesk | QuestionDesk, person: Person, clock: ManualClock) -> None:
    clock.advance(0.2)
    session.painted()
    clock.advance(2 * person.seconds())
    session.touched()
    if person.chance(0.05):
        session.seen_before(False)
    if person.chance(1 - person.care):
        _distracted(session, person, clock)
    if isinstance(desk, GraphDesk):
        _work(session, desk, person, clock)
    else:
        _choose(session, desk, person, clock)


def _distracted(session: Session, person: Person, clock: ManualClock) -> None:
    """A break, a look elsewhere, or staring at the wall."""
    kind = person.draws.integer(0, 2)
    if kind == 0:
        session.pause("break")
        clock.advance(20 * person.seconds())
        session.resume_clock()
    elif kind == 1:
        session.focus(False)
        clock.advance(person.seconds())
        session.focus(True)
    else:
        clock.advance(150)
        session.tick()
        clock.advance(30)
        session.touched()


# Graphs -----------------------------------------------------------------------------------------------------------


def _work(session: Session, desk: GraphDesk, person: Person, clock: ManualClock) -> None:
    wanted = _solution(session.pack, desk)
    attempt = 0
    while not desk.shown.locked:
        attempt += 1
        able = person.solves(desk.item.id) or (attempt > 1 and person.chance(0.5))
        _edit(desk, wanted if able else wanted[: len(wanted) // 2], person, clock)
        wanted = [] if able else wanted[len(wanted) // 2 :]
        if session.conduct.audits and person.chance(0.7):
            desk.audit()
        clock.advance(person.seconds())
        if desk.shown.locked or session.tick().timed_out:
            return
        desk.submit()
        if attempt > 8:
            session.quit()
            return


def _solution(pack: StudyPack, desk: GraphDesk) -> list[Edit]:
    """A solution as single edits, where one is known here."""
    item = desk.item
    task = pack.graph_key(item).task(item)
    original = original_of(task)
    if original is None:
        return []
    actions = corrected_solution(original.id) if isinstance(original, Task) else original.reference()
    try:
        edit = actions_to_edit(desk.graph, actions).edit
    except EditRefused:  # a solution that no document can hold; the person then submits what is there
        return []
    return [] if edit is None else list(edit.edits) if isinstance(edit, Batch) else [edit]


def _edit(desk: GraphDesk, edits: list[Edit], person: Person, clock: ManualClock) -> None:
    """Make edits one by one, taking a step back and forth now and then."""
    graph = desk.graph
    for edit in edits:
        clock.advance(person.seconds() / 4)
        inverse = edit.apply(graph)
        desk.edited(edit)
        if person.chance(0.1):
            clock.advance(0.4)
            inverse.apply(graph)
            desk.edited(inverse, "undo")
            clock.advance(0.4)
            edit.apply(graph)
            desk.edited(edit, "redo")


# Questions --------------------------------------------------------------------------------------------------------


def _choose(session: Session, desk: QuestionDesk, person: Person, clock: ManualClock) -> None:
    item = desk.item
    if item.instructed is not None:
        choice = item.instructed if person.chance(0.5 + person.care / 2) else desk.order[0]
        desk.answer(choice)
        return
    choice, sure = _belief(session.pack, desk, person)
    rest = (1 - sure) / (len(desk.order) - 1)
    clock.advance(person.seconds())
    desk.answer(choice, {name: sure if name == choice else rest for name in desk.order}, "by feel")
    if desk.reveals:
        shown = desk.reveal()
        clock.advance(person.seconds())
        desk.done("" if shown.right else "larger is not always better")


def _belief(pack: StudyPack, desk: QuestionDesk, person: Person) -> tuple[str, float]:
    """A choice and how sure one is of it. Where the key is sealed away the choice is a guess."""
    key = pack.question_key(desk.item)
    right = None if key is None else key.correct
    if right is not None and person.solves(desk.item.id):
        choice = right
    else:
        choice = person.draws.pick([name for name in desk.order if name != right])
    least = 1 / len(desk.order)
    return choice, least + (1 - least) * person.draws.draw()

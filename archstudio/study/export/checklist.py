"""A reporting checklist for human baselines, filled from the data, with what is still missing.

The points follow what Wei and others (arXiv 2506.13776, 2025) found that readers need; the words are our own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from archstudio.study.redaction import Redactor, Shared
from archstudio.study.report.material import Material
from archstudio.study.report.shape import PRIMARY
from archstudio.study.report.words import basis, wordings

Answer = str | None
"""What the data say; None: missing."""


@dataclass(frozen=True, slots=True)
class Point:
    """One thing a reader must be told."""

    asks: str
    answer: Callable[[Material], Answer]


def checklist(material: Material, redactor: Redactor) -> str:
    """The checklist as Markdown."""
    done = missing = 0
    lines = []
    for title, points in SECTIONS:
        lines += ["", f"## {title}", ""]
        for point in points:
            answer = point.answer(material)
            done, missing = done + (answer is not None), missing + (answer is None)
            mark, said = ("x", redactor.text(answer)) if answer is not None else (" ", "**Missing.**")
            lines.append(f"- [{mark}] {point.asks} {said}")
    head = [f"# Reporting checklist: {redactor.text(material.records.study.title)}", ""]
    head += ["**Simulated participants: nothing here is about people.**", ""] * material.figures.simulated
    head.append(f"{done} points are answered from the data, {missing} are missing and are for the authors to add.")
    return "\n".join([*head, *lines, ""])


def _study(name: str) -> Callable[[Material], Answer]:
    def answer(material: Material) -> Answer:
        value = getattr(material.records.study, name)
        return None if value in (None, "", ()) else str(value)

    return answer


def _items(material: Material) -> Answer:
    study = material.records.study
    return f"{len(study.item_ids)} items of {study.benchmark}, {study.split}; pack sha256 {study.item_pack_sha256}."


def _same_items(material: Material) -> Answer:
    if not material.models.rows:
        return None
    shared = {row.item_id for row in material.models.rows}
    files = ", ".join(sorted({row.source for row in material.models.rows}))
    return f"{len(shared)} items have model rows, from {files}; same items, same keys."


def _sampling(material: Material) -> Answer:
    study = material.records.study
    return None if study.sampling_rule is None else f"{study.sampling_rule} (seed {study.sampling_seed})."


def _size(material: Material) -> Answer:
    study, n = material.records.study, len(material.records.participants)
    return None if study.planned_participants is None else f"{study.planned_participants} planned, {n} took part."


def _preregistration(material: Material) -> Answer:
    found = material.records.study.preregistration
    return None if found is None else f"{found.url}, {found.at}, sha256 {found.sha256}."


def _plan_changes(material: Material) -> Answer:
    study = material.records.study
    changes = "; ".join(f"version {each.version} at {each.at}: {each.reason}" for each in study.plan_changes)
    return f"Plan version {study.plan_version}. Changes after the first response: {changes or 'none'}."


def _recruitment(material: Material) -> Answer:
    sources = [person.recruitment for person in material.records.participants if person.recruitment]
    shared = Shared(sources)
    counts = Counter(shared.shown(source) for source in sources)
    return _listed(counts) if counts else None


def _relations(material: Material) -> Answer:
    counts = Counter(person.relation for person in material.records.participants if person.relation)
    return _listed(counts) if counts else None


def _expertise(material: Material) -> Answer:
    years = sorted(p.expertise.years_ml for p in material.records.participants if p.expertise.years_ml is not None)
    if not years:
        return None
    span = f"median {years[len(years) // 2]:g}, {years[0]:g} to {years[-1]:g}"
    return f"Years of machine learning: {span} (n = {len(years)})."


def _exposure(material: Material) -> Answer:
    people = material.records.participants
    counts = Counter(answer for person in people for answer in person.prior_exposure.values())
    seen = sum(row.seen_before is True for row in material.rows)
    return f"{_listed(counts)}; in {seen} rows the person knew the item." if counts else None


def _consent(material: Material) -> Answer:
    given = Counter(p.consent.version for p in material.records.participants if p.consent is not None)
    if not given:
        return None
    return f"Given by {sum(given.values())} of {len(material.records.participants)}, versions {_listed(given)}."


def _withdrawals(material: Material) -> Answer:
    return f"By code, at any time; {material.figures.withdrawals} made use of it and are in no table."


def _ethics(material: Material) -> Answer:
    found = material.records.study.ethics
    return None if found.status == "none" else f"{found.status}{f', {found.ref}' if found.ref else ''}."


def _pay(material: Material) -> Answer:
    found = material.records.study.compensation
    if found.scheme == "none":
        return None
    bonus = f", bonus: {found.bonus}" if found.bonus else ""
    return f"{found.scheme}: {found.amount} {found.currency} per {found.per}{bonus}."


def _documents(material: Material) -> Answer:
    found = material.records.study.documents
    return "; ".join(f"{name} {d.version} (sha256 {d.sha256[:12]}…)" for name, d in found.items()) or None


def _training(material: Material) -> Answer:
    shown = sum(each.block == "practice" for each in material.records.presentations)
    return f"{shown} practice items were shown before; none is scored." if shown else None


def _conditions(material: Material) -> Answer:
    return f"{', '.join(material.records.study.conditions)}: each is the counterpart of a protocol models ran under."


def _equal_terms(material: Material) -> Answer:
    told = [f"{each.condition}: {wordings(each)}" for each in material.figures.variant(PRIMARY).conditions]
    return " ".join(told) or None


def _limits(material: Material) -> Answer:
    found = material.records.study.limits
    parts = []
    if found.time_ms is not None:
        parts.append(f"{found.time_ms / 60_000:g} active minutes an item")
    parts += [f"{found.attempts} submissions"] * (found.attempts is not None)
    parts += [f"{found.actions} actions"] * (found.actions is not None)
    return f"{', '.join(parts)}." if parts else "None but the tasks' own."


def _quality(material: Material) -> Answer:
    attention = sum(each.block == "attention" for each in material.records.presentations)
    return f"{attention} attention items were shown." if attention else None


def _exclusions(material: Material) -> Answer:
    rules = material.records.study.exclusion_rules
    if not rules:
        return None
    counts = Counter(each.rule for each in material.records.exclusions)
    told = "; ".join(f"{rule.id}: {rule.text} ({counts[rule.id]} times)" for rule in rules)
    other = sum(count for name, count in counts.items() if name not in {rule.id for rule in rules})
    return f"{told}; by no registered rule: {other}. Figures stand with and without them."


def _missing_answers(material: Material) -> Answer:
    told = []
    for each in material.figures.variant(PRIMARY).conditions:
        n = each.counts
        told.append(f"{each.condition}: {n.unanswered} left unanswered, {n.timeouts} by timeout, {n.repeats} repeats")
    return "; ".join(told) or None


def _counts(material: Material) -> Answer:
    conditions = material.figures.variant(PRIMARY).conditions
    return " | ".join(f"{each.condition}: {basis(each, material.figures)}" for each in conditions) or None


def _intervals(_: Material) -> Answer:
    return "People drawn again (models: instances); Wilson beside it; differences draw people and instances; Holm."


def _data(_: Material) -> Answer:
    return "Row by row in tables/ with a dictionary each; recompute.py works out every number from them."


def _code(material: Material) -> Answer:
    study = material.records.study
    return f"archstudio {study.app_version}, commit {study.commit or 'not recorded'}, grader {study.grader_version}."


def _listed(counts: Mapping[Any, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items(), key=lambda each: str(each[0])))


SECTIONS: Final[Sequence[tuple[str, Sequence[Point]]]] = (
    (
        "What was planned",
        (
            Point("Which items, and are they exactly those models were given?", _items),
            Point("Which model results stand beside people, on the same items?", _same_items),
            Point("How were items chosen?", _sampling),
            Point("How many people were planned, and how many took part?", _size),
            Point("When does collection stop?", _study("stopping_rule")),
            Point("Was the plan registered before data?", _preregistration),
            Point("Did the plan change after the first response?", _plan_changes),
            Point("Pilot or main study?", _study("phase")),
        ),
    ),
    (
        "Who took part",
        (
            Point("Where were people found?", _recruitment),
            Point("How do they stand to the people who made the study?", _relations),
            Point("What do they know of the field?", _expertise),
            Point("Had they met the benchmark or its items before?", _exposure),
            Point("What did they agree to?", _consent),
            Point("Could they take their data back, and who did?", _withdrawals),
            Point("Was the study reviewed for its ethics?", _ethics),
            Point("What were they paid?", _pay),
        ),
    ),
    (
        "What they did",
        (
            Point("Which conditions, and which protocol of models does each match?", _conditions),
            Point("Did people read what models read?", _equal_terms),
            Point("Which texts were they shown?", _documents),
            Point("What practice did they have?", _training),
            Point("In which order did items come?", _study("order_rule")),
            Point("What limits bound them?", _limits),
            Point("How was attention checked?", _quality),
            Point("What happens after an interruption?", _study("resume_policy")),
        ),
    ),
    (
        "What is reported",
        (
            Point("What does each figure rest on?", _counts),
            Point("Who was left out, by which rule?", _exclusions),
            Point("What became of answers that are missing?", _missing_answers),
            Point("How sure are the figures?", _intervals),
            Point("Are the data there, row by row?", _data),
            Point("Which program and grader made them?", _code),
        ),
    ),
)


def points_missing(material: Material) -> list[str]:
    """What the checklist still asks for."""
    return [point.asks for _, points in SECTIONS for point in points if point.answer(material) is None]

"""Takes addresses, paths and known names out of what researchers wrote about a study, before anything is written."""

from __future__ import annotations

from dataclasses import replace

from archstudio.study.records import Records, Study
from archstudio.study.redaction import Redactor


def cleaned(records: Records, redactor: Redactor) -> Records:
    """The records with a study that names nobody; rows of people are cleaned where tables are made."""
    return replace(records, study=_study(records.study, redactor))


def _study(study: Study, redactor: Redactor) -> Study:
    def text(value: str | None) -> str | None:
        return None if value is None else redactor.text(value)

    return replace(
        study,
        title=redactor.text(study.title),
        sampling_rule=text(study.sampling_rule),
        order_rule=text(study.order_rule),
        stopping_rule=text(study.stopping_rule),
        resume_policy=text(study.resume_policy),
        ethics=replace(study.ethics, ref=text(study.ethics.ref)),
        compensation=replace(study.compensation, bonus=text(study.compensation.bonus)),
        exclusion_rules=tuple(replace(rule, text=redactor.text(rule.text)) for rule in study.exclusion_rules),
        plan_changes=tuple(replace(each, reason=redactor.text(each.reason)) for each in study.plan_changes),
    )

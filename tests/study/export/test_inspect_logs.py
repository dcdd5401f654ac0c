"""Inspect AI reads the logs back, and finds people's results in them."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def read_eval_log():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what a library warns of on import is not ours
        from inspect_ai.log import read_eval_log
    return read_eval_log


def expected(material, person, condition):
    return {
        row.item_id: row
        for row in material.rows
        if (row.respondent_id, row.condition) == (person, condition) and row.block == "main" and not row.repeat
    }


@pytest.mark.parametrize("kind", ["json", "eval"])
@pytest.mark.parametrize("study", ["graphs", "questions"])
def test_inspect_reads_back_what_people_did(study, kind, request, read_eval_log):
    material = request.getfixturevalue(study)
    folder: Path = request.getfixturevalue(f"{study}_folder")
    files = sorted((folder / "inspect").glob(f"*.{kind}"))
    assert len(files) == len({(row.respondent_id, row.condition) for row in material.rows if not row.source})
    for file in files[:4]:
        log = read_eval_log(str(file))
        about = log.eval.metadata
        rows = expected(material, about["participant_id"], about["condition"])
        assert log.eval.model == f"simulated/{about['participant_id']}"
        assert {sample.id for sample in log.samples} == set(rows)
        for sample in log.samples:
            row = rows[sample.id]
            found = sample.scores.get("passed") if sample.scores else None
            assert (found is None) == (row.passed is None)
            assert found is None or (found.value == "C") == row.passed
            assert sample.working_time == pytest.approx(row.active_ms / 1000)
        scored = [row.passed for row in rows.values() if row.passed is not None]
        assert log.results.scores[0].metrics["accuracy"].value == pytest.approx(sum(scored) / len(scored))


def test_both_forms_hold_the_same(graphs_folder, read_eval_log):
    for file in sorted((graphs_folder / "inspect").glob("*.json"))[:2]:
        as_json, zipped = (read_eval_log(str(file.with_suffix(suffix))) for suffix in (".json", ".eval"))
        assert as_json.eval == zipped.eval
        assert [s.model_dump(exclude={"uuid"}) for s in sorted(as_json.samples, key=lambda s: s.id)] == [
            s.model_dump(exclude={"uuid"}) for s in sorted(zipped.samples, key=lambda s: s.id)
        ]


def test_real_people_are_called_human():
    from made_records import Maker

    from archstudio.study.export.inspect_logs import inspect_logs
    from archstudio.study.redaction import Redactor
    from archstudio.study.report.rows import human_rows

    records = Maker(people=2, simulated=False, conditions=("single_shot",)).records()
    logs = inspect_logs(records, human_rows(records), Redactor())
    models = {json.loads(content)["eval"]["model"] for name, content in logs.items() if name.endswith(".json")}
    assert models == {f"human/{person.id}" for person in records.participants}

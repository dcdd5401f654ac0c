"""A protocol being written takes packs of questions, a blind one with the key that lies beside it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "study"))

from made_studies import baked

from archstudio.app.study.draft import Draft
from archstudio.intuition.packs.bake import BakeFile
from archstudio.intuition.packs.make import write_pack
from archstudio.study.pack import open_study


@pytest.mark.parametrize("blind", [False, True])
def test_a_pack_of_ours_is_frozen_into_a_study_without_its_place(tmp_path: Path, blind: bool) -> None:
    write_pack(tmp_path / "six.iqpack", [BakeFile.model_validate(baked(6))], title="Six", blind=blind)
    draft = Draft("questions-60-blind")
    draft.put(("items",), [draft.add_questions(tmp_path / "six.iqpack")])
    assert draft.missing_files() == []
    made = open_study(draft.frozen().study)
    assert len(made.block("main")) == 6
    assert str(tmp_path) not in str(made.protocol.as_json())


def test_a_key_that_nobody_chose_is_missing(tmp_path: Path) -> None:
    write_pack(tmp_path / "six.iqpack", [BakeFile.model_validate(baked(6))], title="Six", blind=True)
    draft = Draft("questions-60-blind")
    draft.put(("items",), [{**draft.add_questions(tmp_path / "six.iqpack"), "key": "another.key"}])
    assert draft.missing_files() == ["another.key"]

"""Studies of questions from packs of ours: the ready-made protocols ask any pack, and its answers go into the key."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_studies import baked, frozen, question_protocol

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.packs.bake import BakeFile
from archstudio.intuition.packs.make import write_pack
from archstudio.study.items import QuestionItem
from archstudio.study.pack import freeze, open_key, open_study
from archstudio.study.protocol import question_packs
from archstudio.study.protocol.question_packs import with_pack
from archstudio.study.protocol.ready import ready_protocol

PROTOCOLS = ("questions-60-blind", "questions-60-full-sequential-feedback")


def own(place: Path, *, blind: bool = False) -> Path:
    write_pack(place, [BakeFile.model_validate(baked(6))], title="Six", blind=blind)
    return place


@pytest.mark.parametrize("ready", PROTOCOLS)
@pytest.mark.parametrize("name", ["six.iqpack", "six"])
def test_a_ready_made_protocol_asks_the_pack_it_is_given(tmp_path: Path, ready: str, name: str) -> None:
    beside = with_pack(ready_protocol(ready), own(tmp_path / name))
    (tmp_path / "study").mkdir()
    beside.write(tmp_path / "study")
    study = open_study(freeze(beside.protocol, tmp_path / "study").study)
    assert len(study.block("main")) == 6
    assert study.block("attention") == []
    assert study.protocol.split == "6 questions of Six"
    assert (study.manifest.key == "none") == (ready == "questions-60-blind")


def test_the_answers_are_those_of_the_pack(tmp_path: Path) -> None:
    of_bake = frozen(question_protocol("full_sequential_feedback"), tmp_path)
    own(tmp_path / "six.iqpack")
    said = [{"kind": "questions", "path": "six.iqpack"}]
    of_pack = open_study(freeze(question_protocol("full_sequential_feedback", items=said), tmp_path).study)
    assert _right(of_pack) == _right(of_bake.pack)


def _right(study) -> dict[str, str]:
    """The letter models would have to give, by text."""
    told = {}
    for name in study.block("main"):
        item = study.items[name]
        assert isinstance(item, QuestionItem)
        letters = {option.candidate_id: option.letter for option in item.options}
        told[item.text] = letters[study.question_key(item).correct]
    return told


def test_a_blind_pack_needs_its_key_and_its_answers_go_into_the_studys_key_alone(tmp_path: Path) -> None:
    own(tmp_path / "six.iqpack", blind=True)
    protocol = ready_protocol("questions-60-blind")
    with pytest.raises(UnusableFile, match="The pack is blind"):
        with_pack(protocol, tmp_path / "six.iqpack")
    beside = with_pack(protocol, tmp_path / "six.iqpack", tmp_path / "six.key")
    made = freeze(beside.protocol, tmp_path)
    (tmp_path / "q.key").write_bytes(made.key)
    shut = open_study(made.study)
    assert shut.keys == {}
    assert len(_right(open_key(tmp_path / "q.key", shut))) == 6


def test_another_file_beside_the_protocol_is_not_written_over(tmp_path: Path) -> None:
    beside = with_pack(ready_protocol("questions-60-blind"), own(tmp_path / "six"))
    (tmp_path / "six.iqpack").write_bytes(b"another")
    with pytest.raises(UnusableFile, match="another file of this name"):
        beside.write(tmp_path)
    assert (tmp_path / "six.iqpack").read_bytes() == b"another"


def test_as_long_as_no_pack_is_shipped_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question_packs, "SHIPPED", "none-of-these")
    with pytest.raises(UnusableFile, match="--pack FILE"):
        with_pack(ready_protocol("questions-60-blind"))


def test_a_protocol_without_questions_takes_no_pack(tmp_path: Path) -> None:
    with pytest.raises(UnusableFile, match="asks no questions"):
        with_pack(ready_protocol("pilot-15-minutes"), own(tmp_path / "six"))


def test_by_default_the_shipped_pack_is_asked_under_the_protocols_own_title(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own(tmp_path / "packs" / "studio-60")
    monkeypatch.setattr(question_packs, "data_path", lambda *parts: tmp_path / Path(*parts[1:]))
    protocol = ready_protocol("questions-60-blind")
    beside = with_pack(protocol)
    assert list(beside.files) == ["studio-60.iqpack"]
    assert (beside.protocol.title, beside.protocol.attention) == (protocol.title, protocol.attention)

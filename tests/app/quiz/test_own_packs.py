"""Packs of ours in the window's quiz: the same questions as the BakeFile, and no key where they are blind."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_packs import bake_content

from archstudio.app.commands.questions import may_be_pack
from archstudio.app.quiz.packs import open_pack
from archstudio.app.quiz.shelf import Shelf
from archstudio.intuition.packs.bake import BakeFile
from archstudio.intuition.packs.make import write_pack
from archstudio.study.protocol.question_packs import shipped_pack


@pytest.mark.parametrize("name", ["four.iqpack", "four"])
def test_it_asks_what_the_bake_file_asks(pack, tmp_path: Path, name: str) -> None:
    write_pack(tmp_path / name, [BakeFile.model_validate(bake_content())], title="Four")
    own = open_pack(tmp_path / name)
    assert own.title == "Four"
    shown = {item.family: item for item in own.items}
    for item in pack.items:
        assert shown[item.family].choices == item.choices
        assert shown[item.family].data == item.data
        assert shown[item.family].prompt == item.prompt
    assert [own.key[item.id].right for item in own.items] == ["B"] * 4


def test_a_folder_is_opened_by_the_file_in_it(tmp_path: Path) -> None:
    write_pack(tmp_path / "four", [BakeFile.model_validate(bake_content())], title="Four")
    assert open_pack(tmp_path / "four" / "pack.json").sha256 == open_pack(tmp_path / "four").sha256


def test_a_blind_one_has_questions_and_no_key(tmp_path: Path) -> None:
    write_pack(tmp_path / "b.iqpack", [BakeFile.model_validate(bake_content())], title="Blind", blind=True)
    blind = open_pack(tmp_path / "b.iqpack")
    assert len(blind.items) == 4
    assert blind.key is None


def test_a_session_goes_on_from_the_kept_copy(shelf: Shelf, tmp_path: Path) -> None:
    write_pack(tmp_path / "four", [BakeFile.model_validate(bake_content())], title="Four")
    session = shelf.begin(open_pack(tmp_path / "four"), protocol="blind", seed=3)
    (tmp_path / "four" / "items.json").unlink()
    assert shelf.resume(session.record).pack.items == session.pack.items


def test_the_window_takes_it_for_a_pack_by_its_name(tmp_path: Path) -> None:
    assert may_be_pack(tmp_path / "any.iqpack")
    assert not may_be_pack(tmp_path / "any.arch.json")


def test_the_shipped_pack_plays_in_every_protocol(shelf: Shelf) -> None:
    shipped = open_pack(shipped_pack())
    assert (shipped.title, len(shipped.items)) == ("Studio 60", 60)
    assert shipped.key is not None
    for protocol in ("blind", "full_sequential_feedback", "practice"):
        session = shelf.begin(shipped, protocol=protocol, seed=1)
        assert session.item is not None
        assert len(session.item.choices) == 3

"""`archstudio iq pack` from the outside: made, shown, checked, split, joined, opened, scored; faults in one line."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "app" / "quiz"))

from made_packs import bake_content, write_pack

from archstudio.intuition.packs.bake import read_bake


@pytest.fixture
def pack(archstudio: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """`pack("show", path)` runs `archstudio iq pack show path` in a folder that holds a BakeFile of four questions."""
    monkeypatch.chdir(tmp_path)
    write_pack(bake_content(), tmp_path / "bake.json")
    return lambda *arguments: archstudio("iq", "pack", *arguments)


def test_a_pack_from_making_to_scoring(pack: Callable[..., Any], tmp_path: Path) -> None:
    made = pack("make", "four.iqpack", "bake.json", "--title", "Four", "--licence", "CC0-1.0", "--json").json
    assert made["packs"][0]["pack"]["licence"] == "CC0-1.0"
    assert "sealed" in pack("show", "four.iqpack").out
    listed = pack("show", "four.iqpack", "--json").json["questions"]
    assert [row["choices"] for row in listed] == [3, 3, 3, 3]
    checked = pack("check", "four.iqpack", "--json")
    assert checked.code == 0
    assert {row["holds"] for row in checked.json["checks"]} == {True}
    halves = pack("split", "four.iqpack", "--by", "dataset", "--parts", "0.5,0.5", "--json").json
    assert [row["path"] for row in halves["packs"]] == ["four-1.iqpack", "four-2.iqpack"]
    joined = pack("join", "four-1.iqpack", "four-2.iqpack", "four-1.iqpack", "again", "--json").json
    assert joined["packs"][0]["pack"]["n"] == 4
    assert len(joined["left_out"]) == 2
    assert "contains the answers" in pack("open", "again", "opened.json").out
    assert len(read_bake(tmp_path / "opened.json").questions) == 4
    (tmp_path / "given.json").write_text(json.dumps({row["id"]: "b" for row in listed[:3]}))
    assert "3 of 4 right, 75.0 %" in pack("score", "again", "given.json").out


def test_a_blind_pack_is_checked_and_scored_with_its_key(pack: Callable[..., Any], tmp_path: Path) -> None:
    made = pack("make", "blind.iqpack", "bake.json", "--blind", "--json").json
    assert made["packs"][0]["key"] == "blind.key"
    without = pack("check", "blind.iqpack")
    assert without.code == 0
    assert "not checked answers-not-in-items" in without.out
    assert "not checked" not in pack("check", "blind.iqpack", "--key", "blind.key").out


def test_a_leak_ends_with_exit_code_1_and_is_named(pack: Callable[..., Any], tmp_path: Path) -> None:
    content = bake_content()
    for number, question in enumerate(content["byId"].values()):
        question["detail"]["prompt"] = f"See curves/{number}.png"
    write_pack(content, tmp_path / "leaky.json")
    pack("make", "leaky", "leaky.json")
    ran = pack("check", "leaky")
    assert ran.code == 1
    assert "FAILS       no-telling-names" in ran.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("make", "x", "."), "no finished run of questions"),
        (("make", "x", "bake.json", "--key", "k"), "--blind pack"),
        (("make", "bake.json", "bake.json"), "exists. Choose another name"),
        (("show", "bake.json"), "no pack of questions in this program's own format"),
        (("show", "nowhere"), "nowhere"),
        (("split", "bake.json", "--by", "letter"), "choose candidate or dataset"),
        (("join", "x"), "name the packs"),
    ],
)
def test_a_fault_is_one_line(pack: Callable[..., Any], arguments: tuple[str, ...], told: str) -> None:
    ran = pack(*arguments)
    assert ran.code == 2
    assert told in ran.err
    assert ran.err.count("\n") == 1
    assert "Traceback" not in ran.err

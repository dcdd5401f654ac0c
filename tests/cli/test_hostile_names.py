"""What a file says cannot command the terminal it is printed on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from archstudio.files.printable import printable

RED, BELL, BACKWARDS = "\x1b[31m", "\x07", "\u202e"


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    name = f"head{RED}{BELL}{BACKWARDS}\nrow"
    layer = {"id": "a", "type": "linear", "name": name, "params": {"inFeatures": 4, "outFeatures": -5}}
    strange = {"id": "b", "type": f"relu{RED}", "name": "odd", "params": {}}
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps({"components": [layer, strange], "connections": [{"from": "a", "to": "b"}]}))
    return path


@pytest.mark.parametrize("command", ["check", "summary", "export"])
def test_names_are_shown_not_obeyed(archstudio, hostile: Path, command: str) -> None:
    ran = archstudio(command, hostile)
    said = ran.out + ran.err
    assert "head\N{REPLACEMENT CHARACTER}[31m" in said
    assert [sign for sign in (RED, BELL, BACKWARDS) if sign in said] == []


def test_a_fault_of_a_name_is_one_line(archstudio, hostile: Path) -> None:
    assert archstudio("export", hostile).err.count("\n") == 1


def test_the_name_of_a_file_is_shown_not_obeyed(archstudio) -> None:
    ran = archstudio("check", f"no{RED}file.json")
    assert ran.code == 2
    assert RED not in ran.err


def test_what_can_be_seen_stays() -> None:
    assert printable("Größe 3×3 → 日本語 é") == "Größe 3×3 → 日本語 é"
    assert printable("a\tb\x9bc") == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"

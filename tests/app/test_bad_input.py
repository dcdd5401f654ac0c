"""Files and copied text that break the rules: repaired with a word on what was changed, or refused in one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archstudio.app.application import Application
from archstudio.app.commands.file import open_paths
from archstudio.app.document import Document
from archstudio.app.opening import mended_text, open_graph
from archstudio.app.repairing import usable_graph
from archstudio.edits.clipboard import paste_text
from archstudio.files.unusable import UnusableFile
from archstudio.graph import GraphError, read_graph, to_document, write_graph

LONG = "x" * 10_000
STRANGE = (
    LONG,
    "\u202eevil\u202c",
    "a\x00b\x07\x1b[31m",
    "<img src=x onerror=alert(1)>",
    "line\nbreak",
    "👩‍👩‍👧‍👦",
    "&amp;",
)


def document(**changes: Any) -> dict[str, Any]:
    """A small sound graph with some fields changed."""
    return {
        "name": "net",
        "components": [
            {"id": "a", "type": "input", "name": "input", "params": {"shape": [1, 8]}},
            {"id": "b", "type": "relu", "name": "act", "params": {}},
            {"id": "c", "type": "output", "name": "output", "params": {}},
        ],
        "connections": [{"id": "w1", "from": "a", "to": "b"}, {"id": "w2", "from": "b", "to": "c"}],
        **changes,
    }


def changed(at: int, **fields: Any) -> dict[str, Any]:
    """The same with one component changed."""
    made = document()
    made["components"][at] |= fields
    return made


BROKEN = {
    "two layers of one name": (changed(1, name="input"), ["layers renamed, because two had one name: 1"]),
    "two layers of one id": (
        changed(2, id="b"),
        ["layers given an id of their own: 1", "wires to layers that do not exist, left out: 1"],
    ),
    "no name": (changed(1, name=None), ["layers given a name: 1"]),
    "no type": (changed(1, type=None), ["layers without a type: 1"]),
    "a number for a name": (changed(1, name=7), ["layers given a name: 1"]),
    "parameters in a list": (changed(1, params=[1]), ["values that should be objects, dropped: 1"]),
    "a wire to nowhere": (
        document(connections=[{"from": "a", "to": "z"}, {"from": "a", "to": "b"}]),
        ["wires to layers that do not exist, left out: 1"],
    ),
    "wires of one id": (
        document(connections=[{"id": "w", "from": "a", "to": "b"}, {"id": "w", "from": "b", "to": "c"}]),
        ["wires given an id of their own: 1"],
    ),
    "a port that is a number": (
        document(connections=[{"from": "a", "to": "b", "fromPort": 3}]),
        ["ports that are no names, dropped: 1"],
    ),
    "wires that are text": (document(connections=["a-b"]), ["wires that are none, left out: 1"]),
    "connections that are no list": (document(connections={"a": "b"}), ["lists of wires that are none, left out: 1"]),
    "a place of one number": (document(layout={"a": [1], "b": [1, 2]}), ["places that are none, dropped: 1"]),
    "a frame that is text": (document(frames=["all"]), ["frames that are none, left out: 1"]),
    "places outside every canvas": (
        document(layout={"a": [1e308, 0.0], "b": [0.0, -1e308], "c": [5.0, 5.0]}),
        ["2 layers stood outside every canvas and will be placed anew"],
    ),
    "comments outside every canvas": (
        document(notes=[{"id": "t", "text": "hi", "position": [1e300, 0.0]}]),
        ["1 comment outside every canvas left out"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_is_opened_repaired_and_says_how(what: str, tmp_path: Path) -> None:
    content, told = BROKEN[what]
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    opened = open_graph(path)
    assert list(opened.notes) == told
    assert len(opened.graph) == 3
    again, notes = usable_graph(to_document(opened.graph), "again")
    assert notes == ()
    assert write_graph(again) == write_graph(opened.graph), "what was repaired is sound"


@pytest.mark.parametrize("what", BROKEN)
def test_broken_text_is_pasted_repaired(what: str, desk) -> None:
    content, told = BROKEN[what]
    desk.view.clipboard = json.dumps(content)
    before = len(desk.graph)
    assert desk.run("edit.paste")
    assert len(desk.graph) == before + 3
    assert [t for t in desk.view.told if t.startswith("Repaired")] == (
        ["Repaired while pasting: " + "; ".join(told)] if told else []
    )
    assert len({n.name for n in desk.graph.nodes}) == len(desk.graph)
    json.loads(write_graph(desk.graph))


@pytest.mark.parametrize(("name", "content", "said"), [
    ("a.json", b"", "not valid JSON"),
    ("a.json", b"\x89PNG\r\n", "not UTF-8"),
    ("a.json", b"hello", "not valid JSON"),
    ("a.json", b"[]", "should be an object"),
    ("a.json", b'{"components": 3}', "components"),
    ("a.json", b'{"name": "n"}', "components"),
    ("a.json", b'{"components": [], "connections": [], "layout": {"a": [NaN, 0]}}', "NaN"),
    ("a.json", b'{"components": [], "connections": [], "schema": 99}', "Update Arch Studio"),
    ("a.json", b"[" * 100_000, "deep"),
    ("a.json", b'{"components": [], "components": []}', "twice"),
    ("a.py", b"import os; os.remove('x')", "Python code, which is not run"),
    ("a.onnx", b"\x08\x07", "ONNX model"),
    ("a.pt", b"PK\x03\x04", "holds weights"),
    ("a.jpg", b"\xff\xd8", "picture without a graph"),
    ("a.png", b"\x89PNG\r\n\x1a\n", "carries no graph"),
    ("a.svg", b"<svg/>", "carries no graph"),
])  # fmt: skip
def test_what_is_no_graph_is_refused_in_one_sentence(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises((UnusableFile, GraphError)) as refused:
        open_graph(path)
    assert said in str(refused.value)
    assert name in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.json"):
        with pytest.raises(UnusableFile):
            open_graph(path)


def test_of_many_files_the_good_ones_open_and_the_others_are_told_together(desk, tmp_path: Path) -> None:
    good, bad, broken = (tmp_path / name for name in ("good.json", "bad.txt", "broken.json"))
    good.write_text(json.dumps(document()), encoding="utf-8")
    bad.write_text("hello", encoding="utf-8")
    broken.write_text(json.dumps(BROKEN["two layers of one name"][0]), encoding="utf-8")
    opened = open_paths(desk.context, [bad, good, tmp_path / "gone.json", broken])
    assert [d.title for d in opened] == ["good.json", "broken.json"]
    (told,) = desk.view.told
    assert told.startswith("2 files could not be opened")
    assert "bad.txt" in told
    assert "gone.json" in told


def test_a_repaired_file_is_unsaved_until_it_is_saved_and_the_original_stays_a_backup(tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(BROKEN["two layers of one name"][0]), encoding="utf-8")
    application = Application()
    opened = application.open_file(path)
    assert opened.modified
    application.save(opened, path)
    assert not opened.modified
    assert '"name": "input"' in (tmp_path / "broken.json.bak1").read_text(encoding="utf-8")
    application.close(opened)
    assert application.open_file(path).repairs == ()


@pytest.mark.parametrize("name", STRANGE, ids=lambda name: ascii(name[:12]))
def test_strange_names_are_only_names(name: str, desk, tmp_path: Path) -> None:
    path = tmp_path / "strange.json"
    path.write_text(json.dumps(changed(1, name=name)), encoding="utf-8")
    opened = open_graph(path)
    assert opened.notes == ()
    assert opened.graph.node("b").name == name
    made = Document(opened.graph)
    desk.application.adopt(made)
    desk.application.save(made, tmp_path / "saved.arch.json")
    assert read_graph(tmp_path / "saved.arch.json").node("b").name == name


@pytest.mark.parametrize("text", ["", "   ", "hello", "[1, 2", "{}", '"text"', "null", "\ud800", "{" * 5_000])
def test_text_that_is_no_graph_is_not_pasted(text: str, desk) -> None:
    before = write_graph(desk.graph)
    desk.view.clipboard = text
    desk.run("edit.paste")
    assert write_graph(desk.graph) == before
    assert desk.view.told[-1].startswith("Nothing to paste")


def test_a_hundred_thousand_wires_are_read_and_judged(tmp_path: Path) -> None:
    """The limit of a file. The verdict on it once took time in the square of the inputs of a sum."""
    count = 448  # 448 · 447 / 2 = 100,128 pairs, of which a file may hold 100,000
    layers = [{"id": f"n{k}", "type": "add", "name": f"l{k}"} for k in range(count)]
    layers[0] |= {"type": "input", "params": {"shape": [1, 2]}}  # type: ignore[dict-item]
    layers[1]["type"] = "relu"
    pairs = [(a, b) for b in range(count) for a in range(b)]
    path = tmp_path / "many.json"
    wires = [{"from": f"n{a}", "to": f"n{b}"} for a, b in pairs]
    path.write_text(
        json.dumps({"name": "many", "components": layers, "connections": wires[:100_000]}), encoding="utf-8"
    )
    opened = Document(open_graph(path).graph)
    assert len(opened.graph.connection_ids) == 100_000
    assert opened.verdict.parameters == 0


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4) | st.sampled_from(["a", "b", "c", "relu", "input"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(["id", "name", "type", "params", "meta", "from", "to", "fromPort", "position", "x"]), inner,
        max_size=5,
    ),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.fixed_dictionaries(
    {"components": st.lists(JSON, max_size=5)},
    optional=dict.fromkeys(("name", "connections", "layout", "frames", "notes", "meta"), JSON),
))  # fmt: skip
def test_whatever_has_a_list_of_layers_becomes_a_graph_that_can_be_saved(content: dict[str, Any]) -> None:
    graph, _ = usable_graph(content, "fuzz")
    again, notes = usable_graph(json.loads(write_graph(graph)), "again")
    assert notes == ()
    assert write_graph(again) == write_graph(graph)
    text, _ = mended_text(json.dumps(content))
    if len(graph):
        paste_text(graph.copy(), text)

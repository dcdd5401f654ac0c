"""Reading and writing graph files: strict about what is wrong, careful with what is not ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.files.unusable import UnusableFile
from archstudio.graph import GraphError, from_document, read_graph, to_document, write_graph

Document = dict[str, Any]


def test_a_file_is_written_as_it_was_read(document: Document) -> None:
    assert to_document(from_document(document)) == document


def test_writing_twice_gives_the_same_bytes(document: Document) -> None:
    first = write_graph(from_document(document))
    assert write_graph(from_document(json.loads(first))) == first


def test_a_graph_is_read_from_disk(tmp_path: Path, document: Document) -> None:
    path = tmp_path / "net.arch.json"
    path.write_bytes(write_graph(from_document(document)))
    assert to_document(read_graph(path)) == document


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
unknown = st.dictionaries(st.text(min_size=1).map(lambda k: f"x-{k}"), json_values, max_size=3)


@given(unknown, unknown, unknown, unknown, unknown, unknown)
def test_unknown_keys_are_kept_everywhere(
    top: Document, node: Document, params: Document, wire: Document, frame: Document, note: Document
) -> None:
    document: Document = {
        "schema": 1,
        "name": "net",
        "components": [{"id": "a", "type": "made-up", "name": "a", "params": params, **node}],
        "connections": [{"id": "c0", "from": "a", "to": "a", **wire}],
        "frames": [{"id": "f", "title": "", "nodes": [], **frame}],
        "notes": [{"id": "n", "text": "", "position": [0.0, 0.0], "size": [1.0, 1.0], **note}],
        **top,
    }
    assert json.loads(write_graph(from_document(document))) == document


def test_the_compact_form_of_fixtures_is_read(document: Document) -> None:
    compact = {
        "components": [{k: c[k] for k in ("id", "type", "name")} for c in document["components"]],
        "connections": [{"from": c["from"], "to": c["to"]} for c in document["connections"]],
    }
    graph = from_document(compact)
    assert graph.name == "untitled"
    assert graph.connection_ids == ("c0", "c1", "c2", "c3", "c4")
    assert dict(graph.node("l").params) == {}


def test_a_wire_without_id_avoids_the_ids_that_are_given(document: Document) -> None:
    for place, wire_id in ((0, "c1"), (1, None), (2, "c2"), (3, None), (4, None)):
        document["connections"][place]["id"] = wire_id
    assert from_document(document).connection_ids == ("c1", "c3", "c2", "c4", "c5")


def test_neighbour_lists_of_the_benchmark_do_not_go_stale(document: Document) -> None:
    document["components"][0].update({"inputs": [], "outputs": ["gone"]})
    assert "outputs" not in to_document(from_document(document))["components"][0]


def test_optional_fields_are_written_only_where_they_hold_something() -> None:
    graph = from_document({"components": [{"id": "a", "type": "relu", "name": "a"}], "connections": []})
    assert to_document(graph) == {
        "schema": 1,
        "name": "untitled",
        "components": [{"id": "a", "type": "relu", "name": "a", "params": {}}],
        "connections": [],
    }


def test_places_and_frames_of_nodes_that_do_not_exist_are_left_out(document: Document) -> None:
    document["layout"]["ghost"] = [1.0, 1.0]
    document["frames"][0]["nodes"].append("ghost")
    written = to_document(from_document(document))
    assert "ghost" not in written["layout"]
    assert written["frames"][0]["nodes"] == ["l", "r"]


def test_a_frame_does_not_name_a_node_that_was_removed(document: Document) -> None:
    graph = from_document(document)
    graph.remove_connection("a")
    graph.remove_connection("c")
    graph.remove_node("l")
    assert to_document(graph)["frames"][0]["nodes"] == ["r"]


def changed(document: Document, place: tuple[str | int, ...], value: Any) -> Document:
    inside: Any = document
    for step in place[:-1]:
        inside = inside[step]
    inside[place[-1]] = value
    return document


@pytest.mark.parametrize(
    ("place", "value", "told_place", "told"),
    [
        (("components", 1, "name"), "input", "components[1]", "'input' is taken"),
        (("components", 1, "id"), "i", "components[1]", "'i' is taken"),
        (("components", 1, "type"), None, "components[1].type", "should be text, is null"),
        (("components", 1, "name"), "", "components[1].name", "should be text that is not empty"),
        (("components", 1, "params"), [], "components[1].params", "should be an object, is []"),
        (("connections", 2, "to"), "ghost", "connections[2]", "'ghost'"),
        (("connections", 2, "id"), "a", "connections[2]", "'a' is taken"),
        (("connections", 2), {"id": "x", "from": "i"}, "connections[2].to", "is missing"),
        (("layout", "i"), [0.0], "layout.i", "should be a list of two numbers, is [0.0]"),
        (("frames",), [{"id": "f"}, {"id": "f"}], "frames[1]", "'f' is taken"),
        (("notes",), [{"id": "n"}, {"id": "n"}], "notes[1]", "'n' is taken"),
        (("schema",), 99, "schema", "99"),
        (("components",), None, "components", "should be a list, is null"),
        (("components", 1, "params", "p"), [1, float("nan")], "components[1].params.p[1]", "nan"),
        (("meta", "batch"), float("inf"), "meta.batch", "inf"),
        (("layout", "i"), [0.0, float("-inf")], "layout.i[1]", "-inf"),
        (("connections", 0, "weight"), float("nan"), "connections[0].weight", "nan"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(
    document: Document, place: tuple[str | int, ...], value: Any, told_place: str, told: str
) -> None:
    with pytest.raises(GraphError) as refused:
        from_document(changed(document, place, value), file="net.arch.json")
    assert refused.value.file == "net.arch.json"
    assert refused.value.place == told_place
    assert told in refused.value.problem
    assert refused.value.remedy.endswith(".")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            [1, 2],
            "net: top level: should be an object, is [1, 2]. "
            "A graph is an object with the lists 'components' and 'connections'.",
        ),
        ({"connections": []}, "net: components: is missing. Add the field 'components'."),
        (
            {"components": [{"id": "a", "type": "relu", "name": 7}], "connections": []},
            "net: components[0].name: should be text, is 7. Correct the value.",
        ),
        (
            {"components": [{"id": "a", "type": "relu", "name": "a"}], "connections": [{"from": "a", "to": "b"}]},
            "net: connections[0]: connection 'c0' names node 'b', which does not exist. "
            "Remove the connection or add the component it names.",
        ),
        (
            {"schema": 2, "components": [], "connections": []},
            "net: schema: is 2, this program reads up to 1. Update Arch Studio.",
        ),
    ],
)
def test_refusals_are_sentences_with_a_remedy(content: object, sentence: str) -> None:
    with pytest.raises(GraphError) as refused:
        from_document(content, file="net")
    assert str(refused.value) == sentence


def test_a_value_too_long_to_show_is_cut_short(document: Document) -> None:
    with pytest.raises(GraphError) as refused:
        from_document(changed(document, ("components",), "x" * 10_000))
    assert len(str(refused.value)) < 200


def test_a_duplicate_wire_id_is_not_called_dangling(document: Document) -> None:
    document["connections"][2]["id"] = "a"
    with pytest.raises(GraphError, match="id of its own"):
        from_document(document)


@pytest.mark.parametrize("content", [None, [], "graph", 3, {}])
def test_what_is_no_graph_is_refused(content: object) -> None:
    with pytest.raises(GraphError):
        from_document(content)


def test_numbers_json_does_not_have_are_refused_when_read(tmp_path: Path) -> None:
    path = tmp_path / "net.arch.json"
    path.write_text('{"components": [], "connections": [], "meta": {"batch": NaN}}')
    with pytest.raises(UnusableFile, match=r"net\.arch\.json"):
        read_graph(path)


def test_a_setting_of_null_means_there_is_none(document: Document) -> None:
    document["meta"]["sequence"] = None
    assert "sequence" not in from_document(document).meta

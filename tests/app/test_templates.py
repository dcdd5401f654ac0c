"""A selection kept under a name goes into any graph again, in one step."""

from __future__ import annotations

import json

import pytest

from archstudio.app.adding import added_at, added_before, added_by_selection, added_from, added_into
from archstudio.app.favourites import Favourites
from archstudio.app.templates import TemplateRefused, Templates
from archstudio.edits import EditRefused


@pytest.fixture
def templates() -> Templates:
    return Templates()


@pytest.fixture
def stage(desk, templates):
    """conv1 and act1 of the desk's network, kept as a template."""
    return templates.save("Stage", "conv and relu", desk.graph, ids(desk, "conv1", "act1"))


def ids(desk, *names: str) -> list[str]:
    return [desk.graph.named(n).id for n in names]


def wire(desk, a: str, b: str) -> str:
    (found,) = desk.graph.between(*ids(desk, a, b))
    return found.id


def test_a_template_is_a_readable_file_and_is_found_at_the_next_start(desk, stage) -> None:
    content = json.loads(stage.path.read_text(encoding="utf-8"))
    assert (content["name"], content["note"]) == ("Stage", "conv and relu")
    assert [c["type"] for c in content["graph"]["components"]] == ["conv2d", "relu"]
    assert [t.name for t in Templates().all()] == ["Stage"]
    assert [t.name for t in Templates().search("RELU conv")] == ["Stage"]
    assert Templates().search("attention") == []


def test_into_a_wire_it_goes_as_one_step(desk, stage) -> None:
    edit, first = added_into(desk.document, stage.kind, wire(desk, "act1", "head"), (0.0, 300.0))
    desk.document.push(edit, "Add")
    assert desk.wires() == ["input>conv1", "conv1>act1", "act2>head", "head>output", "act1>conv2", "conv2>act2"]
    assert desk.graph.node(first).name == "conv2"
    desk.document.undo()
    assert desk.wires() == ["input>conv1", "conv1>act1", "act1>head", "head>output"]


def test_at_an_output_and_before_an_input_it_is_wired(desk, stage) -> None:
    edit, _ = added_from(desk.document, stage.kind, *ids(desk, "act1"), None, (0.0, 0.0))
    desk.document.push(edit, "Add")
    assert "act1>conv2" in desk.wires()
    edit, _ = added_before(desk.document, stage.kind, *ids(desk, "output"), None, (0.0, 0.0))
    desk.document.push(edit, "Add")
    assert "act3>output" in desk.wires()


def test_alone_it_keeps_its_shape_and_comes_to_the_point(desk, stage) -> None:
    edit, first = added_at(desk.document, stage.kind, (1000.0, 2000.0))
    desk.document.push(edit, "Add")
    assert desk.graph.layout[first] == (1000.0, 2000.0)
    assert desk.graph.layout[desk.graph.named("act2").id] == (1288.0, 2000.0)


def test_behind_the_selected_layer_it_goes_into_its_wire(desk, stage) -> None:
    desk.select("act1")
    edit, _ = added_by_selection(desk.document, stage.kind, None)
    desk.document.push(edit, "Add")
    assert {"act1>conv2", "act2>head"} <= set(desk.wires())


def test_a_block_with_a_skip_keeps_both_ways_from_one_source(merging, templates) -> None:
    block = templates.save("Two ways", "", merging.graph, ids(merging, "a", "b", "sum"))
    edit, _ = added_into(merging.document, block.kind, wire(merging, "sum", "output"), None)
    merging.document.push(edit, "Add")
    made = set(merging.wires()) - {"input>a", "input>b", "a>sum", "b>sum"}
    assert made == {"sum>a2", "sum>b2", "a2>sum2", "b2>sum2", "sum2>output"}


def test_what_has_several_ways_does_not_go_into_one_wire(merging, templates) -> None:
    pair = templates.save("Pair", "", merging.graph, ids(merging, "a", "b"))
    with pytest.raises(EditRefused, match="2 ways out"):
        added_into(merging.document, pair.kind, wire(merging, "sum", "output"), None)


def test_inputs_and_outputs_stay_out_of_a_template(desk, templates) -> None:
    whole = templates.save("Whole", "", desk.graph, desk.graph.node_ids)
    assert [n.name for n in whole.graph.nodes] == ["conv1", "act1", "head"]
    with pytest.raises(TemplateRefused, match="at least one layer"):
        templates.save("Ends", "", desk.graph, ids(desk, "input", "output"))


@pytest.mark.parametrize(("name", "said"), [("  ", "needs a name"), ("stage", "Another"), ("x" * 81, "at most 80")])
def test_names_are_unique_and_short(desk, templates, stage, name, said) -> None:
    with pytest.raises(TemplateRefused, match=said):
        templates.save(name, "", desk.graph, ids(desk, "head"))


def test_renaming_deleting_and_bringing_back(desk, templates, stage) -> None:
    renamed = templates.rename(stage, "STAGE", "another note")
    assert [(t.name, t.note) for t in templates.all()] == [("STAGE", "another note")]
    templates.delete(renamed)
    assert templates.all() == []
    with pytest.raises(EditRefused, match="no template called"):
        added_at(desk.document, stage.kind, None)
    templates.restore(renamed)
    assert templates.named("stage") is not None


def test_names_that_are_no_file_names_are_fine(desk, templates) -> None:
    for name in ("../../etc/passwd", "CON", "<b>bold</b>", "残差", "a/b"):
        made = templates.save(name, "", desk.graph, ids(desk, "head"))
        assert made.path.parent == templates.folder
    assert len(templates.all()) == 5


def test_a_damaged_template_costs_only_itself(templates, stage) -> None:
    (templates.folder / "bad.json").write_text("{", encoding="utf-8")
    (templates.folder / "other.json").write_text('{"template": 9, "graph": {}}', encoding="utf-8")
    assert [t.name for t in templates.all()] == ["Stage"]
    assert len(templates.unreadable) == 2


def test_favourites_are_kept_and_follow_a_renamed_template(desk) -> None:
    marked = Favourites(desk.application.settings)
    assert marked.toggle("conv2d")
    assert marked.toggle("template Stage")
    assert not marked.toggle("conv2d")
    marked.rename("template Stage", "template Stem")
    assert Favourites(desk.application.settings).types == ("template Stem",)
    marked.rename("template Stem", None)
    assert marked.types == Favourites(desk.application.settings).types == ()


def test_a_template_that_another_window_changed_is_read_again(templates, stage) -> None:
    assert templates.named("Stage").note == "conv and relu"
    stage.path.write_text(
        stage.path.read_text(encoding="utf-8").replace("conv and relu", "other words"), encoding="utf-8"
    )
    assert templates.named("Stage").note == "other words"

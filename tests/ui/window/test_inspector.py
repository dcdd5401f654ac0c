"""The inspector: refused values say why, several layers change together, steps merge, inferred sizes are italics."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit

from archstudio.app.commands import run_command
from archstudio.graph import write_graph
from archstudio.ui.window import MainWindow


@pytest.fixture
def resnet(window: MainWindow, qtbot):
    window.open_task("deepen-resnet")
    qtbot.wait(5)
    return window.application.current


def select(window: MainWindow, *names: str) -> None:
    document = window.application.current
    document.selection.set([document.graph.named(n).id for n in names])
    window.docks.inspector.refresh()


def field(window: MainWindow, key: str) -> QLineEdit:
    return window.docks.inspector.findChild(QLineEdit, f"field-{key}")


def enter(qtbot, line: QLineEdit, text: str) -> None:
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)


@pytest.mark.parametrize(
    ("key", "text", "reason"),
    [
        ("outChannels", "many", "outChannels takes a whole number, not 'many'"),
        ("outChannels", "-3", "outChannels takes"),
        ("outChannels", "2.5", "outChannels takes"),
        ("kernelSize", "3, 3, 3", "kernelSize takes"),
    ],
)
def test_a_refused_value_says_why_and_leaves_the_graph_alone(window, resnet, qtbot, key, text, reason) -> None:
    before = write_graph(resnet.graph)
    select(window, "conv1")
    enter(qtbot, field(window, key), text)
    told = window.docks.inspector.refusal
    assert told.startswith(reason), told
    assert write_graph(resnet.graph) == before
    assert field(window, key).property("role") == "refused"
    enter(qtbot, field(window, key), "4")
    assert window.docks.inspector.refusal == ""
    assert resnet.graph.named("conv1").params[key] == 4


def test_escape_takes_back_what_was_typed(window, resnet, qtbot) -> None:
    select(window, "conv1")
    line = field(window, "outChannels")
    line.setFocus()
    qtbot.keyClicks(line, "99")
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert resnet.graph.named("conv1").params["outChannels"] == 16
    assert resnet.history.labels == []


def test_one_value_is_given_to_several_layers_in_one_step(window, resnet, qtbot) -> None:
    resnet.selection.set([resnet.graph.named("conv1").id])
    run_command("edit.duplicate", window.context)
    select(window, *(n.name for n in resnet.graph.nodes if n.type == "conv2d"))
    steps = len(resnet.history.labels)
    enter(qtbot, field(window, "outChannels"), "24")
    convs = [n for n in resnet.graph.nodes if n.type == "conv2d"]
    assert [n.params["outChannels"] for n in convs] == [24, 24]
    assert resnet.history.labels[steps:] == ["Set outChannels of 2 layers"]
    run_command("edit.undo", window.context)
    assert [n.params["outChannels"] for n in resnet.graph.nodes if n.type == "conv2d"] == [16, 16]


def test_layers_of_different_types_are_not_edited_together(window, resnet) -> None:
    select(window, "conv1", "act1")
    inspector = window.docks.inspector
    assert inspector._empty.isVisible()
    assert "different types" in inspector._empty.text()
    assert field(window, "outChannels") is None


def test_arrow_keys_step_and_merge_into_one_undo_step(window, resnet, qtbot) -> None:
    select(window, "conv1")
    line = field(window, "outChannels")
    line.setFocus()
    for _ in range(4):
        qtbot.keyClick(line, Qt.Key.Key_Up)
    assert resnet.graph.named("conv1").params["outChannels"] == 20
    assert resnet.history.labels == ["Set outChannels of conv1"]
    run_command("edit.undo", window.context)
    assert resnet.graph.named("conv1").params["outChannels"] == 16


def test_a_size_read_off_the_wire_is_in_italics_and_says_where_from(window, resnet, qtbot) -> None:
    graph = resnet.graph
    wire = graph.between(graph.named("act1").id, graph.named("head").id)[0]
    resnet.selection.set(connections=[wire.id])
    window.add_layer("conv2d")
    window.docks.inspector.refresh()
    line = field(window, "inChannels")
    assert line.text() == "16"
    assert line.font().italic()
    assert line.note.text() == "from act1"
    enter(qtbot, line, "16")
    line = field(window, "inChannels")
    made = graph.node(resnet.selection.single)
    assert made.inferred == ()
    window.docks.inspector.refresh()
    assert not field(window, "inChannels").font().italic()


def test_an_emptied_field_goes_back_to_its_default(window, resnet, qtbot) -> None:
    select(window, "conv1")
    enter(qtbot, field(window, "stride"), "2")
    assert resnet.graph.named("conv1").params["stride"] == 2
    line = field(window, "stride")
    line.setFocus()
    line.selectAll()
    qtbot.keyClick(line, Qt.Key.Key_Delete)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert "stride" not in resnet.graph.named("conv1").params
    window.docks.inspector.refresh()
    assert field(window, "stride").placeholderText() == "1"


def test_a_choice_is_made_from_a_list(window, resnet) -> None:
    select(window, "conv1")
    combo = window.docks.inspector.findChild(QComboBox, "field-paddingMode")
    combo.textActivated.emit("circular")
    assert resnet.graph.named("conv1").params["paddingMode"] == "circular"


def test_a_taken_name_is_refused(window, resnet, qtbot) -> None:
    select(window, "conv1")
    name = window.docks.inspector.findChild(QLineEdit, "nodeName")
    enter(qtbot, name, "head")
    assert name.text() == "conv1"
    assert window.docks.inspector.refusal == "another layer is called head"
    assert resnet.history.labels == []
    enter(qtbot, name, "stem")
    assert resnet.graph.named("stem") is not None
    assert resnet.history.labels == ["Rename conv1"]


def test_f2_types_over_the_name_on_the_canvas_and_enter_goes_to_the_first_field(window, resnet, qtbot) -> None:
    window.canvas.setFocus()
    select(window, "conv1")
    qtbot.keyClick(window.canvas, Qt.Key.Key_F2)
    field_over_it = window.canvas.words.field
    assert field_over_it.hasFocus()
    assert field_over_it.text() == "conv1"
    qtbot.keyClick(field_over_it, Qt.Key.Key_Escape)
    assert window.canvas.hasFocus()
    qtbot.keyClick(window.canvas, Qt.Key.Key_Return)
    assert field(window, "inChannels").hasFocus()


def test_formulas_and_code_carry_the_numbers(window, resnet) -> None:
    select(window, "conv1")
    inspector = window.docks.inspector
    assert inspector._shape_line.text().endswith("= 30")
    assert inspector._parameters_line.text().endswith("= 448 parameters")
    assert inspector._code.text() == "nn.Conv2d(3, 16, 3)"


def test_a_name_is_only_a_name(window, resnet, qtbot) -> None:
    select(window, "conv1")
    name = window.docks.inspector.findChild(QLineEdit, "nodeName")
    enter(qtbot, name, "<b>bold</b>")
    assert resnet.graph.named("<b>bold</b>") is not None
    qtbot.waitUntil(lambda: window.docks.problems.cards != [])
    for widget in window.docks.problems.findChildren(type(window.docks.inspector._code)):
        assert widget.textFormat() == Qt.TextFormat.PlainText


def test_pairs_step_both_numbers_and_words_do_not_step(window, resnet, qtbot) -> None:
    select(window, "conv1")
    kernel = field(window, "kernelSize")
    kernel.setFocus()
    qtbot.keyClick(kernel, Qt.Key.Key_Up)
    assert resnet.graph.named("conv1").params["kernelSize"] == 4
    enter(qtbot, kernel, "3, 5")
    qtbot.keyClick(kernel, Qt.Key.Key_Down)
    assert resnet.graph.named("conv1").params["kernelSize"] == [2, 4]
    padding = field(window, "padding")
    enter(qtbot, padding, "same")
    qtbot.keyClick(padding, Qt.Key.Key_Up)
    assert resnet.graph.named("conv1").params["padding"] == "same"


def test_the_field_with_the_keyboard_says_what_it_takes(window, resnet, qtbot) -> None:
    from PySide6.QtWidgets import QLabel

    select(window, "conv1")
    told = window.docks.inspector.findChild(QLabel, "fieldHelp")
    window.activateWindow()
    field(window, "groups").setFocus()
    qtbot.waitUntil(lambda: told.text().startswith("groups: "))
    assert "at least 1" in told.text()
    assert "usually 1" in told.text()
    assert "valid: 1" in told.text()
    window.docks.inspector.findChild(QComboBox, "field-paddingMode").setFocus()
    qtbot.waitUntil(lambda: "one of zeros, reflect" in told.text())


def test_where_layers_differ_the_field_says_so_and_typing_sets_all(window, resnet, qtbot) -> None:
    select(window, "conv1")
    run_command("edit.duplicate", window.context)
    select(window, "conv2")
    enter(qtbot, field(window, "outChannels"), "99")
    select(window, "conv1", "conv2")
    line = field(window, "outChannels")
    assert (line.text(), line.placeholderText()) == ("", "several values")
    assert field(window, "kernelSize").text() == "3", "where they agree the value is shown"
    enter(qtbot, line, "24")
    assert [resnet.graph.named(n).params["outChannels"] for n in ("conv1", "conv2")] == [24, 24]

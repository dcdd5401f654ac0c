"""The Layers dock: favourites, recent layers and one's own templates, kept across graphs and starts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox

from archstudio.app.commands import run_command
from archstudio.app.templates import Templates
from archstudio.ui.chooser import Chooser
from archstudio.ui.start import make_window
from archstudio.ui.template_dialog import TemplateDialog
from archstudio.ui.window import MainWindow


@pytest.fixture
def resnet(window: MainWindow):
    window.open_task("deepen-resnet")
    return window.application.current


def select(document, *names: str) -> None:
    document.selection.set([document.graph.named(n).id for n in names])


def titles(window: MainWindow) -> list[str]:
    window.docks.layers.refresh()
    listed = window.docks.layers._list
    return [listed.item(k).text() for k in range(listed.count())]


def keep(window: MainWindow, monkeypatch, name: str, note: str = "") -> None:
    monkeypatch.setattr(window.view, "ask_template", lambda *_: (name, note))
    run_command("graph.saveTemplate", window.context)


def test_a_kept_selection_stands_in_the_dock_and_in_the_search(window, resnet, monkeypatch, qtbot) -> None:
    assert titles(window)[0] == "input", "with nothing of one's own there are no sections"
    select(resnet, "conv1", "act1")
    keep(window, monkeypatch, "Stage", "conv and relu")
    assert "Kept Stage" in window.central.notice.full_text
    assert titles(window)[:3] == ["Your templates", "Stage", "All layers"]
    resnet.selection.set()
    window.canvas.begin_search()
    popup = window.canvas.popup
    popup.field.setText("stage")
    assert popup.shown_types[0] == "template Stage"
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    assert resnet.graph.named("conv2") is not None
    assert resnet.history.labels == ["Add template Stage"]
    assert len(resnet.selection.nodes) == 2, "all of it is selected"


def test_choosing_a_template_in_the_dock_adds_it_as_one_step(window, resnet, monkeypatch) -> None:
    select(resnet, "conv1", "act1")
    keep(window, monkeypatch, "Stage")
    select(resnet, "act1")
    before = len(resnet.graph)
    window.docks.layers.chosen.emit("template Stage")
    assert len(resnet.graph) == before + 2
    assert len(resnet.selection.nodes) == 2, "all of it is selected"
    resnet.undo()
    assert len(resnet.graph) == before


def test_favourites_lead_and_come_back_at_the_next_start(window, resnet) -> None:
    select(resnet, "conv1")
    run_command("graph.favourite", window.context)
    assert titles(window)[:3] == ["Favourites", "conv2d", "All layers"]
    assert window.commands.action("graph.favourite").isChecked()
    again = make_window()
    assert titles(again)[:2] == ["Favourites", "conv2d"]
    again.close()
    again.deleteLater()
    run_command("graph.favourite", window.context)
    assert titles(window)[0] == "input"


def test_recent_layers_are_shared_by_dock_and_search(window, resnet, qtbot) -> None:
    resnet.selection.set()
    window.canvas.begin_search()
    window.canvas.popup.field.setText("gelu")
    qtbot.keyClick(window.canvas.popup.field, Qt.Key.Key_Return)
    assert titles(window)[:2] == ["Recent", "gelu"]
    window.docks.layers.chosen.emit("dropout")
    assert titles(window)[:3] == ["Recent", "dropout", "gelu"]
    window.application.new_document()
    window.canvas.begin_search()
    assert window.canvas.popup.shown_types[0] == "dropout"


def test_the_menu_of_a_row_marks_renames_and_deletes(window, resnet, monkeypatch) -> None:
    select(resnet, "conv1", "act1")
    keep(window, monkeypatch, "Stage")
    layers = window.docks.layers

    def trigger(kind: str, title: str) -> None:
        menu = layers.menu_for(kind)
        next(a for a in menu.actions() if a.text() == title).trigger()
        menu.deleteLater()

    trigger("template Stage", "Favourite")
    assert titles(window)[:2] == ["Favourites", "Stage"]
    monkeypatch.setattr(window.view, "ask_template", lambda name, note: ("Stem", note))
    trigger("template Stage", "Rename…")
    assert titles(window)[:2] == ["Favourites", "Stem"]
    monkeypatch.setattr(window.view, "ask_confirm", lambda *_: False)
    trigger("template Stem", "Delete…")
    assert Templates().named("Stem") is not None
    monkeypatch.setattr(window.view, "ask_confirm", lambda *_: True)
    trigger("template Stem", "Delete…")
    assert titles(window)[0] == "input"
    assert [a.text() for a in layers.menu_for("relu").actions()] == ["Add to the graph", "Favourite"]


def test_templates_are_renamed_and_deleted_by_command(window, resnet, monkeypatch) -> None:
    assert not run_command("graph.deleteTemplate", window.context)
    select(resnet, "act1")
    keep(window, monkeypatch, "Stage")

    def pick(chooser: Chooser) -> int:
        chooser._pick(chooser.list.item(0))
        return 1

    monkeypatch.setattr(Chooser, "exec", pick)
    monkeypatch.setattr(window.view, "ask_template", lambda name, note: ("Other", "why"))
    run_command("graph.renameTemplate", window.context)
    assert [(t.name, t.note) for t in Templates().all()] == [("Other", "why")]
    monkeypatch.setattr(window.view, "ask_confirm", lambda *_: True)
    run_command("graph.deleteTemplate", window.context)
    assert Templates().all() == []


def test_a_name_that_is_taken_is_told(window, resnet, monkeypatch) -> None:
    select(resnet, "act1")
    keep(window, monkeypatch, "Stage")
    keep(window, monkeypatch, "STAGE")
    assert "Another template is called STAGE" in window.central.notice.full_text


def test_headings_cannot_be_chosen_and_enter_takes_the_first_row(window, resnet, monkeypatch, qtbot) -> None:
    select(resnet, "act1")
    keep(window, monkeypatch, "Stage")
    window.docks.layers.refill()
    heading = window.docks.layers._list.item(0)
    assert heading.flags() == Qt.ItemFlag.NoItemFlags
    chosen = []
    window.docks.layers.chosen.connect(chosen.append)
    window.docks.layers.focus_search()
    qtbot.keyClick(window.docks.layers._search, Qt.Key.Key_Return)
    assert chosen == ["template Stage"]


def test_the_dialog_wants_a_name(window) -> None:
    dialog = TemplateDialog(window, "", "")
    ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    assert not ok.isEnabled()
    dialog.name.setText("  Stage ")
    assert ok.isEnabled()
    assert dialog.answer == ("Stage", "")
    dialog.deleteLater()


def test_a_template_dragged_onto_a_wire_goes_into_it(window, resnet, monkeypatch, qtbot) -> None:
    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QDragEnterEvent, QDropEvent

    select(resnet, "conv1", "act1")
    keep(window, monkeypatch, "Stage")
    window.docks.layers.refill()
    data: QMimeData = window.docks.layers._list.mimeData([window.docks.layers._list.item(1)])
    canvas = window.canvas
    canvas.fit()
    (wire,) = resnet.graph.between(resnet.graph.named("input").id, resnet.graph.named("conv1").id)
    at = canvas.mapFromScene(canvas.graph_scene.wires[wire.id].path.pointAtPercent(0.5))
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    canvas.dragEnterEvent(QDragEnterEvent(at, copy, data, left, none))
    canvas.dropEvent(QDropEvent(at.toPointF(), copy, data, left, none))
    names = {resnet.graph.node(c.source).name for c in resnet.graph.incoming(resnet.graph.named("conv1").id)}
    assert names == {"act2"}
    assert len(resnet.history.labels) == 1


def test_a_drag_that_begins_on_a_heading_takes_no_row_along(window, qtbot) -> None:
    panel = window.docks.layers
    panel.recent.add("relu")
    panel.refill()
    rows = panel._list
    heading = next(rows.item(k) for k in range(rows.count()) if not rows.item(k).data(Qt.ItemDataRole.ToolTipRole))
    begin = rows.visualItemRect(heading).center()
    QTest.mousePress(rows.viewport(), Qt.MouseButton.LeftButton, pos=begin)
    for step in range(1, 6):
        QTest.mouseMove(rows.viewport(), begin + QPoint(0, 18 * step))
    assert rows.currentItem() is None
    QTest.mouseRelease(rows.viewport(), Qt.MouseButton.LeftButton, pos=begin + QPoint(0, 90))
    assert rows.selectedItems() == []


def test_what_layers_do_stands_in_one_column(window, qtbot) -> None:
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem

    row, rows = window.docks.layers._row, window.docks.layers._list
    starts = set()

    class Told(QPainter):
        def drawText(self, room, flags, text) -> None:
            if self.pen().color() == row.theme.colour("muted"):
                starts.add(room.left())

    image = QImage(400, 40, QImage.Format.Format_ARGB32)
    for k in range(rows.count()):
        name = str(rows.item(k).text())
        if rows.item(k).toolTip() and len(name) <= 11:
            option = QStyleOptionViewItem()
            option.rect = rows.visualItemRect(rows.item(k))
            painter = Told(image)
            row.paint(painter, option, rows.model().index(k, 0))
            painter.end()
    assert len(starts) == 1

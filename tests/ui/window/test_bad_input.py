"""Whatever a file or a person brings, the window says what it is and goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication

from archstudio.app.commands import run_command
from archstudio.app.verdict_lines import wrong_count
from archstudio.ui.window import MainWindow

LONG = "x" * 10_000
STRANGE = [LONG, "\u202egnihton\u202c", "a\x00b\x07\x1b[31m", "<img src=x onerror=alert(1)>", "line\nbreak", "👩‍👩‍👧‍👦"]


def written(folder: Path, file: str, **layer: object) -> Path:
    """A file of three layers, the middle one with some fields of its own."""
    middle = {"id": "b", "type": "relu", "name": "act", "params": {}, **layer}
    content = {
        "name": layer.get("name", "net"),
        "components": [{"id": "a", "type": "input", "name": "in", "params": {"shape": [1, 8]}}, middle],
        "connections": [{"from": "a", "to": "b"}],
        "layout": {"a": [1e308, -1e308], "b": [0.0, 0.0]},
    }
    path = folder / file
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def drop(window: MainWindow, *urls: QUrl) -> None:
    data = QMimeData()
    data.setUrls(list(urls))
    nothing = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(10, 10), Qt.DropAction.CopyAction, data, *nothing))


@pytest.mark.parametrize("name", STRANGE, ids=lambda name: ascii(name[:12]))
def test_a_strange_name_is_shown_everywhere_as_a_name(window, tmp_path: Path, qtbot, name: str) -> None:
    drop(window, QUrl.fromLocalFile(str(written(tmp_path, "strange.json", name=name))))
    document = window.application.current
    assert document.graph.node("b").name == name
    document.selection.set(["b"])
    run_command("edit.duplicate", window.context)
    for dock in ("inspector", "table", "problems", "history", "verdict"):
        window.docks.show(dock)
        qtbot.wait(5)
    assert window.docks.inspector._name.text().split("\n")[0]
    item = window.canvas.graph_scene.nodes["b"]
    assert item.boundingRect().width() < 400
    assert not window.grab().isNull()
    assert window.width() <= 1700, "a name must not push the window apart"
    assert window.central.tabs.tabRect(0).width() < 420


def test_layers_that_stand_nowhere_are_brought_into_view(window, tmp_path: Path) -> None:
    window.open_file(written(tmp_path, "far.json"))
    document = window.application.current
    assert "placed anew" in window.central.notice.full_text
    assert document.modified
    assert all(abs(x) < 1e5 for at in document.graph.layout.values() for x in at)
    json.loads(json.dumps(list(document.graph.layout.values()), allow_nan=False))


def test_dropped_links_folders_and_other_files_are_told(window, tmp_path: Path) -> None:
    drop(window, QUrl("https://example.org/net.json"))
    assert "Only files of this machine" in window.central.notice.full_text
    (tmp_path / "model.onnx").write_bytes(b"\x08\x07")
    (tmp_path / "model.py").write_text("import torch", encoding="utf-8")
    drop(
        window,
        *(QUrl.fromLocalFile(str(tmp_path / n)) for n in ("model.onnx", "model.py")),
        QUrl.fromLocalFile(str(tmp_path)),
    )
    told = window.central.notice.full_text
    assert told.startswith("3 files could not be opened")
    assert "is an ONNX model" in told
    assert "is Python code, which is not run" in told
    assert "is a folder" in told
    assert window.application.documents == []


def test_text_that_is_no_graph_is_told_when_pasted(window, tmp_path: Path) -> None:
    window.application.new_document()
    for text in ("hello", "[1, 2]", '{"components": [], "connections": []}'):
        QGuiApplication.clipboard().setText(text)
        run_command("edit.paste", window.context)
        assert "Nothing to paste" in window.central.notice.full_text
    assert window.application.current.history.labels == []


def test_a_wire_to_a_port_that_is_not_there_is_a_problem_with_words(window, tmp_path: Path, qtbot) -> None:
    path = written(tmp_path, "ports.json")
    content = json.loads(path.read_text(encoding="utf-8"))
    content["connections"][0] |= {"fromPort": "nowhere", "toPort": "nothing"}
    content["layout"] = {}
    path.write_text(json.dumps(content), encoding="utf-8")
    window.open_file(path)
    document = window.application.current
    assert document.verdict.problems[0].kind.code == "E-NO-PORT"
    qtbot.waitUntil(lambda: window.docks.docks["problems"].windowTitle().endswith(str(wrong_count(document))))
    assert not window.grab().isNull()

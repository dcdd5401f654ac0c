"""Pictures of a graph: light, whole, with their fonts, and with the graph inside."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QImage
from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrintPreviewDialog

from archstudio.app.application import task_document
from archstudio.app.commands import run_command
from archstudio.app.document import Document
from archstudio.edits import SetFrame, SetNote
from archstudio.files.embedded import embedded_text
from archstudio.files.strict_json import read_json
from archstudio.graph import Frame, Note, from_document, read_graph, write_graph
from archstudio.graph.digest import document_digest
from archstudio.ui.pictures.printing import printer_for
from archstudio.ui.pictures.render import PictureOptions, print_sheet
from archstudio.ui.pictures.sheet import Sheet
from archstudio.ui.pictures.svg_text import _TEXT, _font
from archstudio.ui.pictures.write import picture_bytes, picture_options, save_picture

KINDS = (".svg", ".pdf", ".png")


@pytest.fixture
def network(qapp) -> Document:
    """The broken network of a task, with a frame and a comment."""
    document = task_document("deepen-resnet")
    ids = document.graph.node_ids
    document.push(SetFrame("f1", Frame("f1", "Stem & more", ids[1:3])), "Frame")
    document.push(SetNote("t1", Note("t1", "Two words, <b>plain</b> text", (0.0, 400.0))), "Comment")
    return document


def white(image: QImage, x: int, y: int) -> bool:
    return image.pixelColor(x, y).name() == "#ffffff"


@pytest.mark.parametrize("kind", KINDS)
def test_the_graph_inside_a_picture_is_the_graph(network, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"figure{kind}"
    save_picture(network, path)
    assert embedded_text(path) == write_graph(network.graph)


@pytest.mark.parametrize("kind", KINDS)
def test_a_dropped_picture_opens_as_an_untitled_graph(window, network, tmp_path: Path, kind: str, monkeypatch) -> None:
    path = tmp_path / f"figure{kind}"
    save_picture(network, path)
    before = path.read_bytes()
    window.open_file(path)
    opened = window.application.current
    assert document_digest(opened.graph) == document_digest(network.graph)
    assert (opened.graph.frames, opened.graph.notes) == (network.graph.frames, network.graph.notes)
    assert opened.path is None
    monkeypatch.setattr(window.view, "ask_save", lambda suggestion: tmp_path / "again.arch.json")
    run_command("file.save", window.context)
    assert path.read_bytes() == before, "saving must not write over the picture"
    assert read_graph(tmp_path / "again.arch.json").node_ids == network.graph.node_ids


@pytest.mark.parametrize("theme", ["dark", "high-contrast"])
def test_pictures_are_light_whatever_theme_the_window_has(window, network, theme: str) -> None:
    light = picture_bytes(network, ".svg")
    window.set_theme(theme)
    assert picture_bytes(network, ".svg") == light


def test_a_selection_is_not_seen_on_a_picture(network) -> None:
    plain = picture_bytes(network, ".svg")
    network.selection.set(network.graph.node_ids, network.graph.connection_ids)
    assert picture_bytes(network, ".svg") == plain


def test_nothing_is_cut_off_at_the_edges(network) -> None:
    image = QImage.fromData(picture_bytes(network, ".png", PictureOptions(scale=1)))
    edge = [(x, y) for x in range(image.width()) for y in (0, image.height() - 1)]
    edge += [(x, y) for x in (0, image.width() - 1) for y in range(image.height())]
    assert all(white(image, x, y) for x, y in edge)
    with Sheet(network) as sheet:
        margin = QRectF(sheet.area).adjusted(1, 1, -1, -1)
        assert all(margin.contains(i.sceneBoundingRect()) for i in sheet._scene.items() if i.isVisible())


def test_an_svg_is_sound_and_says_its_words_in_a_named_font(network) -> None:
    svg = picture_bytes(network, ".svg").decode()
    root = ElementTree.fromstring(svg)
    texts = list(root.iter("{http://www.w3.org/2000/svg}text"))
    words = {t.text for t in texts}
    assert {"conv1", "Stem & more", "3→16 k3"} <= words
    assert any("<b>plain</b>" in (w or "") for w in words), "a name with markup stays a name"
    for text in texts:
        family = text.get("font-family")
        assert family.endswith(("sans-serif", "monospace"))
        assert len(family.split(",")) > 2
        assert text.text is None or not text.text.strip() or float(text.get("textLength")) > 0
    assert root.get("width").endswith("mm")


def test_no_word_is_wider_than_the_room_it_was_given(network) -> None:
    svg = picture_bytes(network, ".svg").decode()
    for found in re.finditer(r'textLength="([\d.]+)"[^>]*>([^<]+)<', svg):
        assert float(found[1]) < 200, found[2]
    assert "…" not in re.sub(r"<metadata>.*</metadata>", "", svg, flags=re.S)


def test_outlines_need_no_font(network) -> None:
    svg = picture_bytes(network, ".svg", PictureOptions(words="outlines")).decode()
    assert "<text" not in svg
    root = ElementTree.fromstring(svg)
    assert len(list(root.iter("{http://www.w3.org/2000/svg}path"))) > 20


def test_words_are_measured_in_the_font_they_are_drawn_in(qapp) -> None:
    found = _TEXT.match(
        '<text fill="#000000" fill-opacity="1" stroke="none" xml:space="preserve" x="1" y="2" '
        'font-family="DejaVu Sans" font-size="13" font-weight="700" font-style="italic" \n >conv</text>'
    )
    font = _font(found)
    assert (font.pixelSize(), font.bold(), font.italic()) == (13, True, True)
    assert QFontMetricsF(font).horizontalAdvance("conv") > 0


def test_a_pdf_carries_its_fonts_and_is_as_large_as_the_drawing(network) -> None:
    pdf = picture_bytes(network, ".pdf")
    assert b"/FontFile2" in pdf or b"/FontFile3" in pdf
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    with Sheet(network) as sheet:
        assert float(box[1]) == pytest.approx(sheet.area.width() * 0.75, abs=1)
        assert float(box[2]) == pytest.approx(sheet.area.height() * 0.75, abs=1)


def test_a_name_that_no_xml_can_hold_still_makes_a_sound_svg(network, tmp_path: Path) -> None:
    from archstudio.edits.compose import rename

    network.push(rename(network.graph, network.graph.node_ids[1], "a\x01b\uffff<c>\u202e&d"), "Rename")
    path = tmp_path / "a.svg"
    save_picture(network, path)
    ElementTree.fromstring(path.read_text(encoding="utf-8"))
    from archstudio.app.storage import open_document

    assert open_document(path).graph.node(network.graph.node_ids[1]).name == "a\x01b\uffff<c>\u202e&d"


def test_a_graph_without_layers_makes_a_small_white_picture(qapp) -> None:
    from archstudio.graph import Graph

    empty = Document(Graph("nothing"))
    for kind in KINDS:
        assert picture_bytes(empty, kind)


def test_a_huge_graph_makes_a_picture_that_fits_into_memory(qapp) -> None:
    from archstudio.graph import Graph, Node

    wide = Graph("wide")
    for k in range(60):
        wide.insert_node(Node(f"n{k}", "relu", f"r{k}"))
        wide.layout[f"n{k}"] = (k * 1900.0 - 57_000, (k % 2) * 50_000.0)
    image = QImage.fromData(picture_bytes(Document(wide), ".png", PictureOptions(scale=8)))
    assert not image.isNull()
    assert image.width() * image.height() <= 64_000_000


def test_settings_that_make_no_sense_are_passed_over() -> None:
    assert picture_options({}) == PictureOptions()
    assert picture_options({"pictureScale": "big", "pictureWords": 3}) == PictureOptions()
    assert picture_options({"pictureScale": 3, "pictureWords": "outlines"}) == PictureOptions(3.0, "outlines")


# ------------------------------------------------------------------- commands


def open_network(window) -> Document:
    window.open_task("deepen-resnet")
    return window.application.current


@pytest.mark.parametrize("kind", KINDS)
def test_the_export_command_writes_where_it_was_told(window, tmp_path: Path, monkeypatch, kind: str) -> None:
    document, path = open_network(window), tmp_path / f"figure{kind}"
    monkeypatch.setattr(window.view, "ask_export", lambda suggestion, kinds: path)
    assert run_command("file.exportPicture", window.context)
    assert embedded_text(path) == write_graph(document.graph)
    assert f"Exported figure{kind}" in window.central.notice.full_text


def test_an_ending_that_is_no_picture_is_told(window, tmp_path: Path, monkeypatch) -> None:
    open_network(window)
    monkeypatch.setattr(window.view, "ask_export", lambda suggestion, kinds: tmp_path / "figure.bmp")
    run_command("file.exportPicture", window.context)
    assert "names no kind of picture" in window.central.notice.full_text
    assert list(tmp_path.iterdir()) == []


def test_a_copied_picture_can_be_pasted_as_pixels_or_as_svg(window) -> None:
    open_network(window)
    run_command("file.copyPicture", window.context)
    carried = QGuiApplication.clipboard().mimeData()
    assert carried.hasImage()
    assert b"<svg" in bytes(carried.data("image/svg+xml").data())


def test_of_selected_layers_only_those_are_copied(window, tmp_path: Path) -> None:
    open_network(window)
    document = window.application.current
    first, second = [n for n in document.graph.nodes if n.type not in ("input", "output")][:2]
    run_command("file.copyPicture", window.context)
    whole = QGuiApplication.clipboard().image()
    document.selection.set([first.id, second.id])
    run_command("file.copyPicture", window.context)
    carried = QGuiApplication.clipboard().mimeData()
    part = QImage.fromData(carried.data("image/png").data())
    assert part.width() * part.height() < whole.width() * whole.height()
    (tmp_path / "part.svg").write_bytes(carried.data("image/svg+xml").data())
    graph = from_document(read_json(embedded_text(tmp_path / "part.svg"), name="part"), file="part")
    assert {n.name for n in graph.nodes} == {first.name, second.name}
    with Sheet(document, {first.id, second.id}) as sheet:
        seen = {item for item in sheet._scene.items() if item.isVisible() and item.parentItem() is None}
        assert seen >= {sheet._scene.nodes[first.id], sheet._scene.nodes[second.id]}
        assert not seen & {item for n, item in sheet._scene.nodes.items() if n not in (first.id, second.id)}


def test_printing_puts_the_whole_graph_on_one_page(network, tmp_path: Path) -> None:
    out = tmp_path / "printed.pdf"
    with Sheet(network) as sheet:
        printer = printer_for(sheet)
        assert printer.pageLayout().orientation().name == "Landscape"
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(out))
        print_sheet(sheet, printer)
    printed = out.read_bytes()
    assert printed.count(b"/Type /Page\n") == 1
    assert b"/FontFile" in printed


@pytest.mark.parametrize(("command", "dialog"), [
    ("file.print", QPrintDialog), ("file.printPreview", QPrintPreviewDialog),
])  # fmt: skip
def test_the_print_commands_ask_first(window, monkeypatch, command: str, dialog: type) -> None:
    open_network(window)
    shown = []
    monkeypatch.setattr(dialog, "exec", lambda self: shown.append(self) or 0)
    assert run_command(command, window.context)
    assert len(shown) == 1


def test_the_pytorch_module_is_written_or_the_problem_named(window, tmp_path: Path, monkeypatch) -> None:
    document, path = open_network(window), tmp_path / "net.py"
    asked = []
    monkeypatch.setattr(window.view, "ask_export", lambda suggestion, kinds: asked.append(suggestion.name) or path)
    run_command("file.exportTorch", window.context)
    assert "Not exported" in window.central.notice.full_text
    assert not path.exists()
    window.application.new_document()
    run_command("file.exportTorch", window.context)
    assert "class Model" in path.read_text(encoding="utf-8")
    assert asked == ["deepen_resnet.py", "untitled.py"]
    assert document.graph.name == "deepen-resnet"


def test_of_very_many_wires_a_picture_tells_no_shapes_and_has_fewer_pixels(network, monkeypatch) -> None:
    from archstudio.ui.pictures import render, sheet

    told = picture_bytes(network, ".svg").decode()
    with Sheet(network) as usual:
        large = render.png_image(usual, 200.0)
    monkeypatch.setattr(sheet, "MOST_INDEXED", 1)
    with Sheet(network) as crowded:
        small = render.png_image(crowded, 200.0)
    assert small.width() * small.height() <= render.CROWDED_PIXELS < large.width() * large.height()
    few = picture_bytes(network, ".svg").decode()
    assert few.count("<text") < told.count("<text")

"""The costs in the Verdict dock follow the graph and the machine."""

from __future__ import annotations

from archstudio.app.cost_lines import MOST_LAYERS
from archstudio.app.document import Document
from archstudio.app.zoo import zoo_document
from archstudio.graph import Connection, Graph, Node
from archstudio.ui.start import make_window
from archstudio.ui.window import MainWindow


def value(window: MainWindow, title: str) -> str:
    costs = window.docks.verdict.costs
    return next((r.value for r in (*costs.rows.shown, *costs.latencies.shown) if r.text == title), "")


def test_a_decoder_shows_its_costs_and_an_error_makes_them_unknown(window, qtbot) -> None:
    window.application.adopt(zoo_document("gpt-2-small"))
    qtbot.waitUntil(lambda: "tok/s" in value(window, "Decode per token"))
    assert value(window, "KV per token") == "36 KiB"
    window.open_task("deepen-resnet")
    qtbot.waitUntil(lambda: value(window, "Activations, B=1") == "unknown")
    assert value(window, "Weights fp32 · bf16") == "unknown"
    assert not window.docks.verdict.costs.machine.isVisible()


def test_the_machine_is_chosen_and_remembered(window, qtbot) -> None:
    window.application.adopt(zoo_document("gpt-2-small"))
    qtbot.waitUntil(lambda: value(window, "Decode per token") != "")
    before = value(window, "Decode per token")
    window.docks.verdict.costs.machine.setCurrentText("M3 Max")
    assert value(window, "Decode per token") != before
    again = make_window()
    assert again.docks.verdict.costs.machine.currentText() == "M3 Max"
    again.close()
    again.deleteLater()


def test_t_is_set_in_the_verdict_as_one_undo_step(window, qtbot) -> None:
    document = window.application.adopt(zoo_document("gpt-2-small"))
    verdict = window.docks.verdict
    qtbot.waitUntil(lambda: verdict._sequence.isVisible())
    assert verdict._sequence.value() == 1024
    verdict._sequence.setValue(64)
    assert document.history.labels == ["Set sequence to 64"]
    document.undo()
    qtbot.waitUntil(lambda: verdict._sequence.value() == 1024)


def test_a_large_graph_is_reckoned_when_asked_for(window, qtbot) -> None:
    graph = Graph("long")
    for k in range(MOST_LAYERS + 1):
        graph.insert_node(Node(f"n{k}", "relu" if k else "input", f"l{k}", {} if k else {"shape": [1, 8]}))
        graph.layout[f"n{k}"] = (k * 20.0, 0.0)
        if k:
            graph.insert_connection(Connection(f"c{k}", f"n{k - 1}", f"n{k}"))
    window.application.adopt(Document(graph))
    costs = window.docks.verdict.costs
    qtbot.waitUntil(lambda: costs.ask.isVisible())
    assert value(window, "Activations, B=1") == ""
    costs.ask.click()
    assert value(window, "Activations, B=1").endswith("B")
    assert not costs.ask.isVisible()

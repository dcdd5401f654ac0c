"""Where runs are trained is chosen in the Training dock, kept, and connected to while the window goes on."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QTimer

from archstudio.app.training import trainable
from archstudio.app.training_engine import WHERE, as_stored, stored_choice, where_text
from archstudio.app.words import said_made
from archstudio.training.engines import EngineChoice, NoEngine
from archstudio.ui.language import install_language
from archstudio.ui.panels.training_where import WhereDialog

PATIENCE_MS = 120_000


def answer(panel: Any, act: Any) -> None:
    """Let `act` drive the dialog as soon as it is shown."""

    def look() -> None:
        dialog = getattr(panel, "where_dialog", None)
        if isinstance(dialog, WhereDialog) and dialog.isVisible():
            act(dialog)
        else:
            QTimer.singleShot(20, look)

    QTimer.singleShot(0, look)


@pytest.fixture(scope="module")
def known_dask() -> None:
    """Dask keeps some threads of its own for good once it was used; a window is not to be blamed for them."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs="CRITICAL"
        ) as running,
        distributed.Client(running) as client,
    ):
        heard = threading.Event()
        future = client.submit(len, "abc")
        future.add_done_callback(lambda done: heard.set())
        assert future.result() == 3
        assert heard.wait(PATIENCE_MS / 1000)


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        (EngineChoice(), "this machine"),
        (EngineChoice("local", 1), "this machine, 1 worker"),
        (EngineChoice("dask", 3), "Dask on this machine, 3 workers"),
        (EngineChoice("dask", None, "tcp://host:8786"), "Dask at tcp://host:8786"),
        (EngineChoice("dask", 8, "slurm"), "Slurm, 8 jobs"),
        (EngineChoice("dask", None, "pbs"), "PBS, 1 job"),
    ],
)
def test_a_choice_is_told_and_kept_as_it_was_made(choice: EngineChoice, told: str) -> None:
    assert where_text(choice) == told
    assert stored_choice(as_stored(choice)) == choice


@pytest.mark.parametrize(
    "stored", [None, "dask", {}, {"engine": "local", "scheduler": "x"}, {"engine": 7, "workers": -1}, {"workers": True}]
)
def test_a_damaged_setting_means_this_machine(stored: object) -> None:
    assert stored_choice(stored) == EngineChoice()


def test_the_number_of_workers_is_chosen_kept_and_shown(dock, qtbot) -> None:
    def choose(dialog: WhereDialog) -> None:
        assert dialog.here.isChecked()
        dialog.workers.setValue(1)
        dialog.use.click()

    answer(dock, choose)
    dock.form.where_button.click()
    assert dock.form.where_button.text() == "this machine, 1 worker"
    assert dock.desk.choice == EngineChoice("local", 1)
    assert dock.application.settings.read()[WHERE] == {"engine": "local", "workers": 1, "scheduler": None}


def test_what_cannot_be_reached_is_told_in_the_dialog_and_nothing_changes(dock, qtbot) -> None:
    told = []

    def choose(dialog: WhereDialog) -> None:
        dialog.address.setChecked(True)
        dialog.scheduler.setText("nowhere")
        dialog.use.click()
        qtbot.waitUntil(lambda: dialog.use.isEnabled(), timeout=PATIENCE_MS)
        told.append(dialog.report.text())
        dialog.reject()

    answer(dock, choose)
    dock.form.where_button.click()
    assert told == ["'nowhere' is no address such as tcp://host:8786, and none of slurm, pbs, lsf."]
    assert dock.desk.choice == EngineChoice()
    assert WHERE not in dock.application.settings.read()


def test_connecting_is_given_up_at_once_and_what_comes_late_is_closed(dock, qtbot, monkeypatch) -> None:
    go_on, closed = threading.Event(), threading.Event()

    class Late:
        def close(self) -> None:
            closed.set()

    def slow(root: object, choice: object) -> Late:
        go_on.wait(PATIENCE_MS / 1000)
        return Late()

    monkeypatch.setattr("archstudio.app.training_engine.open_engine", slow)

    def choose(dialog: WhereDialog) -> None:
        dialog.dask.setChecked(True)
        dialog.use.click()
        assert dialog.report.text() == "Connecting…"
        dialog.reject()

    answer(dock, choose)
    dock.form.where_button.click()
    assert dock.desk.choice == EngineChoice()
    go_on.set()
    qtbot.waitUntil(closed.is_set, timeout=PATIENCE_MS)


def test_the_window_trains_through_dask_to_the_same_numbers(known_dask, dock, qtbot) -> None:
    def choose(dialog: WhereDialog) -> None:
        dialog.dask.setChecked(True)
        dialog.dask_workers.setValue(1)
        dialog.use.click()

    def trained() -> list[float]:
        with qtbot.waitSignal(dock.run_ended, timeout=PATIENCE_MS):
            dock.start_button.click()
        row = dock.book.rows[0]
        assert row.state == "finished", row.failure
        ((_, values),) = dock.book.series(row.run_id, "val_loss")
        assert dock.delete([row]) == ""
        return values.tolist()

    dock.form.budget.setValue(640)
    near = trained()
    answer(dock, choose)
    dock.form.where_button.click()
    assert dock.form.where_button.text() == "Dask on this machine, 1 worker"
    assert trained() == near


def test_while_runs_go_on_nothing_is_moved(dock, qtbot) -> None:
    dock.form.budget.setValue(100_000_000)
    dock.start_button.click()
    qtbot.waitUntil(lambda: bool(dock.book.active()))
    dock.form.where_button.click()
    assert dock.message.startswith("Runs are going on.")
    dock.stop()
    qtbot.waitUntil(lambda: not dock.book.active(), timeout=PATIENCE_MS)


@pytest.fixture
def remembered(dock, monkeypatch) -> list[str]:
    """A dock that was left with a cluster, which no longer answers; lists what asked for it on the window's thread."""
    asked: list[str] = []

    def dead(root: object, choice: object, **more: object) -> None:
        if threading.current_thread() is threading.main_thread():
            asked.append("the window waited")
        raise NoEngine("No scheduler answers at tcp://gone:1: timed out")

    monkeypatch.setattr("archstudio.app.training.open_engine", dead)
    monkeypatch.setattr("archstudio.app.training_engine.open_engine", dead)
    dock.desk.adopt(EngineChoice("dask", None, "tcp://gone:1"), None)
    return asked


def wait_and_close(told: list[str], qtbot: Any) -> Any:
    def act(dialog: WhereDialog) -> None:
        qtbot.waitUntil(lambda: dialog.report.text().startswith("No scheduler"), timeout=PATIENCE_MS)
        told.append(dialog.report.text())
        dialog.reject()

    return act


def test_resuming_a_run_connects_first_and_never_on_the_windows_thread(dock, remembered, qtbot) -> None:
    run = dock.desk.store.add(trainable(dock.document).describe(dock.settings()))
    dock.book.load()
    dock.runs.show_rows()
    dock.table.select({run.run_id})
    told: list[str] = []
    answer(dock, wait_and_close(told, qtbot))
    dock.pause_or_resume()
    assert told == ["No scheduler answers at tcp://gone:1: timed out"]
    assert remembered == []
    assert dock.book.rows[0].state == "interrupted"


def test_runs_are_kept_where_deleting_them_finds_no_connection(dock, remembered, qtbot) -> None:
    run = dock.desk.store.add(trainable(dock.document).describe(dock.settings()))
    dock.book.load()
    answer(dock, wait_and_close([], qtbot))
    assert dock.delete(dock.book.rows) == "The runs are kept: there is no connection to where they are trained."
    assert dock.desk.stored_ids() == [run.run_id]
    assert remembered == []


def test_where_training_is_no_part_of_the_condition_nobody_is_asked_where(dock) -> None:
    dock.document.visibility = replace(dock.document.visibility, training=False)
    assert not dock.ask_where()
    assert not hasattr(dock, "where_dialog")


def test_a_fault_nobody_foresaw_is_told_too(dock, qtbot, monkeypatch, caplog) -> None:
    def broken(root: object, choice: object) -> None:
        raise RuntimeError("the library broke")

    monkeypatch.setattr("archstudio.app.training_engine.open_engine", broken)
    told = []

    def choose(dialog: WhereDialog) -> None:
        dialog.dask.setChecked(True)
        dialog.use.click()
        qtbot.waitUntil(dialog.use.isEnabled, timeout=PATIENCE_MS)
        told.append(dialog.report.text())
        dialog.reject()

    answer(dock, choose)
    dock.form.where_button.click()
    assert told == ["Connecting failed: RuntimeError: the library broke"]
    assert "An engine could not be opened." in caplog.text


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("No scheduler answers at tcp://h:1: timed out", "Unter tcp://h:1 antwortet kein Scheduler: timed out"),
        (
            "There is no sbatch on this machine. Start the program where jobs can be submitted.",
            "Auf diesem Rechner gibt es kein sbatch. Starten Sie das Programm dort, wo Jobs abgeschickt werden können.",
        ),
        (
            "'x' is no address such as tcp://host:8786, and none of slurm, pbs, lsf.",
            "„x“ ist keine Adresse wie tcp://host:8786 und keines von slurm, pbs, lsf.",
        ),
    ],
)
def test_refusals_of_clusters_are_german(qapp, english: str, german: str) -> None:
    install_language("de")
    try:
        assert said_made(english) == german
    finally:
        install_language("en")

"""Runs in the Training dock: searched, grouped, compared, explained, exported; own data in a dialog."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from archstudio.app.commands import run_command
from archstudio.app.training import trainable
from archstudio.app.training_data import read_for
from archstudio.app.training_settings import TrainSettings
from archstudio.training.description import RunDescription
from archstudio.training.diagnosis import Diagnosis, ParameterFacts, TargetFacts
from archstudio.training.metrics import MetricFiles
from archstudio.training.probe import as_probe
from archstudio.training.protocol import Failure
from archstudio.training.store import SeedResult
from archstudio.ui.panels.training_data import DataDialog
from archstudio.ui.theme import Theme

PATIENCE_MS = 120_000


def kept_run(panel, lr: float = 0.001, seeds: int = 1, failure: Failure | None = None, values=None):
    """Put a run into the store as if it had been made; returns its row."""
    ready = trainable(panel.document)
    described: RunDescription = ready.describe(panel.settings())
    described = described.model_copy(update={"lr": lr, "seeds": tuple(range(seeds))})
    run = panel.desk.store.add(described)
    for seed in described.seeds:
        files = run.seed(seed)
        metrics = MetricFiles(files.metrics, {})
        curve = np.linspace(2, 1, 50) if values is None else values
        for k, value in enumerate(curve):
            metrics.append("val_loss", k, 32 * k, k / 10, float(value) + seed)
        metrics.close()
        state = "failed" if failure else "finished"
        files.save_result(SeedResult(state=state, samples=1600, metrics={"val_loss": 1.0 + seed}, failure=failure))
    panel.book.load()
    row = panel.book.add(run.run_id)
    panel.runs.show_rows()
    return row


def lines(panel) -> list[str]:
    return [panel.table.item(k, 0).text() for k in range(panel.table.rowCount())]


def test_runs_are_found_by_words_and_grouped_under_headings(dock) -> None:
    for lr in (0.001, 0.01):
        kept_run(dock, lr)
    assert len(lines(dock)) == 2
    dock.runs.search.setText("0.01")
    assert [text.split(" ·")[0] for text in lines(dock)] == ["AdamW 0.01"]
    dock.runs.search.setText("")
    dock.runs.group.setCurrentIndex(2)
    assert lines(dock)[0] == "AdamW 0.01 (1)"
    assert lines(dock)[2] == "AdamW 0.001 (1)"
    dock.table.select({row.run_id for row in dock.book.rows})
    assert len(dock.table.chosen_rows()) == 2


def test_comparing_tells_what_differs_and_what_came_of_it(dock) -> None:
    rows = [kept_run(dock, lr) for lr in (0.001, 0.01)]
    dock.table.select({row.run_id for row in rows})
    assert dock.runs.compare.isEnabled()
    dock.tools.compare()
    table = dock.tools.page.table
    told = {
        table.item(k, 0).text(): [table.item(k, 1).text(), table.item(k, 2).text()] for k in range(table.rowCount())
    }
    assert told["lr"] == ["0.01", "0.001"]
    assert told["validation loss"] == ["1", "1"]
    assert set(told) == {"lr", "parameters", "validation loss"}
    dock.tools.page.close()


def test_why_it_failed_is_told_with_the_facts_and_marked_in_the_plot(dock) -> None:
    from PySide6.QtWidgets import QLabel

    failure = Failure(kind="diverged", message="The training loss is not finite after step 7.", step=7, last_finite=9.5)
    row = kept_run(dock, failure=failure)
    diagnosis = Diagnosis(
        inputs=(), target=TargetFacts(), layers=(),
        parameters=(ParameterFacts(name="head.weight", numbers=4, weight=1.0, gradient=0.0, reached=False),),
    )  # fmt: skip
    from archstudio.files.strict_json import dump_json

    folder = dock.book.stored(row.run_id).seed(0).path
    (folder / "diagnosis.json").write_text(dump_json(diagnosis.model_dump(mode="json")))
    dock.table.select({row.run_id})
    dock.tools.why()
    told = [label.text() for label in dock.tools.page.findChildren(QLabel)]
    assert "It diverged at step 7" in told
    assert "The last finite value before was 9.5." in told
    assert "No gradient reaches any weight" in told
    assert "head.weight." in told
    dock.tools.page.close()
    dock.curves.show_runs([row])
    crosses = dock.curves.plot._items[row.run_id].crosses
    assert crosses.getData()[0].tolist() == [7 * dock.book.stored(row.run_id).description.batch_size]


def test_the_stated_ceiling_is_a_line_where_its_metric_is_drawn(dock) -> None:
    row = kept_run(dock)
    files = dock.book.stored(row.run_id).seed(0)
    files.save_result(
        SeedResult(
            state="finished", samples=1600, metrics={"val_loss": 1.0},
            ceiling_metric="val_loss", ceiling=0.25, ceiling_words="the noise of the targets <b>",
        )
    )  # fmt: skip
    row = dock.book.add(row.run_id)
    dock.curves.show_runs([row])
    plot = dock.curves.plot
    line = plot._items[row.run_id].ceiling
    assert (line.value(), line.isVisible()) == (0.25, True)
    assert "best possible 0.25: the noise of the targets &lt;b&gt;" in plot._told(100.0)
    dock.curves.log_axis.setChecked(True)
    assert line.value() == pytest.approx(np.log10(0.25))
    dock.curves.metric_box.setCurrentIndex(dock.curves.metric_box.findData("train_loss"))
    dock.curves.draw()
    assert not line.isVisible()
    dock.curves.metric_box.setCurrentIndex(0)


def test_exports_carry_the_digest_of_each_description(dock, tmp_path: Path) -> None:
    from PySide6.QtGui import QImage

    row = kept_run(dock)
    sha = dock.book.stored(row.run_id).spec_sha256
    dock.table.select({row.run_id})
    for kind in ("csv", "json", "svg", "png", "pdf"):
        dock.tools.export(tmp_path / f"runs.{kind}", kind)
        assert "Written to" in dock.message
    for kind in ("csv", "json", "svg"):
        assert sha in (tmp_path / f"runs.{kind}").read_text()
    assert sha in QImage(str(tmp_path / "runs.png")).text("Description")
    assert sha.encode("utf-16-be") in (tmp_path / "runs.pdf").read_bytes()
    dock.tools.export(tmp_path / "events", "tensorboard")
    (written,) = (tmp_path / "events").rglob("events.out.tfevents.*")
    assert sha[:12] in written.name
    dock.tools.export(tmp_path / "nowhere" / "runs.csv", "csv")
    assert "the folder is gone" in dock.message


def test_the_axis_keeps_its_name_and_runs_their_colour_when_the_theme_changes(dock) -> None:
    row = kept_run(dock)
    dock.curves.show_runs([row])
    plot = dock.curves.plot
    for name in ("dark", "light"):
        dock.set_theme(Theme.named(name))
        assert plot.plot.getAxis("left").labelText == "validation loss"
        (label,) = [label for _, label in plot._legend.items]
        assert label.opts["color"] == Theme.named(name).colour("text")


def test_a_read_out_is_pinned_and_taken_away(dock) -> None:
    row = kept_run(dock)
    dock.curves.show_runs([row])
    plot = dock.curves.plot
    plot.pin(320.0)
    assert plot.pins == [320.0]
    assert "1.796" in plot._pins[0][1].toPlainText()
    for place in range(6):
        plot.pin(float(place))
    assert len(plot.pins) == 5


def test_a_pinned_run_stays_in_the_plot(dock) -> None:
    first, second = kept_run(dock, 0.001), kept_run(dock, 0.01)
    dock.table.select({first.run_id})
    dock.tools.pin()
    dock.table.select({second.run_id})
    assert {row.run_id for row in dock.curves.shown} == {first.run_id, second.run_id}


def test_freeing_weights_keeps_curves_and_says_how_much(dock) -> None:
    row = kept_run(dock)
    files = dock.book.stored(row.run_id).seed(0)
    files.model.write_bytes(b"0" * 4096)
    assert dock.tools.free_rows([row]) == "4.0 kB freed."
    assert not files.model.exists()
    assert len(files.series("val_loss")) == 50


def test_a_file_of_ones_own_is_fitted_before_it_can_be_used(dock, tmp_path: Path) -> None:
    ready = trainable(dock.document)
    shape = ready.inputs[0].sample_shape
    rng = np.random.default_rng(0)
    np.savez(tmp_path / "good.npz", image=rng.random((20, *shape), np.float32), label=np.arange(20) % 10)
    np.savez(tmp_path / "bad.npz", image=rng.random((20, 7), np.float32), label=np.arange(20) % 10)
    losses = ready.chosen_losses(dock.settings())
    dialog = DataDialog(dock, ready, read_for(ready, tmp_path / "good.npz"), losses)
    assert dialog.use.isEnabled()
    dialog.roles[1].setCurrentIndex(0)
    assert not dialog.use.isEnabled()
    assert "needs a column" in dialog.report.text()
    dialog.roles[1].setCurrentIndex(dialog.roles[1].count() - 1)
    assert dialog.use.isEnabled()
    dock.form.set_data(dialog.data)
    assert "good.npz: 20 samples" in " ".join(ready.reasons(dock.settings()))
    bad = DataDialog(dock, ready, read_for(ready, tmp_path / "bad.npz"), losses)
    assert not bad.use.isEnabled()
    assert "(7)" in bad.report.text()
    (tmp_path / "none.npz").write_bytes(b"nothing")
    dock.offer_data(tmp_path / "none.npz")
    assert "plain numpy arrays" in dock.message


def test_a_full_disk_is_told_in_the_dock_and_nothing_is_lost(dock, monkeypatch) -> None:
    def full(*_: object, **__: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorname = "SQLITE_FULL"
        raise error

    monkeypatch.setattr(sqlite3, "connect", full)
    run_command("train.start", dock.window().context)
    assert "the disk is full" in dock.message
    assert dock.book.rows == []


def test_curves_are_drawn_over_samples_steps_epochs_or_time(dock) -> None:
    row = kept_run(dock)
    dock.curves.show_runs([row])
    plot = dock.curves.plot
    epoch = dock.book.stored(row.run_id).train_size()
    ends, said = {}, {}
    for axis in ("samples", "steps", "epochs", "seconds"):
        dock.curves.axis_box.setCurrentIndex(dock.curves.axis_box.findData(axis))
        ends[axis] = plot._items[row.run_id].line.getData()[0][-1]
        said[axis] = plot._told(ends[axis]).partition("<br>")[0], plot.plot.getAxis("bottom").labelText
    assert ends == {"samples": 1568, "steps": 49, "epochs": 1568 / epoch, "seconds": 4.9}
    assert said == {
        "samples": ("1,568 samples", "samples seen"),
        "steps": ("49 steps", "steps"),
        "epochs": (f"{1568 / epoch:,.2f} epochs", "epochs"),
        "seconds": ("4.9 s", "seconds of training"),
    }


def test_over_time_a_band_stands_where_every_seed_was_measured(dock) -> None:
    row = kept_run(dock, seeds=3)
    dock.curves.show_runs([row])
    dock.curves.axis_box.setCurrentIndex(dock.curves.axis_box.findData("seconds"))
    x, centre = dock.curves.plot._items[row.run_id].line.getData()
    assert (x[0], x[-1] <= 4.9) == (0.0, True)
    assert centre[0] == pytest.approx(3.0)  # three seeds that lie 1 apart, from 2 on
    assert "n = 3" in dock.curves.plot._items[row.run_id].name


def test_a_mark_stays_at_its_measurement_on_every_axis(dock) -> None:
    failure = Failure(kind="diverged", message="It was not finite after step 7.", step=7, last_finite=1.0)
    row = kept_run(dock, failure=failure)
    dock.curves.show_runs([row])
    places = {}
    for axis in ("samples", "steps", "seconds"):
        dock.curves.axis_box.setCurrentIndex(dock.curves.axis_box.findData(axis))
        places[axis] = dock.curves.plot._items[row.run_id].crosses.getData()[0].tolist()
    batch = dock.book.stored(row.run_id).description.batch_size
    assert places == {"samples": [7 * batch], "steps": [7 * batch / 32], "seconds": [pytest.approx(7 * batch / 320)]}


def test_a_run_is_estimated_before_it_is_begun_and_leaves_nothing_behind(dock, qtbot) -> None:
    dock.form.budget.setValue(3_200)
    dock.form.seeds.setValue(dock.desk.workers + 1)
    dock.estimate_button.click()
    assert dock.message == "A worker tries some steps…"
    qtbot.waitUntil(lambda: dock.message.startswith("Expected"), timeout=PATIENCE_MS)
    workers, seeds = dock.desk.workers, dock.desk.workers + 1
    assert re.fullmatch(
        rf"Expected: [\d–]+ s for {seeds} seeds, \d+\.\d MB of memory for each of {workers} workers\.", dock.message
    )
    assert dock.desk.stored_ids() == []
    assert dock.book.rows == []


def test_a_measurement_that_fails_says_why(dock, qtbot) -> None:
    dock.form.device.addItem("CUDA", "cuda")
    dock.form.device.setCurrentIndex(dock.form.device.findData("cuda"))
    dock.estimate_button.click()
    qtbot.waitUntil(lambda: "could not be measured" in dock.message, timeout=PATIENCE_MS)
    assert dock.message == (
        "It could not be measured: This run asks for CUDA; torch finds CPU here. Choose one of these."
    )
    assert dock.desk.stored_ids() == []


def test_a_measurement_cut_off_by_the_end_of_the_window_is_no_run_and_goes_with_the_next_engine(dock) -> None:
    ready = trainable(dock.document)
    left = dock.desk.store.add(as_probe(ready.describe(dock.settings())))
    dock.book.load()
    assert dock.book.rows == []
    assert dock.desk.engine.store is not None
    assert left.run_id not in dock.desk.stored_ids()


def test_the_settings_of_a_run_go_back_into_the_fields(dock) -> None:
    asked = TrainSettings(
        optimiser="sgd", lr=0.02, batch_size=16, budget_samples=3200, seeds=3, difficulty=0.5, loss="cross_entropy",
        schedule="linear", clip=0.5, patience=4, balanced=True, precision="bfloat16",
    )  # fmt: skip
    described = trainable(dock.document).describe(asked)
    run = dock.desk.store.add(described)
    dock.book.load()
    dock.runs.show_rows()
    dock.table.select({run.run_id})
    dock.tools.use_settings()
    assert dock.settings() == asked
    assert trainable(dock.document).describe(dock.settings()) == described

"""Runs on disk: metrics that survive a torn write, and exports that carry the digest."""

import csv
import io
import json

import pytest

from archstudio.files.unusable import UnusableFile
from archstudio.training.description import TensorData
from archstudio.training.export import runs_as_csv, runs_as_json
from archstudio.training.metrics import MetricFiles, read_metric
from archstudio.training.store import RunStore, SeedResult


def write(folder, values, kept=None) -> None:
    files = MetricFiles(folder, kept or {})
    first = sum((kept or {}).values())
    for step, value in enumerate(values, start=first + 1):
        files.append("train_loss", step, step * 32, step / 10, value)
    files.close()


def test_metrics_are_kept_in_full(tmp_path) -> None:
    write(tmp_path, [0.1, 1 / 3])
    records = read_metric(tmp_path / "train_loss.metric")
    assert records.tolist() == [(1, 32, 0.1, 0.1), (2, 64, 0.2, 1 / 3)]
    assert read_metric(tmp_path / "train_loss.metric", start=1)["value"].tolist() == [1 / 3]
    assert len(read_metric(tmp_path / "train_loss.metric", start=5)) == 0


def test_a_record_torn_by_a_kill_is_left_out_and_then_overwritten(tmp_path) -> None:
    write(tmp_path, [1.0, 2.0])
    path = tmp_path / "train_loss.metric"
    path.write_bytes(path.read_bytes()[:-5])
    assert read_metric(path)["value"].tolist() == [1.0]
    write(tmp_path, [5.0], kept={"train_loss": 1})
    assert read_metric(path)["value"].tolist() == [1.0, 5.0]


def test_a_foreign_file_is_no_metric(tmp_path) -> None:
    path = tmp_path / "train_loss.metric"
    path.write_bytes(b"something else entirely")
    with pytest.raises(UnusableFile, match="no metric file"):
        read_metric(path)


def test_a_new_start_clears_metrics_of_the_old_one(tmp_path) -> None:
    write(tmp_path, [1.0, 2.0])
    write(tmp_path, [3.0])
    assert read_metric(tmp_path / "train_loss.metric")["value"].tolist() == [3.0]


def test_the_same_run_has_the_same_folder_and_gathers_seeds(tmp_path, describe) -> None:
    store = RunStore(tmp_path)
    first = store.add(describe(seeds=(0,), title="first"))
    second = store.add(describe(seeds=(1, 0)))
    assert first.folder == second.folder
    assert store.get(first.run_id).description.seeds == (0, 1)
    assert second.description.title == "first"
    assert list(store) == [first.run_id]
    assert store.add(describe(lr=0.5)).run_id != first.run_id


def test_data_that_are_not_the_described_ones_are_refused(tmp_path, describe) -> None:
    data = tmp_path / "data.safetensors"
    data.write_bytes(b"x")
    with pytest.raises(UnusableFile, match="not the data described"):
        RunStore(tmp_path).add(describe(data=TensorData(sha256="0" * 64)), data)
    with pytest.raises(UnusableFile, match="missing"):
        RunStore(tmp_path).add(describe(data=TensorData(sha256="0" * 64)))


def test_a_damaged_result_names_its_file(tmp_path, describe) -> None:
    files = RunStore(tmp_path).add(describe()).seed(0)
    files.path.mkdir(parents=True)
    files.save_result(SeedResult(state="finished", metrics={"val_loss": 0.5}))
    assert files.result().metrics == {"val_loss": 0.5}
    (files.path / "result.json").write_text('{"state": "elsewhere"}')
    with pytest.raises(UnusableFile, match=r"result\.json.*damaged"):
        files.result()


@pytest.fixture
def trained(tmp_path, describe):
    run = RunStore(tmp_path).add(describe(title="=HYPERLINK(1)"))
    write(run.seed(0).metrics, [0.1, 1 / 3])
    run.seed(0).save_result(SeedResult(state="finished", metrics={"train_loss": 1 / 3}))
    return run


def test_csv_holds_every_value_exactly_and_no_formula(trained) -> None:
    rows = list(csv.DictReader(io.StringIO(runs_as_csv([trained]))))
    assert [float(row["value"]) for row in rows] == [0.1, 1 / 3]
    assert rows[0]["spec_sha256"] == trained.spec_sha256
    assert rows[0]["title"] == "'=HYPERLINK(1)"


def test_json_holds_description_environment_results_and_values(trained) -> None:
    (run,) = json.loads(runs_as_json([trained]))["runs"]
    assert run["spec_sha256"] == trained.spec_sha256
    assert run["environment"]["environment_sha256"] == trained.environment_sha256
    assert run["description"]["lr"] == 0.01
    assert run["seeds"][0]["metrics"]["train_loss"]["value"] == [0.1, 1 / 3]
    assert run["seeds"][0]["result"]["state"] == "finished"

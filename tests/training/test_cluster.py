"""Training on a cluster: a real one of two processes gives the bytes the local engine gives, also when one dies."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from archstudio.files.unusable import UnusableFile
from archstudio.training.cluster.engine import DaskEngine
from archstudio.training.cluster.order import packed, unpack
from archstudio.training.description import TensorData
from archstudio.training.engine import LocalEngine, ProgressMade, StateChanged
from archstudio.training.engines import EngineChoice, NoEngine, batch_cluster, open_engine
from archstudio.training.store import SeedFolder

PATIENCE = 120.0


def eventually(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def cluster() -> Iterator[object]:
    """Two processes of one thread each."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs="CRITICAL"
    ) as running:
        yield running


@pytest.fixture(scope="module")
def near_engine(cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalEngine]:
    """The engine to compare with; after the cluster, whose threads outlive its own."""
    with LocalEngine(tmp_path_factory.mktemp("near"), workers=1) as running:
        yield running


@pytest.fixture
def dask_engine(cluster, tmp_path: Path) -> Iterator[DaskEngine]:
    from distributed import Client

    with DaskEngine(tmp_path / "dask", Client(cluster), checkpoint_seconds=0.2) as engine:
        yield engine


def test_the_same_description_gives_the_same_bytes_on_both_engines(
    everything, dask_engine, near_engine, describe
) -> None:
    description = describe(seeds=(0, 1, 2, 3, 4))
    far, near = dask_engine.submit(description), near_engine.submit(description)
    assert far.wait(PATIENCE).state == near.wait(PATIENCE).state == "finished"
    assert far.run_id == near.run_id
    assert everything(far) == everything(near)
    assert not list(far.stored.folder.rglob("checkpoint*"))


def test_progress_and_states_are_told_while_it_trains(dask_engine, describe) -> None:
    handle = dask_engine.submit(describe(budget_samples=640_000))
    seen = []
    while not handle.status().settled:
        seen += dask_engine.poll()
        time.sleep(0.02)
    seen += dask_engine.poll()
    assert [event.state for event in seen if isinstance(event, StateChanged)] == ["running", "finished"]
    steps = [event.progress.step for event in seen if isinstance(event, ProgressMade)]
    assert len(steps) > 1
    assert steps == sorted(steps)


def test_a_node_that_dies_costs_no_result_and_no_digit(everything, dask_engine, near_engine, describe) -> None:
    description = describe(budget_samples=320_000, seeds=(0, 1))
    handle = dask_engine.submit(description)
    started = set()

    def both_train() -> bool:
        started.update(e.seed for e in dask_engine.poll() if isinstance(e, ProgressMade))
        return len(started) == 2

    eventually(both_train)
    pids = dask_engine._client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)
    assert handle.wait(PATIENCE).state == "finished"
    near = near_engine.submit(description)
    near.wait(PATIENCE)
    assert everything(handle) == everything(near)


def test_a_run_is_paused_goes_on_and_is_stopped_and_later_goes_on_exactly(
    everything, dask_engine, near_engine, describe
) -> None:
    description = describe(budget_samples=640_000)
    handle = dask_engine.submit(description)
    eventually(lambda: any(isinstance(event, ProgressMade) for event in dask_engine.poll()))
    handle.pause()
    eventually(lambda: handle.status().state == "paused")
    handle.resume()
    eventually(lambda: handle.status().state == "running")
    handle.stop()
    assert handle.wait(PATIENCE).state == "stopped"
    assert handle.stored.seed(0).checkpoint.exists()
    handle.go_on()
    assert handle.wait(PATIENCE).state == "finished"
    near = near_engine.submit(description)
    near.wait(PATIENCE)
    assert everything(handle) == everything(near)


def test_data_files_travel_along_and_failures_come_back(dask_engine, describe, tmp_path: Path) -> None:
    import numpy as np

    from archstudio.training.sources import Split, save_dataset

    rng = np.random.default_rng(0)
    split = Split((rng.standard_normal((64, 12), np.float32),), (rng.integers(4, size=64),))
    sha = save_dataset(tmp_path / "data.safetensors", split, split)
    good = describe(data=TensorData(sha256=sha), seeds=(1,))
    assert dask_engine.submit(good, tensors=tmp_path / "data.safetensors").wait(PATIENCE).state == "finished"
    broken = dask_engine.submit(describe(source="def build_model():\n    raise RuntimeError('no such layer')\n"))
    (failure,) = broken.wait(PATIENCE).failures
    assert "no such layer" in failure.message
    assert any("model.py" in line for line in failure.log)


def test_closing_puts_runs_back_with_what_they_reached(cluster, tmp_path: Path, slow) -> None:
    from distributed import Client

    with DaskEngine(tmp_path, Client(cluster)) as engine:
        handle = engine.submit(slow())
        eventually(lambda: any(isinstance(event, ProgressMade) for event in engine.poll()))
    assert handle.stored.seed(0).checkpoint.exists()
    with LocalEngine(tmp_path, workers=1) as local:
        reached = len(handle.stored.seed(0).series("train_loss"))
        eventually(lambda: len(handle.stored.seed(0).series("train_loss")) > reached)
        assert local.status(handle.run_id).state == "running"


def test_only_the_files_of_a_run_are_taken_from_a_cluster(tmp_path: Path) -> None:
    source, target = SeedFolder(tmp_path / "a"), SeedFolder(tmp_path / "b")
    source.metrics.mkdir(parents=True)
    (source.metrics / "val_loss.metric").write_bytes(b"1")
    (source.path / "log.txt").write_bytes(b"2")
    (source.path / "lock").write_bytes(b"3")
    files = packed(source)
    assert files == {"metrics/val_loss.metric": b"1", "log.txt": b"2"}
    unpack(files, target)
    assert packed(target) == files
    for name in ("../log.txt", "/tmp/log.txt", "metrics/../../x.metric", "other.txt"):
        with pytest.raises(UnusableFile, match="no file of a run"):
            unpack({name: b""}, target)


def test_the_job_script_of_slurm_asks_for_one_thread(tmp_path: Path) -> None:
    """The script is what dask-jobqueue would submit; a process of its own, since it starts a scheduler."""
    code = (
        "from archstudio.training.engines import batch_cluster\n"
        "if __name__ == '__main__':\n"
        "    jobs = batch_cluster('slurm', queue='long', account='lab')\n"
        "    print(jobs.job_script())\n"
        "    jobs.close()\n"
    )
    (tmp_path / "script.py").write_text(code)
    ran = subprocess.run([sys.executable, tmp_path / "script.py"], capture_output=True, text=True, check=True)
    lines = ran.stdout.splitlines()
    for wanted in ("#SBATCH -J archstudio", "#SBATCH -p long", "#SBATCH -A lab", "#SBATCH --cpus-per-task=1"):
        assert wanted in lines
    assert "export OMP_NUM_THREADS=1 MKL_NUM_THREADS=1" in lines
    assert any("distributed.cli.dask_worker" in line and "--nthreads 1" in line for line in lines)


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ({"name": "ray"}, "choose local or dask"),
        ({"scheduler": "slurm"}, "belongs to the engine dask"),
        ({"name": "dask", "scheduler": "tcp://127.0.0.1:1", "workers": 3}, "its own workers"),
    ],
)
def test_a_choice_that_contradicts_itself_is_refused(parts, told) -> None:
    with pytest.raises(NoEngine, match=told):
        EngineChoice(**parts)


def test_a_scheduler_that_is_no_address_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoEngine, match="no address"):
        open_engine(tmp_path, EngineChoice("dask", scheduler="somewhere"))


def test_a_batch_system_that_is_not_here_is_named(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoEngine, match="no sbatch on this machine"):
        open_engine(tmp_path, EngineChoice("dask", scheduler="slurm"))


def test_without_the_extra_the_error_names_it(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(NoEngine, match=r"pip install archstudio\[cluster\]"):
        open_engine(tmp_path, EngineChoice("dask"))
    monkeypatch.setitem(sys.modules, "dask_jobqueue", None)
    with pytest.raises(NoEngine, match=r"pip install archstudio\[cluster\]"):
        batch_cluster("slurm")


def test_an_order_is_plain_json(describe) -> None:
    from archstudio.training.cluster.order import Order

    order = Order(
        task="t", run="r", description=describe(), seeds=(0,), environment_sha256="0" * 64, kinds={},
        memory_bytes=None, wall_seconds=None, checkpoint_seconds=1.0,
    )  # fmt: skip
    assert Order.model_validate_json(json.dumps(json.loads(order.model_dump_json()))) == order

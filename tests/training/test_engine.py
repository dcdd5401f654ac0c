"""The local engine: what a person who trains can do, and what happens when a worker dies."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from archstudio.files.unusable import UnusableFile
from archstudio.training.child import ChildLimits
from archstudio.training.description import Evaluation, SyntheticData, write_run_folder
from archstudio.training.engine import LocalEngine, ProgressMade, RunBusy, RunHandle, StateChanged
from archstudio.training.probe import as_probe, estimate

PATIENCE = 60.0


def eventually(condition: Callable[[], object]) -> None:
    """Wait for something that another process brings about; fail only when it never comes."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)


def worker_pids() -> list[int]:
    return [p.pid for p in psutil.Process().children() if "archstudio.training.worker" in " ".join(p.cmdline())]


def records(handle: RunHandle, seed: int = 0, metric: str = "train_loss") -> int:
    return len(handle.stored.seed(seed).series(metric))


def values(handle: RunHandle, metric: str = "train_loss", seed: int = 0) -> bytes:
    return bytes(handle.stored.seed(seed).series(metric)["value"].tobytes())


def test_importing_the_engine_does_not_import_torch() -> None:
    code = "import sys, archstudio.training.engine, archstudio.training.curves; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_run_trains_every_seed_and_keeps_everything(engine, describe) -> None:
    handle = engine.submit(describe(seeds=(0, 1)))
    assert handle.wait(PATIENCE).state == "finished"
    for seed in (0, 1):
        files = handle.stored.seed(seed)
        assert records(handle, seed) == 40
        assert files.series("val_loss")["samples"].tolist() == [0, 320, 640, 960, 1280]
        result = files.result()
        assert result.samples == 1280
        assert result.metrics["val_accuracy"] > 0.8
        assert files.model.exists()
        assert not files.checkpoint.exists()
    assert values(handle, seed=0) != values(handle, seed=1)
    assert {"python", "torch", "threads", "cpu"} <= set(handle.stored.environment())


def test_a_finished_run_is_never_trained_twice_but_new_seeds_are_added(engine, describe) -> None:
    first = engine.submit(describe(title="first"))
    first.wait(PATIENCE)
    again = engine.submit(describe(seeds=(0, 5), title="second"))
    status = again.wait(PATIENCE)
    assert again.run_id == first.run_id
    assert [(seed.seed, seed.attempt) for seed in status.seeds] == [(0, 1), (5, 1)]


def test_polling_tells_states_in_order_and_the_newest_progress(engine, describe) -> None:
    handle = engine.submit(describe(budget_samples=64_000))
    events = []
    while not handle.status().settled:
        events += engine.poll()
        time.sleep(0.02)
    events += engine.poll()
    assert [event.state for event in events if isinstance(event, StateChanged)] == ["running", "finished"]
    steps = [event.progress.step for event in events if isinstance(event, ProgressMade)]
    assert steps == sorted(steps)
    assert any(event.left for event in events if isinstance(event, ProgressMade))


def test_a_paused_run_waits_and_its_numbers_are_those_of_an_undisturbed_one(engine, describe) -> None:
    handle = engine.submit(describe(budget_samples=128_000))
    eventually(lambda: records(handle) > 0)
    handle.pause()
    eventually(lambda: handle.status().state == "paused")
    held = records(handle)
    time.sleep(0.3)
    assert records(handle) == held < 4000
    handle.resume()
    assert handle.wait(PATIENCE).state == "finished"
    interrupted = [values(handle, metric) for metric in ("train_loss", "val_loss")]
    engine.delete(handle.run_id)
    undisturbed = engine.submit(describe(budget_samples=128_000))
    undisturbed.wait(PATIENCE)
    assert [values(undisturbed, metric) for metric in ("train_loss", "val_loss")] == interrupted


def test_while_a_run_is_paused_another_one_trains(engine, slow, describe) -> None:
    held = engine.submit(slow())
    eventually(lambda: records(held) > 0)
    held.pause()
    eventually(lambda: held.status().state == "paused")
    assert engine.submit(describe()).wait(PATIENCE).state == "finished"
    held.stop()
    assert held.wait(PATIENCE).state == "stopped"


def test_a_stopped_run_goes_on_where_it_was(engine, slow) -> None:
    handle = engine.submit(slow())
    eventually(lambda: records(handle) > 0)
    handle.stop()
    assert handle.wait(PATIENCE).state == "stopped"
    reached = records(handle)
    before = values(handle)
    handle.resume()
    eventually(lambda: records(handle) > reached)
    handle.stop()
    handle.wait(PATIENCE)
    assert values(handle).startswith(before)


def test_a_killed_worker_fails_its_run_with_the_reason_and_no_other(tmp_path, slow, describe) -> None:
    with LocalEngine(tmp_path, workers=2, checkpoint_seconds=0.2) as engine:
        other = engine.submit(slow(title="other", lr=0.001))
        eventually(lambda: records(other) > 0)
        spared = worker_pids()
        victim = engine.submit(slow())
        eventually(lambda: victim.stored.seed(0).checkpoint.exists())
        (pid,) = set(worker_pids()).difference(spared)
        os.kill(pid, signal.SIGKILL)
        status = victim.wait(PATIENCE)
        assert status.state == "failed"
        assert status.failures[0].kind == "worker_died"
        assert status.failures[0].signal == "SIGKILL"
        assert "SIGKILL" in status.failures[0].message
        assert other.status().state == "running"
        grown = records(other)
        eventually(lambda: records(other) > grown)

        reached = records(victim)
        victim.retry()
        eventually(lambda: victim.status().state == "running" and records(victim) > reached)
        assert victim.status().seeds[0].attempt == 2


def test_an_error_in_the_model_is_told_with_its_traceback_and_the_worker_lives_on(engine, describe) -> None:
    broken = "def build_model():\n    print('about to break')\n    raise RuntimeError('no such layer')\n"
    failed = engine.submit(describe(source=broken))
    (failure,) = failed.wait(PATIENCE).failures
    assert failure.kind == "error"
    assert "no such layer" in failure.message
    assert any("model.py" in line for line in failure.log)
    eventually(lambda: len(worker_pids()) == 1)
    pids = worker_pids()
    assert engine.submit(describe()).wait(PATIENCE).state == "finished"
    assert worker_pids() == pids
    eventually(lambda: "about to break" in failed.stored.seed(0).log.read_text())


def test_divergence_is_marked_with_step_last_value_and_cause(engine, describe) -> None:
    from archstudio.training.description import Sgd

    exploding = describe(
        source="from torch.nn import *\ndef build_model():\n    return Sequential(Linear(12, 64), Linear(64, 4))\n",
        optimiser=Sgd(),
        lr=1e6,
        data=SyntheticData(task="regression", train_size=256, validation_size=64),
        losses=({"kind": "mse"},),
    )
    (failure,) = engine.submit(exploding).wait(PATIENCE).failures
    assert failure.kind == "diverged"
    assert failure.step > 1
    assert failure.last_finite > 0
    assert "learning rate" in failure.cause


def test_a_model_that_prints_does_not_disturb_the_messages(engine, describe) -> None:
    noisy = "import os\nos.write(1, b'raw words on stdout\\n')\nprint('{\"v\": 1}')\n" + describe().model.source
    handle = engine.submit(describe(source=noisy))
    assert handle.wait(PATIENCE).state == "finished"
    eventually(lambda: "raw words on stdout" in handle.stored.seed(0).log.read_text())


def test_workers_inherit_no_secrets_and_work_in_a_folder_of_their_own(tmp_path, describe, monkeypatch) -> None:
    monkeypatch.setenv("MY_API_TOKEN", "secret")
    source = "import os\nprint('TOKEN', 'MY_API_TOKEN' in os.environ, 'CWD', os.getcwd())\n" + describe().model.source
    with LocalEngine(tmp_path, workers=1) as engine:
        handle = engine.submit(describe(source=source))
        handle.wait(PATIENCE)
        eventually(lambda: "CWD" in handle.stored.seed(0).log.read_text())
    words = handle.stored.seed(0).log.read_text()
    assert "TOKEN False" in words
    assert os.getcwd() not in words
    assert "archstudio-worker-" in words


def test_closing_leaves_no_thread_or_child_and_the_next_engine_goes_on(tmp_path, slow) -> None:
    threads, pids = threading.active_count(), worker_pids()
    with LocalEngine(tmp_path, workers=1) as engine:
        handle = engine.submit(slow())
        eventually(lambda: records(handle) > 0)
        held = engine.submit(slow(lr=0.5))
        held.pause()
        eventually(lambda: held.status().state == "paused")
    assert worker_pids() == pids
    assert threading.active_count() == threads
    before = values(handle)
    with LocalEngine(tmp_path, workers=1) as engine:
        assert engine.status(held.run_id).state == "paused"
        again = engine.handle(handle.run_id)
        eventually(lambda: records(again) > len(before) // 8)
        engine.stop(handle.run_id)
        engine.wait(handle.run_id, PATIENCE)
    assert values(handle).startswith(before)


def test_work_of_a_killed_program_is_taken_over(tmp_path, slow) -> None:
    folder = tmp_path / "described"
    write_run_folder(folder, slow())
    code = (
        "import sys, time, pathlib; from archstudio.training.engine import LocalEngine\n"
        "engine = LocalEngine(pathlib.Path(sys.argv[1]), workers=1, checkpoint_seconds=0.1)\n"
        "print(engine.submit(pathlib.Path(sys.argv[2])).run_id, flush=True); time.sleep(600)\n"
    )
    program = subprocess.Popen([sys.executable, "-c", code, tmp_path / "root", folder], stdout=subprocess.PIPE)
    run_id = program.stdout.readline().decode().strip()
    checkpoint = tmp_path / "root" / "runs" / run_id / "seeds" / "0" / "checkpoint.safetensors"
    eventually(checkpoint.exists)
    with LocalEngine(tmp_path / "root", workers=1) as second:
        time.sleep(0.2)
        assert second.status(run_id).seeds[0].attempt == 1  # the first one lives: its job is its own
    (worker,) = psutil.Process(program.pid).children()
    work_folder = Path(worker.cwd())
    program.kill()
    program.communicate()
    eventually(lambda: not work_folder.exists())
    with LocalEngine(tmp_path / "root", workers=1) as engine:
        eventually(lambda: engine.status(run_id).seeds[0].attempt == 2)
        handle = engine.handle(run_id)
        reached = records(handle)
        eventually(lambda: records(handle) > reached)


def test_a_run_over_its_time_or_memory_fails_and_says_which(tmp_path, slow, describe) -> None:
    with LocalEngine(tmp_path / "a", workers=1, limits=ChildLimits(wall_seconds=1.0)) as engine:
        (failure,) = engine.submit(slow()).wait(PATIENCE).failures
        assert failure.kind == "time"
    hungry = "import torch\nheld = torch.ones(200_000_000)\n" + describe().model.source
    with LocalEngine(tmp_path / "b", workers=1, limits=ChildLimits(memory_bytes=400 * 2**20)) as engine:
        (failure,) = engine.submit(describe(source=hungry)).wait(PATIENCE).failures
        assert failure.kind == "memory"
        assert engine.submit(describe()).wait(PATIENCE).state == "finished"


def test_a_busy_run_cannot_be_deleted_and_a_finished_one_leaves_nothing(engine, slow) -> None:
    handle = engine.submit(slow())
    with pytest.raises(RunBusy, match="Stop it first"):
        engine.delete(handle.run_id)
    handle.stop()
    handle.wait(PATIENCE)
    engine.delete(handle.run_id)
    assert not handle.stored.folder.exists()
    with pytest.raises(KeyError):
        engine.status(handle.run_id)


def test_a_run_folder_whose_model_was_changed_is_refused(engine, describe, tmp_path: Path) -> None:
    handle = engine.submit(describe(budget_samples=10**9, evaluation=Evaluation()))
    handle.stop()
    handle.wait(PATIENCE)
    (handle.stored.folder / "model.py").write_text("def build_model(): ...\n")
    handle.resume()
    eventually(lambda: handle.status().state == "failed")
    assert "changed" in handle.status().failures[0].message
    with pytest.raises(UnusableFile, match="no such file"):
        engine.submit(tmp_path)


def test_a_probe_says_how_long_a_run_will_take(engine, describe) -> None:
    description = describe(seeds=(4, 5))
    probe = engine.submit(as_probe(description))
    assert probe.wait(PATIENCE).state == "finished"
    result = probe.stored.seed(4).result()
    expected = estimate(description, result)
    assert expected.low_seconds == pytest.approx(
        40 * result.metrics["step_seconds"] + 6 * result.metrics["evaluation_seconds"]
    )
    assert 0 < expected.low_seconds < expected.high_seconds
    assert expected.rss_bytes > 10**7
    assert engine.submit(description).run_id != probe.run_id


def test_other_rooms_can_add_a_kind_of_job(tmp_path, describe, monkeypatch) -> None:
    (tmp_path / "my_jobs.py").write_text(
        "from archstudio.training.store import SeedResult\n"
        "def count(job, control, send):\n    return SeedResult(state='finished', metrics={'seed': float(job.seed)})\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with LocalEngine(tmp_path / "root", workers=1, kinds={"count": "my_jobs:count"}) as engine:
        handle = engine.submit(describe(kind="count", seeds=(7,)))
        assert handle.wait(PATIENCE).state == "finished"
        assert handle.stored.seed(7).result().metrics == {"seed": 7.0}
        (failure,) = engine.submit(describe(kind="unheard-of")).wait(PATIENCE).failures
        assert "unheard-of" in failure.message

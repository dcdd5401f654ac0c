"""A small network and a run of it, which most tests of training vary."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import psutil
import pytest

from archstudio.training.description import (
    Adam,
    Evaluation,
    InputSpec,
    Loss,
    ModelSource,
    OutputSpec,
    RunDescription,
    SyntheticData,
)
from archstudio.training.engine import LocalEngine, RunHandle

MLP = """
import torch
from torch import nn

def build_model():
    return nn.Sequential(nn.Linear(12, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 4))
"""

Describe = Callable[..., RunDescription]


@pytest.fixture
def describe() -> Describe:
    """Describe a run of the small network, with some parts replaced."""

    def build(source: str = MLP, **parts: Any) -> RunDescription:
        settings: dict[str, Any] = {
            "model": ModelSource(digest="mlp", source=source),
            "inputs": (InputSpec("x", (1, 12), "float32"),),
            "outputs": (OutputSpec((1, 4), "float32"),),
            "data": SyntheticData(task="classes", train_size=256, validation_size=128, classes=4),
            "losses": (Loss(kind="cross_entropy"),),
            "optimiser": Adam(),
            "lr": 0.01,
            "budget_samples": 1280,
            "batch_size": 32,
            "evaluation": Evaluation(every_samples=320),
        }
        return RunDescription(**(settings | parts))

    return build


@pytest.fixture
def slow(describe: Describe) -> Describe:
    """Describe a run far too long to end by itself."""

    def build(**parts: Any) -> RunDescription:
        return describe(**({"budget_samples": 10**9, "evaluation": Evaluation()} | parts))

    return build


@pytest.fixture(scope="module")
def one_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalEngine]:
    """A local engine with one worker for all tests of a file, since a worker takes seconds to import torch."""
    threads = set(threading.enumerate())
    children = set(psutil.Process().children(recursive=True))
    with LocalEngine(tmp_path_factory.mktemp("runs"), workers=1) as running:
        yield running
    assert set(threading.enumerate()) <= threads
    assert set(psutil.Process().children(recursive=True)) <= children


@pytest.fixture
def engine(one_engine: LocalEngine) -> Iterator[LocalEngine]:
    """The engine without any runs; those of the test are removed after it."""
    yield one_engine
    for run_id in list(one_engine.store):
        one_engine.stop(run_id)
        one_engine.wait(run_id, 60)
        one_engine.delete(run_id)
    one_engine.poll()


@pytest.fixture(scope="session")
def everything() -> Callable[[RunHandle], dict[str, bytes]]:
    """All numbers of a run, to compare it with another: values of metrics without times, and weights."""

    def read(handle: RunHandle) -> dict[str, bytes]:
        found = {}
        for seed in handle.stored.description.seeds:
            files = handle.stored.seed(seed)
            for name in files.metric_names():
                found[f"{seed} {name}"] = b"".join(files.series(name)[part].tobytes() for part in ("step", "value"))
            found[f"{seed} model"] = files.model.read_bytes()
        return found

    return read

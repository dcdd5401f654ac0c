"""Opens the engine a person asks for: this machine, or a cluster through Dask (extra `cluster`)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from archstudio.training.child import ChildLimits
from archstudio.training.engine import LocalEngine, default_limits
from archstudio.training.kept_engine import KeptEngine

if TYPE_CHECKING:
    from archstudio.training.cluster.engine import Client

EngineName = Literal["local", "dask"]
BatchSystem = Literal["slurm", "pbs", "lsf"]
ENGINES: tuple[EngineName, ...] = get_args(EngineName)
BATCH_SYSTEMS: tuple[BatchSystem, ...] = get_args(BatchSystem)

_CLUSTER_CLASSES: dict[BatchSystem, str] = {"slurm": "SLURMCluster", "pbs": "PBSCluster", "lsf": "LSFCluster"}
_SUBMITS: dict[BatchSystem, str] = {"slurm": "sbatch", "pbs": "qsub", "lsf": "bsub"}
_JOB_MEMORY_GB = 4
_JOB_HOURS = 4
_JOB_THREADS = "export OMP_NUM_THREADS=1 MKL_NUM_THREADS=1"


class NoEngine(Exception):
    """The engine asked for cannot be had; the text says why and what to do."""


@dataclass(frozen=True)
class EngineChoice:
    """Which engine, how many workers (None: one a core), and for Dask where its scheduler is.

    `scheduler` is an address such as tcp://host:8786, or a batch system (slurm, pbs, lsf) that is asked for
    `workers` jobs; None starts a cluster on this machine.
    """

    name: EngineName = "local"
    workers: int | None = None
    scheduler: str | None = None

    def __post_init__(self) -> None:
        if self.name not in ENGINES:
            raise NoEngine(f"There is no engine '{self.name}'; choose {' or '.join(ENGINES)}.")
        if self.scheduler is not None and self.name != "dask":
            raise NoEngine("A scheduler belongs to the engine dask; choose that engine too.")
        if self.scheduler is not None and "://" in self.scheduler and self.workers is not None:
            raise NoEngine("A running scheduler has its own workers; leave the number of workers out.")


def open_engine(
    root: Path, choice: EngineChoice = EngineChoice(), *, kinds: Mapping[str, str] | None = None
) -> KeptEngine:
    """Return the engine chosen, which keeps its runs under `root`.

    Raises `NoEngine` (also when the extra is missing), and `SaveFailed` if `root` cannot be written.
    """
    if choice.name == "local":
        return LocalEngine(root, workers=choice.workers, kinds=kinds)
    client, own, limits = _connected(choice)
    from archstudio.training.cluster.engine import DaskEngine

    try:
        return DaskEngine(root, client, own=own, kinds=kinds, limits=limits)
    except BaseException:
        client.close()
        for thing in own:
            thing.close()
        raise


def _connected(choice: EngineChoice) -> tuple[Client, tuple[Any, ...], ChildLimits]:
    distributed = _library("distributed")
    if choice.scheduler is None:
        count = choice.workers or os.cpu_count() or 1
        cluster = distributed.LocalCluster(
            n_workers=count, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs="ERROR"
        )
        return distributed.Client(cluster), (cluster,), default_limits(count)
    if choice.scheduler in BATCH_SYSTEMS:
        if shutil.which(command := _SUBMITS[choice.scheduler]) is None:
            raise NoEngine(f"There is no {command} on this machine. Start the program where jobs can be submitted.")
        jobs = batch_cluster(choice.scheduler)
        jobs.scale(jobs=choice.workers or 1)
        return distributed.Client(jobs), (jobs,), ChildLimits()
    if "://" not in choice.scheduler:
        offered = ", ".join(BATCH_SYSTEMS)
        raise NoEngine(f"'{choice.scheduler}' is no address such as tcp://host:8786, and none of {offered}.")
    try:
        return distributed.Client(choice.scheduler), (), ChildLimits()
    except (OSError, ValueError) as error:
        reason = str(error) or type(error).__name__
        raise NoEngine(f"No scheduler answers at {choice.scheduler}: {reason}") from error


def batch_cluster(system: BatchSystem, **options: Any) -> Any:
    """Return a dask-jobqueue cluster whose jobs are one-thread workers; `job_script()` shows what is submitted.

    Queue, account, memory and time come from Dask's configuration (`jobqueue.slurm.queue` and so on); without one a
    job has 4 GB and four hours. Raises `NoEngine` if the extra is missing.
    """
    jobqueue, dask = _library("dask_jobqueue"), _library("dask")
    known = dask.config.get(f"jobqueue.{system}", default={}) or {}
    settings = {
        "cores": 1,
        "processes": 1,
        "memory": known.get("memory") or f"{_JOB_MEMORY_GB}GB",
        "walltime": known.get("walltime") or f"{_JOB_HOURS:02}:00:00",
        "job_name": "archstudio",
        "job_script_prologue": [*(known.get("job-script-prologue") or []), _JOB_THREADS],
        "scheduler_options": {"dashboard_address": ":0"},
    }
    return getattr(jobqueue, _CLUSTER_CLASSES[system])(**settings | options)


def _library(name: str) -> Any:
    """Import a library of the extra; they have no types."""
    try:
        return import_module(name)
    except ImportError as error:
        raise NoEngine(
            "Training on a cluster needs an extra. Install it with: pip install archstudio[cluster]"
        ) from error

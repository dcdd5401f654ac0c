"""How many candidates an hour are trained: the reference's way of doing it beside ours, with the same results.

Usage: python benchmarks/training.py [--candidates 4] [--seeds 2] [--budget 2048] [--workers N] [--json]

A mix of profile v1 is drawn: so many candidates of each of its three families, model and optimiser varying. It is
trained five ways:

* *reference, default threads* and *reference, one thread*: as ArchitectureIQ's public code does it: one process, one
  seed after another, the whole test split measured after every step;
* *ours*: the engine with one one-thread process a core, every-step measurement kept;
* *ours, 64 evaluations*: the same candidates, measured at 64 points evenly spaced in log samples, as profile `studio`
  does; training is the same, so the finals must be equal;
* *ours, one worker*: for the overhead of the engine: the share of a worker's time that is not spent in the candidates'
  own programs.

Finals must be those of the reference with one thread, else the benchmark exits 1; with several threads sums are taken
in another order, and a run at the edge of stability lets that grow. Start-up (importing torch) is measured apart.
All ways run at the low priority that workers have. On a machine that does other things the wall clock says little:
the load before the start and the processor time of each way are printed beside it.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from archstudio.intuition.candidates.sampling import SetRequest, sample_set
from archstudio.intuition.candidates.source import candidate_sources
from archstudio.intuition.candidates.spec import CandidateSpec, RecordedProtocol, identified
from archstudio.intuition.datasets.drawing import draw_spec
from archstudio.intuition.datasets.folder import Dataset, create_dataset
from archstudio.intuition.profile import FAMILIES
from archstudio.intuition.profile_file import load_profile
from archstudio.intuition.truth.description import KINDS
from archstudio.intuition.truth.runs import bench
from archstudio.torchcode.child_process import lower_priority
from archstudio.training.engine import LocalEngine

TARGET_EVERY_STEP, TARGET_STUDIO, TARGET_OVERHEAD = 3.0, 6.0, 0.03
NOISE = 1e-5
"""Relative difference of finals that counts as float32 noise, for the thread count changes the order of sums."""
STUDIO_EVALUATIONS = 64


@dataclass(frozen=True)
class Work:
    """What is trained: data sets with their candidates."""

    datasets: list[tuple[Dataset, list[CandidateSpec]]]
    seeds: range

    @property
    def runs(self) -> int:
        return sum(len(specs) for _, specs in self.datasets) * len(self.seeds)


@dataclass(frozen=True)
class Way:
    """One way of doing all the work. `an_hour` counts candidates times seeds; finals are in the order of the work."""

    name: str
    seconds: float
    cpu_seconds: float
    an_hour: float
    startup_seconds: float
    finals: list[float]


def draw(root: Path, candidates: int, seeds: int, budget: int) -> Work:
    """Draw the mix."""
    profile = load_profile("v1")
    made = []
    for family in FAMILIES[:3]:
        dataset = create_dataset(draw_spec(profile.content, family, 1), root)
        request = SetRequest(budget=budget, count=candidates, vary=frozenset({"model", "optimizer"}), seed=3)
        made.append((dataset, list(sample_set(profile, dataset.spec, request).candidates)))
    return Work(made, range(seeds))


def sparse(work: Work) -> Work:
    """The same candidates, measured at few points."""
    protocol = RecordedProtocol(evaluations=STUDIO_EVALUATIONS)
    changed = []
    for dataset, specs in work.datasets:
        rare = []
        for spec in specs:
            content = spec.as_json()
            content.pop("candidate_id")
            rare.append(identified({**content, "protocol": protocol.as_json()}, 16))
        changed.append((dataset, rare))
    return Work(changed, work.seeds)


# ------------------------------------------------------------------ the reference's way


def reference(work: Work, root: Path, threads: int | None) -> Way:
    """Train everything in one process of its own, with torch's default threads or as many as said."""
    order = []
    for dataset, specs in work.datasets:
        for spec in specs:
            folder = root / "programs" / spec.candidate_id
            folder.mkdir(parents=True, exist_ok=True)
            for name, text in candidate_sources(spec).items():
                (folder / name).write_text(text, encoding="utf-8")
            order.append([str(dataset.folder), str(folder), spec.budget.training_steps, spec.budget.batch_size])
    listed = root / "order.json"
    listed.write_text(json.dumps({"runs": order, "seeds": list(work.seeds), "threads": threads}))
    began, before = time.perf_counter(), _cpu()
    done = subprocess.run([sys.executable, __file__, "--as-reference", listed], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    made = json.loads(done.stdout.splitlines()[-1])
    name = f"reference, {made['threads']} thread" + ("s, the default" if threads is None else "")
    startup = time.perf_counter() - began - made["seconds"]
    return _way(name, work, made["seconds"], _cpu() - before, startup, made["finals"])


def as_reference(listed: Path) -> None:
    """The other end of `reference`: the loop as the public code has it, on the candidates' own model and optimiser."""
    import torch

    order = json.loads(listed.read_text())
    lower_priority()
    if order["threads"]:
        torch.set_num_threads(order["threads"])
    began = time.perf_counter()
    finals = []
    for data, program, steps, batch in order["runs"]:
        parts = [torch.load(Path(data) / f"{name}.pt", weights_only=True) for name in ("train", "test")]
        tensors = [part[key] for part in parts for key in ("x", "y")]
        finals += [_train_as_reference(Path(program), tensors, steps, batch, seed) for seed in order["seeds"]]
    seconds = time.perf_counter() - began
    print(json.dumps({"finals": finals, "seconds": seconds, "threads": torch.get_num_threads()}))


def _train_as_reference(program: Path, tensors: list[Any], steps: int, batch: int, seed: int) -> float:
    import torch

    train_x, train_y, test_x, test_y = tensors
    model_py, optimizer_py, loss_py = (_module(program, name) for name in ("model", "optimizer", "loss"))
    torch.manual_seed(seed)
    model = model_py.Model()
    optimizer = optimizer_py.build_optimizer(model)
    metric = math.inf
    for _ in range(steps):
        model.train()
        rows = torch.randint(0, len(train_x), (batch,))
        loss = loss_py.loss_fn(model, model(train_x[rows]), train_y[rows])
        if not torch.isfinite(loss):
            break
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        model.eval()
        with torch.inference_mode():
            output = model(test_x)
            if output.shape == test_y.shape:
                metric = ((output - test_y) ** 2).mean().item()
            else:
                metric = torch.nn.functional.cross_entropy(output.flatten(0, -2), test_y.flatten()).item()
        if not math.isfinite(metric):
            break
    return metric


def _module(program: Path, name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, program / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


# ------------------------------------------------------------------------------ our way


def ours(name: str, work: Work, root: Path, workers: int) -> tuple[Way, float]:
    """Train everything with the engine; also returns the share of the workers' time outside the programs."""
    began, before = time.perf_counter(), _cpu()
    with LocalEngine(root, workers=workers, kinds=KINDS) as engine:
        _warm_up(engine, work, workers)
        ready = time.perf_counter()
        handles, finals, inside = [], [], 0.0
        benches = [bench(engine, dataset) for dataset, _ in work.datasets]
        for opened, (_, specs) in zip(benches, work.datasets, strict=True):
            here = opened.__enter__()
            handles += [(here.submit(spec, work.seeds), spec) for spec in specs]
        for handle, spec in handles:
            handle.wait()
            for seed in work.seeds:
                result = handle.stored.seed(seed).result()
                assert result is not None
                finals.append(result.metrics.get(spec.metric, math.nan))
                inside += result.seconds
        seconds = time.perf_counter() - ready
        for opened in benches:
            opened.__exit__(None, None, None)
    way = _way(name, work, seconds, _cpu() - before, ready - began, finals)
    return way, max(0.0, 1 - inside / (seconds * workers))


def _warm_up(engine: LocalEngine, work: Work, workers: int) -> None:
    """Let every worker import torch: as many tiny runs as workers, with seeds that the work does not use."""
    dataset, specs = work.datasets[0]
    with bench(engine, dataset) as here:
        here.submit(specs[0], range(10_000, 10_000 + 2 * workers)).wait()


def _way(name: str, work: Work, seconds: float, cpu: float, startup: float, finals: list[float]) -> Way:
    return Way(name, seconds, cpu, work.runs / seconds * 3600, startup, finals)


def _cpu() -> float:
    """Processor seconds of all children that have ended."""
    used = os.times()
    return used.children_user + used.children_system


def largest_difference(one: Way, other: Way) -> float:
    """The largest relative difference of finals; runs that diverged in both are equal."""
    differences = [0.0]
    for a, b in zip(one.finals, other.finals, strict=True):
        if math.isfinite(a) and math.isfinite(b):
            differences.append(abs(a - b) / max(abs(a), 1e-12))
        elif math.isfinite(a) != math.isfinite(b):
            return math.inf
    return max(differences)


# ------------------------------------------------------------------------------- report


def measure(candidates: int, seeds: int, budget: int, workers: int) -> dict[str, Any]:
    """Everything that is printed."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    with tempfile.TemporaryDirectory(prefix="archstudio-bench-") as folder:
        root = Path(folder)
        work = draw(root / "data", candidates, seeds, budget)
        default, single = reference(work, root, None), reference(work, root, 1)
        every, _ = ours("ours, every step measured", work, root / "a", workers)
        rare, _ = ours(f"ours, {STUDIO_EVALUATIONS} evaluations", sparse(work), root / "b", workers)
        alone, overhead = ours("ours, one worker, every step", work, root / "c", 1)
    ways = [default, single, every, rare, alone]
    return {
        "cores": os.cpu_count(),
        "workers": workers,
        "load_before": load,
        "runs": work.runs,
        "ways": [{k: v for k, v in asdict(way).items() if k != "finals"} for way in ways],
        "speedups": {
            "every step": {"of default threads": every.an_hour / default.an_hour,
                           "of one thread": every.an_hour / single.an_hour, "target": TARGET_EVERY_STEP},
            "studio schedule": {"of default threads": rare.an_hour / default.an_hour,
                                "of one thread": rare.an_hour / single.an_hour, "target": TARGET_STUDIO},
        },
        "overhead": overhead,
        "overhead_target": TARGET_OVERHEAD,
        "largest_difference": {way.name: largest_difference(single, way) for way in ways},
    }  # fmt: skip


def show(result: dict[str, Any]) -> None:
    """Print the tables."""
    load = "" if result["load_before"] is None else f", load {result['load_before']:.1f} before the start"
    print(f"{result['runs']} runs (candidates × seeds), {result['cores']} cores, {result['workers']} workers{load}\n")
    print(f"{'way':32} {'seconds':>8} {'CPU s':>7} {'an hour':>8} {'start-up s':>11} {'finals differ by':>17}")
    for way in result["ways"]:
        figures = (
            f"{way['seconds']:8.1f} {way['cpu_seconds']:7.1f} {way['an_hour']:8.0f} {way['startup_seconds']:11.1f}"
        )
        print(f"{way['name']:32} {figures} {result['largest_difference'][way['name']]:17.1e}")
    print()
    for name, speed in result["speedups"].items():
        print(
            f"{name}: {speed['of default threads']:.2f} × the reference with default threads, "
            f"{speed['of one thread']:.2f} × with one (aim {speed['target']:g} ×)"
        )
    print(f"overhead of the engine: {result['overhead']:.1%} of a worker's time (aim {result['overhead_target']:.0%})")


def main() -> int:
    """Measure and print; 1 if results differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--candidates", type=int, default=4, help="of each family")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--budget", type=int, default=2048, help="samples a run")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--as-reference", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.as_reference:
        as_reference(options.as_reference)
        return 0
    result = measure(options.candidates, options.seeds, options.budget, options.workers)
    if options.json:
        print(json.dumps(result, indent=2))
    else:
        show(result)
    ours_differ = [d for name, d in result["largest_difference"].items() if name.startswith("ours")]
    return 0 if max(ours_differ) <= NOISE else 1


if __name__ == "__main__":
    sys.exit(main())

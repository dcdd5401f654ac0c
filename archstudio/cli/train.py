"""`archstudio train`: train a graph on built-in data that fits it."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from archstudio.app.document import Document
from archstudio.app.training import CannotTrain, Trainable, TrainingDesk, trainable
from archstudio.app.training_data import OwnData, fitted_for, read_for, suggested_for
from archstudio.app.training_estimate import Estimating
from archstudio.app.training_settings import SCHEDULES, OptimiserKind, TrainSettings
from archstudio.cli.engine_options import EngineOption, SchedulerOption, WorkersOption, choice
from archstudio.cli.output import FINE, PROBLEMS, Unusable, complain, console, say_json
from archstudio.graph import read_graph
from archstudio.training.description import LossKind
from archstudio.training.devices import DEVICES
from archstudio.training.engine import ProgressMade, RunHandle
from archstudio.training.engines import NoEngine
from archstudio.training.export import runs_as_csv
from archstudio.training.own_data.roles import Roles
from archstudio.training.store import SeedResult

POLL_SECONDS = 0.1


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("train")(train_)


def train_(
    file: Annotated[Path, typer.Argument(help="A graph file.")],
    samples: Annotated[int | None, typer.Option(min=1, help="Budget in samples seen, for each seed.")] = None,
    seeds: Annotated[int, typer.Option(min=1, max=64, help="How many seeds.")] = 1,
    batch_size: Annotated[int | None, typer.Option(min=1, help="Samples a step.")] = None,
    lr: Annotated[float | None, typer.Option(help="Learning rate.")] = None,
    optimiser: Annotated[str, typer.Option(help="adamw, adam, sgd, rmsprop or adagrad.")] = "adamw",
    difficulty: Annotated[float | None, typer.Option(min=0.0, max=1.0, help="Of the data: 0 easy, 1 chance.")] = None,
    loss: Annotated[str | None, typer.Option(help="A loss that fits the output; default the recommended one.")] = None,
    schedule: Annotated[str | None, typer.Option(help="constant, cosine, linear or exponential.")] = None,
    clip: Annotated[float | None, typer.Option(min=0.0, help="Clip gradients to this norm; 0 clips nothing.")] = None,
    patience: Annotated[int, typer.Option(min=0, help="Stop after so many evaluations without progress.")] = 0,
    balanced: Annotated[bool, typer.Option("--balanced", help="Let every class count alike.")] = False,
    precision: Annotated[str, typer.Option(help="float32 or bfloat16.")] = "float32",
    device: Annotated[str, typer.Option(help="cpu, cuda or mps.")] = "cpu",
    data: Annotated[Path | None, typer.Option(help="CSV, npy, npz, pt, safetensors, or folders of images.")] = None,
    target: Annotated[list[str] | None, typer.Option(help="The target's column in --data; once for each loss.")] = None,
    inputs: Annotated[
        list[str] | None, typer.Option("--input", help="Columns of an input, with commas; once for each input.")
    ] = None,
    test_share: Annotated[float, typer.Option(min=0.0, max=0.9, help="Of --data, to test once at the end.")] = 0.0,
    engine: EngineOption = "local",
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    estimate: Annotated[bool, typer.Option("--estimate", help="Say what it would take, and train nothing.")] = False,
    csv: Annotated[Path | None, typer.Option(help="Write every value of every metric to this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Train a graph in processes of their own. The run is kept; what is finished is never trained twice."""
    settings = TrainSettings(
        optimiser=_optimiser(optimiser),
        lr=_rate(lr),
        batch_size=batch_size,
        budget_samples=samples,
        seeds=seeds,
        difficulty=difficulty,
        loss=cast(LossKind | None, loss),
        schedule=_one_of("--schedule", schedule, SCHEDULES),
        clip=clip,
        patience=patience,
        balanced=balanced,
        precision=_one_of("--precision", precision, ("float32", "bfloat16")) or "float32",
        device=_one_of("--device", device, DEVICES) or "cpu",
    )
    document = Document(read_graph(file), path=file)
    try:
        ready = trainable(document)
    except CannotTrain as reason:
        raise Unusable(f"{file.name}: {reason}") from None
    _one_of("--loss", loss, ready.losses)
    if data is not None:
        settings = replace(settings, data=_own_data(ready, settings, data, target, inputs, test_share, quiet=as_json))
    if not as_json:
        for sentence in ready.reasons(settings):
            console.print(sentence, markup=False)
    desk = TrainingDesk(choice=choice(engine, workers, scheduler))
    try:
        if estimate:
            _estimate(desk, ready, settings, as_json=as_json)
            return
        failed = not _train(desk, ready, settings, csv, as_json=as_json)
    except NoEngine as reason:
        raise Unusable(str(reason)) from None
    except KeyboardInterrupt:
        complain("Stopped. What was trained is kept; the same command goes on from there.")
        raise
    finally:
        desk.close()
    raise typer.Exit(PROBLEMS if failed else FINE)


def _train(desk: TrainingDesk, ready: Trainable, settings: TrainSettings, csv: Path | None, *, as_json: bool) -> bool:
    """Train to the end and tell the results; returns whether every seed finished."""
    handle = desk.submit(ready, settings)
    _take_up(handle, quiet=as_json)
    _follow(handle, quiet=as_json)
    if csv is not None:
        csv.write_text(runs_as_csv([handle.stored]), encoding="utf-8")
    _tell(handle, list(ready.reasons(settings)), as_json=as_json)
    return handle.status().state == "finished"


def _estimate(desk: TrainingDesk, ready: Trainable, settings: TrainSettings, *, as_json: bool) -> None:
    """Say what a run would take; exits with 1 where that cannot be measured."""
    measured = Estimating(desk, ready, settings)
    while not measured.over:
        time.sleep(POLL_SECONDS)
    answer = measured.answer()
    if answer.expected is None:
        complain(answer.text)
        raise typer.Exit(PROBLEMS)
    if as_json:
        say_json("archstudio.estimate/1", {"each_seed": asdict(answer.expected), "seeds": settings.seeds})
    else:
        console.print(answer.text, markup=False)


def _rate(lr: float | None) -> float | None:
    if lr is not None and not (math.isfinite(lr) and lr > 0):
        raise Unusable(f"--lr {lr}: give a number above 0, such as 0.001.")
    return lr


def _optimiser(name: str) -> OptimiserKind:
    if name not in ("adamw", "adam", "sgd", "rmsprop", "adagrad"):
        raise Unusable(f"--optimiser {name}: choose adamw, adam, sgd, rmsprop or adagrad.")
    return name  # type: ignore[return-value]


def _one_of(option: str, value: str | None, among: Sequence[str]) -> Any:
    if value is not None and value not in among:
        raise Unusable(f"{option} {value}: choose {', '.join(among)}.")
    return value


def _own_data(
    ready: Trainable,
    settings: TrainSettings,
    path: Path,
    target: list[str] | None,
    inputs: list[str] | None,
    test_share: float,
    *,
    quiet: bool,
) -> OwnData:
    """Read the file, give its columns roles, and say what is done to them and what does not fit."""
    losses = ready.chosen_losses(settings)
    columns = read_for(ready, path)
    roles = suggested_for(ready, columns, losses)
    if target:
        rest = tuple(name for name in columns.names if name not in target)
        roles = Roles(
            inputs=roles.inputs if roles and not columns.is_table else (rest,), targets=tuple((t,) for t in target)
        )
    if inputs:
        given = tuple(tuple(name.strip() for name in text.split(",")) for text in inputs)
        roles = Roles(inputs=given, targets=roles.targets if roles else ())
    if roles is None or not roles.targets:
        raise Unusable(f"{path}: say which column is the --target, and which are each --input.")
    made = OwnData(columns, roles.model_copy(update={"test_share": test_share}))
    fitted = fitted_for(ready, made, losses)
    if fitted.misfits:
        raise Unusable(f"{path} does not fit {ready.document.title}: " + " ".join(map(str, fitted.misfits)))
    for note in () if quiet else fitted.notes:
        console.print(note, markup=False)
    return made


def _take_up(handle: RunHandle, *, quiet: bool) -> None:
    """Let a run go on that was stopped, and try again what failed: the reason may be gone."""
    ended = [seed for seed in handle.status().seeds if seed.state in ("failed", "stopped", "paused")]
    if not ended:
        return
    handle.go_on()
    if not quiet:
        for seed in ended:
            why = f": {seed.failure.message}" if seed.failure else ""
            console.print(f"seed {seed.seed} {seed.state} before{why} It is tried again.", markup=False)


def _follow(handle: RunHandle, *, quiet: bool) -> None:
    """Wait until the run is settled, with a bar on the terminal."""
    seen: dict[int, int] = {}
    total = handle.stored.description.budget_samples * len(handle.stored.description.seeds)
    columns = (TextColumn("training"), BarColumn(), TextColumn("{task.completed:,.0f} samples"), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=quiet or not sys.stdout.isatty()) as bar:
        task = bar.add_task("", total=total)
        while True:
            for event in handle.engine.poll():
                if isinstance(event, ProgressMade):
                    seen[event.seed] = event.progress.samples
            bar.update(task, completed=sum(seen.values()))
            try:
                handle.wait(POLL_SECONDS)
                return
            except TimeoutError:
                continue


def _tell(handle: RunHandle, reasons: list[str], *, as_json: bool) -> None:
    description = handle.stored.description
    results = {seed: handle.stored.seed(seed).result() for seed in description.seeds}
    if as_json:
        say_json(
            "archstudio.train/1",
            {
                "run": handle.run_id,
                "state": handle.status().state,
                "reasons": reasons,
                "description": description.model_dump(mode="json", exclude={"model"}),
                "seeds": [_seed_record(seed, result) for seed, result in results.items()],
            },
        )
        return
    for seed, result in results.items():
        if result is None:
            console.print(f"seed {seed}: {handle.status().state}")
        elif result.failure is not None:
            console.print(f"seed {seed}: failed: {result.failure.message}", markup=False)
        else:
            metrics = ", ".join(f"{k} {v:.4g}" for k, v in result.metrics.items())
            console.print(f"seed {seed}: {metrics} after {result.samples:,} samples in {result.seconds:.1f} s")
    console.print(f"kept in {handle.stored.folder}", markup=False)


def _seed_record(seed: int, result: SeedResult | None) -> dict[str, Any]:
    return {"seed": seed, **({} if result is None else result.model_dump(mode="json"))}

"""`archstudio iq`: ArchitectureIQ's data sets, candidates, truth and questions."""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from archstudio.cli import iq_analyse, iq_eval, iq_pack, iq_reproduce
from archstudio.cli.engine_options import EngineOption, SchedulerOption, WorkersOption, choice, opened
from archstudio.cli.iq_asking import ask_for_candidates, ask_for_data, ask_for_questions, axes_of, family_of
from archstudio.cli.iq_faults import said
from archstudio.cli.iq_show import show as show_
from archstudio.cli.output import FINE, PROBLEMS, Unusable, complain, console, say_json
from archstudio.files.atomic import save_atomic
from archstudio.files.home import runs_path
from archstudio.intuition.candidates.sampling import SetRequest
from archstudio.intuition.candidates.spec import read_candidate_spec
from archstudio.intuition.datasets.drawing import Pins, draw_spec
from archstudio.intuition.datasets.folder import create_dataset, open_dataset
from archstudio.intuition.packs.bake import CONTAINS_ANSWERS, bake_bytes
from archstudio.intuition.packs.export import bake, load_questions
from archstudio.intuition.profile import FAMILIES
from archstudio.intuition.profile_file import load_profile
from archstudio.intuition.questions.record import make_questions
from archstudio.intuition.truth.conform import (
    CLOSE,
    SHARE_REPRODUCED,
    CandidateComparison,
    Conformance,
    compare,
    compare_tensors,
    conform,
    find_datasets,
)
from archstudio.intuition.truth.description import KINDS
from archstudio.intuition.truth.runs import bench, save_truth
from archstudio.intuition.truth.sets import CandidateSet, SetProgress, edited_files, make_set, open_set
from archstudio.intuition.truth.summary import read_summary
from archstudio.training.engine import Engine
from archstudio.training.engines import EngineChoice

app = typer.Typer(help="ArchitectureIQ: which of these set-ups ends best? Really trained.", no_args_is_help=True)
iq_eval.register(app)
iq_reproduce.register(app)
iq_pack.register(app)
iq_analyse.register(app)

ProfileOption = Annotated[str, typer.Option("--profile", help="v1, studio, or the path of a YAML file.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Everything random follows from it.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
DataOption = Annotated[Path, typer.Option("--data-dir", help="The folder that data sets are kept in.")]
AskOption = Annotated[bool, typer.Option("--interactive", "-i", help="Ask for everything, with its default.")]
DatasetArgument = Annotated[Path, typer.Argument(help="A data set's folder.")]


def register(parent: typer.Typer) -> None:
    """Add the commands of this module and its neighbours, under one name."""
    parent.add_typer(app, name="iq")


@contextmanager
def _engine(chosen: EngineChoice) -> Iterator[Engine]:
    """The engine of candidates; its runs are kept, so nothing is trained twice."""
    with opened(runs_path() / "candidates", chosen, KINDS) as engine:
        yield engine


@contextmanager
def _fresh_engine(workers: int | None) -> Iterator[Engine]:
    """An engine that remembers no run: what is to be compared must really be trained again."""
    with (
        tempfile.TemporaryDirectory(prefix="archstudio-") as root,
        opened(Path(root), EngineChoice(workers=workers), KINDS) as engine,
    ):
        yield engine


@app.command("create-dataset")
def create_dataset_(
    family: Annotated[str | None, typer.Option(help=f"One of {', '.join(FAMILIES)}.")] = None,
    random_family: Annotated[bool, typer.Option("--random-family", help="Draw the family from the seed.")] = False,
    seed: SeedOption = 0,
    input_dim: Annotated[int | None, typer.Option(help="Number of inputs, if the family has several.")] = None,
    profile: ProfileOption = "v1",
    data_dir: DataOption = Path("data"),
    interactive: AskOption = False,
    as_json: JsonOption = False,
) -> None:
    """Make a data set: its spec, the program that makes its tensors, and the tensors. The same seed gives the same."""
    loaded = load_profile(profile)
    if interactive:
        family, seed, input_dim = ask_for_data(loaded, family, seed, input_dim)
        random_family = False
    if (family is not None) == random_family:
        raise Unusable("Name a --family, or ask for a --random-family; not both.")
    chosen = random.Random(seed).choice(loaded.content.pools.dataset_families) if family is None else family_of(family)
    with said():
        made = create_dataset(draw_spec(loaded.content, chosen, seed, Pins(input_dim=input_dim)), data_dir)
    if as_json:
        say_json("archstudio.iq.dataset/1", {"folder": str(made.folder), "spec": made.spec.as_json()})
        return
    console.print(f"{made.id} in {made.folder}", markup=False)


@app.command("generate-candidates")
def generate_candidates(
    dataset: DatasetArgument,
    budget: Annotated[int | None, typer.Option(help="Samples every candidate sees.")] = None,
    count: Annotated[int, typer.Option(min=1, help="How many.")] = 32,
    vary: Annotated[list[str] | None, typer.Option(help="model, optimizer, loss; may be given several times.")] = None,
    profile: ProfileOption = "v1",
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    seed: SeedOption = 0,
    engine: EngineOption = "local",
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    interactive: AskOption = False,
    as_json: JsonOption = False,
) -> None:
    """Draw a set of candidates and really train each with every seed. An interrupted set goes on where it was."""
    loaded, opened = load_profile(profile), open_dataset(_absolute(dataset))
    if device not in ("cpu", "cuda"):
        raise Unusable(f"--device {device}: choose cpu or cuda.")
    if budget is None and interactive:
        budget = loaded.content.budgets.total_samples_seen[0]
    if budget is None:
        default = loaded.content.training_defaults.get(opened.spec.family)
        if default is None:
            offered = ", ".join(map(str, loaded.content.budgets.total_samples_seen))
            raise Unusable(f"Say the --budget; the profile {loaded.name} offers {offered}.")
        budget = default.total_samples_seen
    place = cast(Literal["cpu", "cuda"], device)
    request = SetRequest(budget=budget, count=count, vary=axes_of(vary or ["model"]), seed=seed, device=place)
    if interactive:
        request = ask_for_candidates(loaded, request)
    columns = (TextColumn("training"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    chosen = choice(engine, workers, scheduler)
    with said(), _engine(chosen) as trainer, Progress(*columns, console=console, disable=as_json) as bar:
        task = bar.add_task("", total=request.count)

        def told(progress: SetProgress) -> None:
            bar.update(task, completed=progress.number)
            if not as_json:
                console.print(_progress_line(progress), markup=False)

        made = make_set(trainer, loaded, opened, request, told)
    if as_json:
        rows = [c.summary.as_json() for c in made.candidates]
        say_json("archstudio.iq.set/1", {"folder": str(made.folder), "set": made.record.as_json(), "candidates": rows})
        return
    console.print(f"{made.id} in {made.folder}", markup=False)


def _progress_line(progress: SetProgress) -> str:
    summary = progress.candidate.summary
    value = "every seed failed" if summary.mean is None else f"{summary.mean:.4g} ± {summary.std:.2g}"
    known = " (known)" if progress.known else ""
    return f"{progress.number}/{progress.count} {summary.candidate_id} {summary.selection_metric} {value}{known}"


def _absolute(path: Path) -> Path:
    return path.absolute()  # paths in questions are relative to a parent of it


@app.command()
def train(
    candidates: Annotated[list[Path], typer.Argument(help="Candidates' folders.")],
    seeds: Annotated[int, typer.Option(min=1, help="How many, from the first on.")] = 10,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run candidates from their specs. Without results these are written; with, the differences are printed."""
    with said(), _fresh_engine(workers) as engine:
        compared = [_train_one(engine, _absolute(folder), seeds) for folder in candidates]
    if as_json:
        say_json("archstudio.iq.train/1", {"candidates": [_comparison_json(c) for c in compared]})
        return
    for comparison in compared:
        console.print(_comparison_line(comparison), markup=False)


def _train_one(engine: Engine, folder: Path, seeds: int) -> CandidateComparison:
    spec, recorded = read_candidate_spec(folder), read_summary(folder)
    dataset = open_dataset(folder.parents[2])
    first = recorded.base_seed if recorded else 0
    wanted = range(first, first + min(seeds, recorded.n_seeds if recorded else seeds))
    with bench(engine, dataset) as here:
        truth = here.collect(spec, here.submit(spec, wanted), wanted, max_failed=min(3, len(wanted)))
    if recorded is not None:
        return compare(dataset.id, recorded, truth)
    save_truth(folder, truth)
    return compare(dataset.id, truth.summary, truth)


@app.command("generate-question")
def generate_question(
    dataset: DatasetArgument,
    sets: Annotated[list[Path] | None, typer.Argument(help="Folders of finished sets.")] = None,
    num_questions: Annotated[int, typer.Option(min=1, help="How many.")] = 1,
    num_choices: Annotated[int | None, typer.Option(min=2, max=26, help="Choices a question.")] = None,
    profile: ProfileOption = "v1",
    seed: SeedOption = 0,
    interactive: AskOption = False,
    as_json: JsonOption = False,
) -> None:
    """Choose questions with a clear winner among trained candidates; no candidate is in two questions."""
    loaded, opened = load_profile(profile), open_dataset(_absolute(dataset))
    choices = num_choices or loaded.content.pools.num_choices
    if interactive:
        sets, num_questions, choices, seed = ask_for_questions(opened, sets or [], num_questions, choices, seed)
    if not sets:
        raise Unusable(f"Name at least one finished set; those of this data set lie in {opened.folder / 'candidates'}.")
    pool = [open_set(_absolute(folder)) for folder in sets]
    _tell_edits(pool)
    with said():
        made = make_questions(loaded, opened, pool, count=num_questions, choices=choices, seed=seed)
    run = made[0].folder.parent
    if as_json:
        say_json("archstudio.iq.questions/1", {"folder": str(run), "questions": [q.record.as_json() for q in made]})
        return
    for question in made:
        ahead = f"{question.record.significance.gap:.4g} ahead"
        console.print(f"{question.id} {question.record.type}, the winner {ahead}", markup=False)
    console.print(f"in {run}; question.json and run.json contain the answers", markup=False)


def _tell_edits(pool: list[CandidateSet]) -> None:
    """Say which generated files somebody changed, since questions show what was trained and not these."""
    for candidate in (candidate for made in pool for candidate in made.candidates):
        for name in edited_files(candidate):
            complain(f"{candidate.folder / name} was changed by hand. It is left alone; what its spec gives is shown.")


@app.command("export-pack")
def export_pack(
    run: Annotated[Path, typer.Argument(help="The folder of a run of questions.")],
    out: Annotated[Path, typer.Argument(help="The BakeFile to write.")],
    title: Annotated[str, typer.Option(help="Title of the collection.")] = "ArchitectureIQ questions",
) -> None:
    """Write a run of questions as one BakeFile. It contains the answers."""
    folder = _absolute(run)
    dataset = open_dataset(folder.parents[1])
    pack = bake(load_questions(folder, dataset), dataset, title=title)
    save_atomic(out, bake_bytes(pack), backups=0)
    console.print(f"{len(pack.questions)} questions in {out}. {CONTAINS_ANSWERS}", markup=False)


@app.command()
def show(
    path: Annotated[Path, typer.Argument(help="A data set, set, candidate, run of questions, or BakeFile.")],
) -> None:
    """Show what is in a folder, everything checked."""
    for line in show_(_absolute(path)):
        console.print(line, markup=False)


@app.command("conform")
def conform_(
    directory: Annotated[Path, typer.Argument(help="A data folder with recorded results.")],
    seeds: Annotated[int, typer.Option(min=1, help="Seeds of each candidate, from the first on.")] = 3,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run recorded candidates again and compare. Exit 1 if too much differs. Nothing is written into the folder."""
    datasets = find_datasets(_absolute(directory))
    tensors = [compare_tensors(dataset) for dataset in datasets]

    def told(comparison: CandidateComparison) -> None:
        if not as_json:
            console.print(_comparison_line(comparison), markup=False)

    with said(), _fresh_engine(workers) as engine:
        result = conform(engine, datasets, seeds=seeds, told=told)
    if not result.seeds:
        raise Unusable(f"{directory}: no candidate in it has results to compare with.")
    if as_json:
        rows = [_comparison_json(comparison) for comparison in result.candidates]
        say_json("archstudio.iq.conform/1", {**_figures(result), "candidates": rows})
    else:
        for one in tensors:
            same = "equal" if one.inputs_equal else "DIFFERENT"
            share, most = one.targets_differing, one.largest_difference
            line = f"{one.dataset_id}: inputs {same}, {share:.2%} of targets differ, by {most:.1e} at most"
            console.print(line, markup=False)
        sys.stdout.write(_verdict(result) + "\n")
    inputs_equal = all(one.inputs_equal for one in tensors)
    raise typer.Exit(FINE if result.holds and inputs_equal else PROBLEMS)


def _verdict(result: Conformance) -> str:
    flags = sum(not c.flags_agree for c in result.candidates)
    means = sum(not c.mean_agrees for c in result.candidates)
    return (
        f"{result.reproduced} of {len(result.seeds)} finals within {CLOSE:g} (needed {SHARE_REPRODUCED:.0%}); "
        f"candidates with other failures: {flags}, with another mean: {means}"
    )


def _figures(result: Conformance) -> dict[str, Any]:
    return {"holds": result.holds, "finals": len(result.seeds), "reproduced": result.reproduced, "within": CLOSE}


def _comparison_line(comparison: CandidateComparison) -> str:
    parts = ["failed" if s.again_failed else _difference(s.difference) for s in comparison.seeds]
    flags = "" if comparison.flags_agree else "  other seeds fail"
    return f"{comparison.dataset_id} {comparison.candidate_id}: {' '.join(parts)}{flags}"


def _difference(value: float | None) -> str:
    return "missing" if value is None else f"{value:.1e}"


def _comparison_json(comparison: CandidateComparison) -> dict[str, Any]:
    seeds = [
        {
            "seed": s.seed,
            "recorded": s.recorded,
            "again": s.again,
            "difference": s.difference,
            "recorded_failed": s.recorded_failed,
            "again_failed": s.again_failed,
        }
        for s in comparison.seeds
    ]
    return {
        "dataset_id": comparison.dataset_id,
        "candidate_id": comparison.candidate_id,
        "mean_shift": comparison.mean_shift,
        "seeds": seeds,
    }

"""`archstudio iq reproduce`: run candidates again from their specs, and say how far the results are from the record."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from archstudio.cli.engine_options import EngineOption, SchedulerOption, WorkersOption, choice, opened
from archstudio.cli.output import FINE, PROBLEMS, Unusable, console, say_json
from archstudio.intuition.reproduce import (
    PERTURBATION,
    Again,
    compare_with_recorded,
    find_candidate_folders,
    reproduce,
)
from archstudio.intuition.truth.conform import CLOSE, NEAR_STDS, SHARE_REPRODUCED, CandidateComparison, Conformance
from archstudio.intuition.truth.description import KINDS
from archstudio.intuition.truth.runs import TruthFailed
from archstudio.training.engines import EngineChoice


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("reproduce")(reproduce_)


def reproduce_(
    candidates: Annotated[list[Path], typer.Argument(help="Folders of candidates, or folders that hold some.")],
    seeds: Annotated[int, typer.Option(min=1, max=1000, help="How many seeds, from the first on.")] = 3,
    first_seed: Annotated[int, typer.Option(min=0, help="The first seed.")] = 0,
    recorded: Annotated[Path | None, typer.Option(help="Where the results to compare with lie, if not beside.")] = None,
    control: Annotated[
        bool, typer.Option("--control", help=f"Change every learning rate by a factor of {PERTURBATION}: must differ.")
    ] = False,
    engine: EngineOption = "local",
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Train candidates again from their specs and print the relative difference to the record for each seed.

    Recorded results are not read before all training is over. Exit 1 if too much differs (with --control: if too
    little does).
    """
    folders = find_candidate_folders([path.absolute() for path in candidates])
    wanted = range(first_seed, first_seed + seeds)
    made = _train(folders, wanted, choice(engine, workers, scheduler), control=control, quiet=as_json)
    missing: list[Again] = []
    result = compare_with_recorded(made, recorded, missing.append)
    if as_json:
        say_json("archstudio.iq.reproduce/1", _report(made, result, control=control))
    else:
        _tell(made, result, missing, control=control)
    raise typer.Exit(FINE if _is_as_wished(result, control=control) else PROBLEMS)


def _train(folders: list[Path], seeds: range, chosen: EngineChoice, *, control: bool, quiet: bool) -> list[Again]:
    """Run everything in an engine that remembers no run; a line a candidate goes to standard error."""
    made = []
    with (
        tempfile.TemporaryDirectory(prefix="archstudio-") as root,
        opened(Path(root), chosen, KINDS) as engine,
    ):
        try:
            for again in reproduce(engine, folders, seeds, perturbed=control):
                made.append(again)
                if not quiet:
                    sys.stderr.write(f"trained {len(made)} of {len(folders)}: {again.folder.name}\n")
        except TruthFailed as reason:
            raise Unusable(str(reason)) from None
    return made


def _is_as_wished(result: Conformance, *, control: bool) -> bool:
    """A control must not pass; without anything recorded there is nothing to fail."""
    if not result.seeds:
        return not control
    return result.noticed if control else result.holds


def _tell(made: list[Again], result: Conformance, missing: list[Again], *, control: bool) -> None:
    for comparison in result.candidates:
        console.print(_line(comparison), markup=False)
    for again in missing:
        finals = " ".join("failed" if end.failed else f"{_final(again, end.seed):.8g}" for end in _ends(again))
        console.print(f"{again.spec.dataset_id} {again.folder.name}: {finals}  (nothing recorded)", markup=False)
    if result.seeds:
        sys.stdout.write(_verdict(result, control=control) + "\n")


def _ends(again: Again) -> Any:
    return again.truth.summary.seed_results


def _final(again: Again, seed: int) -> float:
    summary = again.truth.summary
    value = next(end.final(summary.selection_metric) for end in summary.seed_results if end.seed == seed)
    return float("nan") if value is None else value


def _line(comparison: CandidateComparison) -> str:
    parts = []
    for seed in comparison.seeds:
        difference = "missing" if seed.difference is None else f"{seed.difference:.1e}"
        parts.append("failed" if seed.again_failed else difference)
    shift = "" if comparison.mean_shift is None else f"  mean off by {comparison.mean_shift:.1e} SD"
    flags = "" if comparison.flags_agree else "  OTHER SEEDS FAIL"
    return f"{comparison.dataset_id} {comparison.candidate_id}: {' '.join(parts)}{shift}{flags}"


def _figures(result: Conformance) -> dict[str, Any]:
    shifts = [c.mean_shift for c in result.candidates if c.mean_shift is not None]
    return {
        "candidates": len(result.candidates),
        "finals": len(result.seeds),
        "within": CLOSE,
        "reproduced": result.reproduced,
        "flags_differ": sum(not c.flags_agree for c in result.candidates),
        "means_differ": sum(not c.mean_agrees for c in result.candidates),
        "largest_mean_shift": max(shifts, default=None),
        "largest_difference": max((s.difference for s in result.seeds if s.difference is not None), default=None),
        "holds": result.holds,
        "noticed": result.noticed,
    }


def _verdict(result: Conformance, *, control: bool) -> str:
    figures = _figures(result)
    if control:
        telling = len(result.telling)
        matched = sum(seed.reproduced for seed in result.telling)
        return (
            f"control, learning rates × {PERTURBATION:g}: {matched} of {telling} finals within {CLOSE:g}, fewer than "
            f"{SHARE_REPRODUCED:.0%} may be; {len(result.seeds) - telling} failed in the record or now and say nothing."
        )
    share = result.reproduced / len(result.seeds)
    return (
        f"{result.reproduced} of {len(result.seeds)} finals ({share:.1%}) within {CLOSE:g} "
        f"(needed {SHARE_REPRODUCED:.0%}), the largest difference {figures['largest_difference']:.1e}; "
        f"candidates with other failures: {figures['flags_differ']}, "
        f"with a mean off by more than {NEAR_STDS:g} SD: {figures['means_differ']}"
    )


def _report(made: list[Again], result: Conformance, *, control: bool) -> dict[str, Any]:
    compared = {c.candidate_id: c for c in result.candidates}
    rows = [_row(again, compared.get(again.folder.name)) for again in made]
    return {"control": control, **_figures(result), "rows": rows}


def _row(again: Again, comparison: CandidateComparison | None) -> dict[str, Any]:
    seeds = [{"seed": e.seed, "failed": e.failed, "final": e.final(again.spec.metric)} for e in _ends(again)]
    for row, seed in zip(seeds, comparison.seeds if comparison else (), strict=False):
        row["recorded"], row["recorded_failed"] = seed.recorded, seed.recorded_failed
        row["difference"] = seed.difference
    shift = comparison.mean_shift if comparison else None
    return {"candidate": again.folder.name, "dataset": again.spec.dataset_id, "mean_shift": shift, "seeds": seeds}

"""What `archstudio iq … -i` asks for, and how the words of its options are read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

from archstudio.cli.asking import go_on, need_terminal, number, one_of, several
from archstudio.cli.output import Unusable
from archstudio.intuition.candidates.sampling import SetRequest
from archstudio.intuition.candidates.spec import AXES, Axis
from archstudio.intuition.datasets.folder import Dataset
from archstudio.intuition.profile import FAMILIES, Family, LoadedProfile
from archstudio.intuition.truth.sets import SET_FILE


def ask_for_data(
    profile: LoadedProfile, family: str | None, seed: int, input_dim: int | None
) -> tuple[Family, int, int | None]:
    """Ask for a data set's family, seed and number of inputs; what the options said is offered."""
    need_terminal()
    families = profile.content.pools.dataset_families
    chosen = family_of(one_of("Family", families, family or families[0]))
    seed = number("Seed", seed)
    dims = getattr(getattr(profile.content.dataset_configs, chosen), "input_dims", None)
    if dims:
        asked = one_of("Inputs", ["drawn", *map(str, dims)], str(input_dim or "drawn"))
        input_dim = None if asked == "drawn" else int(asked)
    return chosen, seed, input_dim


def family_of(name: str) -> Family:
    """The family of this name; ends with one line if there is none."""
    if name not in FAMILIES:
        raise Unusable(f"--family {name}: choose one of {', '.join(FAMILIES)}.")
    return name


def ask_for_candidates(profile: LoadedProfile, request: SetRequest) -> SetRequest:
    """Ask for what a set is drawn by, then whether to train so much."""
    need_terminal()
    offered = ", ".join(map(str, profile.content.budgets.total_samples_seen))
    budget = number(f"Samples every candidate sees; the profile offers {offered}", request.budget, least=1)
    count = number("How many candidates", request.count, least=1)
    vary = axes_of(several("What varies", AXES, sorted(request.vary)))
    asked = replace(request, budget=budget, count=count, vary=vary, seed=number("Seed", request.seed))
    seeds = profile.content.ground_truth.n_seeds
    go_on(f"Train {count} candidates with {seeds} seeds each: {count * seeds} runs of {budget:,} samples?")
    return asked


def axes_of(given: list[str]) -> frozenset[Axis]:
    """Axes may be repeated options or lists with commas or spaces."""
    names = [name for text in given for name in text.replace(",", " ").split()]
    for name in names:
        if name not in AXES:
            raise Unusable(f"--vary {name}: choose among {', '.join(AXES)}.")
    return frozenset(cast(list[Axis], names))


def ask_for_questions(
    dataset: Dataset, sets: list[Path], questions: int, choices: int, seed: int
) -> tuple[list[Path], int, int, int]:
    """Ask for finished sets, how many questions of how many choices, and the seed."""
    need_terminal()
    folders = {path.parent.name: path.parent for path in sorted(dataset.folder.glob(f"candidates/*/{SET_FILE}"))}
    if not folders:
        raise Unusable(f"{dataset.folder}: there is no finished set of candidates. Make one with generate-candidates.")
    chosen = several("Sets", list(folders), [path.name for path in sets] or list(folders))
    questions = number("How many questions", questions, least=1)
    choices = number("Choices a question", choices, least=2, most=26)
    return [folders[name] for name in chosen], questions, choices, number("Seed", seed)

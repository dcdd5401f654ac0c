"""Tries random layers of every type against PyTorch on the CPU and prints, for each family, how often they agree.

Usage: python benchmarks/differential.py [--trials 20000] [--seed 0] [--at-edges] [--json]
Exits 1 if anything differs, but for the allow-list of archstudio/torchcode/allowed.py.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from dataclasses import asdict, dataclass, field

import torch

from archstudio.torchcode.single import trials

SHOWN = 10
"""Differences kept for each family."""


@dataclass
class Tally:
    """What happened to the trials of one family."""

    trials: int = 0
    refused: int = 0
    differ: int = 0
    allowed: int = 0
    types: set[str] = field(default_factory=set)
    first: list[str] = field(default_factory=list)


def tallied(count: int, seed: int, at_edges: bool) -> dict[str, Tally]:
    """The tallies of all families after so many trials."""
    families: dict[str, Tally] = defaultdict(Tally)
    for trial in trials(count, seed, at_edges=at_edges):
        tally = families[trial.entry.family]
        tally.trials += 1
        tally.types.add(trial.entry.type)
        tally.refused += trial.theirs.error is not None
        tally.allowed += trial.allowed is not None
        if trial.differences:
            tally.differ += 1
            tally.first.append(f"{trial.entry.type}: {'; '.join(trial.differences)} for {trial.example}")
    return dict(families)


def show(families: dict[str, Tally], seconds: float) -> None:
    """Print a table, then the first differences."""
    print(f"{'family':<12}{'types':>7}{'trials':>9}{'refused':>9}{'differ':>8}{'allowed':>9}")
    for name, tally in families.items():
        print(
            f"{name:<12}{len(tally.types):>7}{tally.trials:>9,}{tally.refused:>9,}{tally.differ:>8,}{tally.allowed:>9,}"
        )
    trials, differ, allowed = (sum(getattr(t, n) for t in families.values()) for n in ("trials", "differ", "allowed"))
    agree = trials - differ - allowed
    print(f"{agree:,} of {trials:,} agree with PyTorch {torch.__version__} in {seconds:.1f} s; {allowed:,} are allowed")
    for tally in families.values():
        for text in tally.first[:SHOWN]:
            print(f"  {text}")


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--trials", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--at-edges", action="store_true", help="twist every example in one place")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    start = time.perf_counter()
    families = tallied(options.trials, options.seed, options.at_edges)
    seconds = time.perf_counter() - start
    if options.json:
        plain = {name: {**asdict(t), "types": len(t.types), "first": t.first[:SHOWN]} for name, t in families.items()}
        report = {"torch": torch.__version__, "seed": options.seed, "seconds": round(seconds, 1), "families": plain}
        print(json.dumps(report, indent=2))
    else:
        show(families, seconds)
    return 1 if any(t.differ for t in families.values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())

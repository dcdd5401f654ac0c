"""How long it takes to choose disjoint questions among trained candidates: `python benchmarks/questions.py [--json]`.

Choosing by trying combinations ends at a cliff: of 63 candidates there are 595,665 fours, and ten questions have to be
disjoint as well. Here questions are built around winners. The candidates are drawn as a set is; their results are made
up (a quality for each, drawn from a seed, and noise for each training seed), so that nothing need be trained.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from math import comb
from pathlib import Path
from random import Random
from typing import Any

from archstudio.intuition.candidates.sampling import SetRequest, sample_set
from archstudio.intuition.datasets.drawing import draw_spec
from archstudio.intuition.profile import LoadedProfile
from archstudio.intuition.profile_file import load_profile
from archstudio.intuition.questions.choose import CannotAsk, choose
from archstudio.intuition.truth.sets import Candidate
from archstudio.intuition.truth.summary import SeedEnd, summarise

CASES = ((32, 3, 10), (63, 3, 20), (63, 4, 10), (63, 4, 15), (200, 4, 40))
"""Candidates, choices a question, questions."""
TARGET_SECONDS = 2.0


def pool(profile: LoadedProfile, count: int, seed: int) -> list[Candidate]:
    """Candidates with made-up results, spread as wide between candidates as ten times the noise between seeds."""
    rng = Random(seed)
    dataset = draw_spec(profile.content, "univariate_regression", 1)
    found: dict[str, Candidate] = {}
    while len(found) < count:
        asked = SetRequest(2048, count, frozenset({"model", "optimizer"}), seed=rng.randrange(2**31))
        for spec in sample_set(profile, dataset, asked).candidates[: count - len(found)]:
            quality = rng.lognormvariate(0, 1)
            ends = [
                SeedEnd(seed=k, failed=False, final_test_mse=quality * rng.lognormvariate(0, 0.1)) for k in range(10)
            ]
            summary = summarise(spec.candidate_id, spec.metric, ends, 1, {})
            found[spec.candidate_id] = Candidate(Path(tempfile.gettempdir()), spec, summary)
    return list(found.values())


def measure(profile_name: str, repeats: int) -> list[dict[str, Any]]:
    """One row a case: seconds to find that many questions (median, least and most over seeds), and how many came."""
    profile = load_profile(profile_name)
    rows = []
    for count, choices, questions in CASES:
        candidates = pool(profile, count, seed=count)
        seconds, found = [], []
        for seed in range(repeats):
            began = time.perf_counter()
            try:
                made = choose(
                    candidates, count=questions, choices=choices, rules=profile.content.significance,
                    generation=profile.content.question_generation, seed=seed,
                )  # fmt: skip
                found.append(len(made))
            except CannotAsk:
                found.append(0)
            seconds.append(time.perf_counter() - began)
        rows.append(
            {
                "profile": profile_name, "candidates": count, "choices": choices, "questions": questions,
                "combinations": comb(count, choices), "found": min(found),
                "seconds": statistics.median(seconds), "least": min(seconds), "most": max(seconds),
            }
        )  # fmt: skip
    return rows


def main() -> int:
    """Measure and print; 1 if ten questions of four among 63 take longer than the aim, or are not found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    rows = [row for name in ("v1", "studio") for row in measure(name, options.repeats)]
    if options.json:
        print(json.dumps({"rows": rows}, indent=2))
    else:
        print(
            f"{'profile':8} {'candidates':>10} {'choices':>7} {'combinations':>14} {'asked':>6} {'found':>5}  seconds"
        )
        for row in rows:
            spread = f"{row['seconds']:.3f} ({row['least']:.3f}-{row['most']:.3f})"
            print(
                f"{row['profile']:8} {row['candidates']:10} {row['choices']:7} {row['combinations']:14,} "
                f"{row['questions']:6} {row['found']:5}  {spread}"
            )
    aimed = [row for row in rows if (row["candidates"], row["choices"], row["questions"]) == (63, 4, 10)]
    return 0 if all(row["most"] <= TARGET_SECONDS and row["found"] == 10 for row in aimed) else 1


if __name__ == "__main__":
    sys.exit(main())

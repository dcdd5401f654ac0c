"""Everything an analysis comes to, as plain figures for the page, the tables and the JSON document."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

import archstudio
from archstudio.intuition.analysis.material import Material, SetMaterial
from archstudio.intuition.analysis.order import CurveFigures, SetFigures, curve_figures, set_figures
from archstudio.intuition.analysis.pairs import Pair, pairs, question_gaps, share_apart
from archstudio.intuition.analysis.rules import Score, rule_answers, scores
from archstudio.intuition.analysis.trees import TreeResult, sklearn_version, traced_by_id, tree_baseline


@dataclass(frozen=True)
class SetAnalysis:
    """A set with its figures; `curves` in the order of its candidates."""

    of: SetMaterial
    curves: tuple[CurveFigures, ...]
    figures: SetFigures
    pairs: tuple[Pair, ...]


@dataclass(frozen=True)
class Analysis:
    """All figures; `trees` is empty where no tree model was asked for."""

    material: Material
    sets: tuple[SetAnalysis, ...]
    scores: tuple[Score, ...]
    trees: tuple[TreeResult, ...]
    seed: int

    def overall(self) -> list[Score]:
        """The scores over all questions."""
        return [each for each in self.scores if each.group == "all"]


def analyse(material: Material, *, trees: bool, seed: int) -> Analysis:
    """Work everything out; raises `MissingExtra` where trees are asked for and scikit-learn is absent."""
    questions = material.questions
    found: list[Score] = []
    if questions:
        for rule, answers in rule_answers(questions, traced_by_id(material.candidates)).items():
            found += scores(rule, answers, questions)
    fitted = tree_baseline(material, seed) if trees else []
    for result in fitted:
        found += scores(result.way, result.answers, questions)
    sets = tuple(
        SetAnalysis(of, tuple(map(curve_figures, of.traced)), set_figures(of), tuple(pairs(of))) for of in material.sets
    )
    return Analysis(material, sets, tuple(found), tuple(fitted), seed)


def provenance(analysis: Analysis) -> dict[str, str]:
    """Return what the figures rest on, in words; the same for the same input."""
    material = analysis.material
    specs = [each.candidate.spec for each in material.candidates]
    summaries = [each.candidate.summary for each in material.candidates]
    torch = sorted({str(s.environment["torch"]) for s in summaries if "torch" in s.environment})
    seeds = sorted({(s.base_seed, s.base_seed + s.n_seeds - 1) for s in summaries})
    profiles = sorted({f"{spec.profile or 'not stated'} ({spec.profile_hash or 'no hash'})" for spec in specs})
    told = {
        "profile": ", ".join(profiles),
        "data sets": ", ".join(sorted({spec.dataset_id for spec in specs})),
        "sets": ", ".join(each.of.id for each in analysis.sets) or "none",
        "candidates with curves": str(len(specs)),
        "questions": str(len(material.questions)),
        "training seeds": ", ".join(f"{first} to {last}" for first, last in seeds),
        "PyTorch of the results": ", ".join(torch) or "not recorded",
        "analysed by": f"Arch Studio {archstudio.__version__}, NumPy {np.__version__}",
    }
    if analysis.trees:
        told["trees"] = f"scikit-learn {sklearn_version()}, seed {analysis.seed}"
    return told


def as_json(analysis: Analysis) -> dict[str, Any]:
    """Return the figures as JSON values."""
    return {
        "provenance": provenance(analysis),
        "sets": [
            {
                **asdict(each.figures),
                "dataset_id": each.of.of.record.dataset_id,
                "pairs_apart": share_apart(each.pairs)[0],
                "candidates": [asdict(figures) for figures in each.curves],
            }
            for each in analysis.sets
        ],
        "question_gaps": [asdict(each) for each in question_gaps(analysis.material.questions)],
        "rules": [
            {**asdict(each), "share": each.share, "low": each.low, "high": each.high} for each in analysis.scores
        ],
        "trees": [
            {"way": t.way, "told": t.told, "n": t.n, "r2": t.r2, "rho": t.rho, "note": t.note} for t in analysis.trees
        ],
    }

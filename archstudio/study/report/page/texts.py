"""The longer texts of the report: what pictures and tables show, and how figures are made."""

from __future__ import annotations

from typing import Final

from archstudio.study.report.shape import Figures

SIMULATED: Final = "Simulated participants: these figures test the program and say nothing of people."
FOREST: Final = (
    "Diamond: all people, with the interval from drawing people again; dots: single people. Circles: models, with the "
    "interval from drawing instances again. Right: people minus model on the items both answered."
)
HEAT: Final = (
    "Top: share of people who passed each item, with Wilson intervals. Below: models, then people, one a row; where "
    "people had few of the items each, the answers to an item are stacked instead."
)
FAILURES: Final = "Last submissions; one answer may show several categories."
CALIBRATION: Final = "Accuracy by stated confidence, with Wilson intervals, over the number of answers."
TIMES: Final = (
    "Left: an item that failed never counts as passed; the dot is the median time of successes. Right: failures, "
    "stops and limits are censored; bands are 95 % on the log-log scale. Numbers below: items still being worked on."
)
PAIRED: Final = (
    "Difference: mean over items of the share of people who passed minus the model's result; interval with people "
    "and instances both drawn again; p by turning signs of instances; Holm over this table. w/t/l: items won, tied "
    "and lost by the majority of people; then the same answer by answer."
)
MANY_PEOPLE: Final = "Across people, not across tries of one person: k people drawn at random from those with the item."
RECOMPUTE: Final = (
    "Every number here stands in figures.json; `python recompute.py .` works them all out again from tables/ alone."
)


def method(figures: Figures) -> str:
    """How intervals and p-values are made, and what counts as an answer."""
    return (
        f"Intervals are 95 %. Those of people draw whole people again ({figures.replicates:,} times, seed "
        f"{figures.seed}, percentiles), those of models draw instances (data sets, tasks), differences draw both. "
        f"P-values turn signs of instances (all patterns up to 13 instances, else {figures.flips:,}). A person who "
        "left an item by quitting has no answer to it; who reached the limit without submitting failed. A model's "
        "transport error is no answer. Practice and attention items never count. The same person's second answer to "
        "an item under one condition never counts. Models are deterministic rows here: how far a model's result would "
        "change from run to run is in no interval."
    )

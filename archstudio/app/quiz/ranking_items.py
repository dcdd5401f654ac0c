"""Turns packs of ranking questions, and blind bundles of them, into items and keys."""

from __future__ import annotations

from collections.abc import Sequence

from archstudio.app.quiz.bake_items import shown_data
from archstudio.app.quiz.item import Calibration, Curve, ItemKey, QuizItem, Result, Row, ShownChoice, ShownData
from archstudio.app.quiz.wording import ABSENT, in_card_order
from archstudio.intuition.packs.ranking_pack import (
    RankedSetUp,
    RankingBundle,
    RankingCurve,
    RankingPack,
    RankingQuestion,
)


def ranking_items(pack: RankingPack | RankingBundle, name: str) -> tuple[list[QuizItem], dict[str, ItemKey] | None]:
    """Return the items and the key, None for packs that must not tell; raises `UnusableFile` about the file `name`."""
    if isinstance(pack, RankingBundle):
        return [_item(question, ShownData(""), _metric(question), None) for question in pack.questions], None
    data = shown_data(pack.dataset, name, "$.dataset")
    items = [_item(question, data, pack.metric, pack.n_seeds) for question in pack.questions]
    if pack.results is None:
        return items, None
    key = {}
    for question, rows in pack.results.items():
        results = [Result(row.label, float(row.mean), float(row.std), _curve(row.curve)) for row in rows]
        key[question] = ItemKey(results[0].label, tuple(results))
    return items, key


def _item(question: RankingQuestion, data: ShownData, metric: str, seeds: int | None) -> QuizItem:
    set_ups = [*question.calibration, *question.targets]
    tables = [_table(one) for one in set_ups]
    labels = in_card_order(dict.fromkeys(label for table in tables for label in table))
    same = {label for label in labels if len({table.get(label) for table in tables}) == 1}
    shown = [
        ShownChoice(one.label, tuple(Row(k, table.get(k, ABSENT), True) for k in labels if k not in same))
        for one, table in zip(set_ups, tables, strict=True)
    ]
    anchors = len(question.calibration)
    return QuizItem(
        id=question.name,
        kind="ranking",
        type="ranking",
        metric=metric,
        seeds=seeds,
        shared=tuple(Row(label, tables[0][label], differs=False) for label in labels if label in same),
        data=data,
        choices=tuple(shown[anchors:]),
        calibration=tuple(_calibrations(question.calibration, shown)),
    )


def _metric(question: RankingQuestion) -> str:
    """What a bundle does not say follows from the losses it names."""
    lines = [line.lower() for one in question.targets for line in one.setting]
    return "test_ce" if any("cross-entropy" in line for line in lines) else "test_mse"


def _table(one: RankedSetUp) -> dict[str, str]:
    """Return the settings by label; bundles that only have lines are cut at their colons."""
    if one.settings is not None:
        return one.settings
    table = dict.fromkeys(("model type", "optimizer"), "")
    for line in one.setting:
        label, _, value = line.partition(": ")
        table[_SHORTER.get(label, label.lower())] = value
    budget = {label.replace("_", " "): str(value) for label, value in (one.budget or {}).items()}
    return {**budget, **{label: value for label, value in table.items() if value}}


_SHORTER = {"Type": "model type", "Learning rate": "learning rate", "Weight decay": "weight decay"}


def _calibrations(anchors: Sequence[RankedSetUp], shown: Sequence[ShownChoice]) -> list[Calibration]:
    made = []
    for one, choice in zip(anchors, shown, strict=False):
        curve = _curve(one.curve)
        assert curve is not None  # the pack's own check
        assert one.final_mean is not None
        made.append(Calibration(choice, curve, float(one.final_mean)))
    return made


def _curve(curve: RankingCurve | None) -> Curve | None:
    if curve is None:
        return None
    samples, mean, std = (tuple(map(float, values)) for values in (curve.samples, curve.mean, curve.std))
    return Curve(samples, mean, std)

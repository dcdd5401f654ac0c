"""Records as a collector makes them, drawn by seed: people of different skill on items of different difficulty."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from math import exp
from pathlib import Path
from typing import Any

from archstudio.stats.forecasts import brier, log_score
from archstudio.study.records import (
    Attempt,
    Condition,
    Consent,
    Device,
    Document,
    Exclusion,
    ExclusionRule,
    Expertise,
    Grade,
    Item,
    Limits,
    Participant,
    Pause,
    Presentation,
    Records,
    Response,
    Session,
    Study,
    Withdrawal,
)

CURATED = (
    *("cnn-cifar", "mlp-tabular", "text-encoder", "fix-broken-attention", "deepen-resnet", "add-normalization"),
    *("scale-under-budget", "autoencoder", "two-tower-retrieval", "dlrm-ctr-ranking", "bst-sequence-ranking"),
    "semantic-search-encoder",
)
FAILURES = {
    "missing-layer-type": 'missing layer type "relu"',
    "shape-mismatch": "head declares input width 64 but receives 32",
    "low-score": "score 45 < min 50",
    "too-shallow": "4 components < min 5",
    "over-budget": "12.0M params > budget 10M",
    "connectivity": "input does not reach output",
}
START = datetime(2026, 12, 7, 9, 0, tzinfo=UTC)


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def stamp(seconds: float) -> str:
    return (START + timedelta(seconds=seconds)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def graph_items(study_id: str, ids: tuple[str, ...] = CURATED, split: str = "curated") -> tuple[Item, ...]:
    wordings = ("byte-equal", "byte-equal", "fact-equal")
    made = [
        Item(
            name, study_id, "graph", "main", split, name.split("-")[0], name, digest(name), digest("p" + name),
            wordings[place % 3], 0.0, title=name,
        )
        for place, name in enumerate(ids)
    ]  # fmt: skip
    warm = replace(made[0], id="warm-up", block="practice", instance="warm-up", family="practice")
    check = replace(made[0], id="check", block="attention", instance="check", family="attention")
    return (*made, warm, check)


def question_items(study_id: str, count: int = 60) -> tuple[Item, ...]:
    families = ("bigram_lm", "multivariate_regression", "univariate_regression")
    return tuple(
        Item(
            f"q_{digest(str(place))[:10]}", study_id, "question", "main", "pack-60", families[place % 3],
            f"{families[place % 3]}-{place % 12}", digest(f"q{place}"), digest(f"qp{place}"), "byte-equal", 1 / 3,
            n_choices=3, key=f"c_{digest(f'k{place}')[:6]}",
        )
        for place in range(count)
    )  # fmt: skip


@dataclass
class Maker:
    """Draws a study's rows; `plant` is a personal value put where a careless program would leave one."""

    conditions: tuple[Condition, ...] = ("single_shot", "verifier_turns_3")
    people: int = 24
    seed: int = 1
    per_person: int | None = None
    items: tuple[Item, ...] | None = None
    plant: str = ""
    simulated: bool = True
    tables: dict[str, list[Any]] = field(default_factory=dict)

    def records(self) -> Records:
        questions = self.conditions[0] in ("blind", "full_sequential_feedback")
        items = self.items or (question_items("s1") if questions else graph_items("s1"))
        self._draw, self.tables = random.Random(self.seed), {}
        self._hard = {item.id: self._draw.gauss(0, 1.2) for item in items}
        for number in range(self.people):
            self._person(number, items)
        study = self._study(items, questions)
        return Records(study, items, **{name: tuple(rows) for name, rows in self.tables.items()})

    def _study(self, items: tuple[Item, ...], questions: bool) -> Study:
        return Study(
            id="s1",
            title="A baseline of people",
            benchmark="architectureiq" if questions else "arch-bench",
            split=items[0].split,
            item_ids=tuple(item.id for item in items if item.block == "main"),
            conditions=self.conditions,
            phase="pilot",
            app_version="0.1.0",
            grader_version="rubric 2",
            planned_participants=self.people,
            sampling_rule="all",
            order_rule="counterbalanced",
            limits=Limits(time_ms=900_000, attempts=3),
            documents={"consent": Document("1", digest("consent")), "instructions": Document("1", digest("i"))},
            exclusion_rules=(ExclusionRule("attention", "Fails the attention item.", stamp(-9e5)),),
            stopping_rule="24 people",
            simulated=self.simulated,
        )

    def _add(self, table: str, row: Any) -> None:
        self.tables.setdefault(table, []).append(row)

    def _person(self, number: int, items: tuple[Item, ...]) -> None:
        draw, pid = self._draw, digest(f"{self.seed}/{number}")[:32]
        clock = number * 7200.0
        self._add("participants", self._participant(pid, number, clock))
        skill = draw.gauss(0.4, 1)
        condition = self.conditions[number % len(self.conditions)]
        mains = [item for item in items if item.block == "main"]
        mine = draw.sample(mains, self.per_person or len(mains))
        order = [item for item in items if item.block != "main"] + mine
        session = Session(
            digest(pid)[:32], "s1", pid, self.simulated, condition, "balanced_blocks", number,
            tuple(item.id for item in order), stamp(clock), stamp(clock + 5400), "completed",
            n_events=900, log_sha256=digest("log" + pid), app_version="0.1.0",
            option_orders={item.id: (item.key or "", "c_b", "c_c") for item in mine if item.kind == "question"},
        )  # fmt: skip
        quits_at = len(order) - 2 if number % 9 == 4 else len(order)
        self._add("sessions", replace(session, end_reason="quit") if quits_at < len(order) else session)
        for position, item in enumerate(order[: quits_at + 1], start=1):
            clock = self._item(session, item, position, clock, skill, left=position > quits_at)
        if number % 7 == 5:
            self._add(
                "exclusions",
                Exclusion("participant", pid, self.simulated, "attention", "failed the attention item", stamp(clock)),
            )
        if number % 10 == 9:
            self._add("withdrawals", Withdrawal(digest("gone" + pid)[:32], stamp(clock), self.simulated, 1))

    def _participant(self, pid: str, number: int, clock: float) -> Participant:
        relations = ("external", "colleague", "external", "team")
        return Participant(
            pid, "s1", self.simulated, relations[number % 4], f"mailing list {self.plant}".strip(),
            Expertise(number % 9, number % 5, "11-50", 1 + number % 5, f"engineer {self.plant}".strip(), ("vision",)),
            education="master", languages=("en", "de"), ai_literacy=4, prior_exposure={"arch-bench": "none"},
            demographics={"age": "25-34"},
            consent=Consent("1", digest("consent"), stamp(clock), ("data", "publication"), digest("code")),
            device=Device(f"Linux {self.plant}".strip(), "1920x1080", 1.0, "mouse", "6.11", "3.11"),
        )  # fmt: skip

    def _item(self, session: Session, item: Item, position: int, clock: float, skill: float, left: bool) -> float:
        draw, ids = self._draw, (session.id, session.participant_id, item.id, self.simulated)
        spent = int(1000 * draw.lognormvariate(5.0, 0.6))
        timed_out = spent > 780_000 and item.kind == "graph"
        paused = 30_000 if draw.random() < 0.05 else 0
        if paused:
            self._add("pauses", Pause(*ids, stamp(clock + 5), paused, "break"))
        shown = Presentation(
            *ids, position, item.block, item.sha256, item.prompt_sha256, stamp(clock), spent + paused, spent, paused,
            first_action_ms=min(spent, 4000), locked_at=None if left else stamp(clock + (spent + paused) / 1000),
            timed_out=timed_out and not left, seen_before=draw.random() < 0.03,
        )  # fmt: skip
        self._add("presentations", shown)
        if not left and item.kind == "question":
            self._answer(session, item, shown, skill)
        elif not left and not timed_out:
            self._attempts(session, item, shown, skill)
        return clock + (spent + paused) / 1000 + 3

    def _attempts(self, session: Session, item: Item, shown: Presentation, skill: float) -> None:
        turns = 3 if session.condition == "verifier_turns_3" else 1
        for number in range(1, turns + 1):
            chance = 1 / (1 + exp(self._hard[item.id] - skill - 0.9 * (number - 1)))
            passed = self._draw.random() < chance
            self._attempt(session, item, shown, number, turns, passed)
            if passed:
                return

    def _attempt(
        self, session: Session, item: Item, shown: Presentation, number: int, turns: int, passed: bool
    ) -> None:
        draw = self._draw
        kinds = () if passed else tuple(draw.sample(sorted(FAILURES), 1 + (draw.random() < 0.3)))
        plan = (
            {"type": "add_component", "componentType": "relu", "name": f"act {self.plant}".strip()},
            {"type": "update_params", "name": "head", "params": {"inFeatures": 64}},
        )
        grade = Grade(passed, 60.0 + draw.randrange(40) if passed else 20.0 + draw.randrange(50), 4160.0, None,
                      tuple(FAILURES[kind] for kind in kinds), kinds)  # fmt: skip
        self._add(
            "attempts",
            Attempt(
                session.id, session.participant_id, item.id, self.simulated, item.block, number, "submit",
                shown.shown_at, shown.active_ms * number // turns, digest(f"{item.id}{number}{passed}"), plan,
                draw.randrange(2, 30), draw.randrange(4), len(plan), grade, runs=passed or draw.random() < 0.3,
                does_the_brief=passed and draw.random() < 0.8,
            ),
        )  # fmt: skip

    def _answer(self, session: Session, item: Item, shown: Presentation, skill: float) -> None:
        draw = self._draw
        names = session.option_orders[item.id]
        sure = 1 / 3 + 0.6 / (1 + exp(self._hard[item.id] - skill))
        right = draw.random() < sure - 0.08
        chosen = item.key if right else draw.choice(names[1:])
        top = round(min(0.98, max(0.34, sure + draw.gauss(0.05, 0.1))), 2)
        rest = round((1 - top) / 2, 4)
        odds = {name: top if name == chosen else rest for name in names}
        self._add(
            "responses",
            Response(
                session.id, session.participant_id, item.id, self.simulated, item.block, shown.locked_at or "",
                shown.active_ms, "ABC"[names.index(chosen)], chosen, odds, right, brier(odds, item.key),
                log_score(odds, item.key), explanation=f"I guess so {self.plant}".strip(),
            ),
        )  # fmt: skip


def leaderboard(path: Path, ids: tuple[str, ...] = CURATED, seed: int = 5, models: int = 3) -> Path:
    """A result file in Arch-Bench's published form, of models that do not exist."""
    draw = random.Random(seed)
    names = {f"m{number}": f"example-model-{number}" for number in range(models)}
    rows = [
        {
            "provider": provider, "taskId": item, "status": "PASS" if good else "FAIL", "score": 80 if good else 40,
            "pass": good, "params": 1000, "blockers": [], "failures": [] if good else [FAILURES["low-score"]],
            "failureCategories": [] if good else ["low-score"], "tokens": 900, "ms": 5,
        }
        for place, provider in enumerate(names) for item in ids for good in [draw.random() < 0.5 + 0.15 * place]
    ]  # fmt: skip
    board = {"benchmark": 1, "split": {"kind": "curated", "count": len(ids)}, "models": names,
             "generatedAt": "2026-07-22T08:00:00.000Z", "board": [], "rows": rows}  # fmt: skip
    path.write_text(json.dumps(board), encoding="utf-8")
    return path

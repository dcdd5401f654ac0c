"""Results of any form as outcomes, one a task and try, so that totals are made one way for all."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from archstudio.bench.results.boards import tokens_per_solve
from archstudio.bench.results.difficulty import Difficulty, family_of, pooled
from archstudio.bench.results.records import Calibration, Leaderboard, RepairRounds, Results, Split, ToolUse
from archstudio.bench.results.runs import Run
from archstudio.bench.taxonomy import category
from archstudio.edits.actions.javascript import plain, round_half_up
from archstudio.stats import Interval, pass_at_k, pass_every_k, wilson

RUBRIC_2_SINCE: Final = "2026-07-22"
"""Day from which published files are graded by rubric 2; earlier ones are rubric 1 and are kept apart."""


ALONE: Final = ("single shot", "round 1", "without tool")
"""Ways in which a model has no help; difficulty is rated by these."""


@dataclass(frozen=True)
class Setting:
    """What was run: which model, how, on which tasks."""

    model: str
    way: str
    """"single shot", "round 1", "up to 3 rounds", "without tool", "with tool"."""
    split: str


@dataclass(frozen=True)
class Outcome:
    """What came of one try at one task. `score` and `tokens` are None where the file does not say."""

    setting: Setting
    task_id: str
    passed: bool
    errored: bool = False
    score: float | None = None
    tokens: float | None = None
    categories: tuple[str, ...] = ()
    hollow: bool | None = None
    """Whether it passes the rubric but not all three verdicts; None where the file has no other verdict."""

    @property
    def task(self) -> str:
        """The task's name across splits: generated ids repeat from seed to seed."""
        return self.task_id if family_of(self.task_id) is None else f"{self.setting.split}: {self.task_id}"


@dataclass(frozen=True)
class FamilyShare:
    """How many of a family's tasks were passed."""

    setting: Setting
    family: str
    passes: int
    trials: int


@dataclass(frozen=True)
class Summary:
    """The totals of one setting."""

    setting: Setting
    passed: int
    total: int
    errors: int
    average_score: float | None
    tokens_per_solve: float | None
    categories: dict[str, int]
    families: dict[str, tuple[int, int]]
    hollow: int | None = None
    """Passes of the rubric that do not pass all three verdicts; None where that is not known."""

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the pass rate."""
        return wilson(self.passed, self.total)


@dataclass(frozen=True)
class Repeats:
    """Chances over several tries at the same tasks: any of `k` passes, and all of `k` pass, averaged over tasks."""

    setting: Setting
    k: int
    tasks: int
    any_passes: float
    all_pass: float


def outcomes(results: Results | Run) -> list[Outcome]:
    """Every try in a file; calibrations hold counts alone and have none."""
    if isinstance(results, Leaderboard):
        return list(_of_leaderboard(results))
    if isinstance(results, RepairRounds):
        return list(_of_rounds(results))
    if isinstance(results, ToolUse):
        return list(_of_tool_use(results))
    return list(_of_run(results)) if isinstance(results, Run) else []


def family_shares(results: Results | Run) -> list[FamilyShare]:
    """The counts of a calibration; other files have tries instead."""
    if not isinstance(results, Calibration):
        return []
    setting = Setting(results.who, "single shot", f"calibration, seed {results.seed}")
    return [FamilyShare(setting, row.family, row.passes, row.n) for row in results.rows]


def _of_leaderboard(results: Leaderboard) -> Iterator[Outcome]:
    split = split_text(results.split) + ", rubric 1" * is_rubric_1(results)
    for row in results.rows:
        setting = Setting(results.models.get(row.provider, row.provider), "single shot", split)
        categories, errored = tuple(row.failure_categories), row.status == "ERROR"
        yield Outcome(setting, row.task_id, row.status == "PASS", errored, row.score, row.tokens, categories)


def _of_rounds(results: RepairRounds) -> Iterator[Outcome]:
    split = split_text(results.split)
    for row in results.rows:
        model = results.models.get(row.provider, row.provider)
        errored = row.error is not None
        yield Outcome(Setting(model, "round 1", split), row.task_id, row.passed_first, errored)
        final = Setting(model, f"up to {results.turns} rounds", split)
        categories = tuple(map(category, row.final_failures))
        yield Outcome(final, row.task_id, row.passed, errored, tokens=row.tokens, categories=categories)


def _of_tool_use(results: ToolUse) -> Iterator[Outcome]:
    split = f"{'core' if results.tier == 'generated' else results.tier}, seed {results.seed}"
    for row in results.rows:
        setting = Setting(results.model, "with tool" if row.arm == "tool" else "without tool", split)
        texts = row.failures if row.error is None else [row.error]
        errored = row.error is not None
        yield Outcome(setting, row.task_id, row.passed, errored, row.score, categories=tuple(map(category, texts)))


def _of_run(run: Run) -> Iterator[Outcome]:
    way = "single shot" if run.rounds == 1 else f"up to {run.rounds} rounds"
    for row in run.rows:
        categories, errored = tuple(row.failure_categories), row.status == "ERROR"
        setting = Setting(run.policy, way, run.suite)
        passed = row.status == "PASS"
        hollow = passed and not row.passes_all_three
        yield Outcome(setting, row.task_id, passed, errored, row.score, row.tokens, categories, hollow)


def is_rubric_1(results: Results) -> bool:
    """Whether a published file is from before rubric 2, by its date."""
    day = str(getattr(results, "generated_at", ""))[:10]
    return bool(day) and day < RUBRIC_2_SINCE


def split_text(split: Split) -> str:
    """The tasks of a split in words; the original's "generated" is the core tier."""
    kind = "core" if split.kind == "generated" else split.kind
    return kind if split.seed is None else f"{kind}, seed {split.seed}"


# Totals --------------------------------------------------------------------------------------------------------------


def summaries(tries: Iterable[Outcome], shares: Iterable[FamilyShare] = ()) -> list[Summary]:
    """One summary a setting, in the order of the files."""
    grouped: dict[Setting, list[Outcome]] = {}
    for each in tries:
        grouped.setdefault(each.setting, []).append(each)
    counted: dict[Setting, list[FamilyShare]] = {}
    for share in shares:
        counted.setdefault(share.setting, []).append(share)
    made = [_summary(setting, mine) for setting, mine in grouped.items()]
    return made + [_counted_summary(setting, mine) for setting, mine in counted.items()]


def _summary(setting: Setting, mine: Sequence[Outcome]) -> Summary:
    passed = sum(each.passed for each in mine)
    scores = [each.score or 0 for each in mine if each.score is not None or each.errored]
    tokens = [each.tokens for each in mine if each.tokens is not None]
    families: dict[str, tuple[int, int]] = {}
    for each in mine:
        family = family_of(each.task_id)
        if family is not None:
            good, total = families.get(family, (0, 0))
            families[family] = (good + each.passed, total + 1)
    return Summary(
        setting=setting,
        passed=passed,
        total=len(mine),
        errors=sum(each.errored for each in mine),
        average_score=plain(round_half_up(sum(scores) / len(scores))) if len(scores) == len(mine) else None,
        tokens_per_solve=tokens_per_solve(sum(tokens), passed) if tokens else None,
        categories=dict(Counter(name for each in mine for name in each.categories)),
        families=families,
        hollow=sum(each.hollow or False for each in mine) if any(each.hollow is not None for each in mine) else None,
    )


def _counted_summary(setting: Setting, mine: Sequence[FamilyShare]) -> Summary:
    passed, total = sum(share.passes for share in mine), sum(share.trials for share in mine)
    families = {share.family: (share.passes, share.trials) for share in mine}
    return Summary(setting, passed, total, 0, None, None, {}, families)


def repeats(tries: Iterable[Outcome], most: int = 8) -> list[Repeats]:
    """pass@k and pass^k of every setting with tasks tried more than once, over the tasks with at least k tries."""
    counts: dict[Setting, dict[str, list[bool]]] = {}
    for each in tries:
        counts.setdefault(each.setting, {}).setdefault(each.task, []).append(each.passed)
    made: list[Repeats] = []
    for setting, tasks in counts.items():
        longest = max(map(len, tasks.values()))
        tries_of_all = list(tasks.values())
        enough = range(1, min(longest, most) + 1) if longest > 1 else range(0)
        made += [_repeats(setting, k, [tried for tried in tries_of_all if len(tried) >= k]) for k in enough]
    return made


def _repeats(setting: Setting, k: int, tasks: Sequence[Sequence[bool]]) -> Repeats:
    pairs = [(sum(tried), len(tried)) for tried in tasks]
    any_of = sum(pass_at_k(good, total, k) or 0.0 for good, total in pairs) / len(pairs)
    all_of = sum(pass_every_k(good, total, k) or 0.0 for good, total in pairs) / len(pairs)
    return Repeats(setting, k, len(pairs), any_of, all_of)


def task_difficulty(tries: Iterable[Outcome]) -> dict[str, Difficulty]:
    """The difficulty of every task at one reply, pooled over models; feedback and tools do not count.

    A try that ended in an error is one that did not pass, as in published tables.
    """
    return pooled((each.task, each.passed) for each in tries if is_alone(each.setting))


def family_difficulty(tries: Iterable[Outcome], shares: Iterable[FamilyShare] = ()) -> dict[str, Difficulty]:
    """The same of every family, calibrations included."""
    flags = [(family_of(each.task_id), each.passed) for each in tries if is_alone(each.setting)]
    for share in shares:
        flags += [(share.family, place < share.passes) for place in range(share.trials)]
    return pooled((family, passed) for family, passed in flags if family is not None)


def is_alone(setting: Setting) -> bool:
    """Whether a model had no help and was graded by rubric 2 or later: what difficulty is rated by."""
    return setting.way in ALONE and not setting.split.endswith("rubric 1")

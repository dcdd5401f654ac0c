"""What is told about one task beside its brief: limits, difficulty, progress. No widgets."""

from __future__ import annotations

from archstudio.app.figures import plural
from archstudio.app.tasks.attempts import Attempt, Progress
from archstudio.app.words import said
from archstudio.bench.brief import AnyTask
from archstudio.bench.results.difficulty import Difficulty


def limits_text(task: AnyTask) -> str:
    """Limits that bind and that a brief may leave unsaid."""
    limits = task.constraints
    parts = []
    if "maxActions" in limits:
        parts.append(said("at most {what}").format(what=plural(limits["maxActions"], "action")))
    if "forbidActionTypes" in limits:
        parts.append(said("without {actions}").format(actions=", ".join(limits["forbidActionTypes"])))
    if "minComponents" in limits:
        parts.append(said("at least {what}").format(what=plural(limits["minComponents"], "layer")))
    if "maxParams" in limits:
        parts.append(said("at most {count} parameters (rubric's estimate)").format(count=f"{limits['maxParams']:,}"))
    if "minParams" in limits:
        parts.append(said("at least {count} parameters").format(count=f"{limits['minParams']:,}"))
    if "maxKvBytesPerToken" in limits:
        count = f"{limits['maxKvBytesPerToken']:,}"
        parts.append(said("at most {count} bytes of KV cache a token").format(count=count))
    parts += _own_limits(task)
    return said("Graded with: {limits}").format(limits=", ".join(parts)) if parts else ""


def _own_limits(task: AnyTask) -> list[str]:
    limits = task.constraints
    parts = []
    if limits.get("mustRun"):
        parts.append(said("it must run in PyTorch"))
    if "maxMacs" in limits:
        parts.append(said("at most {what}").format(what=f"{limits['maxMacs']:,} MACs"))
    if "maxActivationBytes" in limits:
        count = f"{limits['maxActivationBytes']:,}"
        parts.append(said("at most {count} bytes of activations").format(count=count))
    if "maxDecodeMs" in limits:
        decode = limits["maxDecodeMs"]
        told = said("a decode step of at most {ms} ms on {machine}")
        parts.append(told.format(ms=decode["value"], machine=decode["machine"]))
    if "mustContainTypesOnPath" in limits:
        parts.append(said("on the path: {types}").format(types=", ".join(limits["mustContainTypesOnPath"])))
    return parts


def difficulty_text(rated: Difficulty) -> str:
    """`Difficulty: easy (23 of 60 model replies pass, 28–51 %)`, or `unrated`."""
    if not rated.trials:
        return said("Difficulty: unrated")
    low, high = rated.interval
    told = said("Difficulty: {band} ({passes} of {replies} pass, {low}–{high} %)")
    return told.format(
        band=said(rated.band),
        passes=rated.passes,
        replies=plural(rated.trials, "model reply", "model replies"),
        low=f"{100 * low:.0f}",
        high=f"{100 * high:.0f}",
    )


def progress_title(progress: Progress) -> str:
    """`Best of 3 attempts`."""
    if progress.attempts == 1:
        return said("One attempt")
    return said("Best of {attempts}").format(attempts=plural(progress.attempts, "attempt"))


def verdict_marks(attempt: Attempt) -> list[tuple[str, bool | None, str]]:
    """The three verdicts with their values, in the order of the Verdict dock."""
    score = "" if attempt.score is None else said("score {score}").format(score=f"{attempt.score:g}")
    met = said("{value} of {bound}").format(value=attempt.facts_met, bound=attempt.facts)
    brief = met if attempt.facts else said("no facts known")
    return [
        ("Runs in PyTorch", attempt.runs, ""),
        ("Passes the task", attempt.passed, score),
        ("Does what the brief asks", attempt.does_the_brief, brief),
    ]


def when_text(attempt: Attempt) -> str:
    """`2026-05-04 10:22`, in UTC."""
    return attempt.at[:16].replace("T", " ")


def duration_text(seconds: float | None) -> str:
    """`45 s`, `12 min`, `3.2 h`; empty if it was not measured."""
    if seconds is None:
        return ""
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"

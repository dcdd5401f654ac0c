"""What is told about one task beside its brief: limits, difficulty, progress. No widgets."""

from __future__ import annotations

from archstudio.app.figures import plural
from archstudio.app.tasks.attempts import Attempt, Progress
from archstudio.bench.brief import AnyTask
from archstudio.bench.results.difficulty import Difficulty


def limits_text(task: AnyTask) -> str:
    """Limits that bind and that a brief may leave unsaid."""
    limits = task.constraints
    parts = []
    if "maxActions" in limits:
        parts.append(f"at most {plural(limits['maxActions'], 'action')}")
    if "forbidActionTypes" in limits:
        parts.append(f"without {', '.join(limits['forbidActionTypes'])}")
    if "minComponents" in limits:
        parts.append(f"at least {plural(limits['minComponents'], 'layer')}")
    if "maxParams" in limits:
        parts.append(f"at most {limits['maxParams']:,} parameters (rubric's estimate)")
    if "minParams" in limits:
        parts.append(f"at least {limits['minParams']:,} parameters")
    if "maxKvBytesPerToken" in limits:
        parts.append(f"at most {limits['maxKvBytesPerToken']:,} bytes of KV cache a token")
    parts += _own_limits(task)
    return "Graded with: " + ", ".join(parts) if parts else ""


def _own_limits(task: AnyTask) -> list[str]:
    limits = task.constraints
    parts = []
    if limits.get("mustRun"):
        parts.append("it must run in PyTorch")
    if "maxMacs" in limits:
        parts.append(f"at most {limits['maxMacs']:,} MACs")
    if "maxActivationBytes" in limits:
        parts.append(f"at most {limits['maxActivationBytes']:,} bytes of activations")
    if "maxDecodeMs" in limits:
        decode = limits["maxDecodeMs"]
        parts.append(f"a decode step of at most {decode['value']} ms on {decode['machine']}")
    if "mustContainTypesOnPath" in limits:
        parts.append(f"on the path: {', '.join(limits['mustContainTypesOnPath'])}")
    return parts


def difficulty_text(rated: Difficulty) -> str:
    """`Difficulty: easy (23 of 60 model replies pass, 28–51 %)`, or `unrated`."""
    if not rated.trials:
        return "Difficulty: unrated"
    low, high = rated.interval
    share = f"{rated.passes} of {plural(rated.trials, 'model reply', 'model replies')} pass"
    return f"Difficulty: {rated.band} ({share}, {100 * low:.0f}–{100 * high:.0f} %)"


def progress_title(progress: Progress) -> str:
    """`Best of 3 attempts`."""
    return "One attempt" if progress.attempts == 1 else f"Best of {plural(progress.attempts, 'attempt')}"


def verdict_marks(attempt: Attempt) -> list[tuple[str, bool | None, str]]:
    """The three verdicts with their values, in the order of the Verdict dock."""
    score = "" if attempt.score is None else f"score {attempt.score:g}"
    brief = f"{attempt.facts_met} of {attempt.facts}" if attempt.facts else "no facts known"
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

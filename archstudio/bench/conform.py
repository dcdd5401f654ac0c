"""Compares recorded Arch-Bench cases and costs with what this program makes of them, one JSON object a line."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from archstudio.bench.generate import TIERS, GeneratedTask, SplitReader
from archstudio.bench.grade import Submission, grade
from archstudio.bench.rubric import assess, score
from archstudio.bench.task_files import graph_record
from archstudio.edits.actions.engine import apply
from archstudio.edits.actions.model import hydrate
from archstudio.files.conform import ConformReport, NotACase, first_difference, read_cases
from archstudio.verify.costs.kv import CachedLayer, kv_bytes_per_token, kv_cache_bytes
from archstudio.verify.costs.latency import DecodeStep, Machine, decode_latency

_SCORE_BUDGET: Final = {"maxParams": 50_000}


@dataclass(frozen=True)
class _RecordedTask:
    """One of the four tasks every recorded plan is graded against."""

    id: str
    budget: dict[str, Any]
    constraints: dict[str, Any]


RECORDED_TASKS: Final = (
    _RecordedTask("t0", {}, {"forbidBlockers": True, "minScore": 50, "mustReachOutput": True}),
    _RecordedTask(
        "t1",
        {"maxParams": 20_000},
        {
            "forbidBlockers": True,
            "minScore": 55,
            "maxParams": 20_000,
            "minParams": 2_000,
            "minComponents": 6,
            "mustContainTypes": ["linear", "relu"],
            "mustReachOutput": True,
            "maxActions": 3,
        },
    ),
    _RecordedTask(
        "t2",
        {"maxParams": 1_000_000},
        {
            "mustContainTypesAny": ["layerNorm", "batchNorm1d"],
            "maxKvBytesPerToken": 256,
            "forbidActionTypes": ["replace_model", "clear_canvas"],
            "minComponents": 3,
        },
    ),
    _RecordedTask("t3", {}, {}),
)


def conform_plans(lines: Iterable[str]) -> ConformReport:
    """Compare recorded plans: the model after them, counts, estimates, blockers, score and four grades."""
    report = ConformReport()
    for name, record in read_cases(lines, report):
        try:
            start, expected = _plan_parts(record)
        except NotACase as reason:
            report.not_covered(f"{name}: {reason}")
            continue
        outcome = _plan_outcome(start, record.get("actions"))
        now = {part: outcome[part] for part in outcome if part in expected}
        report.compared(name, first_difference(expected, now))
    return report


def _plan_parts(record: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    start, expected = record.get("start"), record.get("expect")
    if not isinstance(start, dict) or not isinstance(expected, dict):
        raise NotACase("needs the objects start and expect")
    for part in ("components", "connections"):
        listed = start.get(part)
        if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
            raise NotACase(f"start.{part} is not a list of objects")
    return start, expected


def _plan_outcome(start: Mapping[str, Any], actions: Any) -> dict[str, Any]:
    applied = apply(hydrate(start), actions)
    submission = Submission.of(actions)
    assessment = assess(applied.model)
    grades = [(task, grade(task, applied.model, submission)) for task in RECORDED_TASKS]
    return {
        "model": graph_record(applied.model),
        "applied": applied.applied,
        "errors": len(applied.errors),
        "skipped": applied.skipped,
        "params": assessment.params,
        "kvBytesPerToken": assessment.kv_bytes_per_token,
        "reaches": assessment.reaches,
        "blockers": [blocker.code for blocker in assessment.blockers],
        "score": score(assessment, _SCORE_BUDGET),
        "grades": [
            {
                "task": task.id,
                "pass": result.passed,
                "score": result.score,
                "failures": [failure.category for failure in result.failures],
            }
            for task, result in grades
        ],
    }


# Splits --------------------------------------------------------------------------------------------------------------


def conform_splits(lines: Iterable[str]) -> ConformReport:
    """Compare recorded generated tasks: their digest, and the whole task where the line holds it."""
    report = ConformReport()
    splits = SplitReader()
    for name, record in read_cases(lines, report):
        try:
            tier, seed, index = _split_place(record)
        except NotACase as reason:
            report.not_covered(f"{name}: {reason}")
            continue
        now = split_case(splits.task(tier, seed, index))
        place = f"{name}: {tier}, seed {seed}, index {index}"
        difference = first_difference(record["case"], now) if "case" in record else None
        report.compared(place, difference or first_difference(record.get("digest"), digest(now), "digest"))
    return report


def split_case(task: GeneratedTask) -> dict[str, Any]:
    """A generated task as split files hold it: the start has neither name nor neighbours."""
    start = graph_record(task.start)
    budget, constraints = dict(task.budget), dict(task.constraints)
    return {"id": task.id, "budget": budget, "constraints": constraints, "start": start, "reference": task.actions}


def digest(value: Any) -> str:
    """The first 16 hex digits of the SHA-256 of `value` as JSON with sorted keys and no spaces."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _split_place(record: Mapping[str, Any]) -> tuple[Any, float, int]:
    tier, seed, index = record.get("tier"), record.get("seed"), record.get("index")
    if tier not in TIERS:
        raise NotACase(f"tier {tier!r} is none of {', '.join(TIERS)}")
    if not isinstance(seed, int | float) or not isinstance(index, int) or index < 0 or "digest" not in record:
        raise NotACase("needs a seed, an index from 0 and a digest")
    return tier, seed, index


# Costs ---------------------------------------------------------------------------------------------------------------

_LATENCY_TOLERANCE: Final = 0.005


def conform_costs(lines: Iterable[str]) -> ConformReport:
    """Compare recorded KV-cache bytes (exactly) and ideal decode latencies (within 0.5 %)."""
    report = ConformReport()
    for name, record in read_cases(lines, report):
        compare = {"kv": _kv_difference, "decode_ideal": _latency_difference}.get(record.get("kind", ""))
        if compare is None:
            report.not_covered(f"{name}: no rule for costs of kind {record.get('kind')!r}")
            continue
        try:
            difference = compare(record)
        except (KeyError, TypeError) as error:
            report.not_covered(f"{name}: lacks a figure or has one that is none ({error})")
            continue
        report.compared(name, difference)
    return report


def _kv_difference(record: Mapping[str, Any]) -> str | None:
    layers = [layer for group in record["layers"] for layer in [_cached_layer(group)] * group["n"]]
    element = record["bytes_per_elem"]
    now = {"expected_kv_bytes": kv_cache_bytes(layers, record["seq_len"], record["batch"], element)}
    if "expected_bytes_per_token_if_all_full" in record:
        now["expected_bytes_per_token_if_all_full"] = kv_bytes_per_token(layers, element)
    return first_difference({name: record[name] for name in now}, now)


def _cached_layer(group: Mapping[str, Any]) -> CachedLayer:
    if "mla" in group:
        return CachedLayer.latent(group["mla"])
    return CachedLayer.attention(group["kvh"], group["dk"], group.get("dv"), group.get("window"))


def _latency_difference(record: Mapping[str, Any]) -> str | None:
    machine = Machine(record["hw"], record["bandwidth_gb_s"], record["peak_tflops"])
    step = DecodeStep(record["weight_bytes"], record["kv_bytes"], record["flops"], batch=record["batch"])
    latency = decode_latency(step, machine)
    for name, now in (("ideal_ms", latency.ms), ("ideal_tok_s", latency.tokens_per_second)):
        if abs(now - record[name]) > _LATENCY_TOLERANCE * abs(record[name]):
            return f"{name}: recorded {record[name]}, now {now:.4g}"
    return None

"""Says in words why a run failed or learnt little, from what was measured: each finding with its facts and a remedy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from archstudio.training.description import RunDescription
from archstudio.training.diagnosis import Diagnosis, InputFacts, LayerFacts
from archstudio.training.store import SeedResult

Kind = Literal["divergence", "failure", "dead", "gradient", "data", "learning"]
Weight = Literal["cause", "suspect", "fine"]

_DEAD, _SATURATED = 0.5, 0.9
_VANISHED = 1e-7
_UNUSUAL_SPREAD = 10.0
_RARE_CLASS = 0.1
_SAME = 0.02
_OVERFIT = 3.0


@dataclass(frozen=True)
class Finding:
    """One thing found: how much it weighs, a title, the measured facts, and what to try."""

    kind: Kind
    weight: Weight
    title: str
    facts: tuple[str, ...]
    remedy: str = ""


def findings(description: RunDescription, result: SeedResult | None, diagnosis: Diagnosis | None) -> list[Finding]:
    """Return what explains the end of a seed, likely causes first; never empty."""
    found: list[Finding] = []
    if result is not None and result.failure is not None:
        found.append(_failure(result))
    if diagnosis is not None:
        found += _data(diagnosis) + _gradients(diagnosis) + _units(diagnosis.layers)
        if result is not None and result.state == "finished":
            found += _learning(description, result, diagnosis)
    if diagnosis is None and not found:
        found.append(
            Finding(
                "failure", "fine", "Nothing was measured", ("The run has not ended yet, or ended before it began.",)
            )
        )
    if not found:
        found.append(Finding("learning", "fine", "Nothing is wrong that could be measured", _ends(result)))
    order = {"cause": 0, "suspect": 1, "fine": 2}
    return sorted(found, key=lambda finding: order[finding.weight])


def _failure(result: SeedResult) -> Finding:
    failure = result.failure
    assert failure is not None
    if failure.kind != "diverged":
        return Finding("failure", "cause", "It did not end by itself", (failure.message, *failure.log[-3:]))
    last = "" if failure.last_finite is None else f"The last finite value before was {failure.last_finite:.6g}."
    facts = tuple(text for text in (failure.message, last) if text)
    remedy = "Try a learning rate ten times smaller, warming up, or clipping gradients by norm 1."
    return Finding("divergence", "cause", f"It diverged at step {failure.step:,}", (*facts, failure.cause), remedy)


def _data(diagnosis: Diagnosis) -> list[Finding]:
    found = [finding for facts in diagnosis.inputs if (finding := _of_input(facts))]
    counts = [count for count in diagnosis.target.class_counts if count]
    if len(counts) == 1:
        title = "Every target is the same class"
        found.append(Finding("data", "cause", title, (f"{counts[0]:,} samples of one class.",), "Use other targets."))
    elif counts and min(counts) < _RARE_CLASS * max(counts):
        fact = f"The rarest class has {min(counts):,} samples, the most frequent {max(counts):,}."
        found.append(Finding("data", "suspect", "Classes are of very different sizes", (fact,), "Use class weights."))
    spread = diagnosis.target.spread
    if spread is not None and not counts and (spread > _UNUSUAL_SPREAD or 0 <= spread < 1 / _UNUSUAL_SPREAD):
        fact = f"Targets have a mean of {diagnosis.target.mean or 0:.4g} and a spread of {spread:.4g}."
        found.append(Finding("data", "suspect", "Targets are far from the usual scale", (fact,), "Standardise them."))
    return found


def _of_input(facts: InputFacts) -> Finding | None:
    if not facts.is_float:
        return None
    told = (
        f"'{facts.name}' has a mean of {_number(facts.mean)} and a spread of {_number(facts.spread)}, "
        f"from {_number(facts.low)} to {_number(facts.high)}."
    )
    if facts.constant_share == 1:
        return Finding("data", "cause", "An input is the same in every sample", (told,), "Use an input that varies.")
    if facts.spread is None or facts.spread > _UNUSUAL_SPREAD or abs(facts.mean or 0) > _UNUSUAL_SPREAD:
        remedy = "Standardise it: subtract the mean, divide by the spread."
        return Finding("data", "suspect", "An input is far from the usual scale", (told,), remedy)
    return None


def _gradients(diagnosis: Diagnosis) -> list[Finding]:
    found = []
    unreached = [p for p in diagnosis.parameters if not p.reached]
    if diagnosis.parameters and len(unreached) == len(diagnosis.parameters):
        remedy = "Look for an argmax, a rounding, or a loss that does not depend on the output."
        found.append(Finding("gradient", "cause", "No gradient reaches any weight", (_names(unreached),), remedy))
    elif unreached:
        remedy = "Lead these layers to an output that has a loss, or look for units that never answer before them."
        title = "Some weights get no gradient"
        found.append(Finding("gradient", "suspect", title, (_names(unreached),), remedy))
    reached = [p for p in diagnosis.parameters if p.reached and p.gradient is not None and p.weight]
    tiny = [p for p in reached if (p.gradient or 0) < _VANISHED * (p.weight or 1)]
    if tiny and len(tiny) < len(reached):
        low, high = min(p.gradient or 0 for p in reached), max(p.gradient or 0 for p in reached)
        facts = (_names(tiny), f"Gradients' norms reach from {low:.2g} to {high:.2g}.")
        remedy = "Add residual connections or normalisation, or use an activation that does not saturate."
        found.append(Finding("gradient", "suspect", "Gradients vanish on their way", facts, remedy))
    return found


def _units(layers: Sequence[LayerFacts]) -> list[Finding]:
    found = []
    broken = [layer for layer in layers if not layer.finite]
    if broken:
        fact = f"The first is {broken[0].name} ({broken[0].type}), of {len(broken)} in all."
        found.append(Finding("divergence", "cause", "Layers answer with numbers that are not finite", (fact,)))
    dead = [layer for layer in layers if layer.dead is not None and layer.dead >= _DEAD]
    if dead:
        facts = tuple(f"{layer.name}: {layer.dead:.0%} of {layer.units:,} units never answer." for layer in dead[:5])
        remedy = "Lower the learning rate, or use LeakyReLU, GELU or normalisation before the activation."
        weight: Weight = "cause" if any(layer.dead == 1 for layer in dead) else "suspect"
        found.append(Finding("dead", weight, "Many units are dead", facts, remedy))
    flat = [layer for layer in layers if layer.saturated is not None and layer.saturated >= _SATURATED]
    if flat:
        facts = tuple(
            f"{layer.name} ({layer.type}): {layer.saturated:.0%} of answers at their limits." for layer in flat
        )
        remedy = "Normalise what goes in, or start from smaller weights."
        found.append(Finding("dead", "suspect", "Units are saturated, so little gradient passes", facts, remedy))
    return found


def _learning(description: RunDescription, result: SeedResult, diagnosis: Diagnosis) -> list[Finding]:
    loss, train, baseline = result.metrics.get("val_loss"), result.metrics.get("train_loss"), diagnosis.target.baseline
    if loss is None:
        return []
    if baseline is not None and loss > baseline * (1 - _SAME):
        facts = (
            f"Validation loss {loss:.4g}; always giving the same best answer would have {baseline:.4g}.",
            f"{result.samples:,} samples were seen at a learning rate of {description.lr:g}.",
        )
        remedy = "Train longer, try rates ten times higher and lower, and look at the findings beside this one."
        return [Finding("learning", "suspect", "It learnt no more than how often each answer occurs", facts, remedy)]
    if train is not None and train > 0 and loss > _OVERFIT * train and loss - train > _SAME:
        fact = f"Training loss {train:.4g}, validation loss {loss:.4g}."
        remedy = "Use more data, dropout, weight decay, or stop earlier; the best weights are kept."
        return [Finding("learning", "suspect", "It knows its training samples by heart", (fact,), remedy)]
    return []


def _ends(result: SeedResult | None) -> tuple[str, ...]:
    if result is None:
        return ()
    told = ", ".join(f"{name.replace('_', ' ')} {value:.4g}" for name, value in result.metrics.items())
    ceiling = (result.ceiling_words,) if result.ceiling_words else ()
    return (f"It ended after {result.samples:,} samples with {told}.", *ceiling)


def _names(parameters: Sequence[object]) -> str:
    names = [str(getattr(parameter, "name", "")) for parameter in parameters]
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    return ", ".join(names[:4]) + more + "."


def _number(value: float | None) -> str:
    return "no finite number" if value is None else f"{value:.4g}"

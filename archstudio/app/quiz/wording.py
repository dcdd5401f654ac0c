"""The words of questions: families, types, metrics and protocols as people read them."""

from __future__ import annotations

from collections.abc import Iterable

from archstudio.app.quiz.item import QuizItem, ShownChoice
from archstudio.app.quiz.record import Protocol
from archstudio.app.words import said
from archstudio.intuition.candidates.spec import CandidateSpec, KanModel, MlpModel

_FAMILIES = {
    "univariate_regression": "Univariate regression",
    "multivariate_regression": "Multivariate regression",
    "bigram_lm": "Bigram language model",
    "synthetic_tabular_classification": "Tabular classification",
}
_TYPES = {
    "architecture_only": "architectures differ",
    "optimizer_only": "optimisers differ",
    "loss_only": "losses differ",
    "mixed": "several parts differ",
    "ranking": "ranking",
}
_METRICS = {"test_mse": "test MSE", "test_ce": "test cross-entropy"}
_PROTOCOLS: dict[Protocol, tuple[str, str]] = {
    "practice": ("Practice", "Any question at any time, with feedback; own settings whenever you like."),
    "full_sequential_feedback": (
        "With feedback", "One question after the other; after each answer its curves, and a note on what you learnt.",
    ),
    "blind": ("Blind", "One question after the other, and nothing is told until the end."),
}  # fmt: skip
_LABELS = {
    "trainable parameter count": "parameters",
    "total samples seen": "samples seen",
    "num_heads": "heads",
    "optimizer": "optimiser",
    "d_model": "model width",
    "d_ff": "inner width",
    "training steps": "steps",
    "num_layers": "layers",
}
_GROUPS = {
    "budget": ("training steps", "batch size", "total samples seen"),
    "optimiser": ("optimizer", "learning rate", "weight decay", "betas", "momentum"),
    "loss": ("loss", "lambda"),
}
"""Every other setting is one of the model."""
ABSENT = "–"
"""What stands where a set-up has no such setting."""
_LONG = 1000
_MINUTE, _HOUR = 60, 3600
NBSP = "\N{NO-BREAK SPACE}"


def family_title(family: str) -> str:
    """What a family is called; one that is not known keeps its name."""
    return said(_FAMILIES.get(family, family.replace("_", " ")))


def type_title(kind: str) -> str:
    """What differs in a question."""
    return said(_TYPES.get(kind, kind.replace("_", " ")))


def metric_title(metric: str) -> str:
    """What a metric is called."""
    return said(_METRICS.get(metric, metric.replace("_", " ")))


def protocol_title(protocol: Protocol) -> str:
    """What a protocol is called."""
    return said(_PROTOCOLS[protocol][0])


def protocol_words(protocol: Protocol) -> str:
    """What a protocol does, in a sentence."""
    return said(_PROTOCOLS[protocol][1])


def setting_group(label: str) -> str:
    """Which part of a set-up a setting belongs to: budget, model, optimiser or loss."""
    return next((group for group, labels in _GROUPS.items() if label in labels), "model")


def in_card_order(labels: Iterable[str]) -> list[str]:
    """Return settings group by group, within each in the order they came."""
    groups = [*_GROUPS]
    groups.insert(1, "model")
    return sorted(labels, key=lambda label: groups.index(setting_group(label)))


def setting_label(label: str) -> str:
    """What a setting is called on a card."""
    return said(_LABELS.get(label, label))


def setting_value(value: str) -> str:
    """A setting as it is read: thousands apart, a list of equal values once."""
    if value.isdecimal() and int(value) >= _LONG:
        return f"{int(value):,}"
    parts = value.split(", ")
    if len(parts) > 1 and len(set(parts)) == 1 and not parts[0].replace(".", "").isdecimal():
        return f"{parts[0]} (all {len(parts)})"
    return value


def settings_line(choice: ShownChoice) -> str:
    """All settings of a card in one text that breaks only between them."""
    rows = [row for row in choice.rows if row.value != ABSENT]
    parts = [f"{setting_label(row.label)} {setting_value(row.value)}".replace(" ", NBSP) for row in rows]
    return f"{NBSP}{NBSP}· {NBSP}".join(parts)


def set_up_words(spec: CandidateSpec) -> str:
    """A set-up in a few words: its model with its sizes, its optimiser with its rate."""
    model = spec.model
    if isinstance(model, MlpModel):
        kinds = sorted(set(model.activations))
        shape = f"MLP {model.depth}×{model.width} {kinds[0] if len(kinds) == 1 else 'mixed'}"
    elif isinstance(model, KanModel):
        shape = f"KAN {model.depth}×{model.width}"
    else:
        shape = f"Transformer {model.num_layers}×{model.width}"
    return f"{shape}, {spec.optimizer.type} {spec.optimizer.lr:g}"


def question_sentence(item: QuizItem) -> str:
    """What is asked."""
    if item.question:
        return item.question
    if item.kind == "ranking":
        asked = said("Put the set-ups in order of their {metric}, lowest first.")
    else:
        asked = said("Which set-up ends with the lowest {metric}?")
    return asked.format(metric=metric_title(item.metric))


def question_detail(item: QuizItem) -> str:
    """How the truth was found."""
    seeds = "" if item.seeds is None else said("Mean over {n} seeds").format(n=item.seeds)
    params, sizes = item.data.params, ""
    if params is not None:
        told = said("{train} samples to train on, {test} to test")
        sizes = told.format(train=f"{params.train_size:,}", test=f"{params.test_size:,}")
    return ". ".join(part for part in (seeds, sizes) if part)


def time_text(seconds: float) -> str:
    """A time left, as roughly as it is known."""
    if seconds < _MINUTE:
        return said("about {n} s").format(n=max(1, round(seconds)))
    if seconds < _HOUR:
        return said("about {n} min").format(n=round(seconds / _MINUTE))
    return said("about {n} h").format(n=f"{seconds / _HOUR:.1f}")


def number_text(value: float) -> str:
    """A metric with four digits."""
    return f"{value:.4g}"

"""What a network costs, as rows of text: memory to run and to train it, caches, and latency on a machine."""

from __future__ import annotations

from dataclasses import dataclass

from archstudio.app.document import Document
from archstudio.app.figures import UNKNOWN, bytes_text, count_text, milliseconds_text
from archstudio.app.words import said
from archstudio.files.settings import SettingsFile
from archstudio.verify.costs.machines import machines
from archstudio.verify.costs.report import DEFAULT_MACHINE, Costs, Timed, costs
from archstudio.verify.costs.weights import WEIGHT_BYTES, weight_bytes

MOST_LAYERS = 1_500
"""Up to so many layers the costs follow every edit; larger graphs are worked out when asked for."""
_MACHINE, _CONTEXT, _FORMAT = "costMachine", "costContext", "costFormat"
DEFAULT_CONTEXT, DEFAULT_FORMAT = 4_096, "bf16"
MOST_CONTEXT = 10_000_000


@dataclass(frozen=True, slots=True)
class CostChoice:
    """For what machine, context in tokens and format of weights latencies are told."""

    machine: str = DEFAULT_MACHINE
    context: int = DEFAULT_CONTEXT
    format: str = DEFAULT_FORMAT


def stored_choice(settings: SettingsFile) -> CostChoice:
    """What was chosen last; what the settings do not know is as usual."""
    stored = settings.read()
    machine, context, format_ = stored.get(_MACHINE), stored.get(_CONTEXT), stored.get(_FORMAT)
    return CostChoice(
        machine if isinstance(machine, str) and machine in machines() else DEFAULT_MACHINE,
        context if isinstance(context, int) and 1 <= context <= MOST_CONTEXT else DEFAULT_CONTEXT,
        format_ if isinstance(format_, str) and format_ in WEIGHT_BYTES else DEFAULT_FORMAT,
    )


def store_choice(settings: SettingsFile, choice: CostChoice) -> None:
    """Remember a choice for the next start; SaveFailed leaves the one before."""
    settings.update({_MACHINE: choice.machine, _CONTEXT: choice.context, _FORMAT: choice.format})


@dataclass(frozen=True, slots=True)
class CostRow:
    """One cost: what it is, how much, and how it was reckoned."""

    title: str
    value: str
    how: str = ""


def network_costs(document: Document, choice: CostChoice) -> Costs | None:
    """The costs of a document's graph; None while an error stands."""
    return costs(document.verdict, context=choice.context, dtype=choice.format, machine=choice.machine)


def weight_rows(parameters: int | None) -> list[CostRow]:
    """Bytes of the weights in the four formats, two a row."""
    how = said("The scales of the quantised formats are not counted.")
    pairs = (("fp32", "bf16"), ("int8", "int4"))
    return [
        CostRow(said("Weights {formats}").format(formats=" · ".join(pair)), _sizes(parameters, pair), how)
        for pair in pairs
    ]


def _sizes(parameters: int | None, formats: tuple[str, str]) -> str:
    if parameters is None:
        return UNKNOWN
    return " · ".join(bytes_text(weight_bytes(parameters, name)) for name in formats)


def memory_rows(found: Costs | None, batch: int) -> list[CostRow]:
    """Memory beside the weights, at the graph's own B and T in float32; `unknown` while an error stands."""
    peak = None if found is None else found.peak.bytes
    step = None if found is None else found.training_bytes["adam"]
    return [
        CostRow(
            said("Activations, B={batch}").format(batch=f"{batch:,}"),
            bytes_text(peak),
            said("The most that is alive at once in inference, float32; what a layer uses inside is not counted."),
        ),
        CostRow(
            said("One training step, Adam"),
            bytes_text(step),
            said("Weights, gradients, optimiser and what backward needs, float32; without workspaces."),
        ),
    ]


def cache_rows(found: Costs | None) -> list[CostRow]:
    """What attention keeps for each token; nothing for a network without attention."""
    if found is None or found.kv is None:
        return []
    how = said("Keys and values that one more token of one sequence adds, 16-bit.")
    if not found.kv.causal:
        only = said("Some attention here sees what comes after, so it can be cached only if it is run as a decoder.")
        how = f"{how} {only}"
    return [CostRow(said("KV per token"), bytes_text(found.kv.bytes_per_token), how)]


def latency_rows(found: Costs | None, choice: CostChoice) -> list[CostRow]:
    """How long a prompt and each token after it take on the machine chosen; nothing where there is no sequence."""
    if found is None:
        return []
    rows = []
    if found.prefill is not None:
        rows.append(_timed(said("Prefill {n} tokens").format(n=f"{choice.context:,}"), found.prefill, choice))
    if found.decode is not None:
        rows.append(_timed(said("Decode per token"), found.decode, choice))
    return rows


def _timed(title: str, timed: Timed, choice: CostChoice) -> CostRow:
    usual, best = timed.typical, timed.ideal
    bound = {
        "compute": said("arithmetic"),
        "weights": said("reading the weights"),
        "kv": said("reading the cache"),
    }[usual.bound]
    speed = "" if usual.tokens_per_second == float("inf") else f" · {count_text(usual.tokens_per_second)} tok/s"
    how = said(
        "On {machine}, {format} weights, one sequence, {n} tokens, at the 65 % that programs usually reach; "
        "{best} at best. Bound by {bound}."
    ).format(
        machine=choice.machine,
        format=choice.format,
        n=f"{choice.context:,}",
        best=milliseconds_text(best.ms),
        bound=bound,
    )
    return CostRow(title, f"{milliseconds_text(usual.ms)}{speed}", how)


def sequence_of(document: Document) -> int | None:
    """The length T that the graph's inputs have now; None if none says which axis is the sequence."""
    chosen = document.graph.meta.get("sequence")
    for node in document.graph.nodes:
        axis, shape = node.params.get("sequenceAxis"), node.params.get("shape")
        if (
            node.type == "input"
            and isinstance(axis, int)
            and isinstance(shape, list)
            and -len(shape) <= axis < len(shape)
        ):
            size = chosen if isinstance(chosen, int) else shape[axis]
            if isinstance(size, int):
                return max(1, size)
    return None

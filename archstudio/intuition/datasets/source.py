"""Writes `synthesize.py`, the program that makes a data set's tensors; every number in it stands in the spec."""

from archstudio.intuition.datasets.spec import (
    BigramParams,
    DatasetSpec,
    FormulaParams,
    TabularParams,
)
from archstudio.intuition.formulas.text import parse, torch_code
from archstudio.intuition.formulas.tree import GUARD, NUDGE, Binary, Node, walk

_FORMULA = '''\
"""Makes the tensors of a data set: points in a box, and a formula of their coordinates."""

import torch


def number(value: float) -> torch.Tensor:
    """A constant of the formula, in single precision like everything else."""
    return torch.tensor(value, dtype=torch.float32)

@divide@
def target(x: torch.Tensor) -> torch.Tensor:
    """The formula at points (N, @dimension@), as (N, 1)."""
@coordinates@
    return @expression@


def synthesize(
    *,
@sizes@
    point_seed: int = @point_seed@,
    low: float = @low@,
    high: float = @high@,
) -> tuple[torch.Tensor, ...]:
    """Inputs and targets of each split, one after the other from one generator."""
    generator = torch.Generator().manual_seed(point_seed)
    inputs = [
        low + (high - low) * torch.rand(size, @dimension@, generator=generator, dtype=torch.float32)
        for size in (@names@)
    ]
    return tuple(tensor for x in inputs for tensor in (x, target(x)))
'''

_DIVIDE = f'''
def divide(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """The formula's division: the divisor is kept at least {GUARD} away from zero."""
    return a / torch.clamp(torch.abs(b), min={GUARD}) * torch.sign(b + {NUDGE})

'''

_BIGRAM = '''\
"""Makes the tensors of a data set: windows of tokens from one Markov chain, and the tokens that follow."""

import numpy as np
import torch


def build_transition(
    *, table_seed: int = @table_seed@, vocab_size: int = @vocab_size@, alpha: float = @alpha@
) -> tuple[np.ndarray, np.ndarray]:
    """The probabilities P[previous, next], and the share of each token in a long text."""
    logits = alpha * np.random.default_rng(table_seed).standard_normal((vocab_size, vocab_size))
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    probs = weights / weights.sum(axis=1, keepdims=True)
    pi = np.full(vocab_size, 1.0 / vocab_size)
    for _ in range(256):
        pi = pi @ probs
        pi = pi / pi.sum()
    return probs, pi


def draw_windows(count: int, length: int, probs: np.ndarray, pi: np.ndarray, seed: int) -> torch.Tensor:
    """Windows one after the other: the first token by its share, each next one by the one before it."""
    rng = np.random.default_rng(seed)
    windows = np.empty((count, length), dtype=np.int64)
    for window in windows:
        window[0] = rng.choice(len(pi), p=pi)
        for position in range(1, length):
            window[position] = rng.choice(len(pi), p=probs[window[position - 1]])
    return torch.from_numpy(windows)


def target(windows: torch.Tensor) -> torch.Tensor:
    """The token that follows each input token: (N, L + 1) -> (N, L)."""
    return windows[:, 1:].clone()


def synthesize(
    *,
@sizes@
    context_length: int = @context_length@,
    sequence_seed: int = @sequence_seed@,
) -> tuple[torch.Tensor, ...]:
    """Inputs and targets of each split; each split has a seed of its own."""
    probs, pi = build_transition()
    tensors: list[torch.Tensor] = []
    for number, size in enumerate((@names@)):
        windows = draw_windows(size, context_length + 1, probs, pi, sequence_seed + number)
        tensors += [windows[:, :-1].clone(), target(windows)]
    return tuple(tensors)
'''

_TABULAR_HEAD = '''\
"""Makes the tensors of a data set: normal features, and labels by a noisy rule over some of them."""

import torch


'''

_TABULAR = '''

def target(x: torch.Tensor, noise: torch.Tensor, *, decision_threshold: float = @threshold@) -> torch.Tensor:
    """Label 1 where the noisy score is above the threshold."""
    return (scores(x) + noise > decision_threshold).to(torch.int64)


def synthesize(
    *,
@sizes@
    point_seed: int = @point_seed@,
    noise_std: float = @noise_std@,
) -> tuple[torch.Tensor, ...]:
    """Inputs and labels of each split; all inputs are drawn before all noise."""
    generator = torch.Generator().manual_seed(point_seed)
    sizes = (@names@)
    inputs = [torch.randn(size, @dimension@, generator=generator) for size in sizes[:2]]
    noises = [noise_std * torch.randn(size, generator=generator) for size in sizes[:2]]
    for size in sizes[2:]:  # drawn last, so that it changes nothing before it
        inputs.append(torch.randn(size, @dimension@, generator=generator))
        noises.append(noise_std * torch.randn(size, generator=generator))
    return tuple(tensor for x, noise in zip(inputs, noises) for tensor in (x, target(x, noise)))
'''


def synthesize_source(spec: DatasetSpec) -> str:
    """Return the text of `synthesize.py`; raises `UnusableFile` if a formula is none."""
    params = spec.params
    if isinstance(params, BigramParams):
        return _filled(
            _BIGRAM,
            params,
            table_seed=params.table_seed,
            vocab_size=params.vocab_size,
            alpha=params.alpha,
            context_length=params.context_length,
            sequence_seed=params.sequence_seed,
        )
    if isinstance(params, TabularParams):
        return _filled(
            _TABULAR_HEAD + tabular_scores_source(params) + _TABULAR,
            params,
            threshold=repr(params.decision_threshold),
            point_seed=params.point_sampling.seed,
            noise_std=params.noise_std,
            dimension=params.input_dim,
        )
    return _formula_source(params, spec.dataset_id)


def formula_of(params: FormulaParams, name: str) -> Node:
    """Return the formula of a regression data set as a tree; raises `UnusableFile`."""
    return parse(params.expression, coordinates=params.input_dim or 1, name=name)


def _formula_source(params: FormulaParams, name: str) -> str:
    dimension = params.input_dim or 1
    formula = formula_of(params, name)
    divides = any(isinstance(inner, Binary) and inner.operator == "/" for inner in walk(formula))
    coordinates = [f"    x{index} = x[:, {index} : {index + 1}]" for index in range(dimension)]
    return _filled(
        _FORMULA,
        params,
        divide=_DIVIDE if divides else "",
        dimension=dimension,
        coordinates="\n".join(coordinates),
        expression=torch_code(formula),
        point_seed=params.point_sampling.seed,
        low=params.domain[0],
        high=params.domain[1],
    )


def tabular_scores_source(params: TabularParams) -> str:
    """Return the function `scores(x)` of a rule, noiseless scores (N,) of features (N, d)."""
    terms: list[str]
    lines: list[str] = []
    match params.rule_family:
        case "smooth_additive":
            terms = [
                f"{_signed(w)} * (torch.sin(x[:, {j}]) + 0.25 * x[:, {j}] ** 2)"
                for w, j in zip(params.rule_weights, params.active_features, strict=True)
            ]
        case "sparse_interaction":
            terms = [
                f"{_signed(w)} * x[:, {a}] * x[:, {b}]"
                for w, (a, b) in zip(params.rule_weights, params.interaction_pairs, strict=True)
            ]
        case "piecewise_boundary":
            (first, second), (below, above, offset) = params.active_features[:2], params.rule_weights
            side = f"x[:, {first}] < {params.piecewise_breakpoint!r}"
            lines = [f"    slope = torch.where({side}, {below!r}, {above!r})"]
            terms = [f"slope * x[:, {second}]", f"{_signed(offset)} * x[:, {first}]"]
    head = [
        "def scores(x: torch.Tensor) -> torch.Tensor:",
        '    """The rule without noise: features (N, d) -> (N,)."""',
    ]
    total = "\n        + ".join(terms)
    return "\n".join([*head, *lines, f"    return (\n        {total}\n    )\n"])


def _signed(weight: float) -> str:
    return repr(weight) if weight >= 0 else f"({weight!r})"


def _filled(template: str, params: FormulaParams | BigramParams | TabularParams, **values: object) -> str:
    names = ["train_size", "test_size", *(["validation_size"] if params.validation_size else [])]
    sizes = "\n".join(f"    {name}: int = {getattr(params, name)}," for name in names)
    for key, value in {"sizes": sizes, "names": ", ".join(names), **values}.items():
        template = template.replace(f"@{key}@", str(value))
    return template

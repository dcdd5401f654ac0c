"""Writes the four files of a candidate from its spec; what is trained, and what questions show, are these files."""

from itertools import pairwise

from archstudio.intuition.candidates.spec import (
    CandidateSpec,
    KanModel,
    LossSpec,
    MlpModel,
    OptimizerSpec,
    TransformerModel,
)
from archstudio.intuition.candidates.train_source import train_source

_MLP = '''\
"""The model of this candidate: a multi-layer perceptron."""

import torch
from torch import nn


class Block(nn.Module):
    """[LayerNorm] -> Linear -> activation, and the input added where the candidate is residual."""

    def __init__(self, activation: nn.Module, *, norm: bool) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(@width@) if norm else nn.Identity()
        self.linear = nn.Linear(@width@, @width@)
        self.activation = activation

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return @forward@


class Model(nn.Module):
    """(N, @inputs@) -> (N, @outputs@)."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(@inputs@, @width@),
@blocks@
            nn.Linear(@width@, @outputs@),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers(x)
'''

_TRANSFORMER = '''\
"""The model of this candidate: a causal transformer over tokens."""

import torch
from torch import nn


class Model(nn.Module):
    """(N, L) tokens -> (N, L, @vocab_size@) scores of the next token. All encoder layers start out identical."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens = nn.Embedding(@vocab_size@, @d_model@)
        self.positions = nn.Embedding(@context_length@, @d_model@)
        layer = nn.TransformerEncoderLayer(
            d_model=@d_model@,
            nhead=@num_heads@,
            dim_feedforward=@d_ff@,
            dropout=0.0,
            activation="gelu",
            batch_first=True,
        )
        self.encoder = nn.TransformerEncoder(layer, num_layers=@num_layers@)
        self.head = nn.Linear(@d_model@, @vocab_size@)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        length = x.shape[1]
        hidden = self.tokens(x) + self.positions(torch.arange(length, device=x.device))
        future = torch.ones(length, length, dtype=torch.bool, device=x.device).triu(1)
        return self.head(self.encoder(hidden, mask=future))
'''

_KAN = '''\
"""The model of this candidate: a Kolmogorov-Arnold network on a fixed spline grid."""

import math

import torch
from torch import nn

LOW, HIGH, INTERVALS, ORDER = @low@, @high@, @grid_size@, @spline_order@


class SplineLayer(nn.Module):
    """A linear map of the activated input, plus one B-spline of order ORDER for every pair of input and output."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.base = nn.Parameter(torch.empty(outputs, inputs))
        nn.init.kaiming_uniform_(self.base, a=math.sqrt(5))
        self.coefficients = nn.Parameter(0.01 * torch.randn(outputs, inputs, INTERVALS + ORDER))
        step = (HIGH - LOW) / INTERVALS
        self.register_buffer("knots", LOW + step * torch.arange(-ORDER, INTERVALS + ORDER + 1))

    def splines(self, x: torch.Tensor) -> torch.Tensor:
        """All basis functions at x, by the recursion of Cox and de Boor: (N, inputs) -> (N, inputs, bases)."""
        x, t = x.unsqueeze(-1), self.knots
        basis = ((x >= t[:-1]) & (x < t[1:])).to(x.dtype)
        for k in range(1, ORDER + 1):
            rising = (x - t[: -k - 1]) / (t[k:-1] - t[: -k - 1])
            falling = (t[k + 1 :] - x) / (t[k + 1 :] - t[1:-k])
            basis = rising * basis[..., :-1] + falling * basis[..., 1:]
        return basis

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        straight = nn.functional.linear(@activation@(x), self.base)
        return straight + torch.einsum("nib,oib->no", self.splines(x), self.coefficients)


class Model(nn.Module):
    """(N, @inputs@) -> (N, @outputs@)."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
@layers@
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers(x)
'''

_OPTIMIZER = '''\
"""The optimizer of this candidate."""

import torch
from torch import nn


def build_optimizer(model: nn.Module) -> torch.optim.Optimizer:
    return torch.optim.@call@
'''

_LOSS = '''\
"""The loss of this candidate."""

import torch
from torch import nn


def loss_fn(model: nn.Module, prediction: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
@body@
'''

_MSE = "torch.mean((prediction - target) ** 2)"
_CROSS_ENTROPY = "nn.functional.cross_entropy(prediction.flatten(0, -2), target.flatten())"


def candidate_sources(spec: CandidateSpec) -> dict[str, str]:
    """Return the text of each generated file by its name."""
    return {
        "model.py": model_source(spec.model),
        "optimizer.py": optimizer_source(spec.optimizer),
        "loss.py": loss_source(spec.loss),
        "train.py": train_source(spec),
    }


def model_source(model: MlpModel | TransformerModel | KanModel) -> str:
    """Return `model.py`, which defines `Model`."""
    if isinstance(model, MlpModel):
        return _mlp_source(model)
    if isinstance(model, TransformerModel):
        return _filled(
            _TRANSFORMER,
            vocab_size=model.vocab_size,
            context_length=model.context_length,
            d_model=model.width,
            num_heads=model.num_heads,
            num_layers=model.num_layers,
            d_ff=model.inner,
        )
    return _kan_source(model)


def _mlp_source(model: MlpModel) -> str:
    makers = {
        "relu": "nn.ReLU()",
        "leaky_relu": f"nn.LeakyReLU({model.slope})",
        "gelu": "nn.GELU()",
        "silu": "nn.SiLU()",
    }
    layers = zip(model.activations, model.layer_norm, strict=True)
    changed = "self.activation(self.linear(self.norm(x)))"
    return _filled(
        _MLP,
        inputs=model.ends[0],
        outputs=model.ends[1],
        width=model.width,
        forward=f"{changed} + x" if model.residual else changed,
        blocks="\n".join(f"            Block({makers[activation]}, norm={norm})," for activation, norm in layers),
    )


def _kan_source(model: KanModel) -> str:
    layers = [f"            SplineLayer({a}, {b})," for a, b in pairwise(model.widths)]
    return _filled(
        _KAN,
        low=model.grid_range[0],
        high=model.grid_range[1],
        grid_size=model.grid_size,
        spline_order=model.spline_order,
        activation=f"nn.functional.{model.base_activation}",
        inputs=model.input_dim,
        outputs=model.output_dim,
        layers="\n".join(layers),
    )


def optimizer_source(optimizer: OptimizerSpec) -> str:
    """Return `optimizer.py`, which defines `build_optimizer(model)`."""
    settings = [f"lr={optimizer.lr!r}", f"weight_decay={optimizer.weight_decay!r}"]
    if optimizer.momentum is not None:
        settings.append(f"momentum={optimizer.momentum!r}")
    if optimizer.betas is not None:
        settings.append(f"betas={tuple(optimizer.betas)!r}")
    return _filled(_OPTIMIZER, call=f"{optimizer.type}(model.parameters(), {', '.join(settings)})")


def loss_source(loss: LossSpec) -> str:
    """Return `loss.py`, which defines `loss_fn(model, prediction, target)`."""
    base = _MSE if loss.base == "mse" else _CROSS_ENTROPY
    if loss.penalty is None:
        return _filled(_LOSS, body=f"    return {base}")
    size = "weight**2" if loss.penalty == "l2" else "weight.abs()"
    sizes = f"    sizes = [torch.mean({size}) for weight in model.parameters()]"
    return _filled(_LOSS, body=f"{sizes}\n    return {base} + {loss.weight!r} * torch.stack(sizes).mean()")


def _filled(template: str, **values: object) -> str:
    for key, value in values.items():
        template = template.replace(f"@{key}@", str(value))
    return template

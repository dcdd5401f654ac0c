"""A candidate in words: the lines that prompts and cards show, and the table of its settings."""

from archstudio.intuition.candidates.sizes import parameter_count
from archstudio.intuition.candidates.spec import (
    CandidateSpec,
    KanModel,
    LossSpec,
    MlpModel,
    OptimizerSpec,
    TransformerModel,
)


def model_lines(model: MlpModel | TransformerModel | KanModel) -> list[str]:
    """Return the facts of a model, one a line; sizes of 1 at its ends are left out."""
    if isinstance(model, TransformerModel):
        return [
            "Type: causal transformer LM",
            f"Vocab size: {model.vocab_size}",
            f"Context length: {model.context_length}",
            f"d_model: {model.width}",
            f"num_layers: {model.num_layers}",
            f"num_heads: {model.num_heads}",
            f"d_ff: {model.inner}",
        ]
    inputs, outputs = model.ends if isinstance(model, MlpModel) else (model.input_dim, model.output_dim)
    lines = [f"Input dimension: {inputs}"] if inputs > 1 else []
    lines += [f"Output logits: {outputs}"] if outputs > 1 else []
    return _mlp_lines(model, lines) if isinstance(model, MlpModel) else _kan_lines(model, lines)


def _mlp_lines(model: MlpModel, ends: list[str]) -> list[str]:
    slope = [f"LeakyReLU negative slope: {model.slope}"] if "leaky_relu" in model.activations else []
    return [
        "Type: MLP",
        *ends,
        f"Depth: {model.depth} hidden layers",
        f"Width: {model.width} (all hidden layers)",
        f"Residual connections: {model.residual}",
        f"Layer norm per layer: {model.layer_norm}",
        f"Activations: [{', '.join(model.activations)}]",
        *slope,
        "Initialization: PyTorch Linear defaults",
    ]


def _kan_lines(model: KanModel, ends: list[str]) -> list[str]:
    return [
        f"Type: KAN ({model.variant})",
        *ends,
        f"Depth: {model.depth}",
        f"Width: {model.width}",
        f"Grid size: {model.grid_size}",
        f"Spline order: {model.spline_order}",
        f"Grid range: {model.grid_range}",
        f"Base activation: {model.base_activation}",
        "The spline grid is fixed",
    ]


def optimizer_lines(optimizer: OptimizerSpec) -> list[str]:
    """Return the facts of an optimiser, one a line."""
    lines = [
        f"Optimizer: {optimizer.type}",
        f"Learning rate: {optimizer.lr}",
        f"Weight decay: {optimizer.weight_decay}",
    ]
    if optimizer.momentum is not None:
        lines.append(f"Momentum: {optimizer.momentum}")
    if optimizer.betas is not None:
        lines.append(f"Betas: {optimizer.betas}")
    return lines


def loss_lines(loss: LossSpec) -> list[str]:
    """Return the loss in words."""
    base = "mean squared error" if loss.base == "mse" else "cross-entropy"
    line = f"Loss: {base} on the minibatch"
    if loss.penalty is not None:
        size = "squares" if loss.penalty == "l2" else "absolute values"
        line += f" + {loss.weight} (lambda) times the mean over parameter tensors of their mean {size}"
    return [line]


def settings(spec: CandidateSpec) -> dict[str, str]:
    """Return all settings by their labels, in the order of cards."""
    budget = spec.budget
    table: dict[str, object] = {
        "training steps": budget.training_steps,
        "batch size": budget.batch_size,
        "total samples seen": budget.total_samples_seen,
        "model type": spec.model.type,
        **_model_settings(spec),
        "optimizer": spec.optimizer.type,
        "learning rate": spec.optimizer.lr,
        "weight decay": spec.optimizer.weight_decay,
    }
    if spec.optimizer.betas is not None:
        table["betas"] = ", ".join(map(str, spec.optimizer.betas))
    if spec.optimizer.momentum is not None:
        table["momentum"] = spec.optimizer.momentum
    table["loss"] = spec.loss.loss_id
    if spec.loss.weight is not None:
        table["lambda"] = spec.loss.weight
    return {label: str(value) for label, value in table.items()}


def _model_settings(spec: CandidateSpec) -> dict[str, object]:
    model, count = spec.model, {"trainable parameter count": parameter_count(spec.model)}
    if isinstance(model, MlpModel):
        return {
            "layers": model.depth,
            "width": model.width,
            **count,
            "residual": _yes(model.residual),
            "layer norm": ", ".join(map(_yes, model.layer_norm)),
            "activations": ", ".join(model.activations),
        }
    if isinstance(model, TransformerModel):
        sizes: dict[str, object] = {"layers": model.num_layers, "d_model": model.width, **count}
        return {**sizes, "num_heads": model.num_heads, "d_ff": model.inner}
    sizes = {"layers": model.depth, "width": model.width, **count}
    return {
        **sizes,
        "grid size": model.grid_size,
        "spline order": model.spline_order,
        "activations": model.base_activation,
    }


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"

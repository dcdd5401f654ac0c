"""Counts the trainable parameters of a candidate's model from its spec, without building it."""

from itertools import pairwise

from archstudio.intuition.candidates.spec import KanModel, MlpModel, TransformerModel


def parameter_count(model: MlpModel | TransformerModel | KanModel) -> int:
    """Return how many numbers training may change."""
    if isinstance(model, MlpModel):
        return _mlp(model)
    if isinstance(model, TransformerModel):
        return _transformer(model)
    bases = 1 + model.grid_size + model.spline_order
    return bases * sum(a * b for a, b in pairwise(model.widths))


def _mlp(model: MlpModel) -> int:
    (inputs, outputs), width = model.ends, model.width
    blocks = model.depth * (width * width + width) + 2 * width * sum(model.layer_norm)
    return inputs * width + width + blocks + width * outputs + outputs


def _transformer(model: TransformerModel) -> int:
    width, inner, words = model.width, model.inner, model.vocab_size
    layer = 4 * width * width + 2 * width * inner + 9 * width + inner
    embeddings = (words + model.context_length) * width
    return embeddings + model.num_layers * layer + width * words + words

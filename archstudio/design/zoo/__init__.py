"""Known networks as graphs, drawn by small builders; the files in `fixtures/zoo` are what they draw."""

from __future__ import annotations

from archstudio.design.zoo import convnets, language, mobilenet, recommendation, resnet, transformers, unet
from archstudio.design.zoo.model import Model

MODELS: tuple[Model, ...] = (
    *convnets.MODELS,
    *resnet.MODELS,
    *mobilenet.MODELS,
    *unet.MODELS,
    *transformers.MODELS,
    *language.MODELS,
    *recommendation.MODELS,
)
"""All of them, in the order people see them."""

__all__ = ["MODELS", "Model"]

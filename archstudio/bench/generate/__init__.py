"""Arch-Bench's task generators: a tier, a count and a seed always give the same tasks."""

from archstudio.bench.generate.split import FAMILIES, TIERS, SplitReader, Tier, generate, generated_task
from archstudio.bench.generate.task import GeneratedTask, Statement, Wording

__all__ = [
    "FAMILIES",
    "TIERS",
    "GeneratedTask",
    "SplitReader",
    "Statement",
    "Tier",
    "Wording",
    "generate",
    "generated_task",
]

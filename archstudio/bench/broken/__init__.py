"""Broken graphs for practice: each with one realistic fault, hints that tell more and more, and a repair.

The graphs are drawn here and written to `fixtures/broken/` by `python -m archstudio.bench.broken`; the program reads
the files.
"""

from archstudio.bench.broken.exercise import Exercise, exercise, exercise_names

__all__ = ["Exercise", "exercise", "exercise_names"]

"""Arch-Bench in Python: the engine, rubric, grader, tasks and generators that models were measured with."""

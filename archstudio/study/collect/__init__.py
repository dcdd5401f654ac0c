"""Puts the session files of many machines together: what counts, what does not and why, and the tables they come to."""

from archstudio.study.collect.coverage import Coverage, coverage
from archstudio.study.collect.merge import Collected, Left, collect
from archstudio.study.collect.withdrawal import withdraw

__all__ = ["Collected", "Coverage", "Left", "collect", "coverage", "withdraw"]

"""Name patterns with JavaScript's meaning, under a budget of steps instead of a clock.

Patterns come from files and from models, so they are neither Python's dialect nor to be trusted. Both concerns are met
by matching them ourselves: a parser for JavaScript's syntax without flags [ECMA-262 22.2 and annex B.1.2] and a
backtracking machine that counts its steps. The outcome never depends on how fast the computer is.
"""

from archstudio.edits.actions.regex.machine import Budget, Exhausted, Pattern
from archstudio.edits.actions.regex.syntax import PatternError

__all__ = ["Budget", "Exhausted", "Pattern", "PatternError"]

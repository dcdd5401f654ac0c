"""Symbolic formulas: drawn at random, printed, read back, and turned into code."""

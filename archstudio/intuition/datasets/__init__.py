"""Synthetic data sets: a spec, the program that makes the tensors from it, and the tensors."""

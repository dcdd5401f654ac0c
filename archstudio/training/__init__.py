"""Runs: what is trained, on which data, by which child process, and what came out, without knowing the graph."""

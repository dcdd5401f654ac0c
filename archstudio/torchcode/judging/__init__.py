"""Asks real PyTorch in a process of its own whether it says of a graph what the rules say."""

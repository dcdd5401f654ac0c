"""Arch Studio: design, repair and train neural-network architectures as graphs."""

__version__ = "0.1.0"

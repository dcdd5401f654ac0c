"""Asks language models the questions of ArchitectureIQ, and reads, scores and compares what they answer."""

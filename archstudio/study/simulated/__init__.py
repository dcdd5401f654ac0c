"""Participants who are programs, for tests of everything that comes after: each row they leave says `simulated`."""

from archstudio.study.simulated.person import Person, people
from archstudio.study.simulated.running import play, simulate

__all__ = ["Person", "people", "play", "simulate"]

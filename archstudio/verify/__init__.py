"""What PyTorch would say of a graph: shapes on every wire, errors, parameters, costs. No torch is imported."""

from archstudio.verify.session import Session, check
from archstudio.verify.verdict import NodeVerdict, State, Verdict

__all__ = ["NodeVerdict", "Session", "State", "Verdict", "check"]

"""Axes named by a parameter: counted from either end, and refused where there are none."""

from __future__ import annotations

from archstudio.layers.problem import ProblemKind, Refused, error
from archstudio.layers.wire import Wire

AXIS = ProblemKind(
    "E-AXIS",
    error,
    "{node} works on axis {dim}, the wire has {gets} axes",
    "Axes are counted from 0, or from −1 at the end.",
)


def axis_among(rank: int, dim: int, param: str = "dim", port: int = 0) -> int:
    """The axis counted from 0; Refused if there is none among so many. A scalar counts as having one."""
    room = max(rank, 1)
    if not -room <= dim < room:
        raise Refused(AXIS, port=port, dim=dim, gets=rank, param=param)
    return dim % room


def axis_of(x: Wire, dim: int, param: str = "dim", port: int = 0) -> int:
    """The axis of this tensor counted from 0; Refused if there is none."""
    return axis_among(x.rank, dim, param, port)

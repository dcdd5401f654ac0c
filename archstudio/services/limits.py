"""What one request, one client and the whole service may take."""

from dataclasses import dataclass
from typing import Final

from archstudio.files.limits import MIB, Limits

LARGEST_SEED: Final = 2**32 - 1
MOST_TASKS: Final = 100_000
"""Tasks of a split that can be asked for, as in the original."""
MOST_TURNS: Final = 16
MOST_ACTIONS: Final = 10_000
REQUEST_JSON: Final = Limits(size_bytes=5 * MIB, depth=32, values=500_000)
"""What the JSON of a request may hold."""


@dataclass(frozen=True)
class ServiceLimits:
    """Limits of one process; all of them end a request, none ends the service."""

    body_bytes: int = 5 * MIB
    body_s: float = 20.0
    """Until the whole body is there."""
    header_s: float = 10.0
    """Until the whole head of a request is there."""
    request_s: float = 120.0
    """Until the whole answer is sent, also to a client that reads slowly."""
    requests_at_once: int = 256
    connections: int = 2_000
    rate_per_s: float = 0.0
    """Requests a second of one client, on average; 0 is no limit."""
    burst: int = 200
    inline_bytes: int = 8_192
    """Work on bodies up to here is done where it arrives; larger ones go to a process that can be ended."""
    inline_parts: int = 1_000
    """The same for the components and connections of a graph."""
    work_s: float = 10.0
    work_bytes: int = 1_024 * MIB
    """Memory of the process for large work, where the system can limit it."""
    waiting_work: int = 16
    episodes: int = 10_000
    episode_bytes: int = 256 * MIB
    """All live episodes together; the oldest make room."""


DEFAULT_LIMITS: Final = ServiceLimits()
EXPOSED_RATE_PER_S: Final = 50.0
"""The rate of one client where the service can be reached from elsewhere."""

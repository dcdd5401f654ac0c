"""What an engine tells whoever polls it."""

from dataclasses import dataclass

from archstudio.training.eta import TimeLeft
from archstudio.training.protocol import Failure, Progress
from archstudio.training.queue import State


@dataclass(frozen=True)
class StateChanged:
    """A seed of a run is in another state."""

    run_id: str
    seed: int
    state: State
    failure: Failure | None = None


@dataclass(frozen=True)
class ProgressMade:
    """A seed of a run got on; a later message about the same seed replaces an earlier one that nobody has read."""

    run_id: str
    seed: int
    progress: Progress
    left: TimeLeft | None


@dataclass(frozen=True)
class EngineFault:
    """The engine met an error of its own; it goes on, and the log has the details."""

    message: str


EngineEvent = StateChanged | ProgressMade | EngineFault

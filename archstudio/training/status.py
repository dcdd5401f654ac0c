"""What is said of a run while it is made: the state of each seed, of the whole, and what one can do with it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from archstudio.training.description import RunDescription
from archstudio.training.events import EngineEvent
from archstudio.training.protocol import Failure
from archstudio.training.queue import State
from archstudio.training.store import RunStore, StoredRun

SETTLED: tuple[State, ...] = ("finished", "failed", "stopped")
_MOST_IMPORTANT_FIRST: tuple[State, ...] = ("running", "queued", "paused", "failed", "stopped", "finished")


class RunBusy(Exception):
    """A run cannot be deleted while it is queued, training or paused."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        super().__init__(f"The run {run_id} is not over. Stop it first, then delete it.")


@dataclass(frozen=True)
class SeedStatus:
    """State of one seed; `failure` says why if it failed."""

    seed: int
    state: State
    attempt: int
    failure: Failure | None


@dataclass(frozen=True)
class RunStatus:
    """State of a run: that of its busiest seed; finished only if all are."""

    seeds: tuple[SeedStatus, ...]

    @property
    def state(self) -> State:
        """The one state to show for the run."""
        states = {seed.state for seed in self.seeds}
        return next(state for state in _MOST_IMPORTANT_FIRST if state in states)

    @property
    def settled(self) -> bool:
        """Whether nothing more will happen by itself."""
        return all(seed.state in SETTLED for seed in self.seeds)

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Why seeds failed, in the order of the seeds."""
        return tuple(seed.failure for seed in self.seeds if seed.failure)


class Engine(Protocol):
    """What every engine can do, wherever it trains."""

    @property
    def store(self) -> RunStore: ...

    def submit(self, run: RunDescription | Path, *, tensors: Path | None = None) -> "RunHandle": ...

    def poll(self) -> list[EngineEvent]: ...

    def status(self, run_id: str) -> RunStatus: ...

    def pause(self, run_id: str) -> None: ...

    def resume(self, run_id: str) -> None: ...

    def stop(self, run_id: str) -> None: ...

    def retry(self, run_id: str) -> None: ...

    def go_on(self, run_id: str) -> None: ...

    def delete(self, run_id: str) -> None: ...

    def wait(self, run_id: str, timeout: float | None = None) -> RunStatus: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class RunHandle:
    """A submitted run."""

    engine: Engine
    stored: StoredRun

    @property
    def run_id(self) -> str:
        """The run's id, which is also the name of its folder."""
        return self.stored.run_id

    def status(self) -> RunStatus:
        """Return the state of the run and of each seed."""
        return self.engine.status(self.run_id)

    def pause(self) -> None:
        """Hold at the next step."""
        self.engine.pause(self.run_id)

    def resume(self) -> None:
        """Go on after a pause or a stop, exactly where it was."""
        self.engine.resume(self.run_id)

    def stop(self) -> None:
        """End at the next step."""
        self.engine.stop(self.run_id)

    def retry(self) -> None:
        """Try the failed seeds again."""
        self.engine.retry(self.run_id)

    def go_on(self) -> None:
        """Let whatever failed, was stopped or is paused go on; none of it is failed or stopped any more."""
        self.engine.go_on(self.run_id)

    def wait(self, timeout: float | None = None) -> RunStatus:
        """Block until the run is settled; raises `TimeoutError`. Never in the window's thread."""
        return self.engine.wait(self.run_id, timeout)

"""The messages between the supervisor and a worker: one JSON object a line, each with the version of the protocol."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from archstudio.torchcode.child_process import from_line

VERSION: Literal[1] = 1


class Message(BaseModel):
    """A frozen, strict message."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", allow_inf_nan=False)

    v: Literal[1] = VERSION


class Run(Message):
    """Train seed `seed` of the run folder `folder`, continuing from its checkpoint if there is one."""

    type: Literal["run"] = "run"
    job: int
    folder: str
    seed: int
    kind: str = "train"
    wall_seconds: float | None = None
    checkpoint_seconds: float = 30.0


class Pause(Message):
    """Hold at the next step boundary; a checkpoint is written."""

    type: Literal["pause"] = "pause"
    job: int


class Resume(Message):
    """Go on after a pause."""

    type: Literal["resume"] = "resume"
    job: int


class Stop(Message):
    """End at the next step boundary, leaving a checkpoint."""

    type: Literal["stop"] = "stop"
    job: int


class Quit(Message):
    """End the current job as `Stop` does, then the process."""

    type: Literal["quit"] = "quit"


class Ready(Message):
    """The worker has imported torch and takes jobs."""

    type: Literal["ready"] = "ready"
    pid: int
    torch: str
    threads: int
    cpu: str


class HeartBeat(Message):
    """Sent each second, whatever the worker is doing."""

    type: Literal["heartbeat"] = "heartbeat"
    job: int | None
    rss_bytes: int


class Started(Message):
    """A job begins, at step `step` (above 0 if it goes on from a checkpoint)."""

    type: Literal["started"] = "started"
    job: int
    step: int
    parameters: int


class Aggregate(Message):
    """The values of one metric since the last progress message; all of them stand in the metric's file."""

    count: int
    mean: float
    low: float
    high: float
    last: float
    samples: int


class Progress(Message):
    """At most ten a second."""

    type: Literal["progress"] = "progress"
    job: int
    step: int
    samples: int
    seconds: float
    metrics: dict[str, Aggregate]


class Paused(Message):
    """The job holds after step `step`."""

    type: Literal["paused"] = "paused"
    job: int
    step: int


class Resumed(Message):
    """The job goes on."""

    type: Literal["resumed"] = "resumed"
    job: int


FailureKind = Literal["diverged", "error", "memory", "time", "unusable", "storage", "worker_died", "worker_silent"]


class Failure(Message):
    """Why a job failed: `message` is for people; `step` and `last_finite` belong to a divergence."""

    kind: FailureKind
    message: str
    cause: str = ""
    step: int | None = None
    last_finite: float | None = None
    exit_code: int | None = None
    signal: str | None = None
    log: tuple[str, ...] = ()


class Ended(Message):
    """A job is over; the worker takes the next one."""

    type: Literal["ended"] = "ended"
    job: int
    state: Literal["finished", "failed", "stopped"]
    failure: Failure | None = None


Command = Annotated[Run | Pause | Resume | Stop | Quit, Field(discriminator="type")]
Event = Annotated[Ready | HeartBeat | Started | Progress | Paused | Resumed | Ended, Field(discriminator="type")]

_COMMANDS: TypeAdapter[Command] = TypeAdapter(Command)
_EVENTS: TypeAdapter[Event] = TypeAdapter(Event)


def parse_command(line: bytes) -> Command:
    """Read a line for a worker; raises `NotAMessage`."""
    return from_line(_COMMANDS, line)


def parse_event(line: bytes) -> Event:
    """Read a line from a worker; raises `NotAMessage`."""
    return from_line(_EVENTS, line)

"""What runs on a cluster's node: one task trains several seeds of a run in a worker process of ours."""

from __future__ import annotations

import atexit
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from archstudio.training.child import ChildLimits
from archstudio.training.cluster.order import Files, Order, SeedReturn, packed, unpack
from archstudio.training.cluster.relay import Relay, Wish
from archstudio.training.description import TENSORS_FILE, write_run_folder
from archstudio.training.identity import numeric_environment
from archstudio.training.protocol import Ended, Message, Run
from archstudio.training.store import SeedFolder

_Key = tuple[tuple[tuple[str, str], ...], int | None]


class OtherEnvironment(Exception):
    """A node computes with other software or another processor, so its numbers would not be those asked for."""

    def __init__(self, facts: str) -> None:
        self.facts = facts
        super().__init__(
            f"A worker of the cluster computes in another numeric environment ({facts}), so results would differ in "
            "their last digits. Install the same torch and numpy there, and use one type of processor."
        )

    def __reduce__(self) -> tuple[type[OtherEnvironment], tuple[str]]:
        return OtherEnvironment, (self.facts,)  # it travels back to whoever asked


class _Crew:
    """The worker processes of this node: idle ones are used again, and found by the run they work at."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: dict[_Key, list[Relay]] = {}
        self._busy: dict[str, tuple[str, Relay]] = {}
        self._refused: set[str] = set()
        atexit.register(self.end)

    @contextmanager
    def at_work(self, order: Order) -> Iterator[Relay]:
        """Give a relay for a task, and take it back if its process still lives."""
        key = (tuple(sorted(order.kinds.items())), order.memory_bytes)
        with self._lock:
            known = self._idle.get(key, [])
            relay = known.pop() if known else None
        relay = relay or Relay(ChildLimits(order.memory_bytes, order.wall_seconds), order.kinds)
        relay.begin()
        with self._lock:
            self._busy[order.task] = order.run, relay
        try:
            yield relay
        finally:
            with self._lock:
                del self._busy[order.task]
                if relay.alive:
                    self._idle.setdefault(key, []).append(relay)

    def ask(self, run: str, wish: Wish, tasks: tuple[str, ...]) -> None:
        """Pass a wish to all tasks of a run; tasks that come later although they were called off are refused."""
        with self._lock:
            if wish == "stop":
                self._refused.update(tasks)
            for its_run, relay in self._busy.values():
                if its_run == run:
                    relay.ask(wish)

    def refuses(self, task: str) -> bool:
        """Whether the task was called off before or while it ran."""
        with self._lock:
            return task in self._refused

    def end(self) -> None:
        """End all processes, at the end of the node's own."""
        with self._lock:
            idle = [relay for relays in self._idle.values() for relay in relays]
            self._idle.clear()
        for relay in idle:
            relay.end()


_crew = _Crew()


def ask(run: str, wish: Wish, tasks: tuple[str, ...]) -> None:
    """Pass a wish to the tasks of a run on this node; sent to every node."""
    _crew.ask(run, wish, tasks)


def run_seeds(order_text: str, tensors: bytes | None, kept: dict[int, Files]) -> list[SeedReturn]:
    """Train the seeds of an order (JSON) and return what came of each, its files included.

    `tensors` is the data file if there is one; `kept` holds what seeds have from before (checkpoint and metrics).
    Raises `OtherEnvironment` and what a worker cannot be started for.
    """
    order = Order.model_validate_json(order_text)
    environment = numeric_environment()
    if environment.sha256 != order.environment_sha256:
        raise OtherEnvironment(f"torch {environment.torch}, numpy {environment.numpy}, {environment.cpu}")
    folder = Path(tempfile.mkdtemp(prefix="archstudio-task-", dir=_node_folder()))
    try:
        write_run_folder(folder, order.description)
        if tensors is not None:
            (folder / TENSORS_FILE).write_bytes(tensors)
        with _crew.at_work(order) as relay:
            return list(_trained(order, folder, relay, kept))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _trained(order: Order, folder: Path, relay: Relay, kept: dict[int, Files]) -> Iterator[SeedReturn]:
    for number, seed in enumerate(order.seeds):
        files = SeedFolder.of(folder, seed)
        files.path.mkdir(parents=True, exist_ok=True)
        if _crew.refuses(order.task) or not relay.alive:
            ended = Ended(job=number, state="stopped")
            yield SeedReturn(seed, ended.model_dump_json(), kept.get(seed, {}))
            continue
        unpack(kept.get(seed, {}), files)
        ended = _one(order, folder, relay, number, seed)
        yield SeedReturn(seed, ended.model_dump_json(), packed(files))


def _one(order: Order, folder: Path, relay: Relay, number: int, seed: int) -> Ended:
    message = Run(
        job=number,
        folder=str(folder),
        seed=seed,
        kind=order.description.kind,
        wall_seconds=order.wall_seconds,
        checkpoint_seconds=order.checkpoint_seconds,
    )
    return relay.run(message, lambda said: _tell(order, seed, said))


def _tell(order: Order, seed: int, said: Message) -> None:
    """Send what a worker said to everybody who listens to the run's topic."""
    from distributed import get_worker

    event = {"task": order.task, "run": order.run, "seed": seed, "line": said.model_dump_json()}
    get_worker().log_event(topic(order.run), event)


def topic(run: str) -> str:
    """Return the topic under which a run's progress is told."""
    return f"archstudio/{run}"


def _node_folder() -> Any:
    """The folder of Dask's own worker, which Dask clears away even after a kill."""
    from distributed import get_worker

    return get_worker().local_directory

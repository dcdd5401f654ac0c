"""Where runs are trained: what a person chose and the settings keep, and an engine that is opened meanwhile."""

from __future__ import annotations

import logging
import threading
from typing import Any

from archstudio.app.figures import plural
from archstudio.app.words import said
from archstudio.files.atomic import SaveFailed
from archstudio.files.home import UnusableHome, runs_path
from archstudio.training.engines import BATCH_SYSTEMS, EngineChoice, NoEngine, open_engine
from archstudio.training.kept_engine import KeptEngine

WHERE = "trainedWhere"
"""Key of the settings file that holds the choice."""
BATCH_TITLES = {"slurm": "Slurm", "pbs": "PBS", "lsf": "LSF"}

_log = logging.getLogger(__name__)


def stored_choice(stored: object) -> EngineChoice:
    """The choice in the settings file; anything else means this machine."""
    if not isinstance(stored, dict):
        return EngineChoice()
    name, workers, scheduler = (stored.get(key) for key in ("engine", "workers", "scheduler"))
    whole = isinstance(workers, int) and not isinstance(workers, bool) and workers > 0
    try:
        return EngineChoice(
            name if name in ("local", "dask") else "local",
            workers if whole else None,
            scheduler if isinstance(scheduler, str) else None,
        )
    except NoEngine:
        return EngineChoice()


def as_stored(choice: EngineChoice) -> dict[str, Any]:
    """The same as JSON."""
    return {"engine": choice.name, "workers": choice.workers, "scheduler": choice.scheduler}


def where_text(choice: EngineChoice) -> str:
    """Where runs are trained, in a few words."""
    if choice.scheduler in BATCH_SYSTEMS:
        jobs = plural(choice.workers or 1, "job")
        return said("{system}, {jobs}").format(system=BATCH_TITLES[choice.scheduler], jobs=jobs)
    if choice.scheduler is not None:
        return said("Dask at {address}").format(address=choice.scheduler)
    place = said("this machine") if choice.name == "local" else said("Dask on this machine")
    return place if choice.workers is None else f"{place}, {plural(choice.workers, 'worker')}"


class Opening:
    """An engine that is opened in a thread of its own, after another one is closed: both may take seconds.

    Whoever gives up gets nothing; the engine is closed as soon as it is there.
    """

    def __init__(self, choice: EngineChoice, before: KeptEngine | None) -> None:
        self.choice = choice
        self._before = before
        self._engine: KeptEngine | None = None
        self._given_up = False
        self._lock = threading.Lock()
        self.fault = ""
        self._thread = threading.Thread(target=self._open, name="opening an engine", daemon=True)
        self._thread.start()

    @property
    def over(self) -> bool:
        """Whether there is an engine, or a fault."""
        return not self._thread.is_alive()

    def take(self) -> KeptEngine | None:
        """The engine; None where `fault` says why there is none."""
        return self._engine

    def give_up(self) -> None:
        """Want it no longer."""
        with self._lock:
            self._given_up, unwanted, self._engine = True, self._engine, None
        if unwanted is not None:
            threading.Thread(target=unwanted.close, name="closing an engine", daemon=True).start()

    def _open(self) -> None:
        if self._before is not None:
            self._before.close()
        try:
            engine = open_engine(runs_path(), self.choice)
        except (NoEngine, SaveFailed, UnusableHome) as reason:
            self.fault = str(reason)
            return
        except Exception as error:  # of a library; whoever waits must hear of it as well
            _log.exception("An engine could not be opened.")
            self.fault = said("Connecting failed: {why}").format(why=f"{type(error).__name__}: {error}")
            return
        with self._lock:
            if not self._given_up:
                self._engine = engine
                return
        engine.close()

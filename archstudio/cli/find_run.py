"""Finds a run that is kept, by its id, the beginning of it, or its folder."""

from __future__ import annotations

from pathlib import Path

from archstudio.app.training import TrainingDesk
from archstudio.cli.output import Unusable
from archstudio.training.store import StoredRun


def find_run(desk: TrainingDesk, name: str) -> StoredRun:
    """Return the run named; ends with one line if there is none, or several begin so."""
    wanted = Path(name).name if Path(name).is_dir() else name
    found = [run_id for run_id in desk.stored_ids() if run_id.startswith(wanted)]
    if wanted in found:
        return desk.stored(wanted)
    if len(found) == 1:
        return desk.stored(found[0])
    if found:
        raise Unusable(f"{name}: {len(found)} runs begin so; write more of the id.")
    raise Unusable(f"{name}: there is no such run. `archstudio runs list` shows those there are.")

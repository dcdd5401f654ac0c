"""A file of one's own as training data: given roles, checked against the open graph, made into a run's data file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from archstudio.training.own_data.columns import Columns, read_columns
from archstudio.training.own_data.fit import Fitted, fit
from archstudio.training.own_data.prepare import Prepared, prepare
from archstudio.training.own_data.roles import Roles, suggested

if TYPE_CHECKING:
    from archstudio.app.training import Trainable
    from archstudio.training.description import Loss


@dataclass(frozen=True)
class OwnData:
    """A file's columns, and which is which."""

    columns: Columns
    roles: Roles

    @property
    def words(self) -> str:
        """One line: the file, its samples and the columns chosen."""
        targets = ", ".join(name for names in self.roles.targets for name in names)
        inputs = [name for names in self.roles.inputs for name in names]
        told = ", ".join(inputs[:4]) + (f" and {len(inputs) - 4} more" if len(inputs) > 4 else "")
        return f"{self.columns.path.name}: {len(self.columns):,} samples, {told} → {targets}"


def read_for(ready: Trainable, path: Path) -> Columns:
    """Read a file or folder of images, these in the size the graph takes; raises `UnusableFile`."""
    images = [spec.sample_shape for spec in ready.inputs if spec.is_float and len(spec.sample_shape) == 3]
    return read_columns(path, images[0] if images else None)


def suggested_for(ready: Trainable, columns: Columns, losses: tuple[Loss, ...]) -> Roles | None:
    """Roles that suit names and shapes; None if there are too few columns."""
    return suggested(columns, ready.inputs, ready.outputs, losses)


def fitted_for(ready: Trainable, data: OwnData, losses: tuple[Loss, ...]) -> Fitted:
    """What fits the graph, and everything that does not; raises `UnusableFile` for a column that is not there."""
    return fit(data.columns, data.roles, ready.inputs, ready.outputs, losses)


@contextmanager
def prepared(ready: Trainable, data: OwnData, losses: tuple[Loss, ...]) -> Iterator[Prepared]:
    """Give the data file of a run while it is submitted; raises `UnusableFile` naming what does not fit."""
    made = fitted_for(ready, data, losses)
    with tempfile.TemporaryDirectory(prefix="archstudio-data-") as folder:
        yield prepare(data.columns, data.roles, made, ready.inputs, Path(folder) / "data.safetensors")

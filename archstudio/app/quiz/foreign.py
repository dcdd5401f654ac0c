"""A pack's own files, which somebody else wrote: run only after a person has said yes to exactly these."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from archstudio.app.quiz.item import CodeFile, ShownChoice
from archstudio.files.home import settings_path
from archstudio.files.settings import SettingsFile
from archstudio.intuition.candidates.spec import CandidateSpec
from archstudio.intuition.candidates.train_source import train_source
from archstudio.intuition.datasets.spec import DatasetSpec
from archstudio.intuition.truth.description import describe
from archstudio.intuition.truth.program import joined
from archstudio.training.description import ModelSource, RunDescription

PARTS = ("model.py", "optimizer.py", "loss.py")
"""What is taken from a pack; the training loop around them is always ours."""
_KEY = "code"


@dataclass(frozen=True)
class ForeignSetting:
    """A choice's own model, optimiser and loss, in our training loop."""

    spec: CandidateSpec
    files: tuple[CodeFile, ...]

    @property
    def digest(self) -> str:
        """The sha256 of the files, names included."""
        return sha256(joined({file.name: file.text for file in self.files}).encode()).hexdigest()

    def describe(self, dataset: DatasetSpec, data_sha256: str, seeds: tuple[int, ...]) -> RunDescription:
        """Return its run on a data set whose tensors have that digest; raises `UnusableFile`."""
        made = describe(self.spec, dataset, data_sha256, seeds)
        files = {**{file.name: file.text for file in self.files}, "train.py": train_source(self.spec)}
        return made.model_copy(update={"model": ModelSource(digest=self.digest, source=joined(files))})


def foreign_setting(choice: ShownChoice, spec: CandidateSpec) -> ForeignSetting | None:
    """Return a choice's own files with the budget and device of `spec`, None if it has not all of them."""
    by_name = {file.name: file for file in choice.files}
    if not all(name in by_name for name in PARTS):
        return None
    return ForeignSetting(spec, tuple(by_name[name] for name in PARTS))


class TrustedCode:
    """What a person has allowed to run, by content; kept in the settings, never with the content."""

    def __init__(self, store: SettingsFile | None = None) -> None:
        self._store = store or SettingsFile(settings_path() / "trust.json")

    def allows(self, digest: str) -> bool:
        """Whether exactly this content was allowed before."""
        allowed = self._store.read().get(_KEY)
        return isinstance(allowed, list) and digest in allowed

    def allow(self, digest: str) -> None:
        """Remember that this content may run. Raises `SaveFailed`."""

        def added(values: dict[str, object]) -> dict[str, object]:
            known = values.get(_KEY)
            kept = [one for one in known if isinstance(one, str)] if isinstance(known, list) else []
            return {**values, _KEY: [*kept, *([] if digest in kept else [digest])]}

        self._store.change(added)

"""How large gradients were at the end of a run of the open graph, layer by layer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import inf, sqrt

from archstudio.app.document import Document
from archstudio.app.runs import RunsBook
from archstudio.files.unusable import UnusableFile
from archstudio.graph.digest import architecture_digest
from archstudio.torchcode.program import program_of
from archstudio.torchcode.source import module_names
from archstudio.training.diagnosis import Diagnosis, read_diagnosis
from archstudio.training.store import StoredRun
from archstudio.verify import Verdict

_OVER = ("finished", "failed")


class RunGradients:
    """Finds the newest run of a graph that is over and tells its gradients; asked again, it answers at once."""

    def __init__(self, book: RunsBook) -> None:
        self._book = book
        self._asked: tuple[Verdict, tuple[str, ...]] | None = None
        self._found: Mapping[str, float] = {}

    def of(self, document: Document) -> Mapping[str, float]:
        """The norm of all gradients of each layer that has weights, by its name; empty without such a run."""
        verdict = document.verdict
        over = tuple(row.run_id for row in self._book.rows if row.state in _OVER)
        if self._asked is None or self._asked[0] is not verdict or self._asked[1] != over:
            self._asked = verdict, over
            self._found = self._newest(document, over) if verdict.runs else {}
        return self._found

    def _newest(self, document: Document, over: tuple[str, ...]) -> Mapping[str, float]:
        digest = None
        for run_id in over:
            try:
                run = self._book.stored(run_id)
            except UnusableFile:
                continue  # damaged or taken away meanwhile: an older run may still tell
            if not _has_parameters(run, document.verdict.parameters):
                continue  # another network; this is known without looking at the whole graph
            digest = digest or architecture_digest(document.graph)
            diagnosis = _diagnosis(run) if run.description.model.digest == digest else None
            if diagnosis is not None:
                return _by_layer(document, run, diagnosis)
        return {}


def _has_parameters(run: StoredRun, count: object) -> bool:
    results = (run.seed(seed).result() for seed in run.description.seeds)
    return any(result is not None and result.parameters == count for result in results)


def _diagnosis(run: StoredRun) -> Diagnosis | None:
    found = (read_diagnosis(run.seed(seed).path) for seed in run.description.seeds)
    return next((each for each in found if each is not None), None)


def _by_layer(document: Document, run: StoredRun, diagnosis: Diagnosis) -> dict[str, float]:
    """Layers may have been renamed since: modules are matched by their order, which the digest fixes."""
    lines = [line for line in program_of(document.graph, document.verdict).lines if line.construct is not None]
    names = dict(zip(module_names(run.description.model.source), (line.node.name for line in lines), strict=True))
    squares: defaultdict[str, float] = defaultdict(float)
    for parameter in diagnosis.parameters:
        name = names.get(parameter.name.split(".")[0])
        if name is not None and parameter.reached:
            squares[name] += inf if parameter.gradient is None else parameter.gradient**2
        elif name is not None:
            squares[name] += 0.0
    return {name: sqrt(square) for name, square in squares.items()}

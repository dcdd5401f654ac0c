"""Makes documents of tasks, exercises, attempts and solutions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from archstudio.app.document import Document
from archstudio.app.tasks.entry import is_practice, split_ref
from archstudio.app.tasks.library import TaskLibrary
from archstudio.bench.broken import exercise
from archstudio.graph import Graph, from_document
from archstudio.study.visibility import EVERYTHING, Visibility


def task_document(ref: str, visibility: Visibility = EVERYTHING, library: TaskLibrary | None = None) -> Document:
    """A document on the starting graph of a task or an exercise.

    An exercise offers hints in the place of fixes. UnknownName if there is none of this name; UnusableFile or
    GraphError if its file or its graph cannot be used.
    """
    task_id = split_ref(ref)[1]
    if is_practice(ref):
        model = exercise(task_id).model()
        visibility = visibility.without("fixes")
    else:
        model = (library or TaskLibrary()).task(ref).model()
    return Document(model_graph(model, task_id), task_id=ref, visibility=visibility)


def model_graph(model: Mapping[str, Any], name: str) -> Graph:
    """A benchmark model as a graph of this name; GraphError says why it is none."""
    components = [_bare(component) for component in model["components"]]
    graph = from_document({**model, "name": name, "components": components}, file=name)
    graph.name = name
    return graph


def _bare(component: Mapping[str, Any]) -> dict[str, Any]:
    """A benchmark component without its lists of neighbours, which are derived from the connections."""
    return {k: v for k, v in component.items() if k not in ("inputs", "outputs")}

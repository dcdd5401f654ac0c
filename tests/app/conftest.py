"""A window that only remembers what it was asked, over a small network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from archstudio.app.application import Application
from archstudio.app.commands import Context, run_command
from archstudio.app.document import Document
from archstudio.graph import Connection, Graph, Node


class FakeBench:
    """The part of a window that shows tasks: gives the answers it was given, and remembers what it was asked."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.recipe: Any = None
        self.files: list[Path] = []
        self.suite = "curated"
        self.next: str | None = None
        self.attempt: Any = None

    def ask_recipe(self) -> Any:
        return self.recipe

    def ask_task_files(self) -> list[Path]:
        return self.files

    def ask_result_files(self) -> list[Path]:
        return self.files

    def watch_reading(self, file: str, steps: Iterator[int]) -> bool:
        return len(list(steps)) >= 0

    def shown_suite(self) -> str:
        return self.suite

    def next_task(self) -> str | None:
        return self.next

    def chosen_attempt(self) -> Any:
        return self.attempt

    def __getattr__(self, name: str) -> Any:
        def asked(*args: Any) -> None:
            self.calls.append((name, *args))

        return asked


class FakeQuestions:
    """The part of a window that asks questions: gives the answers it was given, and remembers what it was asked."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.session: Any = None
        self.front = False
        self.path: Path | None = None

    def in_front(self) -> bool:
        return self.front

    def ask_pack(self) -> Path | None:
        return self.path

    def ask_folder(self, title: str) -> Path | None:
        return self.path

    def ask_answers_file(self, suggestion: str) -> Path | None:
        return self.path

    def __getattr__(self, name: str) -> Any:
        def asked(*args: Any) -> None:
            self.calls.append((name, *args))

        return asked


class FakeStudies:
    """Counts in `calls` what is asked of it; `path` is the study that a person would choose."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.path: Path | None = None

    def ask_study(self) -> Path | None:
        return self.path

    def __getattr__(self, name: str) -> Any:
        def asked(*args: Any) -> None:
            self.calls.append((name, *args))

        return asked


class FakeView:
    """Answers what a person would be asked; everything else asked of it is only counted in `calls`."""

    def __init__(self) -> None:
        self.bench = FakeBench()
        self.questions = FakeQuestions()
        self.studies = FakeStudies()
        self.calls: list[str] = []
        self.told: list[str] = []
        self.clipboard = ""
        self.at: tuple[float, float] | None = None
        self.answer = "cancel"
        self.save_to: Path | None = None
        self.type: str | None = None
        self.colour: str | None = None
        self.layer: str | None = None
        self.port: str | None = None
        self.norms: dict[str, float] = {}

    def notify(self, text: str, detail: str = "", *, fault: bool = False) -> None:
        self.told.append(f"{text}: {detail}" if detail else text)

    def clipboard_text(self) -> str:
        return self.clipboard

    def set_clipboard_text(self, text: str) -> None:
        self.clipboard = text

    def pointer(self) -> tuple[float, float] | None:
        return self.at

    def ask_unsaved(self, title: str) -> str:
        self.calls.append(f"ask_unsaved {title}")
        return self.answer

    def ask_save(self, suggestion: Path) -> Path | None:
        return self.save_to

    def choose_type(self, name: str) -> str | None:
        return self.type

    def choose_colour(self, colours: tuple[str, ...]) -> str | None:
        return self.colour

    def choose_layer(self, among: list[str], wire_from: str) -> str | None:
        return self.layer

    def choose_port(self, ports: Sequence[str], layer: str) -> str | None:
        return self.port

    def place_to_add(self) -> tuple[float, float]:
        return (40.0, 50.0)

    def gradients(self) -> dict[str, float]:
        return self.norms

    def layout_width(self) -> float:
        return 1000.0

    def theme_choice(self) -> str:
        return "light"

    def is_on(self, which: str) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        def asked(*args: Any, **kwargs: Any) -> None:
            self.calls.append(name)

        return asked


class Desk:
    """A document with a fake window: runs commands by their ids and reads the graph by names."""

    def __init__(self, graph: Graph | None) -> None:
        self.view = FakeView()
        self.application = Application()
        self.context = Context(self.application, self.view)  # type: ignore[arg-type]
        if graph is not None:
            self.application.adopt(Document(graph))

    def run(self, command: str) -> bool:
        """Run a command by its id; whether it could run."""
        return run_command(command, self.context)

    @property
    def document(self) -> Document:
        return self.context.document

    @property
    def graph(self) -> Graph:
        return self.document.graph

    @property
    def steps(self) -> list[str]:
        return self.document.history.labels

    def select(self, *names: str, wires: tuple[str, ...] = ()) -> None:
        """Select nodes by name and wires like `a>b`."""
        found = []
        for wire in wires:
            source, target = (self.graph.named(n).id for n in wire.split(">"))
            found += [c.id for c in self.graph.between(source, target)]
        self.document.selection.set([self.graph.named(n).id for n in names], found)

    def selected(self) -> set[str]:
        return {self.graph.node(n).name for n in self.document.selection.nodes}

    def wires(self) -> list[str]:
        """The connections by name, in file order."""
        return [f"{self.graph.node(c.source).name}>{self.graph.node(c.target).name}" for c in self.graph.connections]


def network(*layers: tuple[str, str, dict[str, Any]], wires: str = "") -> Graph:
    """Nodes named by their first field, and wires like `a>b b>c`."""
    graph = Graph("test")
    for k, (name, kind, params) in enumerate(layers):
        graph.insert_node(Node(f"n{k}", kind, name, params))
        graph.layout[f"n{k}"] = (k * 288.0, 0.0)
    for k, wire in enumerate(wires.split()):
        source, target = (graph.named(n).id for n in wire.split(">"))
        graph.insert_connection(Connection(f"c{k}", source, target))
    return graph


@pytest.fixture
def desk() -> Desk:
    """input → conv1 → act1 → head → output, where the linear head gets images and is refused."""
    return Desk(
        network(
            ("input", "input", {"shape": [1, 3, 32, 32]}),
            ("conv1", "conv2d", {"inChannels": 3, "outChannels": 16, "kernelSize": 3}),
            ("act1", "relu", {}),
            ("head", "linear", {"inFeatures": 16, "outFeatures": 10}),
            ("output", "output", {}),
            wires="input>conv1 conv1>act1 act1>head head>output",
        )
    )


@pytest.fixture
def merging() -> Desk:
    """Two branches into a sum: input → a → sum, input → b → sum, sum → output."""
    return Desk(
        network(
            ("input", "input", {"shape": [1, 8]}),
            ("a", "relu", {}),
            ("b", "tanh", {}),
            ("sum", "add", {}),
            ("output", "output", {}),
            wires="input>a input>b a>sum b>sum sum>output",
        )
    )


@pytest.fixture
def empty_desk() -> Desk:
    """A window with no graph open."""
    return Desk(None)

"""The judge: real PyTorch on the CPU, asked about every layer of a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from archstudio.graph import Graph
from archstudio.torchcode.judgement import Judgement, Ran, TorchError
from archstudio.torchcode.lenient import Unwritable
from archstudio.torchcode.program import Line, Program, program_of
from archstudio.torchcode.running import attempt, counts, guarded, quietly, run_code
from archstudio.torchcode.specs import max_index
from archstudio.torchcode.stage import Stage
from archstudio.torchcode.tensors import INDEX_LIMIT, described
from archstudio.verify.session import check
from archstudio.verify.verdict import Verdict

if TYPE_CHECKING:
    from torch import nn


def judge(graph: Graph, verdict: Verdict | None = None, stage: Stage | None = None) -> Judgement:
    """Make and run every layer of a graph on random inputs; a layer behind one that failed does not run.

    Gradients are on, as they are when a network trains: without them PyTorch's attention takes another path, with
    other strides. Structural errors (loops, unknown types, missing inputs) are not
    PyTorch's to judge: such nodes are left out.
    """
    verdict = check(graph) if verdict is None else verdict
    training = graph.meta.get("mode") == "train"
    stage = Stage() if stage is None else stage
    run = _Run(program_of(graph, verdict, even_if_wrong=True), verdict, training, stage)
    with quietly(), stage.around():
        run.make_modules(graph.node_ids)
        run.forward(lambda node_id: max_index(graph, verdict, node_id))
    return run.judgement(graph)


class _Run:
    """One pass over a program: its modules by name, its values by variable, and what went wrong where."""

    def __init__(self, program: Program, verdict: Verdict, training: bool, stage: Stage) -> None:
        self.program = program
        self._stage = stage
        self._verdict = verdict
        self._training = training
        self._modules: dict[str, nn.Module] = {}
        self._values: dict[str, Any] = {}
        self._ran: dict[str, Ran] = {}

    def make_modules(self, node_ids: Sequence[str]) -> None:
        """Construct every module separately, so that each failure belongs to its node."""
        for node_id in node_ids:
            line = self.program.by_node.get(node_id)
            if line is None or line.construct is None:
                continue
            made = attempt("construct", partial(run_code, line.construct, {}))
            if isinstance(made, TorchError):
                self._ran[node_id] = Ran(error=made)
            else:
                self._modules[line.name] = guarded(made.train(self._training))

    def forward(self, limit: Callable[[str], int | None]) -> None:
        """Run the lines in order; `limit` gives the largest index an input may hold."""
        this = SimpleNamespace(**self._modules)
        for line in self.program.lines:
            if line.node.id in self._ran:
                continue
            if line.refusal is not None:
                self._ran[line.node.id] = self._counted(line, self._refused(line.refusal, line.sources))
            elif line.node.id in self.program.inputs:
                self._feed(line, limit(line.node.id))
            elif all(s in self._values for s in line.sources):
                self._call(line, this)
            else:
                self._ran[line.node.id] = self._counted(line, Ran())

    def _refused(self, refusal: Unwritable, sources: Sequence[str]) -> Ran:
        """A layer without code: missing arguments are an error of its own, missing inputs are not."""
        if all(source in self._values for source in sources):
            return Ran(error=TorchError(refusal.phase, "TypeError", str(refusal)))
        return Ran()

    def _feed(self, line: Line, largest: int | None) -> None:
        if line.value is None:
            self._ran[line.node.id] = Ran()
            return
        value = self._stage.value(line.value, INDEX_LIMIT if largest is None else largest + 1)
        self._values[line.node.id] = value
        self._ran[line.node.id] = Ran(described(value))

    def _call(self, line: Line, this: SimpleNamespace) -> None:
        names = [self.program.by_node[source].name for source in line.sources]
        rest = self._passed_on(line) | {"self": this}

        def call(inputs: Sequence[Any]) -> Any:
            return run_code(line.call, dict(zip(names, inputs, strict=True)) | rest)

        inputs = [self._values[source] for source in line.sources]
        layer = None if line.node.bypassed else self._verdict.nodes[line.node.id].layer
        value = attempt("forward", partial(self._stage.run, line.node.id, layer, inputs, call))
        if isinstance(value, TorchError):
            self._ran[line.node.id] = self._counted(line, Ran(error=value))
            return
        self._values[line.node.id] = value
        self._ran[line.node.id] = self._counted(line, Ran(described(value)))

    def _passed_on(self, line: Line) -> dict[str, Any]:
        """Variables that output nodes before this line stand for."""
        passed: dict[str, Any] = {}
        for source in line.sources:
            before = self.program.by_node[source]
            while before.result != before.name and before.sources:
                before = self.program.by_node[before.sources[0]]
                passed[before.name] = self._values[before.node.id]
        return passed

    def _counted(self, line: Line, ran: Ran) -> Ran:
        module = self._modules.get(line.name)
        return ran if module is None else Ran(ran.value, ran.error, *counts([module]))

    def judgement(self, graph: Graph) -> Judgement:
        """What happened, node by node in file order."""
        nodes = {n: self._ran[n] for n in graph.node_ids if n in self._ran}
        order = tuple(line.node.id for line in self.program.lines)
        return Judgement(nodes, *counts(self._modules.values()), order)

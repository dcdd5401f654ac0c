"""A graph as one readable PyTorch file that needs nothing but torch."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from archstudio.graph import Graph
from archstudio.layers import Value, Wire
from archstudio.layers.dim import dim_text
from archstudio.torchcode.expressions import checked, used_names, without_prefix
from archstudio.torchcode.inline import Block, with_their_needs
from archstudio.torchcode.program import Line, Program, program_of
from archstudio.verify.verdict import Verdict

_COMMON = {
    "math": "import math",
    "torch": "import torch",
    "F": "import torch.nn.functional as F",
    "Tensor": "from torch import Tensor",
    "nn": "from torch import nn",
}
"""Imports a file gets if it uses the name."""


def source_of(graph: Graph, verdict: Verdict, *, even_if_wrong: bool = False) -> str:
    """The PyTorch file of a graph: the composite blocks it uses, `class Model` and `build_model()`.

    `forward` takes the input nodes and returns the output nodes (without any: what leads nowhere), each in file order.
    GraphHasErrors where PyTorch would refuse the graph, unless `even_if_wrong`: then the file fails as PyTorch does,
    and raises at the first layer for which there is no code.
    """
    return _file(program_of(graph, verdict, even_if_wrong=even_if_wrong))


def _file(program: Program) -> str:
    blocks = with_their_needs(program.blocks)
    body = [*(block.text for block in blocks), _model(program), _BUILD]
    imports = _imports(blocks, "\n".join(body))
    heading = f"# {program.title!r}, a network for PyTorch\n"
    return heading + "\n" + "\n".join(imports) + "\n\n\n" + "\n\n\n".join(body) + "\n"


_BUILD = '''def build_model() -> nn.Module:
    """The network with freshly drawn weights."""
    return Model()'''


def _imports(blocks: Iterable[Block], body: str) -> list[str]:
    used = used_names(body)
    wanted = {statement for name, statement in _COMMON.items() if name in used}
    for block in blocks:
        wanted.update(block.imports)
    return _sorted_imports(wanted)


def _sorted_imports(statements: set[str]) -> list[str]:
    """Standard library first, then torch, `from` imports of one module joined."""
    joined: dict[str, list[str]] = {}
    plain = []
    for statement in sorted(statements):
        found = re.fullmatch(r"from (\S+) import (.+)", statement)
        if found:
            joined.setdefault(found[1], []).append(found[2])
        else:
            plain.append(statement)
    merged = plain + [f"from {module} import {', '.join(sorted(names))}" for module, names in joined.items()]
    ours = [s for s in merged if s.split()[1].split(".")[0] == "torch"]
    standard = [s for s in merged if s not in ours]
    return [*standard, *([""] if standard and ours else []), *ours]


def _model(program: Program) -> str:
    lines = ["class Model(nn.Module):", *_docstring(program), "", "    def __init__(self) -> None:"]
    lines += ["        super().__init__()", *(f"        {text}" for text in _constructions(program))]
    arguments = ", ".join(["self", *(f"{_name(program, n)}: Tensor" for n in program.inputs)])
    lines += ["", f"    def forward({arguments}) -> {_annotation(program)}:"]
    lines += [f"        {text}" for text in _statements(program)]
    return "\n".join(lines)


def module_names(source: str) -> tuple[str, ...]:
    """Names of the network's modules in a file written here, in the order of the layers that have one."""
    model = next(n for n in ast.parse(source).body if isinstance(n, ast.ClassDef) and n.name == "Model")
    begin = next(n for n in model.body if isinstance(n, ast.FunctionDef) and n.name == "__init__")
    targets = (n.targets[0] for n in begin.body if isinstance(n, ast.Assign))
    return tuple(target.attr for target in targets if isinstance(target, ast.Attribute))


def _name(program: Program, node_id: str) -> str:
    return program.by_node[node_id].name


def _docstring(program: Program) -> Iterator[str]:
    takes = [_said(program.by_node[n]) for n in program.inputs] or ["nothing"]
    gives = [_shape(program.by_node[n].value) for n in program.outputs]
    yield f'    """Takes {", ".join(takes)}; gives {", ".join(gives)}."""'


def _said(line: Line) -> str:
    return f"{line.name} {_shape(line.value)}"


def _shape(value: Value | None) -> str:
    """`(B, 32, 26, 26)`, with the dtype where it is not float32; nested for several outputs."""
    if value is None:
        return "unknown"
    if isinstance(value, Wire):
        sizes = ", ".join(dim_text(d) for d in value.shape) + ("," if len(value.shape) == 1 else "")
        return f"({sizes})" + ("" if value.dtype == "float32" else f" {value.dtype}")
    return f"[{', '.join(_shape(v) for v in value)}]"


def _constructions(program: Program) -> Iterator[str]:
    for line in program.lines:
        if line.construct is not None:
            code = without_prefix(line.construct, checked(line.construct, frozenset()))
            yield f"self.{line.name} = {code}{_remark(line)}"


def _remark(line: Line) -> str:
    """The node's own name as a comment, where the identifier is another."""
    return "" if line.node.name == line.name else f"  # {line.node.name!r}"


def _statements(program: Program) -> Iterator[str]:
    for line in program.lines:
        if line.refusal is not None:
            yield f"raise NotImplementedError({f'{line.node.name}: {line.refusal}'!r})"
            return
        if line.result == line.call:  # an input, or an output node
            continue
        yield f"{line.name} = {_call(line)}  # {_shape(line.value)}{', bypassed' if line.node.bypassed else ''}"
    results = [part for n in program.outputs for part in _parts(program.by_node[n])]
    yield f"return {', '.join(results)}"


def _call(line: Line) -> str:
    return without_prefix(line.call, checked(line.call, frozenset(used_names(line.call))))


def _parts(line: Line) -> Iterator[str]:
    """What is returned for a node: one expression, or one for each tensor of a tuple."""
    return _flat(line.result, line.value)


def _flat(expression: str, value: Value | None) -> Iterator[str]:
    if isinstance(value, tuple):
        for k, part in enumerate(value):
            yield from _flat(f"{expression}[{k}]", part)
    else:
        yield expression


def _annotation(program: Program) -> str:
    count = sum(1 for n in program.outputs for _ in _parts(program.by_node[n]))
    return "Tensor" if count == 1 else f"tuple[{', '.join(['Tensor'] * count)}]"

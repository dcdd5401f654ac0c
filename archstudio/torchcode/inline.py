"""The composite blocks as text, so that a generated file holds those it uses; torch is not imported."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from archstudio.torchcode.expressions import used_names

PACKAGE = "archstudio.torchcode.blocks"


@dataclass(frozen=True, slots=True)
class Block:
    """One top-level definition of a block module: its text, the blocks and imports it needs."""

    name: str
    text: str
    needs: tuple[str, ...]
    imports: tuple[str, ...]


class UnknownBlock(LookupError):
    """An entry names a composite block that no module of blocks defines."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no block is called {name}")
        self.name = name


@cache
def all_blocks() -> Mapping[str, Block]:
    """Every definition in the block modules, by name."""
    modules = [m for m in files(PACKAGE).iterdir() if m.name.endswith(".py") and m.name != "__init__.py"]
    sources = {m.name: m.read_text(encoding="utf-8") for m in sorted(modules, key=lambda m: m.name)}
    origin: dict[str, str] = {}
    for module, source in sources.items():
        for name in (name for name, _ in _definitions(source)):
            if name in origin:
                raise ValueError(f"the block {name} is defined in {origin[name]} and in {module}")
            origin[name] = module
    return {block.name: block for source in sources.values() for block in _blocks(source, frozenset(origin))}


def _definitions(source: str) -> list[tuple[str, ast.stmt]]:
    found: list[tuple[str, ast.stmt]] = []
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.ClassDef | ast.FunctionDef):
            found.append((statement.name, statement))
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            found.append((statement.targets[0].id, statement))
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            found.append((statement.target.id, statement))
    return found


def _blocks(source: str, known: frozenset[str]) -> list[Block]:
    imports = _imports(source)
    blocks = []
    for name, statement in _definitions(source):
        text = _text(source, statement)
        used = used_names(text)
        needs = tuple(sorted((used & known) - {name}))
        blocks.append(Block(name, text, needs, tuple(sorted({imports[n] for n in used if n in imports}))))
    return blocks


def _imports(source: str) -> dict[str, str]:
    """The import statement that binds each name."""
    bound: dict[str, str] = {}
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                line = f"import {alias.name}" + (f" as {alias.asname}" if alias.asname else "")
                bound[alias.asname or alias.name] = line
        elif isinstance(statement, ast.ImportFrom) and not (statement.module or "").startswith(PACKAGE):
            for alias in statement.names:
                line = f"from {statement.module} import {alias.name}" + (f" as {alias.asname}" if alias.asname else "")
                bound[alias.asname or alias.name] = line
    return bound


def _text(source: str, statement: ast.stmt) -> str:
    decorators = getattr(statement, "decorator_list", [])
    first = min([statement.lineno, *(d.lineno for d in decorators)])
    lines = source.splitlines()[first - 1 : statement.end_lineno]
    return "\n".join(re.sub(r"\s+# type: ignore.*$", "", line) for line in lines)


def with_their_needs(names: Iterable[str]) -> list[Block]:
    """The named blocks and all they use, in an order in which each is defined before it is used."""
    ordered: dict[str, Block] = {}

    def add(name: str) -> None:
        if name in ordered:
            return
        block = all_blocks().get(name)
        if block is None:
            raise UnknownBlock(name)
        for need in block.needs:
            add(need)
        ordered[name] = block

    for name in sorted(names):
        add(name)
    return list(ordered.values())

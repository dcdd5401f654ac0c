"""The expressions that catalogue entries write, checked before they become part of a program."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_ALWAYS = frozenset({"torch", "nn", "F", "math", "blocks", "float", "int", "slice", "tuple", "list", "sum", "len"})


class UnsafeCode(ValueError):
    """An entry wrote something else than an expression over torch, its inputs and its own module."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(f"{code!r}: {reason}")
        self.code, self.reason = code, reason


def checked(code: str, variables: frozenset[str]) -> ast.Expression:
    """The parsed expression, if it uses nothing but torch, `variables` and names it binds itself; else UnsafeCode.

    Parameters come from files, so an entry that forgot to quote a text must not get it into a program.
    """
    try:
        tree = ast.parse(code, mode="eval")
    except (SyntaxError, ValueError) as error:
        raise UnsafeCode(code, f"is not one expression ({error})") from None
    allowed = _ALWAYS | variables | {n.id for n in _names(tree) if isinstance(n.ctx, ast.Store)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in allowed:
            raise UnsafeCode(code, f"uses the name {node.id!r}")
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            raise UnsafeCode(code, f"uses the private attribute {node.attr!r}")
        if isinstance(node, ast.NamedExpr | ast.Lambda | ast.Await | ast.Yield | ast.YieldFrom):
            raise UnsafeCode(code, f"has a {type(node).__name__}")
    return tree


def _names(tree: ast.AST) -> Iterator[ast.Name]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Name))


def blocks_used(tree: ast.AST) -> set[str]:
    """The composite blocks an expression names as `blocks.Name`."""
    return {node.attr for node in ast.walk(tree) if _is_block(node)}  # type: ignore[attr-defined]


def without_prefix(code: str, tree: ast.AST) -> str:
    """The same expression with `Name` for `blocks.Name`, as in a file that holds the blocks itself."""
    raw = code.encode("utf-8")
    lines = [0]
    for line in raw.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    starts = sorted(
        (lines[node.lineno - 1] + node.col_offset for node in ast.walk(tree) if _is_block(node)),  # type: ignore[attr-defined]
        reverse=True,
    )
    for start in starts:
        raw = raw[:start] + raw[start:].replace(b"blocks.", b"", 1)
    return raw.decode("utf-8")


def _is_block(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "blocks"


def used_names(source: str) -> set[str]:
    """Every name a piece of source reads."""
    return {n.id for n in _names(ast.parse(source)) if isinstance(n.ctx, ast.Load)}

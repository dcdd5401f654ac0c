"""`archstudio mcp`: the verdict and the benchmark as tools for programs that speak MCP, over standard streams."""

from __future__ import annotations

import typer

from archstudio.cli.output import Unusable
from archstudio.services.extras import MissingExtra


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("mcp")(mcp_)


def mcp_() -> None:
    """Serve tools over standard input and output: audit_architecture, grade_task, generate_tasks, explain_problem,
    suggest_fix. Nothing a client sends is ever run."""
    from archstudio.services.mcp_service import run_stdio

    try:
        run_stdio()
    except MissingExtra as reason:
        raise Unusable(str(reason)) from None

"""`archstudio serve`: the benchmark's environment and the verdict on graphs, over HTTP."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Annotated

import typer

from archstudio.cli.output import Unusable, console
from archstudio.services.extras import MissingExtra
from archstudio.services.serving import CannotServe, Serving, serve

LONGEST_TOKEN = 4_096
SHORTEST_TOKEN = 16


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("serve")(serve_)


def serve_(
    host: Annotated[str, typer.Option(help="Address to serve at; without a token only this machine.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port; 0 takes a free one.")] = 8737,
    token_file: Annotated[
        Path | None, typer.Option(help="A file with the token that clients send: Authorization: Bearer TOKEN.")
    ] = None,
    allow_host: Annotated[list[str] | None, typer.Option(help="Another name the service is known by.")] = None,
    rate: Annotated[
        float | None, typer.Option(min=0, help="Requests a second of one client; 0 is no limit. Default 50 if exposed.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that serve.")] = 1,
) -> None:
    """Serve tasks, grades, episodes and verdicts until Ctrl+C. Submitted code is never run.

    POST /api/v1/check takes a graph and gives the full verdict; /docs describes all.
    """
    token = None if token_file is None else _token(token_file)
    serving = Serving(host, port, token, tuple(allow_host or ()), rate, workers)
    try:
        serve(
            serving, lambda address: console.print(f"Serving at {address}; {address}/docs describes it.", markup=False)
        )
    except (CannotServe, MissingExtra) as reason:
        raise Unusable(str(reason)) from None


def _token(path: Path) -> str:
    try:
        text = path.read_bytes()[: LONGEST_TOKEN + 1].decode("ascii").strip()
    except UnicodeDecodeError:
        raise Unusable(f"{path}: the token holds characters other than ASCII.") from None
    if not SHORTEST_TOKEN <= len(text) <= LONGEST_TOKEN or not text.isprintable() or " " in text:
        raise Unusable(f"{path}: a token is {SHORTEST_TOKEN} to {LONGEST_TOKEN:,} characters without blanks.")
    if os.name != "nt" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise Unusable(f"{path}: others on this machine can read the token. Run: chmod 600 {path}")
    return text

"""What `-i` asks on the terminal: one thing after another, each with its default and with what it may be."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

import typer

from archstudio.cli.output import FINE, Unusable

_T = TypeVar("_T")


def need_terminal() -> None:
    """End with one line where nobody could answer."""
    if not sys.stdin.isatty():
        raise Unusable("-i asks on a terminal, and there is none. Give the options instead; --help lists them.")


def one_of(question: str, allowed: Sequence[str], default: str) -> str:
    """Ask for one of some words."""
    return _asked(f"{question} ({', '.join(allowed)})", default, lambda text: _among(text, allowed))


def several(question: str, allowed: Sequence[str], default: Sequence[str]) -> list[str]:
    """Ask for some of some words, with commas or spaces between them."""

    def read(text: str) -> list[str]:
        names = text.replace(",", " ").split()
        if not names:
            raise ValueError("name at least one")
        return [_among(name, allowed) for name in dict.fromkeys(names)]

    return _asked(f"{question} (any of {', '.join(allowed)})", ", ".join(default), read)


def number(question: str, default: int, *, least: int = 0, most: int | None = None) -> int:
    """Ask for a whole number."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise ValueError(f"{text!r} is no whole number") from None
        if value < least or (most is not None and value > most):
            raise ValueError(f"{value} is not from {least} to {most}" if most is not None else f"at least {least}")
        return value

    return _asked(question, str(default), read)


def go_on(question: str) -> None:
    """Ask whether to begin; a no ends the program, and nothing was made."""
    if not typer.confirm(question, default=True):
        typer.echo("Nothing was made.")
        raise typer.Exit(FINE)


def _among(text: str, allowed: Sequence[str]) -> str:
    if text not in allowed:
        raise ValueError(f"{text!r} is none of them")
    return text


def _asked(question: str, default: str, read: Callable[[str], _T]) -> _T:
    while True:
        text = typer.prompt(question, default=default)
        try:
            return read(str(text).strip())
        except ValueError as reason:
            typer.echo(f"  {reason}; once more.")
